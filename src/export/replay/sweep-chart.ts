import { formatBytes, formatRate } from '../../base/quantities.ts';
import { element, escapeMarkup } from '../../base/markup.ts';

/** Bandwidth (bytes per second of all tasks together) at a number of tasks and a transfer size in bytes. */
interface MeasuredPoint {
  readonly tasks: number;
  readonly bytes: number;
  readonly write: number;
  readonly read: number;
}

const DIRECTIONS = ['write', 'read'] as const;
type Direction = (typeof DIRECTIONS)[number];

/** The points as tables: transfer sizes downwards, numbers of tasks to the right. */
export function sweepText(points: readonly MeasuredPoint[]): string {
  const { sizes, tasks } = axesOf(points);
  const blocks = DIRECTIONS.map((direction) => {
    const head = ['transfer', ...tasks.map((count) => `${count} ${count === 1 ? 'task' : 'tasks'}`)];
    const rows = sizes.map((bytes) => [
      formatBytes(bytes),
      ...tasks.map((count) => formatRate(valueAt(points, count, bytes, direction))),
    ]);
    const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
    const lines = [head, ...rows].map((row) => row.map((cell, i) => cell.padStart(widths[i]!)).join('  '));
    return `${direction}\n${lines.join('\n')}\n`;
  });
  return blocks.join('\n');
}

function axesOf(points: readonly MeasuredPoint[]): { sizes: number[]; tasks: number[] } {
  const sorted = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
  return { sizes: sorted(points.map(({ bytes }) => bytes)), tasks: sorted(points.map(({ tasks }) => tasks)) };
}

function valueAt(points: readonly MeasuredPoint[], tasks: number, bytes: number, direction: Direction): number {
  return points.find((point) => point.tasks === tasks && point.bytes === bytes)?.[direction] ?? NaN;
}

const WIDTH = 420;
const HEIGHT = 260;
const LEFT = 84;
const TOP = 34;
const BOTTOM = 44;
const LEGEND = 90;
/** Told apart without colour too: by mark. */
const MARKS = ['circle', 'square', 'diamond', 'triangle'] as const;
const COLOURS = ['#1f6feb', '#d1570c', '#2c8a44', '#8250df', '#b35900', '#57606a'];

const STYLE = `.sweep { background: #ffffff; font: 12px system-ui, "DejaVu Sans", sans-serif; }
.sweep text { fill: #1f2328; } .sweep .end { text-anchor: end; } .sweep .middle { text-anchor: middle; }
.sweep .rule { stroke: #d0d7de; fill: none; } .sweep .line { fill: none; stroke-width: 2; }
.sweep .title { font-weight: 600; }`;

/**
 * The picture of Figs. 9 and 10 of the DIOS paper: bandwidth over transfer size (logarithmic), a line for each number of
 * tasks; writing at the left, reading at the right.
 */
export function sweepSvg(title: string, points: readonly MeasuredPoint[]): string {
  const width = 2 * WIDTH + LEGEND;
  const height = TOP + HEIGHT + BOTTOM;
  const { tasks } = axesOf(points);
  const panels = DIRECTIONS.map((direction, i) =>
    element('g', { transform: `translate(${i * WIDTH} 0)` }, panel(points, direction)),
  );
  const legend = tasks.map((count, i) => {
    const y = TOP + 10 + i * 20;
    const name = `${count} ${count === 1 ? 'task' : 'tasks'}`;
    return mark(i, 2 * WIDTH + 10, y - 4) + text(2 * WIDTH + 22, y, name);
  });
  const size = { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', class: 'sweep' };
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', ...size, 'aria-label': title };
  return `${element('svg', attributes, element('title', {}, escapeMarkup(title)), element('style', {}, STYLE), ...panels, ...legend)}\n`;
}

function panel(points: readonly MeasuredPoint[], direction: Direction): string {
  const { sizes, tasks } = axesOf(points);
  const most = Math.max(...points.map((point) => point[direction]), Number.MIN_VALUE);
  const [first, last] = [Math.log2(sizes[0] ?? 1), Math.log2(sizes.at(-1) ?? 1)];
  const plotWidth = WIDTH - LEFT - 20;
  const x = (bytes: number): number =>
    LEFT + (last > first ? (Math.log2(bytes) - first) / (last - first) : 0.5) * plotWidth;
  const y = (rate: number): number => TOP + HEIGHT - (rate / most) * HEIGHT;
  const rules = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      element('path', { class: 'rule', d: `M${LEFT} ${y(share * most).toFixed(1)}h${plotWidth}` }) +
      text(LEFT - 6, y(share * most) + 4, formatRate(share * most), 'end'),
  );
  const labels = labelled(sizes).map((bytes) => text(x(bytes), TOP + HEIGHT + 18, formatBytes(bytes), 'middle'));
  const lines = tasks.map((count, i) => {
    const its = sizes.map((bytes) => [x(bytes), y(valueAt(points, count, bytes, direction))] as const);
    const path = its.map(([px, py], j) => `${j === 0 ? 'M' : 'L'}${px.toFixed(1)} ${py.toFixed(1)}`).join('');
    const colour = COLOURS[i % COLOURS.length];
    return (
      element('path', { class: 'line', stroke: colour, d: path }) + its.map(([px, py]) => mark(i, px, py)).join('')
    );
  });
  return [
    ...rules,
    text(LEFT, 18, direction, 'title'),
    text(LEFT + plotWidth / 2, TOP + HEIGHT + 38, 'transfer size', 'middle'),
    ...labels,
    ...lines,
  ].join('');
}

/** Sizes that have room for their words. */
function labelled(sizes: readonly number[]): number[] {
  const step = Math.ceil(sizes.length / 5);
  return sizes.filter((_, i) => i % step === 0);
}

function mark(series: number, x: number, y: number): string {
  const fill = COLOURS[series % COLOURS.length];
  const at = `M${x.toFixed(1)} ${y.toFixed(1)}`;
  switch (MARKS[series % MARKS.length]) {
    case 'circle':
      return element('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: 4, fill });
    case 'square':
      return element('path', { d: `${at}m-4 -4h8v8h-8z`, fill });
    case 'diamond':
      return element('path', { d: `${at}m0 -5l5 5l-5 5l-5 -5z`, fill });
    default:
      return element('path', { d: `${at}m0 -5l5 9h-10z`, fill });
  }
}

function text(x: number, y: number, content: string, kind?: string): string {
  return element('text', { x: x.toFixed(1), y: y.toFixed(1), class: kind }, escapeMarkup(content));
}
