import type { Node } from 'web-tree-sitter';
import { counted, formatBytes, formatCount } from '../quantities.ts';
import { bufferSize } from '../triggers/snippets.ts';
import {
  callsOf,
  callsOnLine,
  enclosingFunction,
  includeEdits,
  includesFile,
  inLoopHead,
  insertAt,
  insertBefore,
  isPure,
  loopBetween,
  LOOPS,
  removeStatement,
  replace,
  statementOf,
  topLevelItem,
  type FunctionCall,
  type ParsedSource,
} from './c-syntax.ts';
import type { Fix, FixRequest, SourceEdit } from './fix.ts';
import {
  bufferedWriteHelper,
  OPEN_HEADERS,
  openOnceHelper,
  storageIn,
  SYNC_HEADERS,
  syncOnceHelper,
  WRITE_HEADERS,
} from './helpers.ts';

/** The parsed sources of a request; the first is that of the finding. */
interface FixSources {
  readonly main: ParsedSource;
  readonly all: readonly ParsedSource[];
}

type Fixer = (request: FixRequest, sources: FixSources) => Fix | undefined;

/** What can be tried for each trigger, best first. */
export const FIXERS: Readonly<Record<string, readonly Fixer[]>> = {
  'posix-small-writes': [bufferWrites, dropFlush, dropEndl],
  'flush-after-every-record': [dropFlush, dropEndl],
  'posix-small-reads': [letStdioBuffer],
  'seek-before-every-access': [usePositionedAccess],
  'open-close-in-loop': [openOnce],
  'sync-after-every-write': [syncOnce],
};

/** Calls that must see what was written, or write behind it: the buffer is flushed in front of them. */
const NEEDS_FLUSH = new Set(
  'write dprintf vdprintf read pread readv preadv pwrite writev lseek ftruncate fsync fdatasync dup2 mmap sendfile fork execl execv execve execvp system _exit _Exit abort'.split(
    ' ',
  ),
);
const CLOSE = new Set(['close']);
/** A stream on the same descriptor has a buffer of its own, which nothing here can keep in order. */
const SHARES_DESCRIPTOR = new Set(['fdopen', 'fileno']);
const REPLACES_FILE = new Set(['rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'remove']);

function bufferWrites(request: FixRequest, sources: FixSources): Fix | undefined {
  const { main } = sources;
  const calls = callsOnLine(main, request.place.line, ['write']).filter(({ operands }) => operands.length === 3);
  const closes = closesOf(request, sources);
  const storage = storageIn(main.file, request.language);
  // A buffer that several threads share needs a lock, and whoever closes the file must flush it.
  if (calls.length === 0 || request.threaded || closes === undefined || storage === undefined) return undefined;
  const own = calls[0]!;
  const buffered = [...calls, ...writesBeside(own)];
  const others = callsOf(main.tree.rootNode, NEEDS_FLUSH).filter(
    ({ node }) => !buffered.some((call) => call.node.id === node.id),
  );
  if (!keepsOrder(request, main, others)) return undefined;
  const flushes = others.flatMap((call) => flushEdits(main, call));
  const size = bufferSize(request.medianBytes);
  return {
    title: `Collect these ${counted(request.count, 'write')} in a buffer of ${formatBytes(size)}`,
    note: 'What is pending is written when the buffer is full, when the file is closed, and at exit. Call flush_writes() before other code reads the file.',
    edits: [
      ...buffered.map(({ callee }) => replace(main, callee, 'buffered_write')),
      ...closes.map(({ source, call }) => replace(source, call.callee, 'buffered_close')),
      ...flushes,
      ...helper(main, own, WRITE_HEADERS, bufferedWriteHelper(storage, request.count, request.medianBytes)),
    ],
    repairs: true,
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
 * back, and a flush can be put in front of each other call.
 */
function keepsOrder(request: FixRequest, main: ParsedSource, others: readonly FunctionCall[]): boolean {
  if (callsOf(main.tree.rootNode, SHARES_DESCRIPTOR).length > 0) return false;
  if (others.some(({ node }) => inLoopHead(node))) return false;
  return request.touchedAt.every(
    ({ file, line }) => file === main.file && callsOnLine(main, line, [...NEEDS_FLUSH]).length > 0,
  );
}

function flushEdits(source: ParsedSource, call: FunctionCall): SourceEdit[] {
  const statement = statementOf(call.node);
  return statement === null ? [] : insertBefore(source, statement, '(void)flush_writes();');
}

interface LocatedCall {
  readonly source: ParsedSource;
  readonly call: FunctionCall;
}

/**
 * The closes that belong to the finding: all in its own file, and those in other files that the recording saw. undefined
 * when one of them cannot be reached: its file is not here, or does not include the file that the helper stands in.
 */
function closesOf(request: FixRequest, { main, all }: FixSources): LocatedCall[] | undefined {
  const closes = callsOf(main.tree.rootNode, CLOSE).map((call): LocatedCall => ({ source: main, call }));
  for (const { file, line } of request.closedAt) {
    if (file === main.file) continue;
    const source = all.find((candidate) => candidate.file === file);
    if (source === undefined || !includesFile(source, main.file)) return undefined;
    const found = callsOnLine(source, line, ['close']);
    if (found.length === 0) return undefined;
    closes.push(...found.map((call): LocatedCall => ({ source, call })));
  }
  return closes;
}

/** The helper's functions in front of the item that the call stands in, and the headers that they need. */
function helper(source: ParsedSource, call: FunctionCall, headers: readonly string[], code: string): SourceEdit[] {
  const users = [
    call.node,
    ...callsOf(source.tree.rootNode, new Set([...CLOSE, ...NEEDS_FLUSH])).map(({ node }) => node),
  ];
  const first = users.map(topLevelItem).reduce((a, b) => (a.startIndex <= b.startIndex ? a : b));
  return [...includeEdits(source, headers), insertAt(source, commentStart(source, first), code)];
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

/** `fflush(file);` and `stream.flush();` as statements of their own. */
function dropFlush(request: FixRequest, { main }: FixSources): Fix | undefined {
  const row = request.place.line - 1;
  const flush = main.tree.rootNode.descendantsOfType('call_expression').find((node) => {
    if (node.startPosition.row !== row) return false;
    const callee = node.childForFieldName('function')?.text ?? '';
    return /^(std::)?fflush$/.test(callee) || /(\.|->)flush$/.test(callee);
  });
  const statement = flush?.parent;
  if (statement?.type !== 'expression_statement' || statement.parent?.type !== 'compound_statement') return undefined;
  return {
    title: `Do not flush after each record (${counted(request.count, 'write')})`,
    note: 'The stream writes when its buffer is full and when it is closed. Keep a flush where another program waits for the text.',
    edits: [removeStatement(main, statement)],
    repairs: true,
  };
}

/** `<< std::endl` writes the line end *and* flushes. */
function dropEndl(request: FixRequest, { main }: FixSources): Fix | undefined {
  const row = request.place.line - 1;
  const endls = main.tree.rootNode
    .descendantsOfType(['qualified_identifier', 'identifier'])
    .filter(({ text, startPosition, parent }) => {
      return startPosition.row === row && /^(std::)?endl$/.test(text) && parent?.type !== 'qualified_identifier';
    });
  if (endls.length === 0) return undefined;
  return {
    title: `Write '\\n' instead of std::endl (${counted(request.count, 'write')})`,
    note: 'std::endl flushes the stream after every line. The stream writes when its buffer is full and when it is closed.',
    edits: endls.map((node) => replace(main, node, "'\\n'")),
    repairs: true,
  };
}

/** A stream that was made unbuffered: `setvbuf(file, NULL, _IONBF, 0)`. */
function letStdioBuffer(request: FixRequest, { main }: FixSources): Fix | undefined {
  const unbuffering = callsOf(main.tree.rootNode, new Set(['setvbuf', 'setbuf'])).filter(({ name, operands }) =>
    name === 'setvbuf' ? operands[2]?.text === '_IONBF' : /^(NULL|nullptr|0)$/.test(operands[1]?.text ?? ''),
  );
  const statements = unbuffering.map(({ node }) => node.parent).filter((node) => node?.type === 'expression_statement');
  if (statements.length === 0 || statements.length < unbuffering.length) return undefined;
  return {
    title: `Let the stream buffer (${counted(request.count, 'read')})`,
    note: 'The stream was made unbuffered; buffered, it reads 4 KiB or more at once.',
    edits: statements.map((statement) => removeStatement(main, statement!)),
    repairs: true,
  };
}

/** `lseek(fd, offset, SEEK_SET);` and the read or write of the next statement become one pread or pwrite. */
function usePositionedAccess(request: FixRequest, { main }: FixSources): Fix | undefined {
  const [seek] = callsOnLine(main, request.place.line, ['lseek', 'lseek64']);
  if (seek?.operands.length !== 3 || seek.operands[2]!.text !== 'SEEK_SET') return undefined;
  const [descriptor, offset] = seek.operands;
  const statement = removableSeek(seek);
  const next = statement === undefined ? null : nextStatement(statement);
  if (statement === undefined || next === null || !isPure(offset!)) return undefined;
  if (LOOPS.includes(next.type)) return undefined;
  const [access, ...more] = accessesOf(next, descriptor!.text);
  if (access?.operands.length !== 3 || more.length > 0 || loopBetween(access.node, next)) return undefined;
  // Another access of this function that does not seek for itself goes on from where this one would have ended.
  const scope = enclosingFunction(seek.node);
  const others = scope === null ? [] : accessesOf(scope, descriptor!.text);
  if (others.some(({ node }) => node.id !== access.node.id && !hasOwnSeek(node, descriptor!.text))) return undefined;
  const last = access.operands[2]!;
  return {
    title: `Use p${access.name} instead of ${counted(request.count, 'seek')}`,
    note: 'The file offset is not moved any more: other code that relies on it must seek by itself.',
    edits: [
      removeStatement(main, statement),
      replace(main, access.callee, `p${access.name}`),
      insertAt(main, last.endIndex, `, ${offset!.text}`),
    ],
    repairs: true,
  };
}

function accessesOf(node: Node, descriptor: string): FunctionCall[] {
  return callsOf(node, new Set(['read', 'write', 'readv', 'writev'])).filter(
    ({ operands }) => operands[0]?.text === descriptor,
  );
}

/** The statement in front of the one that holds the access is a seek of the same descriptor. */
function hasOwnSeek(access: Node, descriptor: string): boolean {
  let before = statementOf(access)?.previousNamedSibling ?? null;
  while (before?.type === 'comment') before = before.previousNamedSibling;
  if (before === null || LOOPS.includes(before.type)) return false;
  return callsOf(before, new Set(['lseek', 'lseek64'])).some(({ operands }) => operands[0]?.text === descriptor);
}

function nextStatement(statement: Node): Node | null {
  let next = statement.nextNamedSibling;
  while (next?.type === 'comment') next = next.nextNamedSibling;
  return next;
}

/** The statement that goes with the seek: the seek alone, or `if (lseek(…) < 0) return -1;`. */
function removableSeek(seek: FunctionCall): Node | undefined {
  const { parent } = seek.node;
  if (parent?.type === 'expression_statement') return parent;
  const condition = parent?.type === 'binary_expression' ? parent.parent : parent;
  const statement = condition?.parent;
  const isTest = condition?.type === 'parenthesized_expression' || condition?.type === 'condition_clause';
  if (!isTest || statement?.type !== 'if_statement') return undefined;
  return statement.childForFieldName('alternative') === null ? statement : undefined;
}

/** The open and the closes of one function keep the file open instead. */
function openOnce(request: FixRequest, { main }: FixSources): Fix | undefined {
  const [onLine] = callsOnLine(main, request.place.line, ['open', 'close']);
  if (onLine === undefined || request.threaded) return undefined;
  const scope = enclosingFunction(onLine.node);
  const storage = storageIn(main.file, request.language);
  if (scope === null || storage === undefined) return undefined;
  const opens = callsOf(scope, new Set(['open'])).filter(({ operands }) => operands.length >= 2);
  const closes = callsOf(scope, CLOSE);
  // A descriptor that leaves the function is closed elsewhere.
  if (opens.length !== 1 || closes.length === 0) return undefined;
  // A descriptor that is kept would lead to the file that was removed or replaced.
  if (callsOf(main.tree.rootNode, REPLACES_FILE).some(({ node }) => mayRepeat(node, scope))) return undefined;
  const open = opens[0]!;
  const mode = open.operands.length === 2 ? [insertAt(main, open.operands[1]!.endIndex, ', 0')] : [];
  return {
    title: `Keep the file open (${counted(request.count, 'open and close', 'opens and closes')})`,
    note: 'The file stays open until the program ends. Not for files that are removed or replaced in between.',
    edits: [
      replace(main, open.callee, 'open_once'),
      ...mode,
      ...closes.map(({ callee }) => replace(main, callee, 'keep_open')),
      ...includeEdits(main, OPEN_HEADERS),
      insertAt(main, commentStart(main, topLevelItem(open.node)), openOnceHelper(storage, request.count)),
    ],
    repairs: true,
  };
}

/** Whether a call can be made between two uses of a function: only `main` outside its loops is sure not to. */
function mayRepeat(call: Node, scope: Node): boolean {
  const within = enclosingFunction(call);
  if (within === null || within.id === scope.id || loopBetween(call, within)) return true;
  return !/\bmain\s*\(/.test(within.childForFieldName('declarator')?.text ?? '');
}

/** Synchronises when the file is closed. */
function syncOnce(request: FixRequest, sources: FixSources): Fix | undefined {
  const { main } = sources;
  const [sync] = callsOnLine(main, request.place.line, ['fsync', 'fdatasync']);
  const closes = closesOf(request, sources);
  const storage = storageIn(main.file, request.language);
  if (sync === undefined || closes === undefined || closes.length === 0 || storage === undefined) return undefined;
  const all = callsOf(main.tree.rootNode, new Set(['fsync', 'fdatasync']));
  return {
    title: `Synchronise once, when the file is closed (instead of ${formatCount(request.count)} times here)`,
    note: 'Until the file is closed a power failure can lose what was written. Keep a synchronisation where a checkpoint must be safe.',
    edits: [
      ...all.map(({ callee }) => replace(main, callee, 'sync_later')),
      ...closes.map(({ source, call }) => replace(source, call.callee, 'sync_and_close')),
      ...includeEdits(main, SYNC_HEADERS),
      insertAt(
        main,
        firstUse(main, [...all, ...callsOf(main.tree.rootNode, CLOSE)]),
        syncOnceHelper(storage, request.count),
      ),
    ],
    repairs: true,
  };
}

function firstUse(source: ParsedSource, calls: readonly FunctionCall[]): number {
  const first = calls.map(({ node }) => topLevelItem(node)).reduce((a, b) => (a.startIndex <= b.startIndex ? a : b));
  return commentStart(source, first);
}
