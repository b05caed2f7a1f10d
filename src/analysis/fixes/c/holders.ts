import type { Node } from 'web-tree-sitter';
import { isWhole } from './closed-world.ts';
import { closesIn, ONLY_USES, type FixSources } from './descriptors.ts';
import { declarationsOf, identifiersIn, isAddressed, type Declared } from './declarations.ts';
import {
  callsOf,
  enclosingFunction,
  functionDeclarator,
  functionName,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest } from '../fix.ts';
import { nodesOf } from '../tree-nodes.ts';

/** Who can use a descriptor: all local variables that hold it, where it goes nowhere else. */
interface Descriptor {
  /** The calls that opened it. */
  readonly opens: readonly FunctionCall[];
  /** All calls that use it, in all functions that have it; `close` too. */
  readonly uses: readonly FunctionCall[];
}

interface Holder {
  readonly scope: Node;
  readonly name: string;
}

const OPEN = new Set(['open']);

/** The sources that a value is followed through. */
export interface Reach {
  readonly all: readonly ParsedSource[];
  /** The sources are all of the program: who calls a function that is not `static` is known, too. */
  readonly isWhole: boolean;
}

export function reachOf(request: Pick<FixRequest, 'unseen'>, { all }: FixSources): Reach {
  return { all, isWhole: isWhole(request, all) };
}

/**
 * Follows a descriptor through local variables and parameters of functions of which all callers are known.
 * @returns undefined where it may be known elsewhere: stored, returned, given to unknown code, or not opened here
 */
export function descriptorOf(reach: Reach, variable: Node): Descriptor | undefined {
  const scope = enclosingFunction(variable);
  if (variable.type !== 'identifier' || scope === null) return undefined;
  const holders: Holder[] = [{ scope, name: variable.text }];
  const opens: FunctionCall[] = [];
  const uses: FunctionCall[] = [];
  // Grows while it is walked through: each function may lead to others.
  for (const holder of holders) {
    const found = usesOf(reach, holder);
    if (found === undefined) return undefined;
    opens.push(...found.opens);
    uses.push(...found.uses);
    for (const next of found.holders)
      if (!holders.some((known) => known.scope.id === next.scope.id && known.name === next.name)) holders.push(next);
  }
  return opens.length > 0 ? { opens, uses } : undefined;
}

interface FoundUses extends Descriptor {
  readonly holders: readonly Holder[];
}

function usesOf(reach: Reach, { scope, name }: Holder): FoundUses | undefined {
  const all = reach.all.filter(({ tree }) => tree === scope.tree);
  const [declared, ...more] = declarationsOf(name, scope.childForFieldName('body') ?? scope, all);
  if (scope.type !== 'function_definition' || scope.hasError || declared === undefined || more.length > 0)
    return undefined;
  const { holder, depth, isStatic, isReference } = declared;
  if (enclosingFunction(holder)?.id !== scope.id || depth > 0 || isStatic || isReference) return undefined;
  if (scope.descendantsOfType('lambda_expression').length > 0 || isNamedByMacro(reach.all, name)) return undefined;
  const opens: FunctionCall[] = [];
  const uses: FunctionCall[] = [];
  const holders: Holder[] = [];
  for (const use of scope.descendantsOfType('identifier').filter(({ text }) => text === name)) {
    if (use.id === declared.name.id && declared.value === null) continue;
    const opened = openedInto(use);
    const call = argumentOf(use);
    if (opened !== undefined) opens.push(opened);
    else if (call === undefined && isLookedAt(use)) continue;
    else if (call === undefined) return undefined;
    else {
      const known = [...callsOf(call, ONLY_USES), ...closesIn(call)].find(({ node }) => node.id === call.id);
      const next = known === undefined ? parameterFor(reach, call, use) : undefined;
      if (known !== undefined && known.operands[0]?.id === use.id) uses.push(known);
      else if (next !== undefined) holders.push(next);
      else return undefined;
    }
  }
  const isParameter = holder.type === 'parameter_declaration';
  const givers = isParameter ? giversOf(reach, scope, holder) : [];
  if (givers === undefined || (isParameter && opens.length > 0)) return undefined;
  return { opens, uses, holders: [...holders, ...givers] };
}

/** The `open` whose result a variable is given, with the declaration or an assignment. */
function openedInto(use: Node): FunctionCall | undefined {
  const { parent } = use;
  const field = parent?.type === 'init_declarator' ? 'declarator' : 'left';
  if (parent?.type !== 'init_declarator' && parent?.type !== 'assignment_expression') return undefined;
  if (parent.childForFieldName(field)?.id !== use.id) return undefined;
  if (parent.type === 'assignment_expression' && !isLookedAt(parent)) return undefined;
  const value = parent.childForFieldName(parent.type === 'init_declarator' ? 'value' : 'right');
  return value === null ? undefined : callsOf(value, OPEN).find(({ node }) => node.id === value.id);
}

function argumentOf(use: Node): Node | undefined {
  const list = use.parent?.type === 'argument_list' ? use.parent : undefined;
  return list?.parent?.type === 'call_expression' ? list.parent : undefined;
}

const COMPARISONS = ['<', '<=', '>', '>=', '==', '!=', '&&', '||'];
const TESTS = ['if_statement', 'while_statement', 'do_statement', 'for_statement', 'condition_clause'];

/** Whether a value is only compared: nothing keeps it. */
function isLookedAt(value: Node): boolean {
  const { parent } = value;
  if (parent?.type === 'parenthesized_expression') return isLookedAt(parent);
  if (parent?.type === 'binary_expression')
    return COMPARISONS.includes(parent.childForFieldName('operator')?.text ?? '');
  if (parent?.type === 'unary_expression') return parent.childForFieldName('operator')?.text === '!';
  return [...TESTS, 'expression_statement'].includes(parent?.type ?? '');
}

/** A macro's text may use whatever has that name where it is used. */
function isNamedByMacro(all: readonly ParsedSource[], name: string): boolean {
  const word = new RegExp(String.raw`\b${name}\b`);
  return all
    .flatMap(({ tree }) => nodesOf(tree.rootNode, ['preproc_def', 'preproc_function_def']))
    .some((macro) => word.test(macro.childForFieldName('value')?.text ?? ''));
}

function isStaticFunction(definition: Node): boolean {
  return definition.namedChildren.some(({ type, text }) => type === 'storage_class_specifier' && text === 'static');
}

export function parametersOf(definition: Node): Node[] {
  const list = functionDeclarator(definition)?.childForFieldName('parameters');
  return (list?.namedChildren ?? []).filter(({ type }) => type !== 'comment');
}

/** The functions that a name means in a source: a `static` one of it, else all of the program. */
function functionsNamed({ all }: Reach, name: string | undefined, from: Node): Node[] {
  const named = all
    .flatMap(({ tree }) => nodesOf(tree.rootNode, ['function_definition']))
    .filter((node) => functionName(node) === name);
  const own = named.filter((node) => node.tree === from.tree);
  return own.length > 0 ? own : named.filter((node) => !isStaticFunction(node));
}

/** The parameter that an argument becomes, where all callers of the function are known. */
function parameterFor(reach: Reach, call: Node, argument: Node): Holder | undefined {
  const name = call.childForFieldName('function')?.text;
  const place = argument
    .parent!.namedChildren.filter(({ type }) => type !== 'comment')
    .findIndex(({ id }) => id === argument.id);
  const [scope, ...more] = functionsNamed(reach, name, call);
  if (scope === undefined || more.length > 0 || !(isStaticFunction(scope) || reach.isWhole)) return undefined;
  const parameter = parametersOf(scope)[place]?.childForFieldName('declarator');
  return parameter?.type === 'identifier' ? { scope, name: parameter.text } : undefined;
}

/** The variables that the callers of a function give for a parameter. */
function giversOf(reach: Reach, scope: Node, parameter: Node): Holder[] | undefined {
  const arguments_ = argumentsFor(reach, scope, parameter);
  if (arguments_ === undefined || arguments_.some(({ type }) => type !== 'identifier')) return undefined;
  return arguments_.map((given) => ({ scope: enclosingFunction(given)!, name: given.text }));
}

/** What all callers of a function give for a parameter; undefined where not all callers are known. */
export function argumentsFor(reach: Reach, scope: Node, parameter: Node): Node[] | undefined {
  const name = functionName(scope);
  const isOwn = isStaticFunction(scope);
  if (!isOwn && !reach.isWhole) return undefined;
  const all = reach.all.filter(({ tree }) => !isOwn || tree === scope.tree);
  const roots = all.map(({ tree }) => tree.rootNode);
  if (roots.some((root) => isAddressed(name, root)) || isNamedByMacro(reach.all, name)) return undefined;
  // Of two functions of one name nobody knows here which is called.
  if (
    roots.flatMap((root) => nodesOf(root, ['function_definition'])).filter((node) => functionName(node) === name)
      .length > 1
  )
    return undefined;
  const place = parametersOf(scope).findIndex(({ id }) => id === parameter.id);
  const calls = roots.flatMap((root) => callsOf(root, new Set([name])));
  const named = roots.flatMap((root) => nodesOf(root, ['identifier'])).filter(({ text }) => text === name);
  const declarators = named.filter(({ parent }) => parent?.type === 'function_declarator');
  // As a value its name is an address: anybody may call it.
  if (named.length !== calls.length + declarators.length) return undefined;
  const given = calls.flatMap(({ operands }) => operands[place] ?? []);
  const areAll = given.length === calls.length && given.every((one) => enclosingFunction(one) !== null);
  return areAll && given.length > 0 ? given : undefined;
}

/** Whether an expression is never less than nothing, however the program runs. */
export function isNonNegative(reach: Reach, expression: Node, depth = 4): boolean {
  const isSo = (node: Node | null): boolean => node !== null && isNonNegative(reach, node, depth - 1);
  if (depth < 0) return false;
  switch (expression.type) {
    case 'number_literal':
      return /^\d+[ul]*$/i.test(expression.text);
    case 'sizeof_expression':
      return true;
    case 'parenthesized_expression':
      return isNonNegative(reach, expression.namedChildren[0]!, depth);
    case 'cast_expression':
      return (
        /^(off_t|long|long long|size_t|off64_t)$/.test(expression.childForFieldName('type')?.text ?? '') &&
        isNonNegative(reach, expression.childForFieldName('value')!, depth)
      );
    case 'binary_expression':
      return (
        ['+', '*', '/', '%'].includes(expression.childForFieldName('operator')?.text ?? '') &&
        isNonNegative(reach, expression.childForFieldName('left')!, depth) &&
        isNonNegative(reach, expression.childForFieldName('right')!, depth)
      );
    case 'identifier':
      return isNeverBelowZero(reach, expression, isSo);
    default:
      return false;
  }
}

/** Too small to become negative as an offset. */
const UNSIGNED = /^(unsigned( int| short)?|uint(16|32)_t)$/;
const WHOLE = /^(unsigned|(unsigned )?(int|long|long long|short)|size_t|off_t|ssize_t|u?int(16|32|64)_t)$/;

function isNeverBelowZero(reach: Reach, use: Node, isSo: (node: Node | null) => boolean): boolean {
  const scope = enclosingFunction(use);
  const [declared, ...more] = nearest(declarationsOf(use.text, use, reach.all), use);
  if (scope === null || declared === undefined || more.length > 0) return macroLiteral(reach.all, use.text);
  const { holder, value, type, depth, isReference, isStatic } = declared;
  if (depth === 0 && !isReference && UNSIGNED.test(type)) return true;
  if (depth > 0 || isReference || isStatic || !WHOLE.test(type) || isAddressed(use.text, scope)) return false;
  if (enclosingFunction(holder)?.id !== scope.id || isLent(use.text, scope)) return false;
  // Another loop's variable of that name is another variable.
  const reached = holder.parent?.type === 'for_statement' ? holder.parent : scope;
  const changes = [...reached.descendantsOfType(['assignment_expression', 'update_expression'])].filter(
    (node) => (node.childForFieldName('left') ?? node.childForFieldName('argument'))?.text === use.text,
  );
  const grows = changes.every((change) => {
    const operator = change.childForFieldName('operator')?.text ?? '';
    if (change.type === 'update_expression') return operator === '++';
    const right = change.childForFieldName('right')!;
    return ['=', '+=', '*='].includes(operator) && !identifiersIn(right).includes(use.text) && isSo(right);
  });
  if (!grows) return false;
  if (holder.type === 'parameter_declaration') return argumentsFor(reach, scope, holder)?.every(isSo) === true;
  return value === null ? changes.length > 0 : isSo(value);
}

/** The declaration in the innermost `for` around a use, where one declares its name; else all. */
function nearest(declared: readonly Declared[], use: Node): readonly Declared[] {
  for (let at = use.parent; at !== null; at = at.parent) {
    const loop = at;
    const within = declared.filter(({ name }) => name.startIndex > loop.startIndex && name.endIndex < loop.endIndex);
    const own = within.filter(({ holder }) => loop.type === 'for_statement' && holder.parent?.id === loop.id);
    // A block of the loop may have another one.
    if (own.length > 0) return within.length === 1 ? own : declared;
  }
  return declared;
}

/** Whether C++ may change a variable where nothing shows it: read from a stream, or given for a reference. */
function isLent(name: string, scope: Node): boolean {
  const root = scope.tree.rootNode;
  const isCpp = root.descendantsOfType(['reference_declarator', 'qualified_identifier', 'template_type']).length > 0;
  const uses = scope.descendantsOfType('identifier').filter(({ text }) => text === name);
  return (
    isCpp &&
    uses.some(({ id, parent }) => {
      if (parent?.type === 'binary_expression')
        return parent.childForFieldName('operator')?.text === '>>' && parent.childForFieldName('right')?.id === id;
      const call = parent?.type === 'argument_list' ? parent.parent : null;
      return call !== null && callsOf(call, ONLY_USES).every(({ node }) => node.id !== call.id);
    })
  );
}

function macroLiteral(all: readonly ParsedSource[], name: string): boolean {
  const macros = all
    .flatMap(({ tree }) => nodesOf(tree.rootNode, ['preproc_def', 'preproc_function_def']))
    .filter((macro) => macro.childForFieldName('name')?.text === name);
  const isNumber = (macro: Node): boolean =>
    macro.type === 'preproc_def' && /^\(?\d+[ul]*\)?$/i.test(macro.childForFieldName('value')?.text.trim() ?? '');
  return macros.length > 0 && macros.every(isNumber);
}
