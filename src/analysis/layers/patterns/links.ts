import { LAYERS } from '../../../trace/calls.ts';
import { CHUNK_ROWS, EVENT_FLAGS, NONE } from '../../../trace/events.ts';
import type { Trace } from '../../../trace/trace.ts';

/** Bits of `Links.below`. */
export const BELOW = {
  /** The call has calls below it. */
  calls: 1,
  /** One of them is collective. */
  collective: 2,
} as const;

/** By layer: 1 for libraries of file formats, which keep data in memory: it may be that none of their calls has one below it. */
const FORMATS = Uint8Array.from(LAYERS, (layer) =>
  Number(layer === 'HDF5' || layer === 'NetCDF' || layer === 'PnetCDF'),
);

/** Layers of calls one below the other that are followed: no software has as many, but a damaged recording may go in circles. */
const MOST_LAYERS = 16;

/** Which call caused which, in memory: the event table itself may stand in a store. */
export class Links {
  private constructor(
    /** Row of the call that caused it, by row; NONE for a call of the program itself. */
    readonly parentOf: Int32Array,
    /** Bits of BELOW, by row. */
    readonly below: Uint8Array,
    /** By call and layer: 1 when calls of this name have calls below them, somewhere in the recording, or may have. */
    readonly isUpperCall: Uint8Array,
    /** Call and layer by row: tools name calls alike (`write`) that are of different layers. */
    readonly callOf: Uint32Array,
    /** Index into LAYERS of the lowest layer with calls that others caused. */
    readonly lowestLayer: number,
  ) {}

  /** @returns undefined when no call has calls below it: a recording of one layer. */
  static read(trace: Trace): Links | undefined {
    const { events, calls } = trace;
    if (!hasLinks(trace)) return undefined;
    const parentOf = new Int32Array(events.length).fill(NONE);
    const below = new Uint8Array(events.length);
    const callOf = new Uint32Array(events.length);
    let lowestLayer = 0;
    events.chunks.forEach((chunk, number) => {
      const first = number * CHUNK_ROWS;
      const rows = events.rowsIn(number);
      for (let i = 0; i < rows; i++) {
        callOf[first + i] = chunk.call[i]! * LAYERS.length + chunk.layer[i]!;
        const parent = chunk.parent[i]!;
        const flags = chunk.flags[i]!;
        if (parent < 0 || parent >= events.length || (flags & EVENT_FLAGS.part) !== 0) continue;
        parentOf[first + i] = parent;
        if (chunk.layer[i]! > lowestLayer) lowestLayer = chunk.layer[i]!;
        below[parent]! |= flags & EVENT_FLAGS.collective ? BELOW.calls | BELOW.collective : BELOW.calls;
      }
    });
    const isUpperCall = new Uint8Array(calls.names.length * LAYERS.length);
    const mayBeAlone = (row: number): boolean => parentOf[row] === NONE && FORMATS[callOf[row]! % LAYERS.length] === 1;
    for (let row = 0; row < below.length; row++) if (below[row] !== 0 || mayBeAlone(row)) isUpperCall[callOf[row]!] = 1;
    return new Links(parentOf, below, isUpperCall, callOf, lowestLayer);
  }

  /** Rows of the calls above one, the nearest first. */
  *above(row: number): Generator<number> {
    let at = this.parentOf[row]!;
    for (let depth = 0; at !== NONE && depth < MOST_LAYERS; depth++) {
      yield at;
      at = this.parentOf[at]!;
    }
  }

  /** Calls `visit` for the calls above one, the nearest first; for hot places, where `above` is too slow. */
  forEachAbove(row: number, visit: (above: number) => void): void {
    let at = this.parentOf[row]!;
    for (let depth = 0; at !== NONE && depth < MOST_LAYERS; depth++) {
      visit(at);
      at = this.parentOf[at]!;
    }
  }

  /** The row is a call of a layer that has calls below it, even if this one has none: data were in its buffer, or another process moved them. */
  isUpper(row: number): boolean {
    return this.isUpperCall[this.callOf[row]!] === 1;
  }
}

function hasLinks({ events }: Trace): boolean {
  let found = false;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows && !found; i++)
      found = chunk.parent[i] !== NONE && (chunk.flags[i]! & EVENT_FLAGS.part) === 0;
  });
  return found;
}
