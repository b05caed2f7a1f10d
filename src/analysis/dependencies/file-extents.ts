import type { FileIndex, StreamIndex } from '../../trace/indices.ts';
import { FILE_EFFECT } from './file-effects.ts';
import type { IoEvents } from './io-events.ts';

/** From the first byte to behind the last. */
interface Extent {
  begin: number;
  end: number;
}

const WHOLE: Readonly<Extent> = { begin: 0, end: Infinity };

/**
 * Between which bytes each stream used each file since all who did met: more than it touched, and never less. It tells
 * whether a collective transfer can depend on what another member did before, rather than on the other's part in the same
 * call.
 */
export class FileExtents {
  private readonly files = new Map<number, Map<number, Extent>>();
  /** Streams that used any file. */
  private readonly users = new Set<number>();

  constructor(private readonly events: IoEvents) {}

  /** Whether a call uses bytes between those that one of some other streams used. Those that transfer nothing may. */
  meets(k: number, streams: readonly StreamIndex[]): boolean {
    const { begin, end } = this.extentOf(k);
    const used = this.files.get(this.events.file[k]!);
    return streams.some((stream) => {
      const extent = stream === this.events.stream[k] ? undefined : used?.get(stream);
      return extent !== undefined && begin < extent.end && extent.begin < end;
    });
  }

  add(k: number): void {
    const { effect, file, stream } = this.events;
    // These touch no bytes.
    if (effect[k] === FILE_EFFECT.use || effect[k] === FILE_EFFECT.look || effect[k] === FILE_EFFECT.open) return;
    let used = this.files.get(file[k]!);
    if (used === undefined) this.files.set(file[k]!, (used = new Map<number, Extent>()));
    this.users.add(stream[k]!);
    const { begin, end } = this.extentOf(k);
    const known = used.get(stream[k]!);
    if (known === undefined) used.set(stream[k]!, { begin, end });
    else {
      known.begin = Math.min(known.begin, begin);
      known.end = Math.max(known.end, end);
    }
  }

  /** Some streams have met: each knows what the others did to a file. Where others used it too, these do not. */
  metFor(file: FileIndex, streams: ReadonlySet<number>): void {
    const used = this.files.get(file);
    if (used !== undefined && isWithin(used.keys(), streams)) this.files.delete(file);
  }

  /** The same for all files. */
  met(streams: readonly StreamIndex[]): void {
    if (this.users.size === 0 || !isWithin(this.users, new Set(streams))) return;
    this.files.clear();
    this.users.clear();
  }

  private extentOf(k: number): Readonly<Extent> {
    const { effect, offset, bytes, argument } = this.events;
    // It cuts what lies behind the new end, or adds to what was the end before: nothing that is kept is touched.
    if (effect[k] === FILE_EFFECT.truncate && argument[k]! >= 0) return { begin: argument[k]!, end: Infinity };
    const isTransfer = effect[k] === FILE_EFFECT.read || effect[k] === FILE_EFFECT.write;
    if (!isTransfer || Number.isNaN(offset[k]!)) return WHOLE;
    return { begin: offset[k]!, end: offset[k]! + bytes[k]! };
  }
}

function isWithin(some: Iterable<number>, all: ReadonlySet<number>): boolean {
  for (const one of some) if (!all.has(one)) return false;
  return true;
}
