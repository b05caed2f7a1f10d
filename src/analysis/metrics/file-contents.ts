import type { FileIndex } from '../../trace/indices.ts';

interface FileState {
  contents: number;
  overwritten: number;
  furthestRead: number;
}

/**
 * Numbers what can be read from files: bytes that were overwritten since they were read are new bytes, and a path that
 * leads to another file has other contents.
 */
export class FileContents {
  private readonly states = new Map<number, FileState>();
  private lastKey = NaN;
  private last: FileState = { contents: 0, overwritten: 0, furthestRead: 0 };
  private next = 0;

  /**
   * The contents that an access sees: equal numbers see the same. Writes are numbered by file and incarnation, anew after each synchronisation.
   *
   * @param incarnation how often the path had led to another file before (`HandleTable.incarnation`).
   */
  of(file: FileIndex, incarnation: number, reads: boolean, offset: number, bytes: number): number {
    const state = this.stateOf(file, incarnation);
    if (!reads) {
      if (offset < state.furthestRead) {
        state.contents = this.next++;
        state.furthestRead = 0;
      }
      return state.overwritten;
    }
    state.furthestRead = Math.max(state.furthestRead, offset + bytes);
    return state.contents;
  }

  /** What was written is safe: to write a record anew and make it safe each time is no redundancy. */
  synchronised(file: FileIndex, incarnation: number): void {
    this.stateOf(file, incarnation).overwritten = this.next++;
  }

  /** A file was opened and emptied: what is written from then on is another version of it. */
  emptied(file: FileIndex, incarnation: number): void {
    const state = this.stateOf(file, incarnation);
    state.overwritten = this.next++;
    state.contents = this.next++;
    state.furthestRead = 0;
  }

  private stateOf(file: FileIndex, incarnation: number): FileState {
    // Below 2^53 for two million incarnations.
    const key = incarnation * 0x1_0000_0000 + file;
    if (key === this.lastKey) return this.last;
    let state = this.states.get(key);
    if (state === undefined) {
      state = { contents: this.next++, overwritten: this.next++, furthestRead: 0 };
      this.states.set(key, state);
    }
    this.lastKey = key;
    this.last = state;
    return state;
  }
}
