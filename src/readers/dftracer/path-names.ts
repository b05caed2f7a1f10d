import { NONE } from '../../trace/events.ts';
import { ByteNames } from '../text/byte-names.ts';
import { jsonText } from './event-line.ts';

/** Names that a file uses: in full, or by a hash that a line of metadata explains, which may stand behind its use. */
export class HashedNames {
  private readonly texts = new ByteNames();
  private readonly hashes = new ByteNames();
  private readonly explained = new Map<number, string>();
  private readonly known: string[] = [];

  /** Number of a name in full. */
  text(bytes: Uint8Array, from: number, end: number): number {
    const index = this.texts.intern(bytes, from, end);
    this.known[index] ??= jsonText(bytes.subarray(from, end));
    return index * 2;
  }

  /** Number of a name by its hash. */
  hash(bytes: Uint8Array, from: number, end: number): number {
    return this.hashes.intern(bytes, from, end) * 2 + 1;
  }

  explain(bytes: Uint8Array, from: number, end: number, name: string): void {
    this.explained.set(this.hashes.intern(bytes, from, end), name);
  }

  /** The name behind a number; undefined for NONE, and for a hash that nothing explains. */
  name(number: number): string | undefined {
    if (number === NONE) return undefined;
    return number % 2 === 0 ? this.known[number / 2] : this.explained.get((number - 1) / 2);
  }
}
