import type { PatternPicture, PictureKind } from '../../analysis/layers/patterns/picture.ts';
import { formatBytes, formatDuration } from '../../base/quantities.ts';
import { roleColour } from '../palette.ts';
import { shortened } from '../graph/graph-shapes.ts';
import { branch, printed, type Branch } from '../markup/tree.ts';

/** The pictures of patterns across layers: the same in reports, views and hovers. */

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
  call: { fill: roleColour('computing', false) },
  read: { fill: roleColour('read', false) },
  write: { fill: roleColour('write', false) },
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

/** The picture as one SVG element that needs no style sheet, with its description for those who cannot see it. */
export function drawPicture(picture: PatternPicture): Branch {
  const { lanes, lanesLeftOut } = picture;
  const bottom = TOP + lanes.length * ROW;
  const legendAt = bottom + 40;
  const width = LABELS + PLOT + AMOUNTS;
  const height = legendAt + 12;
  return branch(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' },
      'aria-label': pictureWords(picture),
    },
    branch('rect', { width, height, fill: '#ffffff', rx: 4 }),
    ...lanes.flatMap((lane, number) => laneShapes(picture, lane, TOP + number * ROW)),
    ...axis(picture, bottom),
    ...legend(picture, legendAt),
    lanesLeftOut > 0 ? text({ x: 8, y: bottom + 16 }, `and ${lanesLeftOut} more`) : null,
  );
}

/** The same for files and addresses of pictures. */
export function pictureSvg(picture: PatternPicture): string {
  return printed(drawPicture(picture));
}

/** What is seen, in words. */
export function pictureWords({ title, description }: Pick<PatternPicture, 'title' | 'description'>): string {
  return `${title}. ${description}`;
}

function text(attributes: Readonly<Record<string, string | number>>, words: string): Branch {
  return branch('text', { ...FONT, ...attributes }, words);
}

function laneShapes(picture: PatternPicture, lane: PatternPicture['lanes'][number], y: number): Branch[] {
  return [
    branch('text', { ...FONT, x: 8, y: y + BAR - 1 }, branch('title', {}, lane.label), shortened(lane.label, LABELS)),
    ...lane.bars.map((bar) => barShape(picture, bar, y)),
    text({ x: LABELS + PLOT + 10, y: y + BAR - 1 }, shortened(lane.amount, AMOUNTS)),
  ];
}

function barShape(picture: PatternPicture, bar: PatternPicture['lanes'][number]['bars'][number], y: number): Branch {
  const x = placeOn(picture, bar.from);
  const width = Math.max(1, rounded(placeOn(picture, bar.to) - x));
  const words = `${WORDS[bar.kind]}, ${lengthText(picture, bar.to - bar.from)} from ${placeText(picture, bar.from)}`;
  return branch('rect', { x, y, width, height: BAR, ...LOOKS[bar.kind] }, branch('title', {}, words));
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

function axis(picture: PatternPicture, y: number): Branch[] {
  const shapes = [branch('line', { x1: LABELS, x2: LABELS + PLOT, y1: y + 2, y2: y + 2, stroke: '#57606a' })];
  for (let tick = 0; tick <= TICKS; tick++) {
    const value = picture.from + ((picture.to - picture.from) * tick) / TICKS;
    const x = placeOn(picture, value);
    shapes.push(
      branch('line', { x1: x, x2: x, y1: y + 2, y2: y + 6, stroke: '#57606a' }),
      text({ 'font-size': 10, x, y: y + 17, 'text-anchor': 'middle' }, placeText(picture, value)),
    );
  }
  return shapes;
}

/** The kinds that occur, with their names. */
function legend({ lanes }: PatternPicture, y: number): Branch[] {
  const kinds = (Object.keys(WORDS) as PictureKind[]).filter((kind) =>
    lanes.some(({ bars }) => bars.some((bar) => bar.kind === kind)),
  );
  let x = LABELS;
  return kinds.flatMap((kind) => {
    const at = x;
    x += 26 + WORDS[kind].length * 7;
    return [
      branch('rect', { x: at, y: y - 10, width: 12, height: 12, ...LOOKS[kind] }),
      text({ 'font-size': 11, x: at + 17, y }, WORDS[kind]),
    ];
  });
}
