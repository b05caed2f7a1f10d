import type { FileEnds } from './file-ends.ts';

/**
 * An *open file description*: what one `open` made, whatever descriptors lead to it, and where it stands. Positions that
 * the recording does not tell are NaN. Readers that have to remember more of it extend this class.
 */
export class OpenFile {
  /** Of the next byte to be transferred, from the beginning of the file; for MPI-IO in units of the view, from its beginning. */
  position = 0;
  /** Every write goes to the end of the file (O_APPEND). */
  appends = false;
  /** The position was worked out from the end of the file: it is wrong when others write there too. */
  isFromEnd = false;
  /** Descriptors that lead to it, where they are counted. */
  references = 1;
  /** Where the view of MPI-IO begins, and the bytes of its unit; NaN for a view with holes. */
  viewBegin = 0;
  viewUnit = 1;

  /**
   * @param handle index into the trace's handles.
   * @param file index into the trace's files, or NONE.
   * @param layer index into LAYERS.
   */
  constructor(
    public handle: number,
    public file: number,
    readonly layer: number,
  ) {}

  /** Bytes from the beginning of the file of a position. A view gives the offset of its units; one with holes tells nothing. */
  place(position: number): number {
    return this.viewBegin + position * this.viewUnit;
  }

  setView(begin: number, unit: number): void {
    this.viewBegin = begin;
    this.viewUnit = unit;
    this.position = 0;
  }

  /**
   * A read or write at the position, which moves on; a write of a file that is appended to goes to its end.
   * @returns where it was, in bytes from the beginning of the file.
   */
  transfer(bytes: number, writes: boolean, ends: FileEnds): number {
    if (writes && this.appends) {
      this.position = ends.get(this.file);
      this.isFromEnd = true;
    }
    const offset = this.place(this.position);
    this.position += bytes / this.viewUnit;
    if (writes) ends.written(this.file, offset + bytes);
    return offset;
  }

  /**
   * A read or write at an offset of its own: the position stays. Linux appends, whatever the offset.
   * @returns where it was, in bytes from the beginning of the file.
   */
  transferAt(position: number, bytes: number, writes: boolean, ends: FileEnds): number {
    const offset = writes && this.appends ? ends.get(this.file) : this.place(position);
    if (writes) ends.written(this.file, offset + bytes);
    return offset;
  }
}
