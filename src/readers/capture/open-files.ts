import { LAYERS } from '../../trace/calls.ts';
import { OpenFile } from '../open-files/open-file.ts';
import type { Identifier } from './record-cursor.ts';

const NOT_SHARED = -1;

/** Something that is open in a process of a recording, by whatever layer. */
export class CapturedFile extends OpenFile {
  /** Number of the description among those that processes share: their order tells where it stands (SharedPositions). */
  shared = NOT_SHARED;
  /** Of a stream: the descriptor below it, and what that leads to as far as it is used by itself. */
  descriptor = NaN;
  below: CapturedFile | undefined;
  /** It was read, written or moved in: of a stream, what is below it then stands elsewhere. */
  isUsed = false;
  /** What calls name in it, which nobody opens: variables of NetCDF and their attributes. */
  readonly named = new Map<string, CapturedFile>();

  /** Number of the description that processes share whose position this one moves; undefined when it is the process's own. */
  get sharing(): number | undefined {
    const { shared } = this.below ?? this;
    return shared === NOT_SHARED ? undefined : shared;
  }

  /** What was recorded may be junk: there is no place in front of a file. */
  override place(position: number): number {
    const place = super.place(position);
    return place >= 0 ? place : NaN;
  }

  /** A call of its own layer worked on it: a stream reads ahead and writes later. */
  use(): void {
    this.isUsed = true;
    if (this.below !== undefined) this.below.position = NaN;
  }

  /** What another process has of it. */
  clone(): CapturedFile {
    const clone = new CapturedFile(this.handle, this.file, this.layer);
    return Object.assign(clone, this);
  }
}

export interface Descriptor {
  /** Undefined as long as only the stream uses it. */
  open: CapturedFile | undefined;
  /** The stream that was opened with it. */
  stream: CapturedFile | undefined;
  closeOnExecute: boolean;
}

/** A file in memory. */
interface Mapping {
  readonly address: number;
  readonly bytes: number;
  /** Where in the file it begins. */
  readonly offset: number;
  readonly open: CapturedFile;
}

/** Mappings that a process is known to have; of more the oldest are forgotten: unmapping is not recorded. */
const MOST_MAPPINGS = 1024;

/** What is opened by a call that ends later than calls of other threads begin. */
interface LateOpening {
  readonly time: number;
  readonly apply: () => void;
}

/** What one process has open. Threads share it, a forked process has a copy. */
export class OpenFiles {
  descriptors = new Map<number, Descriptor>();
  /** By layer: streams, files of MPI-IO, objects of HDF5, … by their identifiers. */
  private readonly handles: readonly Map<Identifier, CapturedFile>[] = LAYERS.map(
    () => new Map<Identifier, CapturedFile>(),
  );
  private late: LateOpening[] = [];
  /** The newest last. */
  private mappings: Mapping[] = [];

  constructor(
    /** The working folder, '' when unknown. */
    public folder: string,
  ) {}

  handlesOf(layer: number): Map<Identifier, CapturedFile> {
    return this.handles[layer]!;
  }

  /** A file is in memory from now on, in place of what was there before. */
  mapped(address: number, bytes: number, offset: number, open: CapturedFile): void {
    if (!(address > 0 && bytes > 0)) return;
    this.mappings = this.mappings.filter((old) => old.address + old.bytes <= address || address + bytes <= old.address);
    this.mappings.push({ address, bytes, offset, open });
    if (this.mappings.length > MOST_MAPPINGS) this.mappings.shift();
  }

  mappingAt(address: number): Mapping | undefined {
    return this.mappings.findLast((mapping) => mapping.address <= address && address < mapping.address + mapping.bytes);
  }

  /** Does something when calls begin that began no earlier than `time`. */
  at(time: number, apply: () => void): void {
    this.late.push({ time, apply });
  }

  /** A call begins at `now`. */
  settle(now: number): void {
    if (this.late.length === 0) return;
    const due = this.late.filter(({ time }) => time <= now).sort((a, b) => a.time - b.time);
    this.late = this.late.filter(({ time }) => time > now);
    for (const { apply } of due) apply();
  }

  /** What a process that is forked now has, or the program that this one executes. */
  copy(): OpenFiles {
    this.settle(Infinity);
    const copy = new OpenFiles(this.folder);
    const clones = new Map<CapturedFile, CapturedFile>();
    const cloned = (open: CapturedFile | undefined): CapturedFile | undefined => {
      if (open === undefined) return undefined;
      let clone = clones.get(open);
      if (clone === undefined) {
        clones.set(open, (clone = open.clone()));
        clone.below = cloned(open.below);
      }
      return clone;
    };
    for (const [fd, { open, stream, closeOnExecute }] of this.descriptors)
      copy.descriptors.set(fd, { open: cloned(open), stream: cloned(stream), closeOnExecute });
    copy.mappings = this.mappings.map((mapping) => ({ ...mapping, open: cloned(mapping.open)! }));
    this.handles.forEach((handles, layer) => {
      for (const [id, open] of handles) copy.handlesOf(layer).set(id, cloned(open)!);
    });
    return copy;
  }

  /** What `execve` leaves. */
  afterExecute(): OpenFiles {
    const left = new OpenFiles(this.folder);
    for (const [fd, { open, closeOnExecute }] of this.descriptors)
      if (!closeOnExecute && open !== undefined) left.descriptors.set(fd, { open, stream: undefined, closeOnExecute });
    return left;
  }
}
