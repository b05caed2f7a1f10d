import type { Node } from 'web-tree-sitter';
import { closesIn, ONLY_USES } from './descriptors.ts';
import { declarationsOf, identifiersIn, isAddressed } from './declarations.ts';
import {
  callsOf,
  enclosingFunction,
  functionDeclarator,
  functionName,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';

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

/**
 * Follows a descriptor through local variables and parameters of `static` functions.
 * @returns undefined where it may be known elsewhere: stored, returned, given to unknown code, or not opened here
 */
export function descriptorOf(source: ParsedSource, variable: Node): Descriptor | undefined {
  const scope = enclosingFunction(variable);
  if (variable.type !== 'identifier' || scope === null) return undefined;
  const holders: Holder[] = [{ scope, name: variable.text }];
  const opens: FunctionCall[] = [];
  const uses: FunctionCall[] = [];
  // Grows while it is walked through: each function may lead to others.
  for (const holder of holders) {
    const found = usesOf(source, holder);
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

function usesOf(source: ParsedSource, { scope, name }: Holder): FoundUses | undefined {
  const all = [source];
  const [declared, ...more] = declarationsOf(name, scope.childForFieldName('body') ?? scope, all);
  if (scope.type !== 'function_definition' || scope.hasError || declared === undefined || more.length > 0)
    return undefined;
  const { holder, depth, isStatic, isReference } = declared;
  if (enclosingFunction(holder)?.id !== scope.id || depth > 0 || isStatic || isReference) return undefined;
  if (scope.descendantsOfType('lambda_expression').length > 0 || isNamedByMacro(source, name)) return undefined;
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
      const next = known === undefined ? parameterFor(source, call, use) : undefined;
      if (known !== undefined && known.operands[0]?.id === use.id) uses.push(known);
      else if (next !== undefined) holders.push(next);
      else return undefined;
    }
  }
  const isParameter = holder.type === 'parameter_declaration';
  const givers = isParameter ? giversOf(source, scope, holder) : [];
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
function isNamedByMacro({ tree }: ParsedSource, name: string): boolean {
  return tree.rootNode
    .descendantsOfType(['preproc_def', 'preproc_function_def'])
    .some((macro) => new RegExp(String.raw`\b${name}\b`).test(macro.childForFieldName('value')?.text ?? ''));
}

function isStaticFunction(definition: Node): boolean {
  return definition.namedChildren.some(({ type, text }) => type === 'storage_class_specifier' && text === 'static');
}

function parametersOf(definition: Node): Node[] {
  const list = functionDeclarator(definition)?.childForFieldName('parameters');
  return (list?.namedChildren ?? []).filter(({ type }) => type !== 'comment');
}

/** The parameter that an argument becomes, where the function is one of this file. */
function parameterFor(source: ParsedSource, call: Node, argument: Node): Holder | undefined {
  const name = call.childForFieldName('function')?.text;
  const place = argument
    .parent!.namedChildren.filter(({ type }) => type !== 'comment')
    .findIndex(({ id }) => id === argument.id);
  const [scope, ...more] = source.tree.rootNode
    .descendantsOfType('function_definition')
    .filter((node) => functionName(node) === name);
  if (scope === undefined || more.length > 0 || !isStaticFunction(scope)) return undefined;
  const parameter = parametersOf(scope)[place]?.childForFieldName('declarator');
  return parameter?.type === 'identifier' ? { scope, name: parameter.text } : undefined;
}

/** The variables that the callers of a `static` function give for a parameter. */
function giversOf(source: ParsedSource, scope: Node, parameter: Node): Holder[] | undefined {
  const arguments_ = argumentsFor(source, scope, parameter);
  if (arguments_ === undefined || arguments_.some(({ type }) => type !== 'identifier')) return undefined;
  return arguments_.map((given) => ({ scope: enclosingFunction(given)!, name: given.text }));
}

/** What all callers of a function give for a parameter; undefined where not all callers are known. */
export function argumentsFor(source: ParsedSource, scope: Node, parameter: Node): Node[] | undefined {
  const name = functionName(scope);
  if (!isStaticFunction(scope) || isAddressed(name, source.tree.rootNode) || isNamedByMacro(source, name))
    return undefined;
  const place = parametersOf(scope).findIndex(({ id }) => id === parameter.id);
  const calls = callsOf(source.tree.rootNode, new Set([name]));
  const named = source.tree.rootNode.descendantsOfType('identifier').filter(({ text }) => text === name);
  const declarators = named.filter(({ parent }) => parent?.type === 'function_declarator');
  // As a value its name is an address: anybody may call it.
  if (named.length !== calls.length + declarators.length) return undefined;
  const given = calls.flatMap(({ operands }) => operands[place] ?? []);
  const all = given.length === calls.length && given.every((one) => enclosingFunction(one) !== null);
  return all && given.length > 0 ? given : undefined;
}

/** Whether an expression is never less than nothing, however the program runs. */
export function isNonNegative(source: ParsedSource, expression: Node, depth = 4): boolean {
  const isSo = (node: Node | null): boolean => node !== null && isNonNegative(source, node, depth - 1);
  if (depth < 0) return false;
  switch (expression.type) {
    case 'number_literal':
      return /^\d+[ul]*$/i.test(expression.text);
    case 'sizeof_expression':
      return true;
    case 'parenthesized_expression':
      return isNonNegative(source, expression.namedChildren[0]!, depth);
    case 'cast_expression':
      return (
        /^(off_t|long|long long|size_t|off64_t)$/.test(expression.childForFieldName('type')?.text ?? '') &&
        isNonNegative(source, expression.childForFieldName('value')!, depth)
      );
    case 'binary_expression':
      return (
        ['+', '*', '/', '%'].includes(expression.childForFieldName('operator')?.text ?? '') &&
        isNonNegative(source, expression.childForFieldName('left')!, depth) &&
        isNonNegative(source, expression.childForFieldName('right')!, depth)
      );
    case 'identifier':
      return isNeverBelowZero(source, expression, isSo);
    default:
      return false;
  }
}

/** Too small to become negative as an offset. */
const UNSIGNED = /^(unsigned( int| short)?|uint(16|32)_t)$/;
const WHOLE = /^(unsigned|(unsigned )?(int|long|long long|short)|size_t|off_t|ssize_t|u?int(16|32|64)_t)$/;

function isNeverBelowZero(source: ParsedSource, use: Node, isSo: (node: Node | null) => boolean): boolean {
  const scope = enclosingFunction(use);
  const [declared, ...more] = declarationsOf(use.text, use, [source]);
  if (scope === null || declared === undefined || more.length > 0) return macroLiteral(source, use.text);
  const { holder, value, type, depth, isReference, isStatic } = declared;
  if (depth === 0 && !isReference && UNSIGNED.test(type)) return true;
  if (depth > 0 || isReference || isStatic || !WHOLE.test(type) || isAddressed(use.text, scope)) return false;
  if (enclosingFunction(holder)?.id !== scope.id || isLent(source, use.text, scope)) return false;
  const changes = [...scope.descendantsOfType(['assignment_expression', 'update_expression'])].filter(
    (node) => (node.childForFieldName('left') ?? node.childForFieldName('argument'))?.text === use.text,
  );
  const grows = changes.every((change) => {
    const operator = change.childForFieldName('operator')?.text ?? '';
    if (change.type === 'update_expression') return operator === '++';
    const right = change.childForFieldName('right')!;
    return ['=', '+=', '*='].includes(operator) && !identifiersIn(right).includes(use.text) && isSo(right);
  });
  if (!grows) return false;
  if (holder.type === 'parameter_declaration') return argumentsFor(source, scope, holder)?.every(isSo) === true;
  return value === null ? changes.length > 0 : isSo(value);
}

/** Whether C++ may change a variable where nothing shows it: read from a stream, or given for a reference. */
function isLent(source: ParsedSource, name: string, scope: Node): boolean {
  const root = source.tree.rootNode;
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

function macroLiteral({ tree }: ParsedSource, name: string): boolean {
  return tree.rootNode
    .descendantsOfType('preproc_def')
    .some(
      (macro) =>
        macro.childForFieldName('name')?.text === name &&
        /^\(?\d+[ul]*\)?$/i.test(macro.childForFieldName('value')?.text.trim() ?? ''),
    );
}
