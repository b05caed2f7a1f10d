import type { Node } from 'web-tree-sitter';
import { isClosedWorld, reaches } from './closed-world.ts';
import { identifiersIn } from './declarations.ts';
import type { FixSources } from './descriptors.ts';
import { descriptorOf, reachOf, type Reach } from './holders.ts';
import {
  ancestorOfType,
  callsOf,
  callsOnLine,
  enclosingFunction,
  functionName,
  indentOf,
  insertAt,
  isPlainDeclaration,
  isPure,
  replace,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest, Refusal, Repair, SourceEdit } from '../fix.ts';

/**
 * `write` of a descriptor that one function opens, writes and closes: a stream of the library collects what is written. All
 * that was asked before is asked of the stream, and what it holds back is told by its `fclose`.
 */

const TITLE = 'Collect the writes in a stream';
const NOTE =
  'The stream writes when its buffer is full and when it is closed. A full disk is noticed then, at the latest by fclose.';
const LOST = 'up to 64 KiB are lost if the program is killed, a full disk is noticed as much later';
const FLAGS = /^(O_(WRONLY|CREAT|TRUNC|EXCL|CLOEXEC)|[\s|()])+$/;
const NAMES = ['out', 'stream', 'collected'];

export function collectWrites(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main } = sources;
  const [write] = callsOnLine(main, request.place.line, ['write']).filter(({ operands }) => operands.length === 3);
  if (write === undefined) return undefined;
  const use = request.threaded ? undefined : onlyUse(reachOf(request, sources), write);
  const isKnown =
    use !== undefined &&
    isClosedWorld(request, sources.all, ['open', 'close', 'write']) &&
    isOnlyFile(sources.all, use.open) &&
    request.touchedAt.every(({ file }) => sources.all.some((source) => source.file === file));
  const edits = use === undefined || !isKnown ? undefined : streamEdits(main, use);
  if (edits === undefined)
    return { title: TITLE, note: NOTE, reason: 'threads, signals and error checks may need each write at once' };
  return { title: `${TITLE} (${LOST})`, note: NOTE, edits, method: 'buffered stream', kind: 'trade' };
}

/** A descriptor that is opened, tested, written and closed in one function. */
interface OnlyUse {
  readonly scope: Node;
  readonly declaration: Node;
  readonly open: FunctionCall;
  readonly name: string;
  /** `fd < 0`, the test that leaves where the file cannot be opened. */
  readonly test: Node;
  readonly writes: readonly FunctionCall[];
  readonly closes: readonly FunctionCall[];
}

function onlyUse(reach: Reach, { operands }: FunctionCall): OnlyUse | undefined {
  const [variable] = operands;
  const scope = enclosingFunction(variable!);
  const descriptor = descriptorOf(reach, variable!);
  const [open, ...more] = descriptor?.opens ?? [];
  const declaration = open?.node.parent?.parent;
  if (scope === null || open === undefined || more.length > 0 || !isPlainDeclaration(declaration)) return undefined;
  const uses = descriptor!.uses;
  const isHere = uses.every(
    ({ node, name }) => enclosingFunction(node)?.id === scope.id && /^(write|close)$/.test(name),
  );
  if (!isHere || !FLAGS.test(open.operands[1]?.text ?? '') || enclosingFunction(open.node)?.id !== scope.id)
    return undefined;
  const name = variable!.text;
  const test = openTest(declaration, name);
  // The variable is nothing else than the descriptor: named by its declaration, one test, and the calls.
  const named = identifiersIn(scope).filter((text) => text === name).length;
  if (test === undefined || named !== uses.length + 2 || scope.descendantsOfType('labeled_statement').length > 0)
    return undefined;
  const writes = uses.filter((use) => use.name === 'write');
  const closes = uses.filter((use) => use.name === 'close');
  return { scope, declaration, open, name, test, writes, closes };
}

/** `if (fd < 0) return …;` directly behind the declaration. */
function openTest(declaration: Node, name: string): Node | undefined {
  let next = declaration.nextNamedSibling;
  while (next?.type === 'comment') next = next.nextNamedSibling;
  const condition = next?.type === 'if_statement' ? next.childForFieldName('condition')?.namedChildren[0] : undefined;
  const isTest = [`${name}<0`, `${name}==-1`].includes((condition?.text ?? '').replaceAll(/\s/g, ''));
  const branch = next?.childForFieldName('consequence');
  return isTest && next?.childForFieldName('alternative') === null && leaves(branch) ? condition! : undefined;
}

function leaves(branch: Node | null | undefined): boolean {
  const last = branch?.type === 'compound_statement' ? branch.namedChildren.findLast(isCode) : branch;
  if (last?.type === 'return_statement') return true;
  const only = last?.type === 'expression_statement' ? last.namedChildren[0] : undefined;
  return !!last && callsOf(last, new Set(['exit'])).some(({ node }) => node.id === only?.id);
}

function isCode({ type }: Node): boolean {
  return type !== 'comment';
}

/** Whether nothing else in the sources opens a file that may be the same. */
function isOnlyFile(all: readonly ParsedSource[], own: FunctionCall): boolean {
  const roots = all.map(({ tree }) => tree.rootNode);
  // An exception would leave the stream behind with a buffer that is gone.
  if (all.some(({ text }) => /\b([io]?fstream|stdin|cin|catch)\b/.test(text))) return false;
  const others = roots
    .flatMap((root) => callsOf(root, new Set(['open', 'fopen'])))
    .filter(({ node }) => node.id !== own.node.id);
  const name = (call: FunctionCall): string => call.operands[0]?.text.replaceAll('"', '').split('/').at(-1) ?? '';
  const isLiteral = (call: FunctionCall): boolean => call.operands[0]?.type === 'string_literal';
  const isDistinct = isLiteral(own) && others.every((call) => isLiteral(call) && name(call) !== name(own));
  const scope = enclosingFunction(own.node)!;
  const isSpecial = /^"\/(dev|proc|sys)\//.test(own.operands[0]?.text ?? '');
  return !isSpecial && (others.length === 0 || isDistinct) && !reaches(scope, functionName(scope), all);
}

/** undefined where the function may be left without a close, or an error would be told to nobody. */
function streamEdits(main: ParsedSource, use: OnlyUse): SourceEdit[] | undefined {
  const { scope, declaration, name, test, writes, closes } = use;
  const taken = new Set(identifiersIn(scope));
  const stream = NAMES.find((candidate) => !taken.has(candidate));
  if (stream === undefined || taken.has('buffer') || !isAlwaysClosed(use)) return undefined;
  const changes = writes.map((write) => writeEdit(main, write, stream));
  if (changes.includes(undefined)) return undefined;
  const areAsked = writes.some(({ node }) => node.parent?.type !== 'expression_statement');
  if (areAsked && !closes.every((close) => isAsked(close) || followsFailure(close))) return undefined;
  const indent = indentOf(main, declaration);
  const lines = (...all: readonly string[]): string => all.map((line) => `\n${indent}${line}`).join('');
  const opened = `FILE *${stream} = ${name} < 0 ? NULL : fdopen(${name}, "w");`;
  const behindTest = ancestorOfType(test, ['if_statement'])!.endIndex;
  return [
    ...includeEdit(main),
    insertAt(main, declaration.endIndex, lines('char buffer[65536];', opened)),
    insertAt(main, behindTest, lines(`setvbuf(${stream}, buffer, _IOFBF, sizeof buffer);`)),
    replace(main, test, `${stream} == NULL`),
    ...changes.flatMap((change) => change ?? []),
    ...closes.map(({ node }) => replace(main, node, `fclose(${stream})`)),
  ];
}

function includeEdit(main: ParsedSource): SourceEdit[] {
  if (/^\s*#\s*include\s*<(stdio\.h|cstdio)>/m.test(main.text)) return [];
  const [first] = main.tree.rootNode.descendantsOfType('preproc_include');
  return [insertAt(main, first?.startIndex ?? 0, '#include <stdio.h>\n')];
}

/** `return close(fd);` and `if (close(fd) != 0)`: it is called whatever else is asked. */
const CLOSES_FIRST = /^(return\b\s*)?\(?\s*(::)?close\s*\(/;

/** Whether every way out of the function behind the open leads through one close, and nothing is written behind it. */
function isAlwaysClosed({ scope, declaration, test, writes, closes }: OnlyUse): boolean {
  const opened = ancestorOfType(test, ['if_statement'])!;
  const isClose = (statement: Node | null | undefined): boolean =>
    closes.some(({ node }) => node.parent?.id === statement?.id && statement?.type === 'expression_statement');
  const closesFirst = (node: Node | null | undefined): boolean =>
    !!node && CLOSES_FIRST.test(node.text) && closes.some((close) => isWithin(close.node, node));
  const closesInTest = (statement: Node | null): boolean =>
    statement?.type === 'if_statement' && closesFirst(statement.childForFieldName('condition'));
  const isSafe = (exit: Node): boolean => {
    const tested = ancestorOfType(exit, ['if_statement']);
    return (
      closesFirst(exit) || isClose(besideCode(exit, -1)) || closesInTest(besideCode(exit, -1)) || closesInTest(tested)
    );
  };
  const exits = scope
    .descendantsOfType(['return_statement', 'break_statement', 'continue_statement'])
    .filter((node) => node.startIndex > opened.endIndex);
  const last = declaration.parent!.namedChildren.findLast(isCode);
  const isEnd = last?.type === 'return_statement' ? isSafe(last) : isClose(last);
  // What is closed in a branch that is left at once is not used any more; of the others only the last comes behind all.
  const isLast = ({ node }: FunctionCall): boolean =>
    leavesNext(node) || [...writes, ...closes].every((use) => use.node.startIndex <= node.startIndex);
  return isEnd && exits.every(isSafe) && closes.every(isLast);
}

function isWithin(node: Node, outer: Node): boolean {
  return node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

/** The code in front of a statement, or behind it. */
function besideCode(statement: Node | null | undefined, step: 1 | -1): Node | null {
  let at = statement ?? null;
  do at = (step < 0 ? at?.previousNamedSibling : at?.nextNamedSibling) ?? null;
  while (at?.type === 'comment');
  return at;
}

function leavesNext(close: Node): boolean {
  if (ancestorOfType(close, ['return_statement']) !== null) return true;
  return close.parent?.type === 'expression_statement' && leaves(besideCode(close.parent, 1));
}

/** Whether the result of a call is looked at. */
function isAsked({ node }: FunctionCall): boolean {
  return node.parent?.type !== 'expression_statement' && node.parent?.type !== 'cast_expression';
}

/** A close in the branch of a write that failed: what it says makes nothing worse. */
function followsFailure({ node }: FunctionCall): boolean {
  const test = ancestorOfType(node, ['if_statement']);
  const condition = test?.childForFieldName('condition');
  return !!condition && callsOf(condition, new Set(['write'])).length > 0;
}

/** `write(fd, p, n)` alone, `write(fd, p, n) != n` or `write(fd, p, n) < 0` as a whole condition. */
function writeEdit(main: ParsedSource, { node, operands }: FunctionCall, stream: string): SourceEdit | undefined {
  const [, data, size] = operands;
  if (!isPure(data!) || !isPure(size!)) return undefined;
  const call = `fwrite(${data!.text}, 1, ${size!.text}, ${stream})`;
  const { parent } = node;
  if (parent?.type === 'expression_statement') return replace(main, node, call);
  const isWhole = ['parenthesized_expression', 'condition_clause'].includes(parent?.parent?.type ?? '');
  if (parent?.type !== 'binary_expression' || !isWhole || parent.parent?.parent?.type !== 'if_statement')
    return undefined;
  if (
    parent.childForFieldName('left')?.id !== node.id ||
    !leaves(parent.parent.parent.childForFieldName('consequence'))
  )
    return undefined;
  const squeezed = (text: string): string =>
    text.replaceAll(/\s|\((ssize_t|size_t|int|long)\)/g, '').replace(/^\((.*)\)$/, '$1');
  const asked = parent.childForFieldName('operator')!.text + squeezed(parent.childForFieldName('right')!.text);
  const known = [`!=${squeezed(size!.text)}`, `<${squeezed(size!.text)}`, '<0', '==-1'];
  const whole = /^(\(size_t\)|sizeof\b)/.test(size!.text) ? size!.text : `(size_t)${sizeOperand(size!)}`;
  return known.includes(asked) ? replace(main, parent, `${call} != ${whole}`) : undefined;
}

function sizeOperand({ type, text }: Node): string {
  return ['identifier', 'number_literal', 'parenthesized_expression'].includes(type) ? text : `(${text})`;
}
