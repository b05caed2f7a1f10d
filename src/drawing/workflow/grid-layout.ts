import type { Point } from '../graph/graph-layout.ts';
import { linksOf, shiftsOf, type Link } from './arrows.ts';
import { arrangeInColumns, type Columns } from './columns.ts';
import { equalSteps, scaledSteps } from './step-boxes.ts';
import {
  COLUMN_GAP,
  JOB_HEIGHT,
  JOB_PADDING,
  ROW_HEIGHT,
  type Box,
  type DrawnWorkflow,
  type WorkflowPicture,
} from './workflow-picture.ts';

const STEP_WIDTH = 46;
/** A box of equal size is made for at most so many steps; more are narrower. */
const MOST_WIDE_STEPS = 6;
const NARROWEST_JOB = 120;
/** Of the longest job, where widths are durations, and of the shortest: it must be hit by the pointer. */
const LONGEST = 460;
const SHORTEST = 12;

/** All boxes of one size, in a grid: predecessors left of their successors. */
export function dependencyLayout(workflow: DrawnWorkflow): WorkflowPicture {
  const most = workflow.jobs.reduce((steps, job) => Math.max(steps, job.steps.length), 1);
  const width = Math.max(NARROWEST_JOB, Math.min(MOST_WIDE_STEPS, most) * STEP_WIDTH + 2 * JOB_PADDING);
  return inColumns(workflow, () => width, true);
}

/** Boxes as wide as their jobs took, with equal gaps: waiting in the queue is not seen. */
export function durationLayout(workflow: DrawnWorkflow): WorkflowPicture {
  const longest = workflow.jobs.reduce((most, { elapsed }) => Math.max(most, elapsed ?? 0), 0);
  if (longest === 0) return dependencyLayout(workflow);
  const widthOf = (job: number): number => {
    const { elapsed } = workflow.jobs[job]!;
    return Math.max(SHORTEST, (LONGEST * (elapsed ?? 0)) / longest);
  };
  return inColumns(workflow, widthOf, false);
}

function inColumns(workflow: DrawnWorkflow, widthOf: (job: number) => number, isEqual: boolean): WorkflowPicture {
  const { jobs } = workflow;
  const { links, leftOut } = linksOf(workflow);
  const { pairs, pairOf } = pairsOf(links);
  const columns = arrangeInColumns(jobs.length, pairs);
  const places = placed(columns, jobs.length, widthOf, isEqual);
  placeAlone(places, columns, jobs.length, widthOf);
  const boxes = jobs.map((job, at) => {
    const box = places[at]!;
    const steps = isEqual ? equalSteps(job, box) : scaledSteps(job, box);
    return { ...box, job: at, queue: null, ...steps };
  });
  const shifts = shiftsOf(links);
  const arrows = links.map((link, i) => ({ ...link, points: pointsOf(columns.ways[pairOf[i]!]!, places, shifts[i]!) }));
  return { ...extentOf(boxes), boxes, arrows, arrowsLeftOut: leftOut, axis: null };
}

/** Arrows of several kinds between the same jobs take the same way. */
function pairsOf(links: readonly Link[]): { pairs: Link[]; pairOf: number[] } {
  const pairs: Link[] = [];
  const known = new Map<string, number>();
  const pairOf = links.map((link) => {
    const key = `${link.from} ${link.to}`;
    const at = known.get(key) ?? pairs.push(link) - 1;
    known.set(key, at);
    return at;
  });
  return { pairs, pairOf };
}

/** A box for each node that has a column; bends are as wide as the column where all boxes are, else they have no width. */
function placed(columns: Columns, jobs: number, widthOf: (job: number) => number, isEqual: boolean): Box[] {
  const places: Box[] = [];
  const before = columns.column.map((): number[] => []);
  for (const way of columns.ways) way.slice(1).forEach((node, i) => before[node]!.push(way[i]!));
  const ends = new Map<number, number>();
  columns.order.forEach((nodes, column) => {
    for (const node of nodes) {
      const width = node < jobs ? widthOf(node) : isEqual ? widthOf(0) : 0;
      const row = columns.row[node]!;
      const behind = before[node]!.flatMap((other) => {
        const box = columns.column[other]! < column ? places[other] : undefined;
        return box === undefined ? [] : [box.x + box.width];
      });
      const x = isEqual
        ? column * (width + COLUMN_GAP)
        : Math.max(-COLUMN_GAP, ends.get(row) ?? -COLUMN_GAP, ...behind) + COLUMN_GAP;
      places[node] = { x, y: row * ROW_HEIGHT, width, height: JOB_HEIGHT };
      ends.set(row, x + width);
    }
  });
  return places;
}

/** Jobs that no arrow leads to or from fill rows below the others. */
function placeAlone(places: Box[], { column }: Columns, jobs: number, widthOf: (job: number) => number): void {
  const alone = Array.from({ length: jobs }, (_, job) => job).filter((job) => column[job] === -1);
  if (alone.length === 0) return;
  const taken = Object.values(places);
  const right = taken.reduce((most, { x, width }) => Math.max(most, x + width), 0);
  const sum = alone.reduce((total, job) => total + widthOf(job) + COLUMN_GAP / 2, 0);
  // As wide as what is above, or about as wide as high.
  const room = Math.max(right, Math.sqrt(sum * ROW_HEIGHT));
  let y = taken.reduce((most, box) => Math.max(most, box.y + ROW_HEIGHT), 0);
  let x = 0;
  for (const job of alone) {
    const width = widthOf(job);
    if (x > 0 && x + width > room) {
      x = 0;
      y += ROW_HEIGHT;
    }
    places[job] = { x, y, width, height: JOB_HEIGHT };
    x += width + COLUMN_GAP / 2;
  }
}

function pointsOf(way: readonly number[], places: readonly Box[], shift: number): Point[] {
  const last = way.length - 1;
  return way.flatMap((node, i) => {
    const { x, y, width, height } = places[node]!;
    const middle = y + height / 2 + shift;
    const [left, right] = [
      { x, y: middle },
      { x: x + width, y: middle },
    ];
    return i === 0 ? [right] : i === last ? [left] : width === 0 ? [left] : [left, right];
  });
}

/** What is drawn in all. */
export function extentOf(boxes: readonly Box[]): Box {
  const width = boxes.reduce((most, box) => Math.max(most, box.x + box.width), 0);
  const height = boxes.reduce((most, box) => Math.max(most, box.y + box.height), 0);
  return { x: 0, y: 0, width, height };
}
