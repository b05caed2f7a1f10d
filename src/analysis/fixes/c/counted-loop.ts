import type { Node } from 'web-tree-sitter';
import { declarationsOf, identifiersIn, isAddressed, macroValue } from './declarations.ts';
import { enclosingFunction, LOOPS, removeStatement, type ParsedSource } from './syntax.ts';
import type { SourceEdit } from '../fix.ts';
import { nodesOf } from '../tree-nodes.ts';

/** `for (int j = 0; j < n; j++)`: a loop that counts from a constant to a bound that does not change, in steps of one. */
export interface CountedLoop {
  readonly loop: Node;
  readonly variable: string;
  readonly start: number;
  /** How many turns it makes, as an expression of type `size_t`; 0 where the bound lies below the start. */
  readonly turns: string;
  /** Where the variable was declared in front of the loop and nothing else uses it: its declaration goes. */
  readonly leftOver: readonly SourceEdit[];
}

const UNSIGNED = /^(std::)?(size_t|unsigned( (int|long|long int|long long))?|uint(32|64)_t)$/;
const SIGNED = /^(std::)?(int|long( int| long| long int)?|signed( int| long)?|ssize_t|ptrdiff_t|off_t|int(32|64)_t)$/;
const CONTAINER = /^(std::)?(vector|array) ?<|^(std::)?string$/;
const LITERAL = /^(0|[1-9]\d{0,8})(u|l|ul|uz|z)*$/i;

/**
 * The loop around a statement that is all of its body.
 * @param writesMemory whether the body changes memory: then the bound must be a variable that nothing else leads to
 */
export function countedLoop(
  source: ParsedSource,
  all: readonly ParsedSource[],
  statement: Node,
  writesMemory: boolean,
): CountedLoop | undefined {
  const loop = loopOf(statement);
  const condition = loop?.childForFieldName('condition');
  const bound = condition?.childForFieldName('right');
  const first = loop === undefined ? undefined : counterOf(loop);
  if (loop === undefined || first === undefined || bound === undefined || bound === null) return undefined;
  const { name: variable, start } = first;
  const operator = condition?.childForFieldName('operator')?.text;
  if (condition?.childForFieldName('left')?.text !== variable || (operator !== '<' && operator !== '<='))
    return undefined;
  if (!stepsByOne(loop.childForFieldName('update'), variable)) return undefined;
  const kind = boundKind(bound, all, writesMemory);
  const leftOver = leftOverOf(source, loop, variable, all);
  if (kind === undefined || leftOver === undefined || identifiersIn(bound).includes(variable)) return undefined;
  const turns = turnsOf(bound, kind, start, operator === '<=');
  return { loop, variable, start, turns, leftOver };
}

function loopOf(statement: Node): Node | undefined {
  const { parent } = statement;
  if (parent === null) return undefined;
  const isOnly = parent.type === 'compound_statement' && parent.namedChildren.filter(isCode).length === 1;
  const loop = isOnly ? parent.parent : parent;
  if (loop?.type !== 'for_statement' || loop.hasError) return undefined;
  if (loop.childForFieldName('body')?.id !== (isOnly ? parent.id : statement.id)) return undefined;
  // `#pragma omp parallel for` wants its loop.
  return loop.previousNamedSibling?.type === 'preproc_call' ? undefined : loop;
}

export function isCode({ type }: Node): boolean {
  return type !== 'comment';
}

export function counterOf(loop: Node): { name: string; start: number } | undefined {
  const initializer = loop.childForFieldName('initializer');
  const declarators = initializer?.childrenForFieldName('declarator') ?? [];
  const value = initializer?.type === 'declaration' ? declarators[0]?.childForFieldName('value') : undefined;
  const given = value ?? initializer?.childForFieldName('right');
  const name =
    value === undefined ? initializer?.childForFieldName('left') : declarators[0]?.childForFieldName('declarator');
  if (initializer?.type === 'assignment_expression' && initializer.childForFieldName('operator')?.text !== '=')
    return undefined;
  if (declarators.length > 1 || name?.type !== 'identifier' || !LITERAL.test(given?.text ?? '')) return undefined;
  return { name: name.text, start: Number.parseInt(given!.text, 10) };
}

export function stepsByOne(update: Node | null, variable: string): boolean {
  const text = (update?.text ?? '').replaceAll(/\s/g, '');
  return [`${variable}++`, `++${variable}`, `${variable}+=1`].includes(text);
}

type BoundKind = 'constant' | 'unsigned' | 'signed';

/** undefined where it is no whole number, or may change. */
function boundKind(bound: Node, all: readonly ParsedSource[], writesMemory: boolean): BoundKind | undefined {
  const kindOf = (node: Node): BoundKind | undefined => boundKind(node, all, writesMemory);
  switch (bound.type) {
    case 'number_literal':
      return LITERAL.test(bound.text) ? 'constant' : undefined;
    case 'parenthesized_expression':
      return kindOf(bound.namedChildren[0]!);
    case 'sizeof_expression':
      return identifiersIn(bound).some((name) => macroValue(name, all) !== undefined) ? undefined : 'unsigned';
    case 'binary_expression': {
      const sides = [kindOf(bound.childForFieldName('left')!), kindOf(bound.childForFieldName('right')!)];
      const operator = bound.childForFieldName('operator')!.text;
      if (sides.includes(undefined) || !['+', '-', '*', '/'].includes(operator)) return undefined;
      // What is less than nothing would be a large number of bytes.
      return sides.every((side) => side === 'unsigned') && operator !== '-' ? 'unsigned' : 'signed';
    }
    case 'field_expression': {
      const name = bound.childForFieldName('field')?.text ?? '';
      return writesMemory ? undefined : variableKind(bound, name, all);
    }
    case 'identifier': {
      const macro = macroValue(bound.text, all);
      if (macro !== undefined) return LITERAL.test(macro.replaceAll(/^\(|\)$/g, '')) ? 'constant' : undefined;
      if (isNumberedName(bound, all)) return 'constant';
      const scope = enclosingFunction(bound);
      if (writesMemory && (scope === null || isAddressed(bound.text, scope))) return undefined;
      return variableKind(bound, bound.text, all, writesMemory);
    }
    case 'call_expression':
      return isSizeOfContainer(bound, all) ? 'unsigned' : undefined;
    default:
      return undefined;
  }
}

/** `enum { ROWS = 400 };` */
function isNumberedName(name: Node, all: readonly ParsedSource[]): boolean {
  return enumeratorValue(name.text, name, all) !== undefined;
}

function enumeratorValue(name: string, at: Node, all: readonly ParsedSource[]): string | undefined {
  if (declarationsOf(name, at, all).length > 0) return undefined;
  const named = all
    .flatMap(({ tree }) => nodesOf(tree.rootNode, ['enumerator']))
    .filter((one) => one.childForFieldName('name')?.text === name);
  const value = named[0]?.childForFieldName('value')?.text ?? '';
  return named.length === 1 && LITERAL.test(value) ? value : undefined;
}

/** The number that a text is, or that a macro or an enumeration has under this name; NaN for all else. */
export function constantOf(text: string, at: Node, all: readonly ParsedSource[]): number {
  const value = macroValue(text, all)?.replaceAll(/^\(|\)$/g, '') ?? enumeratorValue(text, at, all) ?? text;
  return LITERAL.test(value) ? Number.parseInt(value, 10) : Number.NaN;
}

/** `row.size()`: elements that change do not change how many there are. */
function isSizeOfContainer(call: Node, all: readonly ParsedSource[]): boolean {
  const callee = call.childForFieldName('function');
  const object = callee?.type === 'field_expression' ? callee.childForFieldName('argument') : undefined;
  if (object?.type !== 'identifier' || callee?.childForFieldName('field')?.text !== 'size') return false;
  const declared = declarationsOf(object.text, object, all);
  return declared.length > 0 && declared.every(({ type, depth }) => depth === 0 && CONTAINER.test(type));
}

function variableKind(at: Node, name: string, all: readonly ParsedSource[], onlyLocal = false): BoundKind | undefined {
  const declared = declarationsOf(name, at, all);
  if (declared.length === 0) return undefined;
  if (declared.some(({ depth, isVolatile }) => depth > 0 || isVolatile)) return undefined;
  if (
    onlyLocal &&
    declared.some(({ holder, isReference, isStatic }) => isReference || isStatic || enclosingFunction(holder) === null)
  )
    return undefined;
  if (declared.every(({ type }) => UNSIGNED.test(type))) return 'unsigned';
  return declared.every(({ type }) => SIGNED.test(type)) ? 'signed' : undefined;
}

function turnsOf(bound: Node, kind: BoundKind, start: number, isClosed: boolean): string {
  const simple = [
    'identifier',
    'number_literal',
    'parenthesized_expression',
    'field_expression',
    'call_expression',
  ].includes(bound.type);
  const value = simple ? bound.text : `(${bound.text})`;
  const more = (isClosed ? 1 : 0) - start;
  const sum = more === 0 ? value : `(${value} ${more < 0 ? '-' : '+'} ${Math.abs(more)})`;
  if (kind !== 'signed' && more >= 0) return sum;
  return `(${value} ${isClosed ? '>=' : '>'} ${start} ? (size_t)${sum} : 0)`;
}

/**
 * What goes with the loop's variable where it was declared in front of it; undefined where its value may be used later, or
 * where the loop is not the one that gives it its first value.
 */
function leftOverOf(
  source: ParsedSource,
  loop: Node,
  variable: string,
  all: readonly ParsedSource[],
): SourceEdit[] | undefined {
  const initializer = loop.childForFieldName('initializer')!;
  if (initializer.type === 'declaration') {
    const type = initializer.childForFieldName('type')?.text ?? '';
    return UNSIGNED.test(type) || SIGNED.test(type) ? [] : undefined;
  }
  const scope = enclosingFunction(loop);
  const [declared, ...more] = declarationsOf(variable, loop, all);
  if (scope === null || declared === undefined || more.length > 0 || /#\s*pragma/.test(scope.text)) return undefined;
  if (declared.isStatic || declared.isReference || declared.holder.type !== 'declaration') return undefined;
  if (declared.depth > 0 || !(UNSIGNED.test(declared.type) || SIGNED.test(declared.type))) return undefined;
  if (enclosingFunction(declared.holder)?.id !== scope.id) return undefined;
  const others = scope
    .descendantsOfType('identifier')
    .filter((use) => use.text === variable && use.id !== declared.name.id && !isWithin(use, loop));
  if (others.some((use) => !countsAnew(use, variable))) return undefined;
  return others.length > 0 ? [] : removeDeclarator(source, declared.holder, declared.name);
}

function isWithin(node: Node, outer: Node): boolean {
  return node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

/** Whether a use stands in a loop that gives the variable a value first. */
function countsAnew(use: Node, variable: string): boolean {
  for (let at: Node | null = use; at !== null; at = at.parent) {
    if (!LOOPS.includes(at.type)) continue;
    const initializer = at.childForFieldName('initializer');
    if (initializer?.type !== 'assignment_expression') continue;
    if (initializer.childForFieldName('left')?.text !== variable) continue;
    if (!identifiersIn(initializer.childForFieldName('right')!).includes(variable)) return true;
  }
  return false;
}

/** Takes `j` out of `int i, j;`. */
function removeDeclarator(source: ParsedSource, holder: Node, name: Node): SourceEdit[] | undefined {
  const declarators = holder.childrenForFieldName('declarator');
  if (declarators.length === 1) return [removeStatement(source, holder)];
  const at = declarators.findIndex((one) => isWithin(name, one));
  const [own, before, after] = [declarators[at]!, declarators[at - 1], declarators[at + 1]];
  // `int *p, j;`: what is left must mean what it meant.
  const start = before === undefined ? own.startIndex : before.endIndex;
  const end = before === undefined ? after!.startIndex : own.endIndex;
  return own.type === 'identifier' || LITERAL.test(own.childForFieldName('value')?.text ?? '')
    ? [{ file: source.file, start, end, text: '' }]
    : undefined;
}
