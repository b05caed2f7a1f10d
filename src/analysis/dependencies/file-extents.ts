import type { StreamIndex } from '../../trace/indices.ts';
import { FILE_EFFECT } from './file-effects.ts';
import type { IoEvents } from './io-events.ts';

/** From the first byte to behind the last. */
interface Extent {
  begin: number;
  end: number;
}

const WHOLE: Readonly<Extent> = { begin: 0, end: Infinity };

/**
 * Between which bytes each stream used each file so far: more than it touched, and never less. It tells whether a
 * collective transfer can depend on what another member did before, rather than on the other's part in the same call.
 */
export class FileExtents {
  private readonly files = new Map<number, Map<number, Extent>>();

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
    const { begin, end } = this.extentOf(k);
    const known = used.get(stream[k]!);
    if (known === undefined) used.set(stream[k]!, { begin, end });
    else {
      known.begin = Math.min(known.begin, begin);
      known.end = Math.max(known.end, end);
    }
  }

  private extentOf(k: number): Readonly<Extent> {
    const { effect, offset, bytes } = this.events;
    const isTransfer = effect[k] === FILE_EFFECT.read || effect[k] === FILE_EFFECT.write;
    if (!isTransfer || Number.isNaN(offset[k]!)) return WHOLE;
    return { begin: offset[k]!, end: offset[k]! + bytes[k]! };
  }
}
