import type { Node } from 'web-tree-sitter';
import { indentOf, insertAt, type ParsedSource } from './c/syntax.ts';
import type { SourceEdit } from './fix.ts';

/** Languages in which a statement ends with its line: their fixes move, remove and replace whole lines. */
export interface LineLanguage {
  /** What begins a comment. */
  readonly comment: '!' | '#';
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The line end that a file uses. */
export function lineEnd(source: ParsedSource): string {
  return source.text.includes('\r\n') ? '\r\n' : '\n';
}

/**
 * The lines that statements have to themselves, from the first to the last, with a comment behind them and the line end.
 * @returns undefined when they share a line with something else.
 */
export function ownLines(
  source: ParsedSource,
  { comment }: LineLanguage,
  first: Node,
  last = first,
): TextRange | undefined {
  const { text } = source;
  const start = text.lastIndexOf('\n', first.startIndex - 1) + 1;
  if (text.slice(start, first.startIndex).trim() !== '') return undefined;
  const end = endOfLine(source, last);
  const rest = text.slice(last.endIndex, end).trim();
  return rest === '' || rest.startsWith(comment) ? { start, end } : undefined;
}

/** Position behind the line end of a node's last line, or the end of the text. */
function endOfLine(source: ParsedSource, node: Node): number {
  const newline = source.text.indexOf('\n', Math.max(node.startIndex, node.endIndex - 1));
  return newline < 0 ? source.text.length : newline + 1;
}

export function remove(source: ParsedSource, { start, end }: TextRange): SourceEdit {
  return { file: source.file, start, end, text: '' };
}

/** Puts lines behind a node's last line, indented as the node is. */
export function insertLinesBehind(source: ParsedSource, node: Node, lines: readonly string[]): SourceEdit {
  const at = endOfLine(source, node);
  const end = lineEnd(source);
  const indent = indentOf(source, node);
  const open = at === source.text.length && !source.text.endsWith('\n') ? end : '';
  return insertAt(source, at, open + lines.map((line) => `${indent}${line}${end}`).join(''));
}

/** Puts lines in front of a node's first line, indented as the node is. */
export function insertLinesBefore(source: ParsedSource, node: Node, lines: readonly string[]): SourceEdit {
  const at = source.text.lastIndexOf('\n', node.startIndex - 1) + 1;
  const indent = indentOf(source, node);
  return insertAt(source, at, lines.map((line) => `${indent}${line}${lineEnd(source)}`).join(''));
}

/** Whether a line (counted from 1) lies in a node. */
export function standsOn(node: Node, line: number): boolean {
  return node.startPosition.row <= line - 1 && node.endPosition.row >= line - 1;
}
