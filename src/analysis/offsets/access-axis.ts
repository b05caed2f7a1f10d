import type { FileAccesses } from './file-accesses.ts';
import { MARK, type OffsetArea, type OffsetChoices } from './offsets.ts';

/** Where each access stands on the axis, and which of them the choices leave. */
export interface PlacedAccesses {
  readonly accesses: FileAccesses;
  /** Begin and end on the axis; the same for a call whose duration is unknown or 0. */
  readonly from: (i: number) => number;
  readonly to: (i: number) => number;
  /** Category of each access. */
  readonly category: Uint8Array;
  readonly isShown: (i: number) => boolean;
  /** Absent where nothing is selected. */
  readonly isSelected?: (i: number) => boolean;
}

/** @param onlyCategory the only one that is shown, or -1. */
export function placeAccesses(
  accesses: FileAccesses,
  { axis, directions }: Pick<OffsetChoices, 'axis' | 'directions'>,
  category: Uint8Array,
  onlyCategory: number,
): PlacedAccesses {
  const { start, duration, marks } = accesses;
  const unwanted = directions === 'read' ? MARK.write : directions === 'write' ? MARK.read : 0;
  const byTime = axis === 'time';
  return {
    accesses,
    category,
    from: byTime ? (i) => start[i]! : (i) => i,
    to: byTime ? (i) => start[i]! + (duration[i]! > 0 ? duration[i]! : 0) : (i) => i + 1,
    isShown: (i) =>
      (marks[i]! & unwanted) === 0 &&
      (onlyCategory < 0 || category[i] === onlyCategory) &&
      !(byTime && Number.isNaN(start[i])),
  };
}

/** The smallest area that holds all accesses that are shown; of size 1 where there are none. */
export function extentOf({ accesses, from, to, isShown }: PlacedAccesses): OffsetArea {
  const { offset, bytes, length } = accesses;
  let first = Infinity;
  let last = -Infinity;
  let lowest = Infinity;
  let highest = -Infinity;
  for (let i = 0; i < length; i++) {
    if (!isShown(i)) continue;
    first = Math.min(first, from(i));
    // What takes no time is still to lie in front of the end.
    last = Math.max(last, to(i), from(i) + 1);
    lowest = Math.min(lowest, offset[i]!);
    highest = Math.max(highest, offset[i]! + bytes[i]!);
  }
  if (first === Infinity) return { from: 0, to: 1, fromByte: 0, toByte: 1 };
  return { from: first, to: last, fromByte: lowest, toByte: highest };
}

/** Whether an access touches an area. */
export function touches({ accesses, from, to }: PlacedAccesses, i: number, area: OffsetArea): boolean {
  const begin = from(i);
  const end = to(i);
  const offset = accesses.offset[i]!;
  return (
    begin < area.to &&
    (end > area.from || (end === begin && begin >= area.from)) &&
    offset < area.toByte &&
    offset + accesses.bytes[i]! > area.fromByte
  );
}
