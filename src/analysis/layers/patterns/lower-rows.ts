import { OPERATION } from '../../../trace/calls.ts';
import { NONE } from '../../../trace/events.ts';
import type { LayerCalls } from './layer-calls.ts';
import type { PictureBar, PictureKind } from './picture.ts';

/** Calls below one that a picture is made of: what is more, it cannot show anyway. */
const MOST_ROWS = 4000;

/** The calls at the lowest layer below some upper calls, for pictures of these. */
export function lowerRowsOf({ links, upper }: LayerCalls, rows: readonly number[]): Map<number, number[]> {
  const found = new Map<number, number[]>(rows.map((row) => [row, []]));
  if (links === undefined || upper === undefined) return found;
  let left = MOST_ROWS;
  for (let row = 0; row < links.parentOf.length && left > 0; row++) {
    if (links.parentOf[row] === NONE || links.isUpper(row)) continue;
    for (const above of links.above(row)) {
      const list = found.get(above);
      if (list === undefined) continue;
      list.push(row);
      left--;
    }
  }
  return found;
}

/** What a call of the lowest layer is drawn as. */
export function kindOf({ trace }: LayerCalls, row: number): PictureKind {
  const operation = trace.calls.operation[trace.events.value('call', row)]!;
  if (operation === OPERATION.read) return 'read';
  return operation === OPERATION.write ? 'write' : 'other';
}

/** When a call was under way. */
export function timeBar({ trace }: LayerCalls, row: number, kind: PictureKind): PictureBar {
  const start = trace.events.value('start', row);
  const duration = trace.events.value('duration', row);
  return { from: start, to: start + (duration > 0 ? duration : 0), kind };
}

/** Which bytes of the file a transfer moved; undefined where the recording does not say. */
export function offsetBar(calls: LayerCalls, row: number): PictureBar | undefined {
  const { events } = calls.trace;
  const from = events.value('offset', row);
  const bytes = events.value('bytes', row);
  const kind = kindOf(calls, row);
  return Number.isNaN(from) || bytes === 0 || kind === 'other' ? undefined : { from, to: from + bytes, kind };
}
