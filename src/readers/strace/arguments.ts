import { OPEN_MODE } from '../../trace/events.ts';
import {
  ascii,
  type Cursor,
  BLANK,
  endOfArgument,
  endOfDecoration,
  endOfString,
  findOutsideStrings,
  QUOTE,
  readNumber,
  skipBlanks,
  startsWith,
} from '../text/bytes.ts';
import { readCompletions, readRequests, type AsyncCompletion, type AsyncRequest } from './async-requests.ts';
import type { ByteNames } from '../text/byte-names.ts';
import { lockKind, openFlags } from './flag-words.ts';
import { EFFECT, ROLE, unknownCall, type SystemCall } from './system-calls.ts';

/** `fd` of AT_FDCWD: the process's working folder. */
export const WORKING_FOLDER = -100;
/** No value of this kind was seen. */
export const UNSEEN = -1;

/** Bits of `CallInProgress.flags`. */
export const CALL_FLAGS = {
  append: 1,
  create: 2,
  truncate: 4,
  closeOnExecute: 8,
  cloneFiles: 16,
  cloneThread: 32,
  seekEnd: 64,
  seekCurrent: 128,
  duplicate: 256,
  setFlags: 512,
  setDescriptorFlags: 1024,
  requestedIsLowerBound: 2048,
  mappedByLoader: 4096,
  /** fcntl's commands for locks; the second does not wait. */
  locks: 8192,
  triesLock: 16384,
} as const;

const NO_REQUESTS: readonly AsyncRequest[] = [];
const NO_COMPLETIONS: readonly AsyncCompletion[] = [];

/**
 * What has been read of a call so far. A call that strace splits (`<unfinished ...>`) is read in two goes into the same
 * object, so no text has to be kept.
 */
export class CallInProgress {
  call: SystemCall = unknownCall('');
  /** Row of the event table. */
  row = UNSEEN;
  /** Number of arguments read. */
  argument = 0;
  /** The text ended behind a comma: the next text begins a new argument. */
  afterComma = true;
  fd = NaN;
  /** Index of the descriptor's decoration in the names, or UNSEEN. */
  decoration = UNSEEN;
  fd2 = NaN;
  decoration2 = UNSEEN;
  folder = NaN;
  folderDecoration = UNSEEN;
  /** Index of the path as printed, without quotes, or UNSEEN. */
  path = UNSEEN;
  path2 = UNSEEN;
  folder2Decoration = UNSEEN;
  requested = NaN;
  offset = NaN;
  offset2 = NaN;
  result = NaN;
  fileSize = NaN;
  /** A mapping's beginning, or an AIO context. */
  address = NaN;
  requests: readonly AsyncRequest[] = NO_REQUESTS;
  completions: readonly AsyncCompletion[] = NO_COMPLETIONS;
  /** Rows behind this call's own that belong to it: the other file of a copy, the requests that it submits. */
  parts = 0;
  flags = 0;
  /** What the event's column `argument` holds. */
  detail = NaN;
  /** The two descriptors of pipe and socketpair. */
  pair: [number, number] = [NaN, NaN];
  pairDecorations: [number, number] = [UNSEEN, UNSEEN];

  begin(call: SystemCall, row: number): void {
    // Half of the fields are set by few calls: clearing them for each of a million calls would show.
    if (!this.call.isPlain) this.clearRare();
    this.call = call;
    this.row = row;
    this.argument = 0;
    this.afterComma = true;
    this.fd = NaN;
    this.decoration = UNSEEN;
    this.folder = NaN;
    this.folderDecoration = UNSEEN;
    this.path = UNSEEN;
    this.requested = NaN;
    this.offset = NaN;
    this.flags = 0;
    this.detail = NaN;
  }

  /** Of lseek: 0, 1, 2. */
  whence(whence: number): void {
    this.detail = whence;
    if (whence === 1) this.flags |= CALL_FLAGS.seekCurrent;
    else if (whence === 2) this.flags |= CALL_FLAGS.seekEnd;
  }

  private clearRare(): void {
    this.fd2 = NaN;
    this.decoration2 = UNSEEN;
    this.path2 = UNSEEN;
    this.folder2Decoration = UNSEEN;
    this.offset2 = NaN;
    this.result = NaN;
    this.fileSize = NaN;
    this.address = NaN;
    this.requests = NO_REQUESTS;
    this.completions = NO_COMPLETIONS;
    this.parts = 0;
  }
}

const COMMA = 44;
const CLOSE = 41;
const LESS = 60;

const CLONE_WORDS: readonly (readonly [Uint8Array, number])[] = [
  [ascii('CLONE_FILES'), CALL_FLAGS.cloneFiles],
  [ascii('CLONE_THREAD'), CALL_FLAGS.cloneThread],
];
const LOADER_WORDS: readonly (readonly [Uint8Array, number])[] = [
  [ascii('MAP_DENYWRITE'), CALL_FLAGS.mappedByLoader],
  [ascii('PROT_EXEC'), CALL_FLAGS.mappedByLoader],
];
const DUPLICATE = ascii('F_DUPFD');
const DUPLICATE_CLOSE = ascii('F_DUPFD_CLOEXEC');
const SET_FLAGS = ascii('F_SETFL');
const SET_DESCRIPTOR_FLAGS = ascii('F_SETFD');
const WORKING = ascii('AT_FDCWD');
const BUFFER_LENGTH = ascii('iov_len=');
const STATUS_SIZE = ascii('st_size=');
const STATUSX_SIZE = ascii('stx_size=');
const LOCK_COMMANDS: readonly (readonly [Uint8Array, number])[] = [
  [ascii('F_SETLKW'), CALL_FLAGS.locks],
  [ascii('F_OFD_SETLKW'), CALL_FLAGS.locks],
  [ascii('F_SETLK'), CALL_FLAGS.locks | CALL_FLAGS.triesLock],
  [ascii('F_OFD_SETLK'), CALL_FLAGS.locks | CALL_FLAGS.triesLock],
];
/** By their numbers. */
const WHENCES = ['SEEK_SET', 'SEEK_CUR', 'SEEK_END', 'SEEK_DATA', 'SEEK_HOLE'].map(ascii);

/** Reads the arguments of calls by the roles that the system call table gives them. */
export class ArgumentReader {
  private readonly cursor: Cursor = { at: 0 };

  /** @param names where decorations and paths are interned. */
  constructor(private readonly names: ByteNames) {}

  /**
   * Reads arguments from `from` on.
   * @returns the position behind the closing `)`, or −1 when the text ends before it.
   */
  read(bytes: Uint8Array, from: number, end: number, call: CallInProgress): number {
    const roles = call.call.roles;
    let at = skipBlanks(bytes, from, end);
    if (!call.afterComma) {
      // The second half of a split call goes on behind an argument, or inside one: `[0]` … ` => [50], 50) = 50`.
      at = endOfArgument(bytes, at, end);
      if (bytes[at] === COMMA && at < end) at++;
    }
    call.afterComma = true;
    for (;;) {
      while (at < end && bytes[at] === BLANK) at++;
      if (at >= end) return -1;
      const role = call.argument < roles.length ? roles[call.argument]! : ROLE._;
      let stop: number;
      if (role === ROLE.fd) {
        // The commonest arguments are read in one go; what follows them is checked instead of searched.
        call.fd = this.descriptor(bytes, at, end);
        call.decoration = this.lastDecoration;
        stop = this.descriptorEnd;
      } else if (role === ROLE.size || role === ROLE.offset) {
        const value = readNumber(bytes, at, end, this.cursor);
        if (role === ROLE.size) call.requested = value;
        else call.offset = value;
        stop = this.cursor.at;
      } else stop = at;
      if (stop === at || stop >= end || (bytes[stop] !== COMMA && bytes[stop] !== CLOSE)) {
        stop = endOfArgument(bytes, at, end);
        if (role !== ROLE._ && stop > at) this.take(role, bytes, this.withoutName(bytes, at, stop), stop, call);
      }
      call.argument++;
      if (stop >= end) {
        call.afterComma = false;
        return -1;
      }
      at = stop + 1;
      if (bytes[stop] === CLOSE) return at;
    }
  }

  /** Takes the argument whose turn it is, and which stands between these places. */
  takeNext(bytes: Uint8Array, from: number, end: number, call: CallInProgress): void {
    this.take(call.call.roles[call.argument]!, bytes, this.withoutName(bytes, from, end), end, call);
  }

  /** `-N` of strace 6.16 prints `fd=3`. Values never begin with a small letter that is followed by `=`. */
  private withoutName(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    while (at < end && ((bytes[at]! >= 97 && bytes[at]! <= 122) || bytes[at] === 95)) at++;
    return at > from && bytes[at] === 61 ? at + 1 : from;
  }

  private take(role: number, bytes: Uint8Array, from: number, end: number, call: CallInProgress): void {
    switch (role) {
      case ROLE.fd:
        call.fd = this.descriptor(bytes, from, end);
        call.decoration = this.lastDecoration;
        break;
      case ROLE.size:
        call.requested = readNumber(bytes, from, end);
        break;
      case ROLE.offset:
        call.offset = readNumber(bytes, from, end);
        break;
      case ROLE.path:
        call.path = this.text(bytes, from, end);
        break;
      case ROLE.path2:
        call.path2 = this.text(bytes, from, end);
        break;
      case ROLE.folder:
        call.folder = this.descriptor(bytes, from, end);
        call.folderDecoration = this.lastDecoration;
        break;
      case ROLE.folder2:
        this.descriptor(bytes, from, end);
        call.folder2Decoration = this.lastDecoration;
        break;
      case ROLE.fd2:
        call.fd2 = this.descriptor(bytes, from, end);
        call.decoration2 = this.lastDecoration;
        break;
      case ROLE.offsetPointer:
        call.offset = pointedNumber(bytes, from, end);
        break;
      case ROLE.offsetPointer2:
        call.offset2 = pointedNumber(bytes, from, end);
        break;
      default:
        this.takeRare(role, bytes, from, end, call);
    }
  }

  private takeRare(role: number, bytes: Uint8Array, from: number, end: number, call: CallInProgress): void {
    switch (role) {
      case ROLE.buffers:
        takeBuffers(bytes, from, end, call);
        break;
      case ROLE.flags:
        takeFlags(bytes, from, end, call);
        break;
      case ROLE.cloneFlags:
        call.flags |= flagsIn(bytes, from, end, CLONE_WORDS);
        break;
      case ROLE.status: {
        let at = findOutsideStrings(bytes, from, end, STATUS_SIZE);
        if (at >= 0) at += STATUS_SIZE.length;
        else {
          at = findOutsideStrings(bytes, from, end, STATUSX_SIZE);
          if (at < 0) break;
          at += STATUSX_SIZE.length;
        }
        call.fileSize = readNumber(bytes, at, end);
        break;
      }
      case ROLE.whence:
        takeWhence(bytes, from, end, call);
        break;
      case ROLE.result:
        call.result = pointedNumber(bytes, from, end);
        break;
      case ROLE.lock:
        call.detail = lockKind(bytes, from, end, false);
        break;
      case ROLE.command:
        takeCommand(bytes, from, end, call);
        break;
      case ROLE.number:
        if (call.argument === 0) call.offset = readNumber(bytes, from, end);
        else call.fd2 = bytes[from] === 126 ? Infinity : readNumber(bytes, from, end); // `~0U` is "all"
        break;
      case ROLE.decorated: {
        const fd = this.descriptor(bytes, from, end);
        if (this.lastDecoration === UNSEEN) break;
        call.fd = fd;
        call.decoration = this.lastDecoration;
        break;
      }
      case ROLE.address:
        call.address = readNumber(bytes, from, end);
        break;
      case ROLE.mapFlags:
        call.flags |= flagsIn(bytes, from, end, LOADER_WORDS);
        break;
      case ROLE.requests:
        call.requests = readRequests(bytes, from, end, this);
        break;
      case ROLE.completions:
        call.completions = readCompletions(bytes, from, end);
        break;
      case ROLE.pair:
        this.takePair(bytes, from, end, call);
        break;
    }
  }

  /** Index of the decoration of the descriptor that was read last, or UNSEEN. */
  lastDecoration = UNSEEN;
  /** Position behind the descriptor that was read last; where it began when there was none. */
  private descriptorEnd = 0;
  /** The decoration that a process's descriptor had when it was seen last: the next one is most often the same. */
  private readonly decorationOf = new Int32Array(4096).fill(UNSEEN);
  /** The process whose arguments are read: only a hint for the line above. */
  pid = 0;

  /** Reads `3`, `3</path>`, `AT_FDCWD</cwd>`, `-100 /∗ AT_FDCWD ∗/</cwd>`; NaN when there is no descriptor. */
  descriptor(bytes: Uint8Array, from: number, end: number): number {
    this.lastDecoration = UNSEEN;
    let fd = readNumber(bytes, from, end, this.cursor);
    let { at } = this.cursor;
    if (Number.isNaN(fd)) {
      this.descriptorEnd = from;
      if (!startsWith(bytes, from, end, WORKING)) return NaN;
      fd = WORKING_FOLDER;
      at = from + WORKING.length;
    }
    if (bytes[at] === BLANK && bytes[at + 1] === 47 && at + 1 < end) {
      while (at < end && bytes[at] !== LESS) at++;
    }
    this.descriptorEnd = at < end && bytes[at] === LESS ? this.decoration(bytes, at, end, fd) : at;
    return fd;
  }

  /** Reads the decoration whose `<` stands at `from`. */
  private decoration(bytes: Uint8Array, from: number, end: number, fd: number): number {
    const slot = (fd + this.pid * 61) & 4095;
    const last = this.decorationOf[slot]!;
    if (last !== UNSEEN) {
      const close = from + 1 + this.names.lengthOf(last);
      const next = bytes[close + 1];
      // Only where it is certain that the decoration ends here: a `>` may also stand in a path.
      if (close + 1 < end && bytes[close] === 62 && (next === COMMA || next === CLOSE || next === BLANK)) {
        if (this.names.matches(last, bytes, from + 1)) {
          this.lastDecoration = last;
          return close + 1;
        }
      }
    }
    const close = endOfDecoration(bytes, from, end);
    if (close < from) return from;
    this.lastDecoration = this.names.intern(bytes, from + 1, close);
    // With brackets inside, where it ends may depend on what follows.
    if (!this.names.view(this.lastDecoration).includes(LESS)) this.decorationOf[slot] = this.lastDecoration;
    return close + 1;
  }

  private text(bytes: Uint8Array, from: number, end: number): number {
    if (bytes[from] !== QUOTE) return UNSEEN;
    const close = endOfString(bytes, from, end);
    return this.names.intern(bytes, from + 1, close - 1);
  }

  private takePair(bytes: Uint8Array, from: number, end: number, call: CallInProgress): void {
    const second = endOfArgument(bytes, from + 1, end);
    call.pair[0] = this.descriptor(bytes, from + 1, second);
    call.pairDecorations[0] = this.lastDecoration;
    call.pair[1] = this.descriptor(bytes, skipBlanks(bytes, second + 1, end), end);
    call.pairDecorations[1] = this.lastDecoration;
  }
}

/** `[5]` or `[5] => [105]` is 5; NULL is NaN: "use the file's own offset". */
function pointedNumber(bytes: Uint8Array, from: number, end: number): number {
  return bytes[from] === 91 ? readNumber(bytes, from + 1, end) : NaN;
}

function takeBuffers(bytes: Uint8Array, from: number, end: number, call: CallInProgress): void {
  let sum = NaN;
  let at = from;
  for (;;) {
    const found = findOutsideStrings(bytes, at, end, BUFFER_LENGTH);
    if (found < 0) break;
    const length = readNumber(bytes, found + BUFFER_LENGTH.length, end);
    sum = Number.isNaN(sum) ? length : sum + length;
    at = found + BUFFER_LENGTH.length;
  }
  call.requested = sum;
  // `...]`: strace shows the first 32 buffers only.
  if (bytes[end - 2] === 46 && bytes[end - 1] === 93) call.flags |= CALL_FLAGS.requestedIsLowerBound;
}

function takeCommand(bytes: Uint8Array, from: number, end: number, call: CallInProgress): void {
  if (startsWith(bytes, from, end, DUPLICATE)) {
    call.flags |= CALL_FLAGS.duplicate;
    if (startsWith(bytes, from, end, DUPLICATE_CLOSE)) call.flags |= CALL_FLAGS.closeOnExecute;
  } else if (startsWith(bytes, from, end, SET_FLAGS)) call.flags |= CALL_FLAGS.setFlags;
  else if (startsWith(bytes, from, end, SET_DESCRIPTOR_FLAGS)) call.flags |= CALL_FLAGS.setDescriptorFlags;
  else call.flags |= LOCK_COMMANDS.find(([command]) => startsWith(bytes, from, end, command))?.[1] ?? 0;
}

function takeFlags(bytes: Uint8Array, from: number, end: number, call: CallInProgress): void {
  if (call.flags & CALL_FLAGS.locks) {
    call.detail = lockKind(bytes, from, end, (call.flags & CALL_FLAGS.triesLock) !== 0);
    return;
  }
  const { mode, closeOnExecute } = openFlags(bytes, from, end);
  if (mode & OPEN_MODE.append) call.flags |= CALL_FLAGS.append;
  if (mode & OPEN_MODE.create) call.flags |= CALL_FLAGS.create;
  if (mode & OPEN_MODE.truncate) call.flags |= CALL_FLAGS.truncate;
  if (closeOnExecute) call.flags |= CALL_FLAGS.closeOnExecute;
  if (call.call.effect === EFFECT.open) call.detail = mode;
}

function takeWhence(bytes: Uint8Array, from: number, end: number, call: CallInProgress): void {
  const named = WHENCES.findIndex((name) => startsWith(bytes, from, end, name));
  call.whence(named < 0 ? readNumber(bytes, from, end) : named);
}

function flagsIn(
  bytes: Uint8Array,
  from: number,
  end: number,
  words: readonly (readonly [Uint8Array, number])[],
): number {
  let flags = 0;
  for (const [word, flag] of words) if (findOutsideStrings(bytes, from, end, word) >= 0) flags |= flag;
  return flags;
}
