import type { Node } from 'web-tree-sitter';
import { counted, formatBytes } from '../../base/quantities.ts';
import { bufferSize } from '../triggers/snippets.ts';
import {
  ASKS_FOR_STATUS,
  hidesCalls,
  callsAny,
  CLOSE,
  closesOf,
  ENDS_AT_ONCE,
  FORKS,
  LOCKS,
  REPLACES_PROCESS,
  SHARES_DESCRIPTOR,
  STARTS_PROCESS,
  type FixSources,
} from './c-descriptors.ts';
import { helperEdits, insertBefore, statementOf, userCode } from './c-placement.ts';
import {
  callsOf,
  callsOnLine,
  enclosingFunction,
  inLoopHead,
  removeStatement,
  replace,
  type FunctionCall,
  type ParsedSource,
} from './c-syntax.ts';
import type { FixRequest, Repair, SourceEdit } from './fix.ts';
import { BUFFERED_WRITE, bufferedWriteHelper, OPEN_ONCE, storageIn } from './helpers.ts';

/** Calls that must see what was written, or write behind it: the buffer is flushed in front of them. */
const NEEDS_FLUSH = new Set([
  ...'write dprintf vdprintf read pread readv preadv pwrite writev pwritev lseek truncate ftruncate fsync fdatasync'.split(
    ' ',
  ),
  ...'sync syncfs sync_file_range dup2 dup3 mmap sendfile splice copy_file_range'.split(' '),
  ...FORKS,
  ...STARTS_PROCESS,
  ...REPLACES_PROCESS,
  ...ENDS_AT_ONCE,
  ...ASKS_FOR_STATUS,
]);
const FLUSH = '(void)flush_writes();';
/** Terminals and pipes that others look at: printf writes there too, with a buffer of its own. */
const STANDARD_STREAM = /^([012]|STD(IN|OUT|ERR)_FILENO)$/;

/** `write(fd, record, size)` again and again: collected in a buffer. */
export function bufferWrites(request: FixRequest, sources: FixSources): Repair | undefined {
  const { main } = sources;
  const calls = callsOnLine(main, request.place.line, ['write']).filter(({ operands }) => operands.length === 3);
  const closes = closesOf(request, sources, BUFFERED_WRITE, 'buffered_close');
  const storage = storageIn(main.file, request.language);
  // A buffer that several threads share needs a lock, and whoever closes the file must flush it.
  if (calls.length === 0 || request.threaded || closes === undefined || storage === undefined) return undefined;
  const buffered = [...calls, ...writesBeside(calls[0]!)];
  const isUsers = userCode(main, BUFFERED_WRITE);
  if (buffered.some(({ node, operands }) => !isUsers(node) || STANDARD_STREAM.test(operands[0]!.text)))
    return undefined;
  const others = callsOf(main.tree.rootNode, NEEDS_FLUSH).filter(
    ({ node }) => !buffered.some((call) => call.node.id === node.id) && isUsers(node),
  );
  if (!keepsOrder(request, main, others)) return undefined;
  const flushes = flushEdits(main, others);
  const helper = { ...BUFFERED_WRITE, code: bufferedWriteHelper(storage, request.count, request.medianBytes) };
  const own = closes.filter(({ source }) => source === main).map(({ call }) => call);
  const placed = helperEdits(
    main,
    helper,
    [...buffered, ...others, ...own].map(({ node }) => node),
  );
  if (flushes === undefined || placed === undefined) return undefined;
  return {
    title: `Collect these ${counted(request.count, 'write')} in a buffer of ${formatBytes(bufferSize(request.medianBytes))}`,
    note: 'What is pending is written when the buffer is full, when the file is closed, and at exit. Call flush_writes() before other code reads the file.',
    edits: [
      ...buffered.flatMap((call) => [replace(main, call.callee, 'buffered_write'), ...dropFlushBefore(main, call)]),
      ...closes.map(({ source, call }) => replace(source, call.callee, 'buffered_close')),
      ...flushes,
      ...placed,
    ],
    method: 'buffered writes',
    kind: 'repair',
  };
}

/** The other writes of the function to the same descriptor: they go through the buffer too. */
function writesBeside(own: FunctionCall): FunctionCall[] {
  const scope = enclosingFunction(own.node);
  const descriptor = own.operands[0]!.text;
  if (scope === null) return [];
  return callsOf(scope, new Set(['write'])).filter(
    ({ node, operands }) => node.id !== own.node.id && operands.length === 3 && operands[0]!.text === descriptor,
  );
}

/**
 * Whether everything that touches the file can be kept in order with the buffer: nothing else may write it behind our
 * back, and a flush can be put in front of each other call. A file that is kept open is not closed where it seems to be,
 * and a lock is given away by calls that are not known here.
 */
function keepsOrder(request: FixRequest, main: ParsedSource, others: readonly FunctionCall[]): boolean {
  const root = main.tree.rootNode;
  if (callsAny(root, SHARES_DESCRIPTOR, LOCKS, new Set(OPEN_ONCE.names))) return false;
  if (hidesCalls(main, new Set([...CLOSE, ...LOCKS, ...SHARES_DESCRIPTOR, ...NEEDS_FLUSH]))) return false;
  if (others.some(({ node }) => inLoopHead(node))) return false;
  return request.touchedAt.every(
    ({ file, line }) =>
      file === main.file && callsOnLine(main, line, [...NEEDS_FLUSH, ...BUFFERED_WRITE.names]).length > 0,
  );
}

/** A flush in front of every statement that holds one of the calls; undefined where one has no place for it. */
function flushEdits(source: ParsedSource, calls: readonly FunctionCall[]): SourceEdit[] | undefined {
  const edits = new Map<number, SourceEdit[] | undefined>();
  for (const { node } of calls) {
    const statement = statementOf(node);
    if (statement === null) return undefined;
    if (flushBefore(statement) === undefined) edits.set(statement.id, insertBefore(source, statement, FLUSH));
  }
  const all = [...edits.values()];
  return all.includes(undefined) ? undefined : all.flatMap((some) => some ?? []);
}

/** The flush that an earlier fix has put in front of a statement. */
function flushBefore(statement: Node | null): Node | undefined {
  const before = statement?.previousNamedSibling;
  return before?.type === 'expression_statement' && before.text === FLUSH ? before : undefined;
}

function dropFlushBefore(source: ParsedSource, call: FunctionCall): SourceEdit[] {
  const flush = flushBefore(statementOf(call.node));
  return flush === undefined ? [] : [removeStatement(source, flush)];
}
