import {
  MARK,
  NOT_TOUCHED,
  type OffsetArea,
  type OffsetFileFacts,
  type OffsetWindow,
  type Striping,
} from '../../analysis/offsets/offsets.ts';
import { formatBytes, formatCount } from '../../base/quantities.ts';
import { mixed, type Colour } from '../timeline/category-colours.ts';
import { timeTicks } from '../timeline/ticks.ts';
import { byteTicks, xOfPosition, yOfByte, type PlotBox } from './offset-plane.ts';
import type { Surface } from './surface.ts';

/** What a drawing holds: the cells of an answer, and nothing of the recording besides. */
export interface OffsetPicture {
  /** '' where title and legend stand beside the drawing. */
  readonly title: string;
  readonly width: number;
  readonly height: number;
  /** What is seen; the cells may be of another area, from an answer before. */
  readonly area: OffsetArea;
  readonly axis: 'time' | 'order';
  readonly window: OffsetWindow | undefined;
  readonly facts: Pick<OffsetFileFacts, 'stripings' | 'blockBytes'>;
  /** By category of the window. */
  readonly colours: readonly Colour[];
  readonly readColour: Colour;
  readonly writeColour: Colour;
  readonly text: Colour;
  readonly softText: Colour;
  readonly background: Colour;
  readonly rule: Colour;
  /** A chosen part. */
  readonly chosen?: OffsetArea;
}

const LEFT = 84;
const RIGHT = 84;
const MARGIN_TOP = 58;
const BOTTOM = 40;
const TITLE = 30;
const LEGEND_LINE = 18;
const STRIPE_COLUMN = 8;
/** Pixels between lines, below which they would be a grey area. */
const CLOSEST_LINES = 7;
const CHARACTER = 6.4;

/** Where the cells are. */
export function plotOf({
  width,
  height,
  title,
  window,
}: Pick<OffsetPicture, 'width' | 'height' | 'title' | 'window'>): PlotBox {
  const top = MARGIN_TOP + (title === '' ? 0 : TITLE);
  const legend = title === '' ? 0 : legendRows(window, width) * LEGEND_LINE + 8;
  return {
    left: LEFT,
    top,
    width: Math.max(1, width - LEFT - RIGHT),
    height: Math.max(1, height - top - BOTTOM - legend),
  };
}

/** Draws everything: cells, lines of stripes and blocks, axes with their units, and bytes over time and over the file. */
export function drawOffsets(surface: Surface, picture: OffsetPicture): void {
  const plot = plotOf(picture);
  if (picture.title !== '')
    surface.text(LEFT, TITLE / 2 + 2, picture.title, { colour: picture.text, align: 'start', bold: true });
  surface.clipped(plot.left, plot.top, plot.width, plot.height, () => {
    drawGrid(surface, picture, plot);
    drawCells(surface, picture, plot);
    drawStripes(surface, picture, plot);
    if (picture.chosen !== undefined) drawChosen(surface, picture, picture.chosen, plot);
  });
  drawFrame(surface, picture, plot);
  drawTargets(surface, picture, plot);
  drawAxes(surface, picture, plot);
  drawOverTime(surface, picture, plot);
  drawOverFile(surface, picture, plot);
  if (picture.title !== '') drawLegend(surface, picture, plot);
}

/** How much of its colour a cell shows, by how many accesses touch it: 1, 2 to 3, 4 to 15, more. */
const STRENGTHS = [0.7, 0.8, 0.9, 1];

function strengthOf(touches: number): number {
  if (touches < 2) return 0;
  return touches < 4 ? 1 : touches < 16 ? 2 : 3;
}

/** What is not selected keeps so much of its colour. */
const DIMMED = 0.25;

/** Cells of one colour beside each other are one box. */
function drawCells(surface: Surface, { window, area, colours, background }: OffsetPicture, plot: PlotBox): void {
  if (window === undefined) return;
  const { columns, rows, category, touches, marks, selected } = window;
  const strengths = [...STRENGTHS, ...STRENGTHS.map((strength) => strength * DIMMED)];
  const shades = colours.map((colour) => strengths.map((strength) => mixed(background, colour, strength)));
  const wide = (window.area.to - window.area.from) / columns;
  const high = (window.area.toByte - window.area.fromByte) / rows;
  const keyAt = (cell: number): number => {
    if (category[cell] === NOT_TOUCHED) return -1;
    const isDimmed = selected !== null && (marks[cell]! & MARK.selected) === 0;
    return category[cell]! * strengths.length + strengthOf(touches[cell]!) + (isDimmed ? STRENGTHS.length : 0);
  };
  for (let row = 0; row < rows; row++) {
    const top = yOfByte(window.area.fromByte + high * (row + 1), area, plot);
    const bottom = yOfByte(window.area.fromByte + high * row, area, plot);
    if (bottom < plot.top || top > plot.top + plot.height) continue;
    for (let column = 0; column < columns;) {
      const key = keyAt(row * columns + column);
      const first = column;
      while (column < columns && keyAt(row * columns + column) === key) column++;
      if (key < 0) continue;
      const left = xOfPosition(window.area.from + wide * first, area, plot);
      const right = xOfPosition(window.area.from + wide * column, area, plot);
      if (right < plot.left || left > plot.left + plot.width) continue;
      const shade = shades[Math.floor(key / strengths.length)]?.[key % strengths.length];
      if (shade !== undefined) surface.box(left, top, right - left, bottom - top, shade);
    }
  }
}

function drawGrid(surface: Surface, { area, facts, rule, background, axis }: OffsetPicture, plot: PlotBox): void {
  const soft = mixed(background, rule, 0.6);
  for (const tick of byteTicks(area, plot.height, 40)) {
    const y = yOfByte(tick, area, plot);
    surface.line({ x: plot.left, y }, { x: plot.left + plot.width, y }, soft);
  }
  for (const { at } of positionTicks(area, plot.width, axis)) {
    const x = xOfPosition(at, area, plot);
    surface.line({ x, y: plot.top }, { x, y: plot.top + plot.height }, soft);
  }
  const { blockBytes } = facts;
  if (blockBytes === null) return;
  for (const byte of multiples(blockBytes, area.fromByte, area.toByte, area, plot)) {
    const y = yOfByte(byte, area, plot);
    surface.line({ x: plot.left, y }, { x: plot.left + plot.width, y }, rule, true);
  }
}

/** Multiples of a size within a part of the file; none where they would stand too close to be told apart. */
function multiples(size: number, from: number, to: number, area: OffsetArea, plot: PlotBox): number[] {
  const pixels = (size / (area.toByte - area.fromByte)) * plot.height;
  if (!(pixels >= CLOSEST_LINES)) return [];
  const found: number[] = [];
  for (let byte = Math.ceil(from / size) * size; byte <= to; byte += size) found.push(byte);
  return found;
}

/** The part of a component that is seen. */
function seenPart({ fromByte, toByte }: Striping, area: OffsetArea): { from: number; to: number } {
  return { from: Math.max(fromByte, area.fromByte), to: Math.min(toByte ?? Infinity, area.toByte) };
}

function drawStripes(surface: Surface, { area, facts, text, background }: OffsetPicture, plot: PlotBox): void {
  const colour = mixed(background, text, 0.45);
  for (const striping of facts.stripings) {
    const { from, to } = seenPart(striping, area);
    for (const byte of multiples(striping.stripeSize, from, to, area, plot)) {
      const y = yOfByte(byte, area, plot);
      surface.line({ x: plot.left, y }, { x: plot.left + plot.width, y }, colour);
    }
  }
}

/** Which storage target each stripe lies on, in front of the plot. */
function drawTargets(
  surface: Surface,
  { area, facts, text, softText, background }: OffsetPicture,
  plot: PlotBox,
): void {
  for (const striping of facts.stripings) {
    const { stripeSize, stripeCount, targets } = striping;
    const { from, to } = seenPart(striping, area);
    const pixels = (stripeSize / (area.toByte - area.fromByte)) * plot.height;
    if (!(pixels >= 2) || to <= from) continue;
    for (let stripe = Math.floor(from / stripeSize); stripe * stripeSize < to; stripe++) {
      const low = yOfByte(Math.max(from, stripe * stripeSize), area, plot);
      const high = yOfByte(Math.min(to, (stripe + 1) * stripeSize), area, plot);
      const place = stripe % Math.max(1, stripeCount);
      const shade = mixed(background, text, 0.15 + (0.5 * place) / Math.max(1, stripeCount));
      surface.box(plot.left - STRIPE_COLUMN - 2, high, STRIPE_COLUMN, Math.max(1, low - high), shade);
      const target = targets[place];
      if (pixels >= 24 && target !== undefined)
        surface.text(plot.left + 5, (low + high) / 2, `OST ${target}`, { colour: softText, align: 'start' });
    }
  }
}

function drawChosen(surface: Surface, { area, text }: OffsetPicture, chosen: OffsetArea, plot: PlotBox): void {
  const [left, right] = [xOfPosition(chosen.from, area, plot), xOfPosition(chosen.to, area, plot)];
  const [top, bottom] = [yOfByte(chosen.toByte, area, plot), yOfByte(chosen.fromByte, area, plot)];
  const around = (by: number): void => {
    surface.line({ x: left - by, y: top - by }, { x: right + by, y: top - by }, text);
    surface.line({ x: right + by, y: top - by }, { x: right + by, y: bottom + by }, text);
    surface.line({ x: right + by, y: bottom + by }, { x: left - by, y: bottom + by }, text);
    surface.line({ x: left - by, y: bottom + by }, { x: left - by, y: top - by }, text);
  };
  // Two lines: a single pixel is to be found, too.
  around(2);
  around(4);
}

function drawFrame(surface: Surface, { rule }: OffsetPicture, { left, top, width, height }: PlotBox): void {
  surface.line({ x: left, y: top + height }, { x: left + width, y: top + height }, rule);
  surface.line({ x: left, y: top }, { x: left, y: top + height }, rule);
}

interface PositionTick {
  readonly at: number;
  readonly label: string;
}

function positionTicks({ from, to }: OffsetArea, width: number, axis: 'time' | 'order'): readonly PositionTick[] {
  // Where a label would stand for less than a nanosecond there is nothing to tell apart.
  if (axis === 'time') return to - from < width / 50 ? [] : timeTicks({ fromNs: from, toNs: to }, width);
  const step = Math.max(1, 10 ** Math.ceil(Math.log10(((to - from) / Math.max(1, width)) * 80)));
  const ticks: PositionTick[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push({ at, label: formatCount(at) });
  return ticks;
}

function drawAxes(surface: Surface, picture: OffsetPicture, plot: PlotBox): void {
  const { area, axis, softText, rule } = picture;
  const bottom = plot.top + plot.height;
  for (const { at, label } of positionTicks(area, plot.width, axis)) {
    const x = xOfPosition(at, area, plot);
    surface.line({ x, y: bottom }, { x, y: bottom + 4 }, rule);
    if (x + (label.length * CHARACTER) / 2 < picture.width - RIGHT + 20)
      surface.text(x, bottom + 13, label, { colour: softText, align: 'middle' });
  }
  const name = axis === 'time' ? 'Time since the start' : 'Accesses in their order';
  surface.text(plot.left + plot.width / 2, bottom + 29, name, { colour: softText, align: 'middle' });
  const hasTargets = picture.facts.stripings.length > 0;
  for (const tick of byteTicks(area, plot.height, 40)) {
    const y = yOfByte(tick, area, plot);
    surface.text(plot.left - (hasTargets ? STRIPE_COLUMN + 8 : 6), y, formatBytes(tick), {
      colour: softText,
      align: 'end',
    });
  }
  surface.text(plot.left - 6, plot.top - 18, 'Offset', { colour: softText, align: 'end' });
}

/** Bytes in each column above the plot, written ones on top of read ones. */
function drawOverTime(surface: Surface, picture: OffsetPicture, plot: PlotBox): void {
  const { window, area, readColour, writeColour, softText, rule } = picture;
  const room = 36;
  const base = plot.top - 4;
  surface.line({ x: plot.left, y: base }, { x: plot.left + plot.width, y: base }, rule);
  if (window === undefined) return;
  const { readOverTime, writtenOverTime, columns } = window;
  const most = largestSum(readOverTime, writtenOverTime);
  if (most === 0) return;
  const wide = (window.area.to - window.area.from) / columns;
  surface.clipped(plot.left, base - room, plot.width, room, () => {
    for (let column = 0; column < columns; column++) {
      const left = xOfPosition(window.area.from + wide * column, area, plot);
      const width = xOfPosition(window.area.from + wide * (column + 1), area, plot) - left;
      const read = (readOverTime[column]! / most) * room;
      const written = (writtenOverTime[column]! / most) * room;
      if (read > 0) surface.box(left, base - read, width, read, readColour);
      if (written > 0) surface.box(left, base - read - written, width, written, writeColour);
    }
  });
  const per = formatBytes(most);
  surface.text(plot.left + plot.width, base - room - 8, `bytes over ${picture.axis}, up to ${per} a column`, {
    colour: softText,
    align: 'end',
  });
}

/** Bytes in each row beside the plot. */
function drawOverFile(surface: Surface, picture: OffsetPicture, plot: PlotBox): void {
  const { window, area, readColour, writeColour, softText, rule } = picture;
  const room = RIGHT - 20;
  const base = plot.left + plot.width + 6;
  surface.line({ x: base, y: plot.top }, { x: base, y: plot.top + plot.height }, rule);
  surface.text(base, plot.top + plot.height + 13, 'bytes over file', { colour: softText, align: 'start' });
  if (window === undefined) return;
  const { readOverFile, writtenOverFile, rows } = window;
  const most = largestSum(readOverFile, writtenOverFile);
  if (most === 0) return;
  const high = (window.area.toByte - window.area.fromByte) / rows;
  surface.clipped(base, plot.top, room, plot.height, () => {
    for (let row = 0; row < rows; row++) {
      const top = yOfByte(window.area.fromByte + high * (row + 1), area, plot);
      const height = yOfByte(window.area.fromByte + high * row, area, plot) - top;
      const read = (readOverFile[row]! / most) * room;
      const written = (writtenOverFile[row]! / most) * room;
      if (read > 0) surface.box(base, top, read, height, readColour);
      if (written > 0) surface.box(base + read, top, written, height, writeColour);
    }
  });
}

function largestSum(some: Float64Array, others: Float64Array): number {
  let most = 0;
  for (let i = 0; i < some.length; i++) most = Math.max(most, some[i]! + others[i]!);
  return most;
}

/** `write (4,096)`, as the legend has it. */
export function categoryText({ label, accesses }: { readonly label: string; readonly accesses: number }): string {
  return accesses === 0 ? label : `${label} (${formatCount(accesses)})`;
}

function legendPlaces(window: OffsetWindow | undefined, width: number): { index: number; x: number; row: number }[] {
  let [x, row] = [LEFT, 0];
  return (window?.categories ?? []).map((category, index) => {
    const wide = 24 + categoryText(category).length * CHARACTER;
    if (x > LEFT && x + wide > width) [x, row] = [LEFT, row + 1];
    const place = { index, x, row };
    x += wide;
    return place;
  });
}

function legendRows(window: OffsetWindow | undefined, width: number): number {
  return (legendPlaces(window, width).at(-1)?.row ?? -1) + 1;
}

function drawLegend(surface: Surface, { window, width, colours, text }: OffsetPicture, plot: PlotBox): void {
  const top = plot.top + plot.height + BOTTOM + 8;
  for (const { index, x, row } of legendPlaces(window, width)) {
    const y = top + row * LEGEND_LINE;
    surface.box(x, y - 5, 10, 10, colours[index]!);
    surface.text(x + 15, y, categoryText(window!.categories[index]!), { colour: text, align: 'start' });
  }
}
