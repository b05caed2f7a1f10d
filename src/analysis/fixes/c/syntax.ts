import type { Node, Tree } from 'web-tree-sitter';
import type { SourceEdit } from '../fix.ts';
import { nodesOf } from '../tree-nodes.ts';

/** A parsed C or C++ file. */
export interface ParsedSource {
  readonly file: string;
  readonly text: string;
  readonly tree: Tree;
}

/**
 * A call of a plain function: `write(fd, buffer, size)`, also `::write(…)` and `std::fflush(…)`. What a class calls by the
 * name of one of its own members is none.
 */
export interface FunctionCall {
  readonly node: Node;
  readonly callee: Node;
  readonly name: string;
  readonly operands: readonly Node[];
}

/** All calls of the named functions under a node, in the order of the text. */
export function callsOf(root: Node, names: ReadonlySet<string>): FunctionCall[] {
  const calls: FunctionCall[] = [];
  for (const node of nodesOf(root, ['call_expression'])) {
    const callee = node.childForFieldName('function');
    const list = node.childForFieldName('arguments');
    if (callee === null || list === null) continue;
    const name = callee.text.replace(/^(std)?::/, '');
    if (!names.has(name) || (callee.type === 'identifier' && isMember(node, name))) continue;
    calls.push({ node, callee, name, operands: list.namedChildren.filter((child) => child.type !== 'comment') });
  }
  return calls;
}

const CLASSES = ['class_specifier', 'struct_specifier'];

/** Whether a plain name means a member function where a node stands: inside a class that has one, or in its members. */
function isMember(node: Node, name: string): boolean {
  const members = membersOf(node.tree);
  if (!members.has(name)) return false;
  for (let at = node.parent; at !== null; at = at.parent) {
    const type = CLASSES.includes(at.type) ? at.childForFieldName('name')?.text : memberName(at)?.type;
    if (type !== undefined && members.get(name)!.has(type)) return true;
  }
  return false;
}

const knownMembers = new WeakMap<Tree, ReadonlyMap<string, ReadonlySet<string>>>();

/** The classes that have a member function of a name, as far as a file tells: declared there, or defined as `Class::name`. */
function membersOf(tree: Tree): ReadonlyMap<string, ReadonlySet<string>> {
  const known = knownMembers.get(tree);
  if (known !== undefined) return known;
  const types = new Map<string, Set<string>>();
  const add = (type: string, name: string | undefined): void => {
    if (name !== undefined) types.set(name, (types.get(name) ?? new Set()).add(type));
  };
  for (const node of nodesOf(tree.rootNode, [...CLASSES, 'function_definition'])) {
    const member = memberName(node);
    if (member !== undefined) add(member.type, member.name);
    const type = node.childForFieldName('name')?.text;
    for (const declared of type === undefined ? [] : (node.childForFieldName('body')?.namedChildren ?? []))
      add(type!, functionDeclarator(declared)?.childForFieldName('declarator')?.text);
  }
  knownMembers.set(tree, types);
  return types;
}

/** `Class` and `name` of a definition `… Class::name(…) { … }`. */
function memberName(definition: Node): { type: string; name: string } | undefined {
  const qualified = functionDeclarator(definition)?.childForFieldName('declarator');
  const type = definition.type === 'function_definition' ? qualified?.childForFieldName('scope')?.text : undefined;
  return type === undefined ? undefined : { type, name: qualified?.childForFieldName('name')?.text ?? '' };
}

/** The part of a declaration or definition that has the name and the parameters of a function. */
export function functionDeclarator(node: Node): Node | undefined {
  for (let at = node.childForFieldName('declarator'); at !== null; at = at.childForFieldName('declarator'))
    if (at.type === 'function_declarator') return at;
  return undefined;
}

export function functionName(definition: Node | null): string {
  return (definition && functionDeclarator(definition)?.childForFieldName('declarator')?.text) ?? '';
}

/** Calls of the named functions that a line takes part in; `line` counts from 1. */
export function callsOnLine(source: ParsedSource, line: number, names: readonly string[]): FunctionCall[] {
  return callsOf(source.tree.rootNode, new Set(names)).filter(
    ({ node }) => node.startPosition.row <= line - 1 && node.endPosition.row >= line - 1,
  );
}

export function ancestorOfType(node: Node, types: readonly string[]): Node | null {
  for (let at = node.parent; at !== null; at = at.parent) if (types.includes(at.type)) return at;
  return null;
}

export function enclosingFunction(node: Node): Node | null {
  return ancestorOfType(node, ['function_definition', 'lambda_expression']);
}

export const LOOPS: readonly string[] = ['for_statement', 'for_range_loop', 'while_statement', 'do_statement'];

/** Whether a loop stands between a node and one of its ancestors. */
export function loopBetween(node: Node, ancestor: Node): boolean {
  for (let at = node.parent; at !== null && at.id !== ancestor.id; at = at.parent)
    if (LOOPS.includes(at.type)) return true;
  return false;
}

/** Replaces a node's text. */
export function replace(source: ParsedSource, node: Node, text: string): SourceEdit {
  return { file: source.file, start: node.startIndex, end: node.endIndex, text };
}

export function insertAt(source: ParsedSource, position: number, text: string): SourceEdit {
  return { file: source.file, start: position, end: position, text };
}

/** Takes a statement away, with the rest of its lines where nothing else stands on them. */
export function removeStatement(source: ParsedSource, statement: Node): SourceEdit {
  const { text } = source;
  let start = statement.startIndex;
  let end = statement.endIndex;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  const rest = /^[ \t]*(\/\/[^\n]*|\/\*[^\n]*?\*\/[ \t]*)?(\r?\n|$)/.exec(text.slice(end));
  const ownsLine = start === 0 || text[start - 1] === '\n';
  if (ownsLine && rest !== null) end += rest[0].length;
  else start = statement.startIndex;
  return { file: source.file, start, end, text: '' };
}

/** The blanks in front of a node's line. */
export function indentOf(source: ParsedSource, node: Node): string {
  const start = source.text.lastIndexOf('\n', node.startIndex - 1) + 1;
  return /^[ \t]*/.exec(source.text.slice(start))![0];
}

/** How far the program indents what stands in a block. */
export function stepOf({ text }: ParsedSource, indent: string): string {
  return indent.includes('\t') ? '\t' : (/^ {2,8}(?=\S)/m.exec(text)?.[0] ?? '    ');
}

/** Whether evaluating the expression twice, or later, is the same: no calls, no assignments. */
export function isPure(expression: Node): boolean {
  return (
    expression.descendantsOfType(['call_expression', 'assignment_expression', 'update_expression']).length === 0 &&
    !['call_expression', 'assignment_expression', 'update_expression'].includes(expression.type)
  );
}

/** `int fd = open(…);` as a statement of a block. */
export function isPlainDeclaration(node: Node | null | undefined): node is Node {
  if (node?.type !== 'declaration' || node.parent?.type !== 'compound_statement') return false;
  return node.childrenForFieldName('declarator').length === 1 && /^int\s/.test(node.text);
}

/** Without blanks. */
export const squeezed = (text: string): string => text.replaceAll(/\s/g, '');
