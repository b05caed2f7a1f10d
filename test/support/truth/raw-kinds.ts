import { askedBytes, isOpen, isRead, isSync, isWrite, type OpenFile, type RawCall } from './raw-recording.ts';

/** What raw calls are, by the definitions of docs/triggers.md: written anew, so that no mistake is made twice. */

/** Kinds of calls; the codes of findings go by them. */
export type Kind =
  | 'tiny'
  | 'strided'
  | 'random'
  | 'backward'
  | 'again'
  | 'syncAfterWrites'
  | 'syncAgain'
  | 'synchronous'
  | 'direct'
  | 'tinyCopy'
  | 'reopening'
  | 'reclosing'
  | 'seekForAccess'
  | 'seekForSeveral'
  | 'missing'
  | 'askedBefore'
  | 'flushed'
  | 'newFile'
  | 'namedAgain'
  | 'tinyMessage'
  | 'acknowledged'
  | 'ordered'
  | 'stdio';

const TINY = 4096;
const SMALL = 1 << 20;
const DIRECT = 131_072;

/** An access before: where it began and ended. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** Accesses of an open file in one direction. */
interface Direction {
  readonly last: Place[];
  distance: number;
}

interface FileState {
  /** By process: bytes that it read, and wrote since the last synchronisation. */
  readonly read: Map<number, Ranges>;
  readonly written: Map<number, Ranges>;
  syncs: number;
  writesSinceSync: number;
  bytesSinceSync: number;
}

/** Bytes of a file, as ranges that do not touch. */
class Ranges {
  private ranges: Place[] = [];

  /** @returns how many bytes were there before. */
  add(from: number, to: number): number {
    let known = 0;
    let whole: Place = { from, to };
    const apart: Place[] = [];
    for (const range of this.ranges) {
      known += Math.max(0, Math.min(to, range.to) - Math.max(from, range.from));
      if (range.to < whole.from || range.from > whole.to) apart.push(range);
      else whole = { from: Math.min(range.from, whole.from), to: Math.max(range.to, whole.to) };
    }
    this.ranges = [...apart, whole];
    return known;
  }
}

const QUESTION = /^(newfstatat|stat|lstat|statx|access|faccessat2?|readlink|readlinkat)$/;
const NAMES = /^(rename(at2?)?|unlink(at)?|rmdir)$/;
const COPY = /^(sendfile|copy_file_range|splice)$/;
const FLUSH = /^_?(IO_)?fflush|::flush\(|std::endl|_gfortran_flush/;

const STDIO = /^_IO_|basic_filebuf/;

export function isQuestion({ name, args }: RawCall): boolean {
  return QUESTION.test(name) && !args.includes('AT_EMPTY_PATH') && !/^\d+<[^>]*>, ""/.test(args);
}

/** A transfer through a pipe or a socket. */
export function isMessage(call: RawCall): boolean {
  return (isRead(call) || isWrite(call)) && /^(pipe|socket|UNIX|TCP)/.test(call.path);
}

/** Reads of pipes that take all that lay there when they began, or wait for it. */
function emptyingReads(calls: readonly RawCall[]): Set<RawCall> {
  const emptying = new Set<RawCall>();
  const transfers = calls.filter((call) => isMessage(call) && call.path.startsWith('pipe') && call.result >= 0);
  for (const pipe of new Set(transfers.map((call) => call.path))) {
    const own = transfers.filter((call) => call.path === pipe);
    const inTime = own.toSorted((a, b) => a.startNs - b.startNs);
    const writes = inTime.filter(isWrite);
    let next = 0;
    let there = 0;
    for (const read of inTime.filter(isRead)) {
      while (next < writes.length && (there === 0 || writes[next]!.startNs <= read.startNs))
        there += writes[next++]!.result;
      if (there === read.result) emptying.add(read);
      there = Math.max(0, there - read.result);
    }
  }
  return emptying;
}

/** Numbers that belong to one call. */
export interface Counted {
  readonly kinds: ReadonlySet<Kind>;
  /** Writes before a synchronisation. */
  readonly writes: number;
  /** Synchronisations of the file until then. */
  readonly syncs: number;
  /** Bytes that the process had read, or written, before. */
  readonly again: number;
}

export class Kinds {
  private readonly directions = new Map<OpenFile, Map<string, Direction>>();
  private readonly files = new Map<string, FileState>();
  private readonly asked = new Map<string, number>();
  private readonly openedBefore = new Map<string, Set<string>>();
  private readonly repeatedOpens = new Set<OpenFile>();
  private readonly synchronised = new Set<string>();
  private readonly created = new Set<string>();
  private readonly named = new Set<string>();
  /** Seeks that nothing has followed yet, and how many accesses followed. */
  private readonly seeks = new Map<OpenFile, { call: RawCall; accesses: number }>();
  private readonly of = new Map<RawCall, { kinds: Set<Kind>; writes: number; syncs: number; again: number }>();
  private readonly before = new Map<number, RawCall>();
  private readonly emptying: ReadonlySet<RawCall>;
  /** Of each thread its synchronisations by file, with the files that it wrote since. */
  private readonly pending = new Map<number, Map<string, { call: RawCall; others: Set<string> }>>();

  constructor(calls: readonly RawCall[]) {
    this.emptying = emptyingReads(calls);
    for (const call of calls) {
      this.look(call);
      this.before.set(call.thread, call);
    }
  }

  get(call: RawCall): Counted {
    return this.of.get(call) ?? { kinds: new Set(), writes: 0, syncs: 0, again: 0 };
  }

  private add(call: RawCall, kind: Kind): void {
    let of = this.of.get(call);
    if (of === undefined)
      this.of.set(call, (of = { kinds: new Set(), writes: 0, syncs: this.stateOf(call.path).syncs, again: 0 }));
    of.kinds.add(kind);
  }

  private look(call: RawCall): void {
    if (isOpen(call) || isQuestion(call)) this.lookAtName(call);
    if (call.name === 'close' && call.open !== undefined && this.repeatedOpens.has(call.open))
      this.add(call, 'reclosing');
    if (call.result < 0) return;
    this.lookBehindSyncs(call);
    if (isMessage(call)) this.lookAtMessage(call);
    else if (isRead(call) || isWrite(call)) this.lookAtAccess(call);
    if (isSync(call)) this.lookAtSync(call);
    if (NAMES.test(call.name)) this.lookAtNewName(call);
    if (COPY.test(call.name) && call.result > 0 && call.result < TINY) this.add(call, 'tinyCopy');
    if (call.name === 'lseek') this.lookAtSeek(call);
    else if (call.open !== undefined) this.afterSeek(call, call.open);
  }

  private lookAtName(call: RawCall): void {
    const { path, process, result } = call;
    if (result < 0) {
      if (/\bENOENT\b/.test(call.args) || result === -1) this.add(call, 'missing');
      return;
    }
    if (isQuestion(call)) {
      const key = `${process} ${call.name} ${path}`;
      if (this.asked.has(key)) this.add(call, 'askedBefore');
      this.asked.set(key, call.order);
      return;
    }
    const flags = call.open?.flags ?? '';
    if (flags.includes('O_CREAT') && !this.created.has(path)) this.add(call, 'newFile');
    this.created.add(path);
    const before = this.openedBefore.get(path) ?? new Set();
    this.openedBefore.set(path, before);
    if (before.has(String(process))) {
      this.add(call, 'reopening');
      this.repeatedOpens.add(call.open!);
    }
    before.add(String(process));
  }

  /** The same process gave, or took away, the name before. */
  private lookAtNewName(call: RawCall): void {
    const key = `${call.process} ${call.name} ${/"([^"]*)"/.exec(call.args)?.[1] ?? ''}`;
    if (this.named.has(key)) this.add(call, 'namedAgain');
    this.named.add(key);
  }

  /** One directly after the other: a single byte after other work is a signal. */
  private lookAtMessage(call: RawCall): void {
    const before = this.before.get(call.thread);
    const goesOn = before?.path === call.path && before.name === call.name && isMessage(call);
    if (call.result > 0 && call.result <= 16 && goesOn && !this.emptying.has(call)) this.add(call, 'tinyMessage');
  }

  /** Who is told of a synchronisation before its file is written again, or which file is made safe behind it. */
  private lookBehindSyncs(call: RawCall): void {
    const pending = this.pending.get(call.thread);
    if (pending === undefined) return;
    if (isWrite(call) && (isMessage(call) || /^\/dev\/(tty|pts)|^anon_inode:\[eventfd/.test(call.path))) {
      for (const { call: sync } of pending.values()) this.add(sync, 'acknowledged');
      return;
    }
    if (isWrite(call)) {
      pending.delete(call.path);
      for (const { others } of pending.values()) others.add(call.path);
    }
    if (!isSync(call)) return;
    for (const { call: sync, others } of pending.values()) if (others.has(call.path)) this.add(sync, 'ordered');
  }

  private lookAtAccess(call: RawCall): void {
    const { result: bytes, offset, open } = call;
    const asked = askedBytes(call);
    if (bytes > 0 && bytes < TINY && (isWrite(call) || asked < TINY)) this.add(call, 'tiny');
    if (isWrite(call) && bytes < TINY && call.frames.some((frame) => FLUSH.test(frame.function)))
      this.add(call, 'flushed');
    if (call.frames.some((frame) => STDIO.test(frame.function)) && !this.get(call).kinds.has('flushed'))
      this.add(call, 'stdio');
    if (open === undefined) return;
    if (isWrite(call) && /O_D?SYNC/.test(open.flags) && bytes <= SMALL) this.add(call, 'synchronous');
    const state = this.stateOf(call.path);
    if (isWrite(call)) {
      state.writesSinceSync++;
      state.bytesSinceSync += bytes;
    }
    if (bytes === 0 || Number.isNaN(offset)) return;
    this.lookAtPlace(call, open);
    const all = isRead(call) ? state.read : state.written;
    const own = all.get(call.process) ?? new Ranges();
    all.set(call.process, own);
    const again = own.add(offset, offset + bytes);
    if (again === 0) return;
    this.add(call, 'again');
    this.of.get(call)!.again = again;
  }

  private lookAtPlace(call: RawCall, open: OpenFile): void {
    const { offset: from, result: bytes } = call;
    const to = from + bytes;
    const directions = this.directions.get(open) ?? new Map<string, Direction>();
    this.directions.set(open, directions);
    const name = isRead(call) ? 'read' : 'write';
    const direction = directions.get(name) ?? { last: [], distance: NaN };
    directions.set(name, direction);
    const { last } = direction;
    const before = last.at(-1);
    const follows = before === undefined || last.some((place) => place.to === from);
    if (open.flags.includes('O_DIRECT') && bytes < DIRECT && (before === undefined || before.to === from))
      this.add(call, 'direct');
    const repeats = last.some((place) => place.from === from);
    if (before !== undefined) {
      const distance = from - before.from;
      if (!follows && !repeats) {
        // The first step forward may be the first of many equal ones.
        const isKnown = distance === direction.distance || Number.isNaN(direction.distance);
        const isStride = isKnown && from >= before.to;
        this.add(call, isStride ? 'strided' : 'random');
        if (from < before.from) this.add(call, 'backward');
      }
      direction.distance = distance;
    }
    // What goes on at a place, or comes back to its begin, leaves none.
    if (before?.to === from || before?.from === from) last.pop();
    last.push({ from, to });
    if (last.length > 4) last.shift();
  }

  private lookAtSync(call: RawCall): void {
    const state = this.stateOf(call.path);
    if (state.writesSinceSync > 0) {
      this.add(call, 'syncAfterWrites');
      this.of.get(call)!.writes = state.writesSinceSync;
      const pending = this.pending.get(call.thread) ?? new Map<string, { call: RawCall; others: Set<string> }>();
      this.pending.set(call.thread, pending.set(call.path, { call, others: new Set() }));
    }
    const key = `${call.process} ${call.path}`;
    if (this.synchronised.has(key) && state.bytesSinceSync <= SMALL) this.add(call, 'syncAgain');
    this.synchronised.add(key);
    state.syncs++;
    state.writesSinceSync = 0;
    state.bytesSinceSync = 0;
    state.written.clear();
  }

  private lookAtSeek(call: RawCall): void {
    if (call.open !== undefined) this.seeks.set(call.open, { call, accesses: 0 });
  }

  /** A seek counts when the next call of its descriptor is an access at its offset. */
  private afterSeek(call: RawCall, open: OpenFile): void {
    const seek = this.seeks.get(open);
    if (seek === undefined) return;
    const isAccess = (isRead(call) || isWrite(call)) && !call.name.startsWith('p');
    if (!isAccess) {
      this.seeks.delete(open);
      return;
    }
    seek.accesses++;
    this.add(seek.call, seek.accesses === 1 ? 'seekForAccess' : 'seekForSeveral');
  }

  private stateOf(path: string): FileState {
    let state = this.files.get(path);
    if (state === undefined) {
      state = { read: new Map(), written: new Map(), syncs: 0, writesSinceSync: 0, bytesSinceSync: 0 };
      this.files.set(path, state);
    }
    return state;
  }
}
