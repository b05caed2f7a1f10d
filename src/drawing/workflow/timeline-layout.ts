import type { Point } from '../graph/graph-layout.ts';
import { linksOf, shiftsOf, type Link } from './arrows.ts';
import { dependencyLayout, extentOf } from './grid-layout.ts';
import { scaledSteps, timedSteps } from './step-boxes.ts';
import {
  JOB_HEIGHT,
  ROW_HEIGHT,
  type Arrow,
  type Box,
  type DrawnJob,
  type DrawnWorkflow,
  type JobBox,
  type WorkflowPicture,
} from './workflow-picture.ts';

/** Room of the axis above the first row. */
const AXIS_HEIGHT = 34;
/** Pixels of the whole, and of a job that takes as long as most. */
const NARROWEST = 1_100;
const WIDEST = 16_000;
const TYPICAL_JOB = 110;
const SHORTEST = 6;
/** Between two jobs of a row: none, unless a short job is drawn wider than it took. */
const ROUNDING = 1;
const WIDTH_WITHOUT_TIMES = 120;
/** Pixels in which an arrow changes its row. */
const TURN = 30;
/** The bars of the queue lie between two rows, so many below each other. */
const QUEUE_HEIGHT = 5;
const QUEUE_LANES = 3;

/** Boxes where their jobs stand in time; those that ran side by side stand below each other. */
export function timelineLayout(workflow: DrawnWorkflow): WorkflowPicture {
  const timed = workflow.jobs.flatMap(({ start, end }) =>
    start === null || end === null || end < start ? [] : [{ start, end }],
  );
  if (timed.length === 0) return dependencyLayout(workflow);
  const from = timed.reduce((least, { start }) => Math.min(least, start), Infinity);
  const to = timed.reduce((most, { end }) => Math.max(most, end), -Infinity);
  const scale = scaleOf(to - from, timed);
  const { links, leftOut } = linksOf(workflow);
  const boxes = placeJobs(workflow.jobs, links, (at) => (at - from) * scale);
  const extent = extentOf(boxes);
  const right = (to - from) * scale;
  const axis = { from, to: to > from ? to : from + 1, left: 0, right: to > from ? right : scale };
  const width = Math.max(extent.width, right);
  return { ...extent, width, boxes, arrows: arrowsOf(links, boxes), arrowsLeftOut: leftOut, axis };
}

/** Pixels of a second: a typical job can be read, and the whole is neither tiny nor endless. */
function scaleOf(seconds: number, jobs: readonly { start: number; end: number }[]): number {
  if (seconds <= 0) return NARROWEST;
  const lengths = jobs.map(({ start, end }) => end - start).sort((a, b) => a - b);
  const typical = lengths[Math.floor(lengths.length / 2)]!;
  const wanted = typical > 0 ? TYPICAL_JOB / typical : WIDEST / seconds;
  return Math.min(WIDEST / seconds, Math.max(NARROWEST / seconds, wanted));
}

function placeJobs(jobs: readonly DrawnJob[], links: readonly Link[], xOf: (at: number) => number): JobBox[] {
  const before = jobs.map((): number[] => []);
  for (const { from, to } of links) before[to]!.push(from);
  const rows: number[] = [];
  const rowOf = new Map<number, number>();
  const jobsInRow: number[] = [];
  const boxes: JobBox[] = [];
  const hasTimes = ({ start, end }: DrawnJob): boolean => start !== null && end !== null && end >= start;
  const byStart = jobs.map((_, job) => job).sort((a, b) => (jobs[a]!.start ?? 0) - (jobs[b]!.start ?? 0) || a - b);
  for (const at of byStart) {
    const job = jobs[at]!;
    if (!hasTimes(job)) continue;
    const x = xOf(job.start!);
    const width = Math.max(SHORTEST, xOf(job.end!) - x);
    // A job stands in the row of what it depends on, where that is free.
    const known = before[at]!.map((other) => rowOf.get(other)).filter((row) => row !== undefined);
    const isFree = (row: number): boolean => rows[row]! <= x + ROUNDING;
    const own = known.find(isFree) ?? rows.findIndex((_, row) => isFree(row));
    const row = own < 0 ? rows.length : own;
    rows[row] = x + width;
    rowOf.set(at, row);
    const box = { x, y: AXIS_HEIGHT + row * ROW_HEIGHT, width, height: JOB_HEIGHT };
    const lane = (jobsInRow[row] = (jobsInRow[row] ?? -1) + 1) % QUEUE_LANES;
    boxes[at] = { ...box, job: at, queue: queueOf(job, box, xOf, lane), ...timedSteps(job, box) };
  }
  placeWithoutTimes(jobs, boxes, AXIS_HEIGHT + rows.length * ROW_HEIGHT);
  return boxes;
}

/** From when nothing else kept it, or from the beginning of the axis where that was later, to the start. */
function queueOf({ queued, start }: DrawnJob, box: Box, xOf: (at: number) => number, lane: number): Box | null {
  if (queued === null || start === null || queued <= 0) return null;
  const x = Math.max(0, xOf(start - queued));
  const y = box.y + JOB_HEIGHT + 4 + lane * (QUEUE_HEIGHT + 3);
  return x >= box.x ? null : { x, y, width: box.x - x, height: QUEUE_HEIGHT };
}

/** Jobs that nobody knows the times of stand in a row of their own. */
function placeWithoutTimes(jobs: readonly DrawnJob[], boxes: JobBox[], y: number): void {
  let x = 0;
  jobs.forEach((job, at) => {
    if (boxes[at] !== undefined) return;
    const box = { x, y, width: WIDTH_WITHOUT_TIMES, height: JOB_HEIGHT };
    boxes[at] = { ...box, job: at, queue: null, ...scaledSteps(job, box) };
    x += WIDTH_WITHOUT_TIMES * 1.2;
  });
}

/** An arrow changes its row where no job stands in its way: just before the end, or at once. */
function wayBetween(begin: Point, end: Point, boxes: readonly JobBox[], from: JobBox, to: JobBox): Point[] {
  if (end.x - begin.x <= 2 * TURN || begin.y === end.y) return [];
  const isFree = (row: number): boolean =>
    boxes.every((box) => box === from || box === to || box.y !== row || box.x + box.width <= begin.x || box.x >= end.x);
  if (isFree(from.y)) return [{ x: end.x - TURN, y: begin.y }];
  return isFree(to.y) ? [{ x: begin.x + TURN, y: end.y }] : [];
}

function arrowsOf(links: readonly Link[], boxes: readonly JobBox[]): Arrow[] {
  const shifts = shiftsOf(links);
  return links.map((link, i) => {
    const [from, to] = [boxes[link.from]!, boxes[link.to]!];
    const middle = JOB_HEIGHT / 2 + shifts[i]!;
    const begin = { x: from.x + from.width, y: from.y + middle };
    const end = { x: to.x, y: to.y + middle };
    return { ...link, points: [begin, ...wayBetween(begin, end, boxes, from, to), end] };
  });
}
