import type { EventChunk } from '../../trace/events.ts';

/** What a row counts as where a recording shows the same transfer in several layers; bits. */
export const LAYER_ROLE = {
  /** A request that reaches the file: counts, bytes, sizes and places are its. */
  request: 1,
  /** A call of the program itself: the time that the program spends is its. */
  outermost: 2,
} as const;

/**
 * What rows count as where a recording shows the same transfer in several layers: an MPI-IO call, and the POSIX calls that
 * it becomes (docs/layers.md, docs/decisions/0047 and 0090).
 */
export interface LayerRoles {
  /** Bits of LAYER_ROLE of the row at place `i` of a chunk. */
  of(chunk: EventChunk, i: number): number;
  /**
   * What is known of the way that a transfer took through the libraries.
   * @param traits bits of TRAIT that its stack shows.
   * @returns the same, with what its own layer says, and without what the call above it counts already.
   */
  traitsOf(chunk: EventChunk, i: number, reads: boolean, traits: number): number;
}
