import { formatShare } from '../../base/quantities.ts';
import { element, escapeMarkup as escaped } from '../../base/markup.ts';
import { cssColour, mixed, strength, type Colour, type ColourTheme } from './category-colours.ts';
import { lanePixels, largest, stepLine, type LaneValues } from './lane-shapes.ts';
import { stretches, type RowCells } from './row-pixels.ts';
import { fittedText } from '../../base/path-names.ts';
import { timeTicks, valueTicks, type AxisUnit, type LaneUnit } from './ticks.ts';
import { xOf, type Span } from './visible-span.ts';

/** What a drawing of a timeline holds: the cells that are on the screen, and nothing of the recording besides. */
export interface TimelinePicture {
  readonly title: string;
  /** Pixels of the plot, without the labels. */
  readonly width: number;
  readonly labelWidth: number;
  readonly rowHeight: number;
  readonly visible: Span;
  readonly axis: AxisUnit;
  readonly rows: readonly PictureRow[];
  readonly lanes: readonly PictureLane[];
  readonly categories: readonly { readonly label: string; readonly colour: Colour; readonly share: number }[];
  readonly theme: ColourTheme;
  readonly text: Colour;
  /** A chosen part of the time. */
  readonly range?: Span;
}

interface PictureRow {
  readonly label: string;
  readonly depth: number;
  readonly isGroup: boolean;
  /** Absent when it was not fetched yet. */
  readonly cells?: RowCells;
}

export interface PictureLane {
  readonly label: string;
  readonly unit: LaneUnit;
  readonly series: readonly { readonly label: string; readonly colour: Colour; readonly values: LaneValues }[];
}

const AXIS = 26;
const TITLE = 28;
const LANE = 52;
const GAP = 6;
const CHARACTER = 6.6;
/** Height of a row that has a name. */
const LETTERS = 11;

/** The timeline as it is on the screen, as a drawing that can be enlarged. Every text in it is escaped. */
export function timelineSvg(picture: TimelinePicture): string {
  const { width, labelWidth, lanes, rows, rowHeight, theme } = picture;
  const lanesHeight = lanes.length * (LANE + GAP);
  const rowsTop = TITLE + AXIS + lanesHeight;
  const legend = legendLines(picture);
  const height = rowsTop + rows.length * rowHeight + GAP + legend.length * 18 + GAP;
  const rule = cssColour(mixed(theme.background, picture.text, 0.22));
  const ink = cssColour(picture.text);
  const whole = labelWidth + width + 12;
  const parts = [
    element('rect', { width: whole, height, fill: cssColour(theme.background) }),
    text(8, 19, picture.title, { 'font-weight': 600, 'font-size': 13 }),
    axis(picture, rowsTop + rows.length * rowHeight, rule),
    ...lanes.map((lane, number) => laneGroup(picture, lane, TITLE + AXIS + number * (LANE + GAP), rule)),
    ...rows.map((row, number) =>
      rowGroup(picture, isNamed(number, rowHeight) ? row : { ...row, label: '' }, rowsTop + number * rowHeight, rule),
    ),
    rangeBox(picture, rowsTop + rows.length * rowHeight),
    ...legend.map((line, number) => legendGroup(line, rowsTop + rows.length * rowHeight + GAP + number * 18)),
  ];
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: whole,
      height,
      viewBox: `0 0 ${whole} ${height}`,
      'font-family': 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif',
      'font-size': 11,
      fill: ink,
      role: 'img',
    },
    element('title', {}, escaped(picture.title)),
    ...parts,
  );
}

function axis({ visible, width, labelWidth, axis: unit }: TimelinePicture, bottom: number, rule: string): string {
  const ticks = timeTicks(visible, width, unit).map(({ at, label }) => {
    const x = labelWidth + round(xOf(at, visible, width));
    return (
      element('line', { x1: x, x2: x, y1: TITLE + AXIS - 6, y2: bottom, stroke: rule }) +
      text(x + 3, TITLE + AXIS - 9, label, {})
    );
  });
  return element('g', {}, ...ticks);
}

/** Of thin rows as many are named as there is room for letters. */
function isNamed(number: number, rowHeight: number): boolean {
  return number % Math.ceil(LETTERS / rowHeight) === 0;
}

function rowGroup(picture: TimelinePicture, row: PictureRow, top: number, rule: string): string {
  const { labelWidth, width, rowHeight, visible, theme, categories } = picture;
  const indent = 8 + row.depth * 12;
  const margin = rowHeight < LETTERS ? 0.5 : 2;
  const most = Math.max(4, Math.floor((labelWidth - indent - 4) / CHARACTER));
  const label = text(
    indent,
    top + rowHeight / 2 + 4,
    endsOf(row.label, most),
    row.isGroup ? { 'font-weight': 600 } : {},
  );
  const cells = row.cells === undefined ? [] : stretches(row.cells, visible);
  const boxes = cells.flatMap(({ fromNs, toNs, category, busy, isSelected }) => {
    const colour = categories[category]?.colour;
    if (colour === undefined) return [];
    const left = Math.max(0, xOf(fromNs, visible, width));
    const right = Math.min(width, xOf(toNs, visible, width));
    const fill = cssColour(mixed(theme.background, colour, strength(busy, isSelected)));
    return element('rect', {
      x: round(labelWidth + left),
      y: top + margin,
      width: Math.max(0.5, round(right - left)),
      height: rowHeight - 2 * margin,
      fill,
    });
  });
  const line = element('line', {
    x1: 0,
    x2: labelWidth + width,
    y1: top + rowHeight,
    y2: top + rowHeight,
    stroke: rule,
    'stroke-opacity': 0.5,
  });
  return element('g', {}, line, label, ...boxes);
}

function laneGroup(picture: TimelinePicture, lane: PictureLane, top: number, rule: string): string {
  const { labelWidth, width, visible } = picture;
  const columns = Math.max(1, Math.round(width));
  const pixels = lane.series.map(({ values }) => lanePixels(values, visible, columns));
  const ticks = valueTicks(Math.max(0, ...pixels.map(largest)), lane.unit);
  const most = ticks.at(-1)?.at ?? 0;
  const areas = lane.series.map(({ colour }, number) => {
    const points = stepLine(pixels[number]!, most, LANE).map(([x, y]) => `${round(labelWidth + x)},${round(top + y)}`);
    const fill = cssColour(colour);
    return element('polyline', { points: points.join(' '), fill, 'fill-opacity': 0.35, stroke: fill });
  });
  const labels = ticks.map(({ at, label }) =>
    text(labelWidth - 6, round(top + LANE - (at / most) * LANE * 0.86) + 1, label, { 'text-anchor': 'end' }),
  );
  const base = element('line', { x1: 0, x2: labelWidth + width, y1: top + LANE, y2: top + LANE, stroke: rule });
  return element('g', {}, base, text(8, top + 14, lane.label, { 'font-weight': 600 }), ...labels, ...areas);
}

function rangeBox({ range, visible, width, labelWidth, text: ink }: TimelinePicture, bottom: number): string {
  if (range === undefined) return '';
  const left = Math.max(0, xOf(range.fromNs, visible, width));
  const right = Math.min(width, xOf(range.toNs, visible, width));
  if (right <= left) return '';
  return element('rect', {
    x: round(labelWidth + left),
    y: TITLE + AXIS,
    width: round(right - left),
    height: bottom - TITLE - AXIS,
    fill: 'none',
    stroke: cssColour(ink),
    'stroke-dasharray': '4 3',
  });
}

interface LegendItem {
  readonly x: number;
  readonly colour: Colour;
  readonly label: string;
}

/** Categories in lines that are no wider than the drawing. */
function legendLines({ categories, width, labelWidth }: TimelinePicture): LegendItem[][] {
  const lines: LegendItem[][] = [];
  let x = Number.POSITIVE_INFINITY;
  for (const { label, colour, share } of categories) {
    const shown = `${endsOf(label, 48)} ${formatShare(share)}`;
    const needed = 18 + shown.length * CHARACTER + 14;
    if (x + needed > labelWidth + width) {
      lines.push([]);
      x = 8;
    }
    lines.at(-1)!.push({ x, colour, label: shown });
    x += needed;
  }
  return lines;
}

function legendGroup(items: readonly LegendItem[], top: number): string {
  return element(
    'g',
    {},
    ...items.map(
      ({ x, colour, label }) =>
        element('rect', { x, y: top + 3, width: 12, height: 12, fill: cssColour(colour) }) +
        text(x + 18, top + 13, label, {}),
    ),
  );
}

/** A text of so many letters whose middle gives way: the end of a path says most. */
export function endsOf(label: string, most: number): string {
  return fittedText(label, (part) => part.length <= most);
}

function text(x: number, y: number, content: string, attributes: Readonly<Record<string, string | number>>): string {
  return element('text', { x, y, ...attributes }, escaped(content));
}

/** Hundredths of a pixel are enough, and keep the file small. */
const round = (value: number): number => Math.round(value * 100) / 100;
