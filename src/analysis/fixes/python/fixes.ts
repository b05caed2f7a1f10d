import type { Node } from 'web-tree-sitter';
import { formatBytes } from '../../../base/quantities.ts';
import type { Fixer, FixSources } from '../c/descriptors.ts';
import { insertAt, type ParsedSource } from '../c/syntax.ts';
import type { FixRequest, Refusal, Repair, SourceEdit } from '../fix.ts';
import { askOutsideLoop } from './ask-once.ts';
import { needsFileNow, openFilesOf, type OpenFile } from './files.ts';
import { openOutsideLoop } from './open-once.ts';
import { assignRows, assignSlice, writeRowsAtOnce } from './slices.ts';
import {
  calleeOf,
  keywordsOf,
  nodesOn,
  operand,
  operandsOf,
  plainString,
  PYTHON,
  rootName,
  soleCall,
  statementsOf,
} from './syntax.ts';
import { ownLines, remove } from '../statement-lines.ts';

/**
 * What can be tried for each trigger, best first. HDF5 writes its own tables anew with each flush: what Python asks for
 * once shows as many random or repeated writes.
 */
export const PYTHON_FIXERS: Readonly<Record<string, readonly Fixer[]>> = {
  'posix-small-writes': [letPythonBuffer, assignSlice, assignRows, writeRowsAtOnce, dropFlush],
  'flush-after-every-record': [dropFlush],
  'hdf5-small-writes': [assignSlice, assignRows],
  'posix-small-reads': [letPythonRead],
  'posix-random-writes': [assignSlice, dropFlush],
  'posix-redundant-writes': [dropFlush, assignSlice],
  'sync-after-every-write': [keepSynchronising],
  'open-close-in-loop': [openOutsideLoop],
  'repeated-questions': [askOutsideLoop],
  'small-library-calls': [assignSlice, assignRows],
};

const KIB = 1024;

/** A buffer that is worth it; the size is given, as Python's own goes by its version and by the file system. */
function bufferFor({ medianBytes }: FixRequest): number {
  return medianBytes <= KIB ? 8 * KIB : 128 * KIB;
}

function isText(open: Node): boolean {
  return !(plainString(operand(open, 1, 'mode')) ?? 'r').includes('b');
}

/** What is not in the file yet at most: a buffer of bytes, and before it 8 KiB of text that is not encoded. */
function heldBack(open: Node, buffer: number): number {
  return buffer + (isText(open) ? 8 * KIB : 0);
}

/** `open(path, 'wb', buffering=0)`: with a buffer. */
function letPythonBuffer(request: FixRequest, { main: source, all }: FixSources): Repair | Refusal | undefined {
  const open = unbuffered(request, source) ?? unbufferedBehind(request, source, all);
  if (open === undefined || !/^[wax]b?t?$/.test(plainString(operand(open, 1, 'mode')) ?? '')) return undefined;
  const size = bufferFor(request);
  const title = 'Let Python buffer this file';
  const note =
    'Python writes when its buffer is full and when the file is closed: then others see it, and then a full disk is noticed.';
  const file = fileOpenedBy(open, all);
  const reason = file === undefined ? UNSEEN : needsFileNow(request, [file], all);
  if (reason !== undefined) return { title, note, reason };
  return {
    title: `${title}: up to ${formatBytes(heldBack(open, size))} are lost if the program is killed`,
    note,
    edits: [{ ...rangeOf(source, operand(open, 2, 'buffering')!), text: bufferingOf(open, size) }],
    method: 'buffered stream',
    kind: 'trade',
  };
}

/** The same for a file that is read: it must be one that nobody changes meanwhile, and no pipe. */
function letPythonRead(request: FixRequest, { main: source }: FixSources): Repair | Refusal | undefined {
  const open = unbuffered(request, source);
  if (open === undefined || plainString(operand(open, 1, 'mode')) !== 'rb') return undefined;
  return {
    title: 'Let Python buffer this file',
    note: 'Python reads 8 KiB or more at once. From a pipe it would wait for them, and what is written meanwhile it may not see.',
    reason: 'the file may be a pipe, or be written meanwhile',
  };
}

function unbuffered(request: FixRequest, source: ParsedSource): Node | undefined {
  const open = nodesOn(source, request.place.line, ['call']).find((call) => calleeOf(call) === 'open');
  const size = open === undefined ? undefined : operand(open, 2, 'buffering')?.text;
  return size === '0' || (size === '1' && isText(open!)) ? open : undefined;
}

/** The open of the file that the line writes to. */
function unbufferedBehind(request: FixRequest, source: ParsedSource, all: readonly ParsedSource[]): Node | undefined {
  const write = nodesOn(source, request.place.line, ['call']).find((call) => /^\w+\.write$/.test(calleeOf(call)));
  const file = write?.childForFieldName('function')?.childForFieldName('object');
  const [opened, ...more] = file ? (openFilesOf(file.text, file, all) ?? []) : [];
  const isHere = opened !== undefined && more.length === 0 && opened.call.tree === source.tree;
  const size = isHere ? operand(opened.call, 2, 'buffering')?.text : undefined;
  return size === '0' ? opened!.call : undefined;
}

function rangeOf({ file }: ParsedSource, node: Node): Omit<SourceEdit, 'text'> {
  return { file, start: node.startIndex, end: node.endIndex };
}

function bufferingOf(open: Node, size: number): string {
  return keywordsOf(open).has('buffering') ? String(size) : `buffering=${size}`;
}

const UNSEEN = 'where the file is opened and closed is not seen here';

/** The file that an open stands for, by the name that it gets. */
function fileOpenedBy(open: Node, all: readonly ParsedSource[]): OpenFile | undefined {
  const { parent } = open;
  const isAssigned = parent?.type === 'assignment';
  const name = isAssigned ? parent.childForFieldName('left') : parent?.namedChildren[1];
  const inside = isAssigned ? statementBehind(parent.parent) : bodyBehind(open);
  const files = name && inside ? openFilesOf(name.text, inside, all) : undefined;
  return files?.find(({ call }) => call.id === open.id);
}

function statementBehind(statement: Node | null): Node | undefined {
  return statementsOf(statement?.parent ?? null).find(({ startIndex }) => startIndex > statement!.startIndex);
}

function bodyBehind(open: Node): Node | undefined {
  for (let at = open.parent; at !== null; at = at.parent)
    if (at.type === 'with_statement') return at.childForFieldName('body')?.namedChildren[0];
  return undefined;
}

/** `file.flush()` and `os.fsync(file.fileno())` that follow each other, for one file. */
interface FlushGroup {
  readonly statements: readonly Node[];
  readonly target: Node;
  readonly synchronises: boolean;
}

function flushTarget(statement: Node | null): { target: Node; synchronises: boolean } | undefined {
  const call = statement === null ? undefined : soleCall(statement);
  const callee = call?.childForFieldName('function');
  if (call === undefined || callee === null || callee === undefined) return undefined;
  if (/^os\.(fsync|fdatasync)$/.test(callee.text)) {
    const [file] = operandsOf(call);
    const asked = file?.type === 'call' && calleeOf(file).endsWith('.fileno') ? file : undefined;
    const target = asked === undefined ? file : asked.childForFieldName('function')!.childForFieldName('object');
    return target === null || target === undefined ? undefined : { target, synchronises: true };
  }
  const target = callee.childForFieldName('object');
  if (callee.childForFieldName('attribute')?.text !== 'flush' || target === null) return undefined;
  return operandsOf(call).length > 0 ? undefined : { target, synchronises: false };
}

function flushesOn(request: FixRequest, source: ParsedSource): FlushGroup | undefined {
  const own = nodesOn(source, request.place.line, ['expression_statement']).find((node) => flushTarget(node));
  const found = own === undefined ? undefined : flushTarget(own);
  if (own === undefined || found === undefined || rootName(found.target) === '') return undefined;
  const belongs = (node: Node | null): boolean => flushTarget(node)?.target.text === found.target.text;
  let first = own;
  let last = own;
  while (belongs(first.previousNamedSibling)) first = first.previousNamedSibling!;
  while (belongs(last.nextNamedSibling)) last = last.nextNamedSibling!;
  const statements = [first];
  while (statements.at(-1)!.id !== last.id) statements.push(statements.at(-1)!.nextNamedSibling!);
  const synchronises = statements.some((statement) => flushTarget(statement)!.synchronises);
  return { statements, target: found.target, synchronises };
}

/** A synchronisation makes a promise: nobody takes it away. */
function keepSynchronising(request: FixRequest, { main: source }: FixSources): Refusal | undefined {
  if (flushesOn(request, source)?.synchronises !== true) return undefined;
  return {
    title: 'Synchronise once, after the loop',
    note: 'A synchronisation waits for the disk each time.',
    reason: 'an acknowledgement or a journal may rely on each synchronisation',
  };
}

/** `file.flush()` after each record, in a loop or in a function that a loop calls. */
function dropFlush(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main: source, all } = sources;
  const group = flushesOn(request, source);
  if (group?.synchronises === true) return keepSynchronising(request, sources);
  const block = group?.statements[0]!.parent;
  if (group === undefined || block?.type !== 'block') return undefined;
  const title = 'Do not flush after each record';
  const note =
    'Python writes when its buffer is full and when the file is closed: then others see it, and then a full disk is noticed.';
  const lines = ownLines(source, PYTHON, group.statements[0]!, group.statements.at(-1));
  if (lines === undefined || statementsOf(block).length <= group.statements.length) return undefined;
  const files =
    group.target.type === 'identifier' ? openFilesOf(group.target.text, group.statements[0]!, all) : undefined;
  const reason = files === undefined ? UNSEEN : needsFileNow(request, files, all);
  if (reason !== undefined) return { title, note, reason };
  const opens = [...new Map(files!.map(({ call }) => [call.id, call])).values()];
  const buffers = opens.map((open) => bufferOf(open, bufferFor(request)));
  if (buffers.includes(undefined)) return { title, note, reason: 'the size of its buffer is not known' };
  const most = Math.max(...opens.map((open, i) => heldBack(open, buffers[i]!)));
  return {
    title: `${title}: up to ${formatBytes(most)} are lost if the program is killed`,
    note,
    edits: [
      ...opens
        .filter((open) => operand(open, 2, 'buffering') === undefined)
        .map((open) =>
          sized(
            all.find(({ tree }) => tree === open.tree)!,
            open,
            request,
          ),
        ),
      remove(source, lines),
    ],
    method: 'dropped flush',
    kind: 'trade',
  };
}

/** The bytes of a file's buffer: those that it is given, else those that it will be given. */
function bufferOf(open: Node, size: number): number | undefined {
  const given = operand(open, 2, 'buffering');
  if (!/^[wax]b?t?$/.test(plainString(operand(open, 1, 'mode')) ?? '')) return undefined;
  if (given === undefined) return size;
  return given.type === 'integer' && Number(given.text) > 1 ? Number(given.text) : undefined;
}

function sized(source: ParsedSource, open: Node, request: FixRequest): SourceEdit {
  const last = open.childForFieldName('arguments')!.namedChildren.findLast(({ type }) => type !== 'comment')!;
  return insertAt(source, last.endIndex, `, buffering=${bufferFor(request)}`);
}
