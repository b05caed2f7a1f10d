import type { Node, Tree } from 'web-tree-sitter';
import type { SourceEdit } from './fix.ts';

/** A parsed C or C++ file. */
export interface ParsedSource {
  readonly file: string;
  readonly text: string;
  readonly tree: Tree;
}

/** A call of a plain function: `write(fd, buffer, size)`, also `::write(…)` and `std::fflush(…)`. */
export interface FunctionCall {
  readonly node: Node;
  readonly callee: Node;
  readonly name: string;
  readonly operands: readonly Node[];
}

/** All calls of the named functions under a node, in the order of the text. */
export function callsOf(root: Node, names: ReadonlySet<string>): FunctionCall[] {
  const calls: FunctionCall[] = [];
  for (const node of root.descendantsOfType('call_expression')) {
    const callee = node.childForFieldName('function');
    const list = node.childForFieldName('arguments');
    if (callee === null || list === null) continue;
    const name = callee.text.replace(/^(std)?::/, '');
    if (names.has(name))
      calls.push({ node, callee, name, operands: list.namedChildren.filter((child) => child.type !== 'comment') });
  }
  return calls;
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

const STATEMENTS = [
  'expression_statement',
  'return_statement',
  'if_statement',
  'while_statement',
  'for_statement',
  'do_statement',
  'switch_statement',
  'declaration',
];

/** The statement that a node stands in: the nearest one that is a block's or a branch's own. */
export function statementOf(node: Node): Node | null {
  for (let at: Node | null = node; at !== null; at = at.parent) if (STATEMENTS.includes(at.type)) return at;
  return null;
}

export const LOOPS: readonly string[] = ['for_statement', 'for_range_loop', 'while_statement', 'do_statement'];

/** Whether a node is evaluated with each turn of a loop, outside the loop's body. */
export function inLoopHead(node: Node): boolean {
  for (let at = node; at.parent !== null; at = at.parent) {
    const { parent } = at;
    if (LOOPS.includes(parent.type) && parent.childForFieldName('body')?.id !== at.id) return true;
    if (parent.type === 'function_definition') return false;
  }
  return false;
}

/** Whether a loop stands between a node and one of its ancestors. */
export function loopBetween(node: Node, ancestor: Node): boolean {
  for (let at = node.parent; at !== null && at.id !== ancestor.id; at = at.parent)
    if (LOOPS.includes(at.type)) return true;
  return false;
}

/** The item of the file (function, namespace, …) that a node stands in: helpers are put in front of it. */
export function topLevelItem(node: Node): Node {
  let at = node;
  while (at.parent !== null && !/^(translation_unit|preproc_if|preproc_ifdef)$/.test(at.parent.type)) at = at.parent;
  return at;
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

/** Puts a statement in front of another, in a block of its own where there is none. */
export function insertBefore(source: ParsedSource, statement: Node, code: string): SourceEdit[] {
  const indent = indentOf(source, statement);
  if (statement.parent?.type === 'compound_statement') {
    return [insertAt(source, statement.startIndex, `${code}\n${indent}`)];
  }
  return [
    insertAt(source, statement.startIndex, `{\n${indent}${code}\n${indent}`),
    insertAt(source, statement.endIndex, `\n${indent}}`),
  ];
}

/** Adds `#include`s that the file does not have yet, behind its last one (or at its top). */
export function includeEdits(source: ParsedSource, headers: readonly string[]): SourceEdit[] {
  const includes = source.tree.rootNode.descendantsOfType('preproc_include');
  const present = new Set(includes.map((node) => node.childForFieldName('path')?.text));
  const missing = headers.filter((header) => !present.has(`<${header}>`));
  if (missing.length === 0) return [];
  const text = missing.map((header) => `#include <${header}>\n`).join('');
  const last = includes.at(-1);
  if (last === undefined) return [insertAt(source, 0, `${text}\n`)];
  // The node of an include ends behind its line end.
  const newline = source.text.indexOf('\n', Math.max(last.startIndex, last.endIndex - 1));
  return [insertAt(source, newline < 0 ? source.text.length : newline + 1, newline < 0 ? `\n${text}` : text)];
}

/** Whether evaluating the expression twice, or later, is the same: no calls, no assignments. */
export function isPure(expression: Node): boolean {
  return (
    expression.descendantsOfType(['call_expression', 'assignment_expression', 'update_expression']).length === 0 &&
    !['call_expression', 'assignment_expression', 'update_expression'].includes(expression.type)
  );
}

/** Whether a file includes another by its name. */
export function includesFile(source: ParsedSource, file: string): boolean {
  const name = file.split('/').at(-1)!;
  return source.tree.rootNode
    .descendantsOfType('preproc_include')
    .some((node) => node.childForFieldName('path')?.text.replaceAll(/["<>]/g, '').split('/').at(-1) === name);
}
