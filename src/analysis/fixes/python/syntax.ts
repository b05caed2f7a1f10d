import type { Node } from 'web-tree-sitter';
import { ancestorOfType, type ParsedSource } from '../c/syntax.ts';
import type { LineLanguage } from '../statement-lines.ts';

/** Shapes of Python code as tree-sitter-python names them. */

export const PYTHON: LineLanguage = { comment: '#' };

/** What begins on a line, counted from 1, and could be parsed. */
export function nodesOn({ tree }: ParsedSource, line: number, types: readonly string[]): Node[] {
  const [start, end] = [line - 1, line].map((row) => ({ row, column: 0 }));
  return tree.rootNode
    .descendantsOfType([...types], start, end)
    .filter((node) => node.startPosition.row === line - 1 && !node.hasError);
}

export const LOOPS = ['for_statement', 'while_statement'];

/** The function that a node stands in, or the module. */
export function scopeOf(node: Node): Node {
  return ancestorOfType(node, ['function_definition', 'lambda', 'class_definition', 'module']) ?? node.tree.rootNode;
}

/** The call that a statement consists of. */
export function soleCall(statement: Node): Node | undefined {
  if (statement.type !== 'expression_statement' || statement.namedChildCount !== 1) return undefined;
  const [only] = statement.namedChildren;
  return only?.type === 'call' ? only : undefined;
}

export function calleeOf(call: Node): string {
  return call.childForFieldName('function')?.text ?? '';
}

/** Positional operands of a call; those by name are in `keywords`. */
export function operandsOf(call: Node): Node[] {
  const list = call.childForFieldName('arguments');
  return (list?.namedChildren ?? []).filter(({ type }) => type !== 'keyword_argument' && type !== 'comment');
}

export function keywordsOf(call: Node): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const child of call.childForFieldName('arguments')?.namedChildren ?? [])
    if (child.type === 'keyword_argument') found.set(child.childForFieldName('name')!.text, child);
  return found;
}

/** An operand by its place or its name. */
export function operand(call: Node, place: number, name: string): Node | undefined {
  return keywordsOf(call).get(name)?.childForFieldName('value') ?? operandsOf(call)[place];
}

/** Text of a plain string literal: no prefix that changes it, no parts to fill in. */
export function plainString(node: Node | undefined): string | undefined {
  return node?.type === 'string' ? /^["']([^"'\\{}]*)["']$/.exec(node.text)?.[1] : undefined;
}

/** The name that an expression such as `self.file` or `group.file` begins with; '' for anything but names and dots. */
export function rootName(expression: Node): string {
  let at = expression;
  while (at.type === 'attribute') at = at.childForFieldName('object')!;
  return at.type === 'identifier' ? at.text : '';
}

/** Every name that a piece of code gives a value to. */
export function boundNames(root: Node): Set<string> {
  const names = new Set<string>();
  const take = (target: Node | null): void => {
    if (target === null) return;
    if (target.type === 'identifier') names.add(target.text);
    // An attribute that is set, or an element, changes what its name holds.
    if (target.type === 'attribute') names.add(target.text);
    for (const child of target.namedChildren) if (!['attribute', 'subscript'].includes(target.type)) take(child);
  };
  const targets: Readonly<Record<string, string>> = {
    assignment: 'left',
    augmented_assignment: 'left',
    for_statement: 'left',
    for_in_clause: 'left',
    named_expression: 'name',
    function_definition: 'name',
    class_definition: 'name',
  };
  for (const node of root.descendantsOfType([...Object.keys(targets), 'as_pattern_target', 'delete_statement'])) {
    const field = targets[node.type];
    if (field === undefined) node.namedChildren.forEach(take);
    else take(node.childForFieldName(field));
  }
  return names;
}

/** Every name that an expression reads. */
export function namesIn(expression: Node): string[] {
  const all = expression.type === 'identifier' ? [expression] : expression.descendantsOfType('identifier');
  return all.map(({ text }) => text);
}

export function statementsOf(block: Node | null): Node[] {
  return (block?.namedChildren ?? []).filter(({ type }) => type !== 'comment');
}

/** `for name in range(from, to)` */
interface CountedLoop {
  readonly variable: string;
  readonly from: string;
  readonly to: Node;
}

export function countedLoop(loop: Node): CountedLoop | undefined {
  const left = loop.childForFieldName('left');
  const right = loop.childForFieldName('right');
  if (loop.type !== 'for_statement' || left?.type !== 'identifier' || right?.type !== 'call') return undefined;
  if (calleeOf(right) !== 'range' || keywordsOf(right).size > 0) return undefined;
  const operands = operandsOf(right);
  const [from, to] = operands.length === 1 ? [undefined, operands[0]] : operands;
  // A negative start would count from the end of the dataset.
  if (to === undefined || operands.length > 2 || (from !== undefined && from.type !== 'integer')) return undefined;
  return { variable: left.text, from: from?.text ?? '0', to };
}

/** Whether a loop over it makes a turn for certain. */
export function hasTurns(items: Node): boolean {
  if (['list', 'tuple', 'set'].includes(items.type))
    return items.namedChildren.some(({ type }) => !['comment', 'list_splat'].includes(type));
  if (items.type !== 'call' || calleeOf(items) !== 'range') return false;
  const bounds = operandsOf(items).map((bound) => (bound.type === 'integer' ? Number(bound.text) : Number.NaN));
  const [from, to] = bounds.length === 1 ? [0, bounds[0]!] : bounds;
  return bounds.length < 3 && from! < to!;
}
