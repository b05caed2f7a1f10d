import type { PlotBox } from '../offsets/offset-plane.ts';
import type { Surface } from '../offsets/surface.ts';
import type { Colour } from '../timeline/category-colours.ts';
import { timeTicks } from '../timeline/ticks.ts';
import { xOf, type Span } from '../timeline/visible-span.ts';

/** A file's time, and the part of it that lies on the critical path. Seconds from the start of the program. */
export interface FileInterval {
  readonly path: string;
  /** null: not known. */
  readonly start: number | null;
  readonly end: number | null;
  /** null: the file is no critical one. */
  readonly exclusiveFrom: number | null;
  readonly exclusiveSeconds: number;
}

export interface IntervalColours {
  readonly text: Colour;
  readonly softText: Colour;
  readonly background: Colour;
  readonly rule: Colour;
  readonly bar: Colour;
  readonly critical: Colour;
  /** Behind the chosen row. */
  readonly chosen: Colour;
}

export interface IntervalPicture {
  readonly width: number;
  readonly height: number;
  /** What of the run is seen, in nanoseconds. */
  readonly visible: Span;
  /** All of them: their stretches make the path at the top. */
  readonly files: readonly FileInterval[];
  /** Indices of those that are shown, in their order. */
  readonly rows: readonly number[];
  readonly scrollTop: number;
  readonly chosen: number | undefined;
  readonly colours: IntervalColours;
}

export const ROW_HEIGHT = 20;
/** Axis and critical path. */
export const HEAD_HEIGHT = 46;
const PATH_TOP = 28;
const PATH_HEIGHT = 12;
const BAR_HEIGHT = 6;
const STRETCH_HEIGHT = 12;
const LABEL_LETTERS = 40;
const SHORTEST_PIXELS = 1.5;

export function labelWidthOf(width: number): number {
  return Math.min(280, Math.max(90, width * 0.3));
}

/**
 * Intervals of files with the critical path marked (figure 3 of IOMiner): a thin bar from the first call of a file to the
 * last, a thick one where the critical path is reckoned to it, and the whole path below the axis.
 */
export function drawIntervals(surface: Surface, picture: IntervalPicture): void {
  const { width, height, colours, visible } = picture;
  const left = labelWidthOf(width);
  const plot = Math.max(1, width - left - 12);
  for (const { at, label } of timeTicks(visible, plot)) {
    const x = left + xOf(at, visible, plot);
    surface.line({ x, y: PATH_TOP - 6 }, { x, y: height }, colours.rule);
    surface.text(x, 12, label, { colour: colours.softText, align: 'middle' });
  }
  surface.clipped(0, HEAD_HEIGHT, width, Math.max(0, height - HEAD_HEIGHT), () =>
    drawRows(surface, picture, left, plot),
  );
  surface.text(left - 8, PATH_TOP + PATH_HEIGHT / 2, 'Critical path', {
    colour: colours.text,
    align: 'end',
    bold: true,
  });
  surface.clipped(left, PATH_TOP, plot, PATH_HEIGHT, () => {
    const strip = { left, width: plot, top: PATH_TOP, height: PATH_HEIGHT };
    for (const file of picture.files) drawStretch(surface, picture, file, strip);
  });
  surface.line({ x: 0, y: HEAD_HEIGHT - 1 }, { x: width, y: HEAD_HEIGHT - 1 }, colours.rule);
}

function drawRows(surface: Surface, picture: IntervalPicture, left: number, plot: number): void {
  const { rows, scrollTop, height, width, colours, files, chosen } = picture;
  const first = Math.floor(scrollTop / ROW_HEIGHT);
  const last = Math.min(rows.length, Math.ceil((scrollTop + height - HEAD_HEIGHT) / ROW_HEIGHT));
  for (let row = first; row < last; row++) {
    const file = files[rows[row]!]!;
    const top = HEAD_HEIGHT + row * ROW_HEIGHT - scrollTop;
    const middle = top + ROW_HEIGHT / 2;
    if (rows[row] === chosen) surface.box(0, top, width, ROW_HEIGHT, colours.chosen);
    const isCritical = file.exclusiveFrom !== null;
    surface.clipped(0, top, left - 4, ROW_HEIGHT, () => {
      const colour = isCritical ? colours.text : colours.softText;
      surface.text(left - 8, middle, endOf(file.path), { colour, align: 'end', bold: isCritical });
    });
    surface.clipped(left, top, plot, ROW_HEIGHT, () => {
      const strip = (height: number): PlotBox => ({ left, width: plot, top: middle - height / 2, height });
      drawBar(surface, picture, file, strip(BAR_HEIGHT));
      drawStretch(surface, picture, file, strip(STRETCH_HEIGHT));
    });
  }
}

function drawBar(
  surface: Surface,
  { visible, colours }: IntervalPicture,
  { start, end }: FileInterval,
  { left, top, width, height }: PlotBox,
): void {
  if (start === null || end === null || end < start) return;
  const from = xOf(start * 1e9, visible, width);
  const to = xOf(end * 1e9, visible, width);
  const seen = seenWidth(from, to, width);
  surface.box(left + seen.from, top, seen.width, height, colours.bar);
}

function drawStretch(
  surface: Surface,
  { visible, colours }: IntervalPicture,
  { exclusiveFrom, exclusiveSeconds }: FileInterval,
  { left, top, width, height }: PlotBox,
): void {
  if (exclusiveFrom === null) return;
  const from = xOf(exclusiveFrom * 1e9, visible, width);
  const to = xOf((exclusiveFrom + exclusiveSeconds) * 1e9, visible, width);
  if (to < 0 || from > width) return;
  const seen = seenWidth(from, to, width);
  surface.box(left + seen.from, top, seen.width, height, colours.critical);
}

/** What is too short for the screen is still seen, also at the right edge, where the plot ends. */
function seenWidth(from: number, to: number, plot: number): { readonly from: number; readonly width: number } {
  const start = from <= plot ? Math.min(from, plot - SHORTEST_PIXELS) : from;
  return { from: start, width: Math.max(SHORTEST_PIXELS, to - start) };
}

/** The end of a path tells files apart. */
function endOf(path: string): string {
  return path.length > LABEL_LETTERS ? `…${path.slice(1 - LABEL_LETTERS)}` : path;
}

/** What the rows are ordered by. */
export const INTERVAL_ORDERS = ['critical', 'start', 'length', 'name'] as const;
export type IntervalOrder = (typeof INTERVAL_ORDERS)[number];

/** Indices of the files whose path holds a text, in an order; files without times are at the end. */
export function intervalRows(files: readonly FileInterval[], filter: string, order: IntervalOrder): number[] {
  const wanted = filter.trim().toLowerCase();
  const rows = files.flatMap(({ path }, index) => (path.toLowerCase().includes(wanted) ? [index] : []));
  if (order === 'critical') return rows;
  const key = ({ start, end }: FileInterval): number => {
    if (start === null || end === null) return Infinity;
    return order === 'start' ? start : start - end;
  };
  const byName = (a: number, b: number): number => (files[a]!.path < files[b]!.path ? -1 : 1);
  if (order === 'name') return rows.sort(byName);
  return rows.sort((a, b) => difference(key(files[a]!), key(files[b]!)) || a - b);
}

function difference(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/** The time of all files, in nanoseconds. */
export function wholeOf(files: readonly FileInterval[]): Span {
  let [from, to] = [Infinity, 0];
  for (const { start, end } of files) {
    if (start === null || end === null) continue;
    from = Math.min(from, start);
    to = Math.max(to, end);
  }
  return from < to ? { fromNs: from * 1e9, toNs: to * 1e9 } : { fromNs: 0, toNs: 1e9 };
}
