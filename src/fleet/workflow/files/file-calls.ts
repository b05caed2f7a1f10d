import type { AccessMode } from '../workflow-document.ts';

/** Bits of an open's access mode: read only, write only, both. */
const WRITE_ONLY = 1;

/** What the calls of one recording did to one file. Moments count in the recording's nanoseconds. */
export class FileCalls {
  bytesRead = 0;
  bytesWritten = 0;
  first = Infinity;
  last = -Infinity;
  firstRead = Infinity;
  lastWrite = -Infinity;
  appends = false;
  readonly layers = new Set<number>();
  private firstWrite = Infinity;
  private furthestRead = 0;
  private furthestWritten = 0;
  private emptied = Infinity;
  private opensToRead = false;
  private opensToWrite = false;
  private removedAt = -Infinity;
  private lastOpened = -Infinity;

  during(from: number, to: number): void {
    if (from < this.first) this.first = from;
    if (to > this.last) this.last = to;
  }

  /** @param access as O_ACCMODE holds it; undefined when it was not recorded. @param empties the file is new or empty then. */
  opened(when: number, access: number | undefined, empties: boolean): void {
    if (empties && when < this.emptied) this.emptied = when;
    if (when > this.lastOpened) this.lastOpened = when;
    if (access === undefined) return;
    if (access !== WRITE_ONLY) this.opensToRead = true;
    if (access !== 0) this.opensToWrite = true;
  }

  /** @param counts false for a call that one of the program became: its bytes are counted there. */
  read(when: number, offset: number, bytes: number, counts: boolean): void {
    if (counts) this.bytesRead += bytes;
    if (when < this.firstRead) this.firstRead = when;
    const end = Number.isNaN(offset) ? this.bytesRead : offset + bytes;
    if (end > this.furthestRead) this.furthestRead = end;
  }

  wrote(from: number, to: number, offset: number, bytes: number, counts: boolean): void {
    if (counts) this.bytesWritten += bytes;
    if (from < this.firstWrite) this.firstWrite = from;
    if (to > this.lastWrite) this.lastWrite = to;
    const end = Number.isNaN(offset) ? this.bytesWritten : offset + bytes;
    if (end > this.furthestWritten) this.furthestWritten = end;
  }

  removed(when: number): void {
    if (when > this.removedAt) this.removedAt = when;
  }

  /** It gets the name and content of another file, which is no more. */
  become(other: FileCalls, when: number): void {
    if (other.firstWrite === Infinity && other.emptied === Infinity) {
      // The content comes from an earlier program.
      other.opensToRead = true;
      if (when < other.firstRead) other.firstRead = when;
    }
    this.bytesWritten += other.bytesWritten;
    this.firstWrite = Math.min(this.firstWrite, other.firstWrite, when);
    this.lastWrite = Math.max(this.lastWrite, other.lastWrite, when);
    this.furthestWritten = Math.max(this.furthestWritten, other.furthestWritten);
    this.emptied = Math.min(this.emptied, when);
    for (const layer of other.layers) this.layers.add(layer);
    this.during(Math.min(other.first, when), when);
    other.during(when, when);
    other.removed(when);
  }

  /** By what was moved, not by how it was opened; undefined when it was only asked about. */
  mode(): AccessMode | undefined {
    const reads = this.firstRead !== Infinity;
    const writes = this.firstWrite !== Infinity;
    if (reads || writes) return reads ? (writes ? 'read-write' : 'read') : 'write';
    if (this.opensToWrite || this.emptied !== Infinity) return 'write';
    return this.opensToRead ? 'read' : undefined;
  }

  /** Whether it reads what it has not written itself. */
  needsContent(): boolean {
    if (this.firstRead === Infinity) return this.mode() === 'read';
    if (this.emptied <= this.firstRead) return false;
    return !(this.firstWrite < this.firstRead && this.furthestRead <= this.furthestWritten);
  }

  leavesContent(): boolean {
    const writes = this.firstWrite !== Infinity || this.emptied !== Infinity;
    return writes && this.removedAt < Math.max(this.lastWrite, this.lastOpened);
  }

  keepsContent(): boolean {
    if (this.firstWrite === Infinity || this.emptied !== Infinity) return false;
    return this.appends || this.needsContent() || this.furthestWritten > 2 * this.bytesWritten;
  }
}
