import { NONE, OPEN_MODE } from '../../trace/events.ts';

/** A file that a task of a replay holds open. */
export interface OpenSlot {
  readonly slot: number;
  readonly file: number;
  readonly appends: boolean;
  /** By fopen. */
  readonly isStream: boolean;
  /** Offset at which the next transfer begins that names none; NaN when unknown. */
  position: number;
}

/** Modes that a replay keeps: what only concerns the recorded program's descriptors is left out. */
const KEPT =
  OPEN_MODE.access |
  OPEN_MODE.create |
  OPEN_MODE.exclusive |
  OPEN_MODE.truncate |
  OPEN_MODE.append |
  OPEN_MODE.dataSync |
  OPEN_MODE.sync;

export function keptMode(mode: number): number {
  return mode & KEPT;
}

/** The mode of fopen that stands for bits of OPEN_MODE. */
export function streamMode(mode: number): string {
  const both = (mode & OPEN_MODE.access) === 2;
  if (mode & OPEN_MODE.append) return both ? 'a+' : 'a';
  if (mode & OPEN_MODE.truncate) return both ? 'w+' : 'w';
  return both ? 'r+' : (mode & OPEN_MODE.access) === 1 ? 'w' : 'r';
}

/** Numbers of the files that one task holds open: the lowest that is free, as for descriptors. */
export class OpenSlots {
  private readonly byHandle = new Map<string, OpenSlot>();
  private readonly used: boolean[] = [];

  find(handle: number, file: number): OpenSlot | undefined {
    return this.byHandle.get(keyOf(handle, file));
  }

  open(handle: number, file: number, appends: boolean, isStream: boolean): OpenSlot {
    const opened = { slot: this.free(), file, appends, isStream, position: appends ? NaN : 0 };
    this.byHandle.set(keyOf(handle, file), opened);
    return opened;
  }

  /** A number for a moment. */
  free(): number {
    let slot = this.used.indexOf(false);
    if (slot < 0) slot = this.used.length;
    this.used[slot] = true;
    return slot;
  }

  release(slot: number): void {
    this.used[slot] = false;
  }

  close(handle: number, file: number): OpenSlot | undefined {
    const opened = this.find(handle, file);
    if (opened === undefined) return undefined;
    this.byHandle.delete(keyOf(handle, file));
    this.release(opened.slot);
    return opened;
  }
}

/** Formats without handles tell open files apart by their file. */
function keyOf(handle: number, file: number): string {
  return handle === NONE ? `file ${file}` : `handle ${handle}`;
}
