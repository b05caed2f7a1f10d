import { NO_CATEGORY } from '../../analysis/timeline/timeline.ts';
import type { Bins } from './buffered-bins.ts';
import { lengthOf, type Span } from './visible-span.ts';

/** The cells of one row, a bin each; as the worker sent them. */
export interface RowCells {
  readonly over: Bins;
  readonly category: Uint16Array;
  readonly busy: Uint8Array;
  /** Absent when nothing is selected. */
  readonly selected?: Uint8Array;
}

/** Shades of a colour, from an event that hardly fills its bin to one that fills it. */
export const SHADES = 16;

/** Colours as the pixels of a canvas want them: `[category * SHADES + shade]`, for what is selected and what is not. */
export interface ShadeTable {
  readonly plain: Uint32Array;
  readonly dimmed: Uint32Array;
}

/** Bins that are looked at for one pixel: a frame must not become slow while an old answer is shown far too small. */
const MOST_BINS_A_PIXEL = 16;

/**
 * Colours the pixels of one row. All that a frame does with a recording: as many steps as the row has pixels.
 * @param pixels one for each column of the row; transparent where no event is.
 * @param marks is 1 where something is selected, if anything is, for themes in which colour alone does not tell.
 */
export function paintRow(
  pixels: Uint32Array,
  marks: Uint8Array | undefined,
  cells: RowCells,
  visible: Span,
  shades: ShadeTable,
): void {
  const { over, category, busy, selected } = cells;
  const columns = pixels.length;
  const binsPerPixel = lengthOf(visible) / columns / over.binNs;
  const firstBin = (visible.fromNs - over.fromNs) / over.binNs;
  for (let column = 0; column < columns; column++) {
    const left = firstBin + column * binsPerPixel;
    const from = Math.max(0, Math.floor(left + 1e-9));
    const to = Math.min(over.bins, Math.max(from + 1, Math.ceil(left + binsPerPixel - 1e-9)));
    const step = Math.max(1, Math.ceil((to - from) / MOST_BINS_A_PIXEL));
    let strongest = -1;
    let most = 0;
    let sum = 0;
    let isSelected = false;
    for (let bin = from; bin < to && left + binsPerPixel > 0; bin += step) {
      const share = busy[bin]!;
      sum += share;
      if (selected !== undefined && selected[bin]! > 0) isSelected = true;
      if (share > most) {
        most = share;
        strongest = bin;
      }
    }
    if (marks !== undefined) marks[column] = isSelected ? 1 : 0;
    if (strongest < 0 || category[strongest] === NO_CATEGORY) {
      pixels[column] = 0;
      continue;
    }
    const share = (sum * step) / Math.max(1, to - from);
    const shade = Math.min(SHADES - 1, Math.floor((share / 256) * SHADES));
    const table = selected === undefined || isSelected ? shades.plain : shades.dimmed;
    pixels[column] = table[category[strongest]! * SHADES + shade]!;
  }
}

/** A stretch of one colour. */
export interface Stretch extends Span {
  readonly category: number;
  /** Mean share that is busy, 0 to 1. */
  readonly busy: number;
  readonly isSelected: boolean;
}

/**
 * Neighbouring cells of one category as one stretch, within a span: for drawings that are kept (SVG), for names inside what
 * is wide enough, and for walking from one to the next.
 */
export function stretches(cells: RowCells, visible: Span): Stretch[] {
  const { over, category, busy, selected } = cells;
  const first = Math.max(0, Math.floor((visible.fromNs - over.fromNs) / over.binNs));
  const last = Math.min(over.bins, Math.ceil((visible.toNs - over.fromNs) / over.binNs));
  const found: Stretch[] = [];
  const stateOf = (bin: number): number => (selected === undefined || selected[bin]! > 0 ? 1 : 0);
  for (let bin = first; bin < last;) {
    const kind = category[bin]!;
    if (kind === NO_CATEGORY) {
      bin++;
      continue;
    }
    const state = stateOf(bin);
    let sum = 0;
    let end = bin;
    for (; end < last && category[end] === kind && stateOf(end) === state; end++) sum += busy[end]!;
    found.push({
      fromNs: over.fromNs + bin * over.binNs,
      toNs: over.fromNs + end * over.binNs,
      category: kind,
      busy: sum / (end - bin) / 255,
      isSelected: state === 1,
    });
    bin = end;
  }
  return found;
}
