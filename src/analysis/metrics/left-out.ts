import type { FileTable } from '../../trace/files.ts';
import { NONE } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';

/** What calls are that no finding counts, in the order in which reports name them. */
const LEFT_OUT_KINDS = [
  /** Work before `main`, and shared libraries. */
  'loader',
  'ignoredFiles',
  /** Pipes, with and without a path, sockets and their like. */
  'pipes',
  /** Requests to io_uring and Linux AIO, which go on beside the program, and waiting for them. */
  'asynchronous',
  /** Calls on nothing: bad descriptors, processes, memory of which no file is known. */
  'withoutFile',
] as const;
export type LeftOutKind = (typeof LEFT_OUT_KINDS)[number];

interface LeftOutAmount {
  events: number;
  /** Nanoseconds. */
  time: number;
}

/** What the loader reads before the program runs. */
const LOADED = /\.so(\.[^/]*)?$|^\/etc\/ld\.so\./;

/** Sums up the calls that no finding counts, by what they are. */
export class LeftOutCalls {
  readonly sums: Readonly<Record<LeftOutKind, LeftOutAmount>>;
  private readonly kindOfFile: readonly LeftOutKind[];

  /** @param pipes files with a path that are pipes all the same. */
  constructor(files: FileTable, pipes: ReadonlySet<FileIndex>) {
    this.sums = Object.fromEntries(LEFT_OUT_KINDS.map((kind) => [kind, { events: 0, time: 0 }])) as Record<
      LeftOutKind,
      LeftOutAmount
    >;
    this.kindOfFile = files.files.map(({ path, kind }, file) => {
      if (kind !== 'regular' || pipes.has(file)) return 'pipes';
      return LOADED.test(path) ? 'loader' : 'ignoredFiles';
    });
  }

  /** @param isRequest calls above requests have a time, and are not counted twice. */
  addOfFile(file: FileIndex, isRequest: boolean, time: number): void {
    this.add(file === NONE ? 'withoutFile' : this.kindOfFile[file]!, isRequest, time);
  }

  addAsynchronous(isRequest: boolean, time: number): void {
    this.add('asynchronous', isRequest, time);
  }

  addStartUp(isRequest: boolean, time: number): void {
    this.add('loader', isRequest, time);
  }

  private add(kind: LeftOutKind, isRequest: boolean, time: number): void {
    const sum = this.sums[kind];
    if (isRequest) sum.events++;
    sum.time += time;
  }
}
