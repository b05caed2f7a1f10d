import { getOrCreate } from '../../base/grouping.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';

/** What one process did to one file. Times are nanoseconds in reads, writes and metadata calls, as in Darshan's sums. */
export interface ProcessUse {
  reads: number;
  writes: number;
  readBytes: number;
  writtenBytes: number;
  time: number;
  /** Offset of the read that is nearest to the beginning of the file; Infinity where none has one. */
  nearestRead: number;
  /** End of the furthest read, bytes from the beginning of the file. */
  furthestRead: number;
  /** Bytes of `readBytes` that it had read before. */
  rereadBytes: number;
  /** When it read and wrote: from the first begin to the last end, nanoseconds from the trace's origin. */
  readonly reading: Readonly<Span>;
  readonly writing: Readonly<Span>;
}

interface Span {
  first: number;
  last: number;
}

/** While calls are added: a span is made with the first of them. */
type OpenUse = ProcessUse & { reading: Span; writing: Span };

/** Who uses a file: the processes that opened it. */
export interface FileUse {
  readonly readers: ReadonlySet<number>;
  readonly writers: ReadonlySet<number>;
  readonly byProcess: ReadonlyMap<number, Readonly<ProcessUse>>;
  /** How often it was opened and read. */
  readonly readings: number;
  /** Calls that make what was written to it safe, and calls that lock or unlock it. */
  readonly synchronisations: number;
  readonly locks: number;
  /** Writes through opens that are no process's first from their place. */
  readonly reopenedWrites: number;
  /** How often processes opened and read it after other files, by the program that they run (see `ReadingTurns`). */
  readonly turns: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** How often a program's processes together did, long after the last time, and all that read files so. */
  readonly sharedTurns: ReadonlyMap<string, { readonly turns: number; readonly processes: ReadonlySet<number> }>;
}

/** Of files that nobody reads, or writes, or takes turns with: of hundreds of thousands few have all. */
const NOBODY: ReadonlySet<number> = new Set();
const NO_TURNS: ReadonlyMap<string, never> = new Map<string, never>();
const NEVER: Span = { first: Infinity, last: -Infinity };

interface SharedTurns {
  turns: number;
  readonly processes: ReadonlySet<number>;
}

class MutableFileUse implements FileUse {
  readonly byProcess = new Map<number, OpenUse>();
  readings = 0;
  synchronisations = 0;
  locks = 0;
  reopenedWrites = 0;
  private readBy: Set<number> | undefined;
  private writtenBy: Set<number> | undefined;
  private turnsTaken: Map<string, Map<number, number>> | undefined;
  private turnsTogether: Map<string, SharedTurns> | undefined;

  get readers(): ReadonlySet<number> {
    return this.readBy ?? NOBODY;
  }

  get writers(): ReadonlySet<number> {
    return this.writtenBy ?? NOBODY;
  }

  get turns(): FileUse['turns'] {
    return this.turnsTaken ?? NO_TURNS;
  }

  get sharedTurns(): FileUse['sharedTurns'] {
    return this.turnsTogether ?? NO_TURNS;
  }

  addReader(process: number): void {
    (this.readBy ??= new Set()).add(process);
  }

  addWriter(process: number): void {
    (this.writtenBy ??= new Set()).add(process);
  }

  addTurn(program: string, process: number): void {
    const turns = getOrCreate(
      (this.turnsTaken ??= new Map<string, Map<number, number>>()),
      program,
      () => new Map<number, number>(),
    );
    turns.set(process, (turns.get(process) ?? 0) + 1);
  }

  addSharedTurn(program: string, processes: ReadonlySet<number>): void {
    getOrCreate((this.turnsTogether ??= new Map<string, SharedTurns>()), program, () => ({ turns: 0, processes }))
      .turns++;
  }
}

/** Collects who uses which file. A process is given as the stream that leads it. */
export class FileUses {
  readonly byFile = new Map<number, MutableFileUse>();
  /** The pair of the last call: most calls are on the file of the one before. */
  private lastFile = NONE;
  private lastProcess = NONE;
  private lastUse = new MutableFileUse();
  private last = emptyUse();

  transfer(chunk: EventChunk, i: number, process: number, reads: boolean, time: number): void {
    const own = this.of(chunk.file[i]!, process);
    const bytes = chunk.bytes[i]!;
    own.time += time;
    if (reads) {
      if (own.reading === NEVER) own.reading = { ...NEVER };
      widen(own.reading, chunk.start[i]!, time);
      if (own.reads === 0) this.lastUse.addReader(process);
      own.reads++;
      own.readBytes += bytes;
      const end = chunk.offset[i]! + bytes;
      if (end > own.furthestRead) own.furthestRead = end;
      if (chunk.offset[i]! < own.nearestRead) own.nearestRead = chunk.offset[i]!;
    } else {
      if (own.writing === NEVER) own.writing = { ...NEVER };
      widen(own.writing, chunk.start[i]!, time);
      if (own.writes === 0) this.lastUse.addWriter(process);
      own.writes++;
      own.writtenBytes += bytes;
    }
  }

  /** A call that moves nothing: open, close, stat, seek, synchronisation. */
  other(file: FileIndex, process: number, time: number): void {
    this.of(file, process).time += time;
  }

  /** A call that has counted as `other`. */
  synchronised(file: FileIndex, process: number): void {
    this.of(file, process);
    this.lastUse.synchronisations++;
  }

  locked(file: FileIndex, process: number): void {
    this.of(file, process);
    this.lastUse.locks++;
  }

  writtenReopened(file: FileIndex, process: number): void {
    this.of(file, process);
    this.lastUse.reopenedWrites++;
  }

  reread(file: FileIndex, process: number, bytes: number): void {
    this.of(file, process).rereadBytes += bytes;
  }

  /** @param program whose turn it is; undefined where the file was opened again at once. */
  opened(file: FileIndex, process: number, program: string | undefined): void {
    this.of(file, process);
    this.lastUse.readings++;
    if (program !== undefined) this.lastUse.addTurn(program, process);
  }

  /** @param processes of the program, also those to come. */
  sharedTurn(file: FileIndex, program: string, processes: ReadonlySet<number>): void {
    this.byFile.get(file)!.addSharedTurn(program, processes);
  }

  private of(file: FileIndex, process: number): OpenUse {
    if (file === this.lastFile && process === this.lastProcess) return this.last;
    let use = this.byFile.get(file);
    if (use === undefined) {
      use = new MutableFileUse();
      this.byFile.set(file, use);
    }
    let own = use.byProcess.get(process);
    if (own === undefined) {
      own = emptyUse();
      use.byProcess.set(process, own);
    }
    this.lastFile = file;
    this.lastProcess = process;
    this.lastUse = use;
    this.last = own;
    return own;
  }
}

function widen(span: Span, start: number, time: number): void {
  if (start < span.first) span.first = start;
  if (start + time > span.last) span.last = start + time;
}

function emptyUse(): OpenUse {
  return {
    reads: 0,
    writes: 0,
    readBytes: 0,
    writtenBytes: 0,
    time: 0,
    furthestRead: 0,
    rereadBytes: 0,
    nearestRead: Infinity,
    reading: NEVER,
    writing: NEVER,
  };
}
