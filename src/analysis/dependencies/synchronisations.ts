import type { FileIndex, StreamIndex } from '../../trace/indices.ts';

/** A place in a stream: behind so many of its calls. */
interface StreamPoint {
  readonly stream: StreamIndex;
  readonly calls: number;
}

/**
 * Something that orders the calls of streams: what is behind a place of `waits` began after all that stands before the
 * places of `signals`. Streams of a collective operation are in both.
 */
export interface Synchronisation {
  readonly cause: 'message' | 'collective' | 'file';
  /** Name of the collective operation (`barrier`); '' for messages and files. */
  readonly operation: string;
  /** Index into `Trace.files` of the file that is handed over; −1 for the others. */
  readonly file: FileIndex;
  readonly signals: readonly StreamPoint[];
  readonly waits: readonly StreamPoint[];
  /** When it was over, in nanoseconds from the trace's origin; NaN when unknown. */
  readonly timeNs: number;
}

/**
 * Leaves out what orders nothing: behind it no stream does anything.
 *
 * @param synchronisations in an order in which each comes after those that it depends on.
 * @param counts calls of each stream.
 */
export function withoutTrailing(
  synchronisations: readonly Synchronisation[],
  counts: (stream: StreamIndex) => number,
): Synchronisation[] {
  /** The last place of each stream that someone waits for. */
  const awaited = new Map<number, number>();
  const kept: Synchronisation[] = [];
  for (const synchronisation of synchronisations.toReversed()) {
    const matters = ({ stream, calls }: StreamPoint): boolean =>
      calls < counts(stream) || (awaited.get(stream) ?? -1) >= calls;
    if (!synchronisation.waits.some(matters)) continue;
    kept.push(synchronisation);
    for (const { stream, calls } of synchronisation.signals)
      awaited.set(stream, Math.max(awaited.get(stream) ?? -1, calls));
  }
  return kept.reverse();
}
