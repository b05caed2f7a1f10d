import { OPEN_MODE } from '../../trace/events.ts';
import { ReplayError } from './replay-error.ts';

/** A file that a task holds open, under one number or several. */
export class TaskFile {
  /** Where the next read or write without an offset begins. */
  position = 0;
  /** Whether the descriptor itself stands there: as long as nothing was sought. */
  isSequential = true;
  /** Numbers of the task that mean it. */
  users = 1;
  /** Locks of this task on it: undefined for none. */
  lock: 'shared' | 'exclusive' | undefined;

  constructor(
    readonly descriptor: number,
    readonly path: string,
    readonly mode: number,
    /** Of the file's content; undefined where it is not to be checked. */
    readonly contentKey: number | undefined,
    readonly stream: StreamBuffer | undefined,
  ) {}

  get appends(): boolean {
    return (this.mode & OPEN_MODE.append) !== 0;
  }
}

/** The buffer of a C stream, as glibc's: 4 KiB, for reading or writing, never both at once. */
export class StreamBuffer {
  static readonly SIZE = 4096;
  readonly bytes = new Uint8Array(StreamBuffer.SIZE);
  /** Bytes of the file that are here and were not handed out yet. */
  filled = 0;
  taken = 0;
  /** Bytes that wait to be written. */
  pending = 0;
}

/** The numbers of open files of one task. */
export class TaskFiles {
  private readonly files = new Map<number, TaskFile>();

  /** @throws ReplayError when no file has this number. */
  at(slot: number): TaskFile {
    const file = this.files.get(slot);
    if (file === undefined) throw new ReplayError(`no file is open as ${slot}`);
    return file;
  }

  /** @throws ReplayError when the file is no C stream. */
  streamAt(slot: number): { file: TaskFile; stream: StreamBuffer } {
    const file = this.at(slot);
    if (file.stream === undefined) throw new ReplayError(`the file open as ${slot} was not opened by fopen`);
    return { file, stream: file.stream };
  }

  /** @throws ReplayError when the number is taken. */
  add(slot: number, file: TaskFile): void {
    if (!(Number.isSafeInteger(slot) && slot >= 0)) throw new ReplayError(`${slot} is no number of a file`);
    if (this.files.has(slot)) throw new ReplayError(`a file is open as ${slot} already: ${this.files.get(slot)!.path}`);
    this.files.set(slot, file);
  }

  /** @returns whether it was the last number of the file, which is to be closed then. */
  remove(slot: number): boolean {
    const file = this.at(slot);
    this.files.delete(slot);
    file.users--;
    return file.users === 0;
  }

  /** All files, each once. */
  all(): TaskFile[] {
    return [...new Set(this.files.values())];
  }
}

const FOPEN_MODES: Readonly<Record<string, number>> = {
  r: 0,
  'r+': 2,
  w: 1 | OPEN_MODE.create | OPEN_MODE.truncate,
  'w+': 2 | OPEN_MODE.create | OPEN_MODE.truncate,
  a: 1 | OPEN_MODE.create | OPEN_MODE.append,
  'a+': 2 | OPEN_MODE.create | OPEN_MODE.append,
};

/** Bits of OPEN_MODE for a mode of fopen; letters that change nothing here (b, e, c, m) may follow. */
export function fopenMode(text: string): number | undefined {
  const letters = text.replace(/[becm]/g, '').replace(/x/, '');
  const mode = Object.hasOwn(FOPEN_MODES, letters) ? FOPEN_MODES[letters] : undefined;
  return mode !== undefined && text.includes('x') ? mode | OPEN_MODE.exclusive : mode;
}
