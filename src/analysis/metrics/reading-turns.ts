import { getOrCreate } from '../../base/grouping.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileUses } from './file-use.ts';

/** A file that is read again after so many others is read in another turn, whichever process does it. */
const OTHERS_BETWEEN = 32;

/** What the processes of a program have read together. */
interface SharedReading {
  readonly processes: Set<number>;
  /** Of each file, how many had been read when it was. */
  readonly last: Map<FileIndex, number>;
  count: number;
}

/**
 * Counts how often files are opened and read in turns: one after the other, and then each of them again. A file that is
 * opened again at once, with no other in between, is none of these; nor is one that other programs read too, as every run
 * of a compiler reads its headers.
 */
export class ReadingTurns {
  private readonly becomes: number | undefined;
  /** The program that a process runs: its own since its execve, else that of the recording. */
  private readonly programOf: string[];
  private readonly isRead: Uint8Array;
  /** By process, the file that it opened and read last. */
  private readonly lastFile = new Map<number, FileIndex>();
  private readonly byProgram = new Map<string, SharedReading>();

  constructor(
    trace: Trace,
    private readonly processOfStream: Int32Array,
    private readonly files: FileUses,
  ) {
    this.becomes = trace.calls.find('execve');
    this.programOf = trace.streams.map(({ part }) => {
      const { run, program = '' } = trace.parts[part]!;
      return `${run} ${program}`;
    });
    this.isRead = new Uint8Array(trace.handles.length);
  }

  /** Every event goes through here: a process may become another program. */
  see(chunk: EventChunk, i: number): void {
    if (chunk.call[i] !== this.becomes || chunk.error[i] !== 0) return;
    const process = this.processOfStream[chunk.stream[i]!]!;
    this.programOf[process] = `execve ${process}`;
  }

  /** A read of a file that counts. */
  read(chunk: EventChunk, i: number): void {
    const handle = chunk.handle[i]!;
    if (handle === NONE || this.isRead[handle] === 1 || chunk.bytes[i] === 0) return;
    this.isRead[handle] = 1;
    const file = chunk.file[i]!;
    const process = this.processOfStream[chunk.stream[i]!]!;
    const isAtOnce = this.lastFile.get(process) === file;
    this.lastFile.set(process, file);
    const program = this.programOf[process]!;
    this.files.opened(file, process, isAtOnce ? undefined : program);
    if (!isAtOnce) this.share(file, process, program);
  }

  /** Loader processes that live as long as the program divide the files of a turn, each time in another way. */
  private share(file: FileIndex, process: number, program: string): void {
    const shared = getOrCreate(this.byProgram, program, (): SharedReading => {
      return { processes: new Set(), last: new Map(), count: 0 };
    });
    shared.processes.add(process);
    const last = shared.last.get(file);
    shared.last.set(file, shared.count++);
    if (last === undefined || shared.count - last > OTHERS_BETWEEN)
      this.files.sharedTurn(file, program, shared.processes);
  }
}
