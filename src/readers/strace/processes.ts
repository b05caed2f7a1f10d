import { LAYERS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import { OpenFile } from '../open-files/open-file.ts';
import type { CallInProgress } from './arguments.ts';

const POSIX = LAYERS.indexOf('POSIX');

/** An open file as strace shows it: descriptors that dup and fork derive share it (formats document, section 9). */
export class DecoratedFile extends OpenFile {
  /** Name of the descriptor's last decoration, to recognise it without looking it up; −1 at first. */
  decoration = -1;

  constructor(handle: number, file: number) {
    super(handle, file, POSIX);
  }
}

interface Descriptor {
  open: DecoratedFile;
  closeOnExecute: boolean;
}

/** Descriptors by number. Threads share one table, a fork copies it (and shares the open files). */
export class DescriptorTable {
  readonly descriptors = new Map<number, Descriptor>();

  copy(): DescriptorTable {
    const copy = new DescriptorTable();
    for (const [fd, { open, closeOnExecute }] of this.descriptors) copy.descriptors.set(fd, { open, closeOnExecute });
    return copy;
  }

  /** What `execve` leaves. */
  afterExecute(): DescriptorTable {
    const left = this.copy();
    for (const [fd, descriptor] of left.descriptors) if (descriptor.closeOnExecute) left.descriptors.delete(fd);
    return left;
  }

  /**
   * A copy for a process whose lines stand in another file. Both move the same offsets from now on, and how their calls
   * interleave is not followed over files: in the copy the offsets are unknown until it seeks.
   */
  snapshot(): DescriptorTable {
    const clones = new Map<DecoratedFile, DecoratedFile>();
    const copy = this.copy();
    for (const descriptor of copy.descriptors.values()) {
      const { open } = descriptor;
      let clone = clones.get(open);
      if (clone === undefined) {
        clone = new DecoratedFile(open.handle, open.file);
        clone.position = NaN;
        clone.appends = open.appends;
        clones.set(open, clone);
      }
      descriptor.open = clone;
    }
    return copy;
  }

  /** Somebody whose calls are not seen here moves the offsets as well. */
  loseOffsets(): void {
    for (const { open } of this.descriptors.values()) open.position = NaN;
  }
}

/** A part of a file that is mapped into memory. */
interface FileMapping {
  readonly address: number;
  readonly length: number;
  readonly file: number;
  readonly handle: number;
  /** Where in the file the mapping begins. */
  readonly offset: number;
}

/** A traced process or thread while its file is read. */
export class TracedProcess {
  /** The call that has begun and not yet returned. At most one: a process is either inside the kernel or not. */
  pending: CallInProgress | undefined;
  /** Line on which the pending call began. */
  pendingLine = 0;
  /** A used object for the next pending call. */
  idle: CallInProgress | undefined;
  /** Row of the last exit call: its stack is printed behind the line that reports the exit. */
  exitRow = NONE;
  /** The newest last; threads share the list. */
  mappings: FileMapping[] = [];

  constructor(
    public pid: number,
    /** Index into the trace's streams; NONE before its first line. */
    public stream: number,
    /** The thread group. */
    public processId: number,
    public table: DescriptorTable = new DescriptorTable(),
    /** The working folder, '' when unknown; threads share the object. */
    readonly folder: { path: string } = { path: '' },
  ) {}
}
