import type { RowCells } from '../../src/drawing/timeline/row-pixels.ts';
import { stretches } from '../../src/drawing/timeline/row-pixels.ts';
import type { ViewEvent } from '../../src/features/timeline/protocol.ts';

/** Bins that are asked about before the walk gives up: each is a question to the worker. */
const MOST_QUESTIONS = 24;

/**
 * The event behind (or before) a point of a row: the worker finds the event nearest to a point, and the cells say where
 * there are any.
 * @param ask for the event nearest to a time, within a tolerance.
 * @returns undefined when there is none in the part of the time that the cells cover.
 */
export async function neighbour(
  cells: RowCells,
  from: ViewEvent | undefined,
  startNs: number,
  direction: 1 | -1,
  ask: (timeNs: number, toleranceNs: number) => Promise<ViewEvent | null>,
): Promise<ViewEvent | undefined> {
  const { over } = cells;
  const end = from === undefined ? startNs : from.event.startNs + (direction > 0 ? (from.event.durationNs ?? 0) : 0);
  const ahead = direction > 0 ? { fromNs: end, toNs: over.toNs } : { fromNs: over.fromNs, toNs: end };
  const parts = stretches(cells, ahead);
  if (direction < 0) parts.reverse();
  let questions = 0;
  for (const part of parts) {
    // Every bin of a stretch may hold events of its own.
    const bins = Math.round((part.toNs - part.fromNs) / over.binNs);
    for (let bin = 0; bin < bins; bin++) {
      if (questions++ >= MOST_QUESTIONS) return undefined;
      const at = direction > 0 ? part.fromNs + (bin + 0.5) * over.binNs : part.toNs - (bin + 0.5) * over.binNs;
      const found = await ask(at, over.binNs / 2);
      if (found === null || isSame(found, from)) continue;
      const isAhead = from === undefined || (found.event.startNs - from.event.startNs) * direction >= 0;
      if (isAhead) return found;
    }
  }
  return undefined;
}

function isSame({ event }: ViewEvent, other: ViewEvent | undefined): boolean {
  return event.event === other?.event.event && event.recording === other.event.recording;
}
