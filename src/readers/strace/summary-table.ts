import { ascii, startsWith } from '../text/bytes.ts';

const FIRST_COLUMN = ascii('% time ');
/** Titles of the columns that `-U` chooses from; strace adds the call's name when it is not among them. */
const TITLES = new Set(['%', 'time', 'seconds', 'usecs/call', 'shortest', 'longest', 'calls', 'errors', 'syscall']);
/** Shares and times, counts, dashes under the titles. */
const VALUE = /^([\d.]+|-+)$/;
const CALL = /^[A-Za-z_]\w*$/;

/**
 * Recognises the lines of the table that `strace -C` prints behind the calls: from its titles to its total. With `-A` calls
 * follow it, and the program's own output on standard error may look like its beginning.
 */
export class SummaryTable {
  private inside = false;

  /** The line that was read last belongs to the table. */
  get isInside(): boolean {
    return this.inside;
  }

  /** To be called before each file. */
  begin(): void {
    this.inside = false;
  }

  /** Whether the next line belongs to the table. */
  holds(bytes: Uint8Array, from: number, end: number): boolean {
    if (startsWith(bytes, from, end, FIRST_COLUMN)) {
      const titles = words(bytes, from, end);
      this.inside = titles.includes('syscall') && titles.every((title) => TITLES.has(title));
      return this.inside;
    }
    if (!this.inside) return false;
    const names = words(bytes, from, end).filter((word) => !VALUE.test(word));
    const isRow = names.length <= 1 && names.every((name) => CALL.test(name));
    this.inside = isRow && names[0] !== 'total';
    return isRow;
  }
}

const decoder = new TextDecoder('latin1');

function words(bytes: Uint8Array, from: number, end: number): string[] {
  // No row is longer than the titles with room for their numbers.
  return decoder
    .decode(bytes.subarray(from, Math.min(end, from + 400)))
    .split(' ')
    .filter((word) => word !== '');
}
