import { NONE } from '../../trace/events.ts';
import { CALL_FLAGS, type CallInProgress } from './arguments.ts';
import { readNumber } from '../text/bytes.ts';
import type { NamedPart } from './part-name.ts';
import { TracedProcess } from './processes.ts';
import { EFFECT } from './system-calls.ts';
import type { TraceBuilder } from './trace-builder.ts';

/** The pid of a process whose pid no line has shown yet. */
const UNNAMED = 0;

/** The processes and threads of one recording file, by pid. A pid that comes back after an exit is a new process. */
export class ProcessTable {
  private readonly byPid = new Map<number, TracedProcess>();
  /** Children that were announced before their first line. */
  private readonly announced = new Set<number>();
  /** Children whose first line came before the return of the call that made them: they may end before it, too. */
  private readonly ahead = new Set<number>();
  /** Those that are inside a fork or clone now. */
  private readonly forking = new Set<TracedProcess>();
  private last: TracedProcess | undefined;

  constructor(
    private readonly builder: TraceBuilder,
    private readonly part: NamedPart,
  ) {
    builder.parts.push(part);
  }

  alive(): Iterable<TracedProcess> {
    return this.byPid.values();
  }

  /**
   * The process that a line belongs to.
   * @param pid of the line's prefix, NaN when it has none: then the file's own process, or the only one alive.
   */
  of(pid: number): TracedProcess {
    const last = this.last;
    if (last?.pid === pid) return last;
    const process = Number.isNaN(pid) ? this.unprefixed() : (this.byPid.get(pid) ?? this.firstSight(pid));
    if (process.stream === NONE) process.stream = this.addStream(pid, process.processId);
    this.last = process;
    return process;
  }

  private unprefixed(): TracedProcess {
    if (!Number.isNaN(this.part.pid)) return this.byPid.get(this.part.pid) ?? this.add(this.part.pid);
    if (this.byPid.size === 1) return this.byPid.values().next().value!;
    return this.byPid.get(UNNAMED) ?? this.add(UNNAMED);
  }

  private firstSight(pid: number): TracedProcess {
    // On standard error the first process shows its pid only while it has children.
    const unnamed = this.byPid.get(UNNAMED);
    if (unnamed !== undefined && !this.announced.has(pid) && this.forking.size !== 1) {
      this.byPid.delete(UNNAMED);
      unnamed.pid = pid;
      unnamed.processId = pid;
      this.builder.streams[unnamed.stream] = { ...this.builder.streams[unnamed.stream]!, pid, processId: pid };
      this.byPid.set(pid, unnamed);
      return unnamed;
    }
    // The only process that is inside a fork now: a child that shows up must be its.
    const parent = this.forking.size === 1 ? this.forking.values().next().value : undefined;
    const child = parent?.pending === undefined ? this.add(pid) : this.forked(pid, parent, parent.pending.flags, NaN);
    if (this.forking.size > 0) this.ahead.add(pid);
    return child;
  }

  /** A call begins, and does not return on the same line. */
  enters(process: TracedProcess, call: CallInProgress, line: number): void {
    process.pending = call;
    process.pendingLine = line;
    if (call.call.effect === EFFECT.fork) this.forking.add(process);
  }

  /** The pending call is over, however it ended. */
  leaves(process: TracedProcess): void {
    if (process.pending?.call.effect === EFFECT.fork) this.forking.delete(process);
    process.pending = undefined;
  }

  private add(pid: number): TracedProcess {
    const inherited = this.builder.inherited.get(`${this.part.run}\0${pid}`);
    const processId = inherited?.processId ?? pid;
    const stream = this.addStream(pid, processId);
    const process = new TracedProcess(pid, stream, processId, inherited?.table, { path: inherited?.folder ?? '' });
    this.byPid.set(pid, process);
    return process;
  }

  private addStream(pid: number, processId: number): number {
    return this.builder.streams.push({ host: this.part.host, pid, processId, part: this.builder.parts.length - 1 }) - 1;
  }

  /**
   * A child was made, as the parent's return says or the child's first line shows.
   * @param time when, in nanoseconds of the clock.
   */
  forked(pid: number, parent: TracedProcess, flags: number, time: number): TracedProcess {
    this.announced.add(pid);
    const isThread = (flags & CALL_FLAGS.cloneThread) !== 0;
    const sharesFiles = (flags & CALL_FLAGS.cloneFiles) !== 0;
    const known = this.byPid.get(pid);
    // The kernel may let a short child run to its end before its parent goes on.
    if (this.ahead.delete(pid) && known === undefined) return parent;
    if (known !== undefined) {
      if (isThread) this.joinThread(known, parent);
      return known;
    }
    const processId = isThread ? parent.processId : pid;
    if (!Number.isNaN(this.part.pid)) {
      // The child's lines stand in a file of their own, which is read later.
      const key = `${this.part.run}\0${pid}`;
      const table = parent.table.snapshot();
      // Threads use the descriptors together; a forked child seldom touches what it inherits.
      if (sharesFiles) parent.table.loseOffsets();
      this.builder.inherited.set(key, { table, folder: parent.folder.path, processId, time });
      return parent;
    }
    const table = sharesFiles ? parent.table : parent.table.copy();
    const folder = isThread ? parent.folder : { path: parent.folder.path };
    // It becomes a stream with its first line: without `-f` there is none.
    const child = new TracedProcess(pid, NONE, processId, table, folder);
    child.mappings = isThread ? parent.mappings : [...parent.mappings];
    this.byPid.set(pid, child);
    return child;
  }

  private joinThread(thread: TracedProcess, parent: TracedProcess): void {
    thread.processId = parent.processId;
    if (thread.stream !== NONE) this.builder.streams[thread.stream]!.processId = parent.processId;
  }

  /** `+++ superseded by execve in pid N +++`: thread N takes over the leader's pid, and its pending execve with it. */
  supersede(leader: TracedProcess, pid: number): void {
    const thread = this.byPid.get(pid);
    if (thread === undefined) return;
    this.leaves(leader);
    if (thread.pending !== undefined) this.enters(leader, thread.pending, thread.pendingLine);
    leader.table = thread.table;
    this.remove(thread);
  }

  exited(process: TracedProcess): void {
    this.leaves(process);
    // One that made no traced call was followed all the same.
    if (process.stream === NONE) process.stream = this.addStream(process.pid, process.processId);
    this.remove(process);
  }

  private remove(process: TracedProcess): void {
    this.byPid.delete(process.pid);
    this.forking.delete(process);
    this.announced.delete(process.pid);
    if (this.last === process) this.last = undefined;
  }

  /** `strace: Process 123 attached` announces a child. */
  note(bytes: Uint8Array, from: number, end: number): void {
    const words = new TextDecoder().decode(bytes.subarray(from, Math.min(end, from + 64))).split(' ');
    if (words[1] !== 'Process' || words[3] !== 'attached') return;
    const pid = readNumber(bytes, from + 'strace: Process '.length, end);
    if (!Number.isNaN(pid)) this.announced.add(pid);
  }
}
