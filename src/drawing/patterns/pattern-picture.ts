import type { PatternPicture, PictureKind } from '../../analysis/layers/patterns/picture.ts';
import { formatBytes, formatDuration } from '../../base/quantities.ts';
import { shortened } from '../graph/graph-shapes.ts';
import { element, escapeMarkup } from '../../base/markup.ts';

/** The pictures of patterns across layers, as shapes and as SVG: the same in reports, views and hovers. */

/** One element of the drawing. Texts are as recorded: whoever writes markup escapes them. */
export interface PictureShape {
  readonly element: 'rect' | 'text' | 'line';
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly text?: string;
  /** Shown when the pointer rests on it. */
  readonly title?: string;
}

interface PictureDrawing {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly PictureShape[];
}

const WORDS: Readonly<Record<PictureKind, string>> = {
  call: 'call of the program',
  read: 'read',
  write: 'write',
  other: 'other call',
  hole: 'not asked for',
  waiting: 'waiting',
  held: 'lock held',
};

/** Kinds differ by colour and by line: outlined is what nobody wanted. The paper is white whatever the theme. */
const LOOKS: Readonly<Record<PictureKind, Readonly<Record<string, string>>>> = {
  call: { fill: '#0969da' },
  read: { fill: '#bc4c00' },
  write: { fill: '#1a7f37' },
  other: { fill: '#57606a' },
  hole: { fill: '#ffffff', stroke: '#57606a', 'stroke-dasharray': '4 2' },
  waiting: { fill: '#ffebe9', stroke: '#cf222e', 'stroke-dasharray': '2 2' },
  held: { fill: '#8250df', stroke: '#3c1f6e' },
};

const LABELS = 190;
const PLOT = 400;
const AMOUNTS = 150;
const ROW = 22;
const BAR = 14;
const TOP = 10;
const TICKS = 4;
const FONT = { 'font-family': 'system-ui, sans-serif', 'font-size': 12, fill: '#1f2328' };

/** Everything that is drawn, in the order in which it is. */
export function drawPicture(picture: PatternPicture): PictureDrawing {
  const { lanes, lanesLeftOut } = picture;
  const bottom = TOP + lanes.length * ROW;
  const shapes: PictureShape[] = [];
  lanes.forEach((lane, number) => {
    const y = TOP + number * ROW;
    shapes.push(label(lane.label, y));
    for (const bar of lane.bars) shapes.push(barShape(picture, bar, y));
    shapes.push({
      element: 'text',
      attributes: { ...FONT, x: LABELS + PLOT + 10, y: y + BAR - 1 },
      text: shortened(lane.amount, AMOUNTS),
    });
  });
  shapes.push(...axis(picture, bottom));
  const legendAt = bottom + 40;
  shapes.push(...legend(picture, legendAt));
  if (lanesLeftOut > 0)
    shapes.push({
      element: 'text',
      attributes: { ...FONT, x: 8, y: bottom + 16 },
      text: `and ${lanesLeftOut} more`,
    });
  return { width: LABELS + PLOT + AMOUNTS, height: legendAt + 12, shapes };
}

function label(text: string, y: number): PictureShape {
  const attributes = { ...FONT, x: 8, y: y + BAR - 1 };
  return { element: 'text', attributes, text: shortened(text, LABELS), title: text };
}

function barShape(
  picture: PatternPicture,
  bar: PatternPicture['lanes'][number]['bars'][number],
  y: number,
): PictureShape {
  const x = placeOn(picture, bar.from);
  const width = Math.max(1, rounded(placeOn(picture, bar.to) - x));
  const words = `${WORDS[bar.kind]}, ${lengthText(picture, bar.to - bar.from)} from ${placeText(picture, bar.from)}`;
  return { element: 'rect', attributes: { x, y, width, height: BAR, ...LOOKS[bar.kind] }, title: words };
}

function placeOn({ from, to }: PatternPicture, value: number): number {
  return rounded(LABELS + ((value - from) / (to - from)) * PLOT);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A place on the axis; times count from the beginning of the picture. */
function placeText({ axis: measures, from }: PatternPicture, value: number): string {
  return measures === 'offset' ? formatBytes(value) : formatDuration(value - from);
}

function lengthText({ axis: measures }: PatternPicture, length: number): string {
  return measures === 'offset' ? formatBytes(length) : formatDuration(length);
}

function axis(picture: PatternPicture, y: number): PictureShape[] {
  const line = { x1: LABELS, x2: LABELS + PLOT, y1: y + 2, y2: y + 2, stroke: '#57606a' };
  const shapes: PictureShape[] = [{ element: 'line', attributes: line }];
  for (let tick = 0; tick <= TICKS; tick++) {
    const value = picture.from + ((picture.to - picture.from) * tick) / TICKS;
    const x = placeOn(picture, value);
    shapes.push({ element: 'line', attributes: { x1: x, x2: x, y1: y + 2, y2: y + 6, stroke: '#57606a' } });
    shapes.push({
      element: 'text',
      attributes: { ...FONT, 'font-size': 10, x, y: y + 17, 'text-anchor': 'middle' },
      text: placeText(picture, value),
    });
  }
  return shapes;
}

/** The kinds that occur, with their names. */
function legend({ lanes }: PatternPicture, y: number): PictureShape[] {
  const kinds = (Object.keys(WORDS) as PictureKind[]).filter((kind) =>
    lanes.some(({ bars }) => bars.some((bar) => bar.kind === kind)),
  );
  let x = LABELS;
  return kinds.flatMap((kind) => {
    const at = x;
    x += 26 + WORDS[kind].length * 7;
    return [
      { element: 'rect' as const, attributes: { x: at, y: y - 10, width: 12, height: 12, ...LOOKS[kind] } },
      { element: 'text' as const, attributes: { ...FONT, 'font-size': 11, x: at + 17, y }, text: WORDS[kind] },
    ];
  });
}

/** The picture as one SVG element that needs no style sheet, with its description for those who cannot see it. */
export function pictureSvg(picture: PatternPicture): string {
  const { width, height, shapes } = drawPicture(picture);
  const frame = { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' };
  const words = `${picture.title}. ${picture.description}`;
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...frame, 'aria-label': words },
    element('rect', { width, height, fill: '#ffffff', rx: 4 }),
    ...shapes.map(shapeMarkup),
  );
}

function shapeMarkup({ element: name, attributes, text, title }: PictureShape): string {
  const inside = title === undefined ? '' : element('title', {}, escapeMarkup(title));
  return element(name, attributes, inside + (text === undefined ? '' : escapeMarkup(text)));
}
