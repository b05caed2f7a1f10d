import type { Node } from 'web-tree-sitter';
import { enclosingFunction, functionName, indentOf, insertAt, LOOPS, type ParsedSource } from './c-syntax.ts';
import type { SourceEdit } from './fix.ts';
import { HELPER_NAMES } from './helpers.ts';

/** Where code can be put into a C or C++ file: statements, `#include`s and helper functions. */

/** Preprocessor conditions. */
export const CONDITIONAL = ['preproc_if', 'preproc_ifdef', 'preproc_else', 'preproc_elif', 'preproc_elifdef'];

/** How a statement stands: among others of a list, or as all that a branch or a loop consists of. */
type Standing = 'listed' | 'sole';

function standingOf(node: Node): Standing | undefined {
  const { parent } = node;
  if (parent === null) return undefined;
  // Behind half a statement under an #if a node may be the other half.
  const before = node.previousNamedSibling;
  if (before !== null && CONDITIONAL.includes(before.type) && before.hasError) return undefined;
  const holds = (field: string): boolean => parent.childForFieldName(field)?.id === node.id;
  if (parent.type === 'compound_statement') return 'listed';
  if (CONDITIONAL.includes(parent.type)) return standingOf(parent) === 'listed' ? 'listed' : undefined;
  if (parent.type === 'case_statement') return holds('value') ? undefined : 'listed';
  if (parent.type === 'labeled_statement') return holds('label') || node.type === 'declaration' ? undefined : 'sole';
  if (parent.type === 'else_clause') return 'sole';
  if (parent.type === 'if_statement') return holds('consequence') ? 'sole' : undefined;
  return LOOPS.includes(parent.type) && holds('body') ? 'sole' : undefined;
}

/** Whether a statement can be taken away: it is one of a block's, and no branch or loop is left without its own. */
export function isRemovable(statement: Node | null | undefined): statement is Node {
  return statement?.parent?.type === 'compound_statement' && standingOf(statement) === 'listed';
}

/** The statement that a node stands in, in front of which another can be put; null outside of functions. */
export function statementOf(node: Node): Node | null {
  for (let at: Node | null = node; at !== null && at.type !== 'function_definition'; at = at.parent)
    if (standingOf(at) !== undefined) return at;
  return null;
}

/** Puts a statement in front of the one that a node stands in, in a block of its own where there is none. */
export function insertBefore(source: ParsedSource, node: Node, code: string): SourceEdit[] | undefined {
  const statement = statementOf(node);
  if (statement === null) return undefined;
  const indent = indentOf(source, statement);
  if (standingOf(statement) === 'listed') return [insertAt(source, statement.startIndex, `${code}\n${indent}`)];
  return [
    insertAt(source, statement.startIndex, `{\n${indent}${code}\n${indent}`),
    insertAt(source, statement.endIndex, `\n${indent}}`),
  ];
}

/** The item of the file (function, namespace, …) that a node stands in, or the `#if` around it. */
function topLevelItem(node: Node): Node {
  let at = node;
  while (at.parent !== null && at.parent.type !== 'translation_unit' && !isIncludeGuard(at.parent)) at = at.parent;
  return at;
}

/** `#ifndef NAME`, `#define NAME` around all of a header: not a condition like others. */
function isIncludeGuard(node: Node): boolean {
  if (!CONDITIONAL.includes(node.type) || node.parent?.type !== 'translation_unit') return false;
  if (node.childForFieldName('alternative') !== null) return false;
  const head = node.childForFieldName('name') ?? node.childForFieldName('condition');
  const first = node.namedChildren.find(({ id, type }) => id !== head?.id && type !== 'comment');
  const name = first?.type === 'preproc_def' ? first.childForFieldName('name')?.text : undefined;
  const opening = node.text.slice(0, node.text.indexOf('\n')).replaceAll(/[\s()]/g, '');
  return name !== undefined && [`#ifndef${name}`, `#if!defined${name}`].includes(opening);
}

/** Functions that a fix puts into a file. */
export interface Helper {
  readonly code: string;
  readonly headers: readonly string[];
  /** Everything that the code defines. */
  readonly names: readonly string[];
}

/**
 * What tells the code that a fix may change from that of helpers: once a helper is there, its own code stays, and that of
 * the others was fitted to it when the later of both came.
 */
export function userCode({ tree }: ParsedSource, { names }: Pick<Helper, 'names'>): (node: Node) => boolean {
  const all = tree.rootNode.descendantsOfType('function_definition').map(functionName);
  if (!names.some((name) => all.includes(name))) return () => true;
  return (node) => !HELPER_NAMES.includes(functionName(enclosingFunction(node)));
}

/**
 * Puts a helper in front of the first of its users, and the headers that it needs. Nothing where an earlier fix has put it
 * already; undefined where its names mean something else, or its users stand in front of it.
 */
export function helperEdits(source: ParsedSource, helper: Helper, users: readonly Node[]): SourceEdit[] | undefined {
  const first = users.map(topLevelItem).reduce((a, b) => (a.startIndex <= b.startIndex ? a : b));
  const definitions = definitionsOf(source, helper.names);
  if (definitions.length > 0) {
    const present = helper.names.every((name) => definitions.some((definition) => definition.name === name));
    const inFront = definitions.every(({ node }) => node.startIndex < first.startIndex);
    return present && inFront ? [] : undefined;
  }
  if (source.tree.rootNode.descendantsOfType('identifier').some(({ text }) => helper.names.includes(text)))
    return undefined;
  const start = commentStart(source, first);
  return [...includeEdits(source, helper.headers, start), insertAt(source, start, helper.code)];
}

/** Functions and variables of the file that have one of the names. */
function definitionsOf(source: ParsedSource, names: readonly string[]): { node: Node; name: string }[] {
  return source.tree.rootNode
    .descendantsOfType(['function_definition', 'init_declarator', 'declaration', 'array_declarator'])
    .flatMap((node) => {
      const name =
        node.type === 'function_definition' ? functionName(node) : (node.childForFieldName('declarator')?.text ?? '');
      return names.includes(name) ? [{ node, name }] : [];
    });
}

/** Where the comment directly above an item begins (or the item itself): a helper must not come between the two. */
function commentStart(source: ParsedSource, item: Node): number {
  let start = item;
  for (let before = item.previousSibling; before?.type === 'comment'; before = before.previousSibling) {
    if (before.endPosition.row < start.startPosition.row - 1) break;
    start = before;
  }
  return source.text.lastIndexOf('\n', start.startIndex - 1) + 1;
}

/**
 * Adds `#include`s that the file does not have yet, behind the last one in front of a position. Those under an `#if` may
 * be left out when the file is compiled: they do not count.
 */
function includeEdits(source: ParsedSource, headers: readonly string[], position: number): SourceEdit[] {
  const includes = source.tree.rootNode
    .descendantsOfType('preproc_include')
    .filter((node) => node.startIndex < position && topLevelItem(node).id === node.id);
  const present = new Set(includes.map((node) => node.childForFieldName('path')?.text));
  const missing = headers.filter((header) => !present.has(`<${header}>`));
  if (missing.length === 0) return [];
  const text = missing.map((header) => `#include <${header}>\n`).join('');
  const last = includes.at(-1);
  if (last === undefined) return [insertAt(source, position, `${text}\n`)];
  // The node of an include ends behind its line end.
  return [insertAt(source, source.text.indexOf('\n', Math.max(last.startIndex, last.endIndex - 1)) + 1, text)];
}
