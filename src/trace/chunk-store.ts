/**
 * Where an event table puts the chunks that memory has no room for: bytes by position, such as a temporary file. Access
 * is synchronous because it happens in the middle of hot loops; tables live in a worker.
 */
export interface ChunkStore {
  /**
   * Asks for room in memory for one more chunk, which then stays there as long as the table.
   * @returns false when the chunk has to go to the store when it is full.
   */
  keeps(bytes: number): boolean;
  /** @returns false when the store cannot take the bytes: they stay in memory then. */
  write(position: number, bytes: Uint8Array): boolean;
  /**
   * Fills `target` with what was written at `position`.
   * @throws Error in words for the user.
   */
  read(position: number, target: Uint8Array): void;
}

/** Everything stays in memory. */
export const MEMORY_ONLY: ChunkStore = {
  keeps: () => true,
  write: () => false,
  read: () => {
    throw new Error('nothing was put aside');
  },
};
