import { JOB_PADDING, LABEL_HEIGHT, STEP_HEIGHT, type Box, type DrawnJob, type StepBox } from './workflow-picture.ts';

/** More steps than this in one box cannot be told apart. */
const MOST_STEPS = 24;
const GAP = 3;
const NARROWEST = 2;

interface DrawnSteps {
  readonly steps: readonly StepBox[];
  readonly leftOut: number;
}

/** Steps that are drawn: all, or the longest of many, in their order. */
function shownSteps({ steps }: DrawnJob): number[] {
  const all = steps.map((_, step) => step);
  if (all.length <= MOST_STEPS) return all;
  const longest = [...all].sort((a, b) => (steps[b]!.elapsed ?? 0) - (steps[a]!.elapsed ?? 0));
  return longest.slice(0, MOST_STEPS).sort((a, b) => a - b);
}

/** The room for steps in a job's box. */
function roomIn({ x, y, width }: Box): Box {
  const side = Math.min(JOB_PADDING, width / 8);
  return { x: x + side, y: y + LABEL_HEIGHT, width: width - 2 * side, height: STEP_HEIGHT };
}

function sideBySide(room: Box, shown: readonly number[], weights: readonly number[], width: number): StepBox[] {
  const gap = Math.min(GAP, width / shown.length / 4);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const free = width - gap * (shown.length - 1);
  let { x } = room;
  return shown.map((step, i) => {
    const box = { step, x, y: room.y, width: Math.max(NARROWEST, (free * weights[i]!) / total), height: room.height };
    x += box.width + gap;
    return box;
  });
}

/** All of the same width. */
export function equalSteps(job: DrawnJob, box: Box): DrawnSteps {
  const shown = shownSteps(job);
  const room = roomIn(box);
  const steps = sideBySide(
    room,
    shown,
    shown.map(() => 1),
    room.width,
  );
  return { steps, leftOut: job.steps.length - shown.length };
}

/** As wide as they took of the job's time; where they ran side by side, of all their times. */
export function scaledSteps(job: DrawnJob, box: Box): DrawnSteps {
  const shown = shownSteps(job);
  const times = shown.map((step) => job.steps[step]!.elapsed);
  const known = times.filter((time): time is number => time !== null && time > 0);
  const sum = known.reduce((total, time) => total + time, 0);
  if (sum === 0) return equalSteps(job, box);
  // What is not known is drawn as the shortest.
  const least = Math.min(...known);
  const room = roomIn(box);
  const width =
    known.length < shown.length ? room.width : room.width * Math.min(1, sum / Math.max(sum, job.elapsed ?? 0));
  const weights = times.map((time) => (time === null || time <= 0 ? least : time));
  return { steps: sideBySide(room, shown, weights, width), leftOut: job.steps.length - shown.length };
}

/** Where they stand in the job's time; those that ran side by side lie below each other. */
export function timedSteps(job: DrawnJob, box: Box): DrawnSteps {
  const shown = shownSteps(job);
  const { start, end } = job;
  const hasTimes = shown.every((step) => job.steps[step]!.start !== null && job.steps[step]!.end !== null);
  if (start === null || end === null || end <= start || !hasTimes) return scaledSteps(job, box);
  const room = roomIn(box);
  const scale = room.width / (end - start);
  const placed = shown.map((step) => {
    const from = Math.min(Math.max(job.steps[step]!.start!, start), end);
    const to = Math.min(Math.max(job.steps[step]!.end!, from), end);
    const width = Math.min(room.width, Math.max(NARROWEST, (to - from) * scale));
    return { step, width, x: Math.min(room.x + (from - start) * scale, room.x + room.width - width) };
  });
  const lanes = lanesOf(placed);
  const height = (room.height - GAP * (lanes.count - 1)) / lanes.count;
  const steps = placed.map((each, i) => ({ ...each, y: room.y + lanes.lane[i]! * (height + GAP), height }));
  return { steps, leftOut: job.steps.length - shown.length };
}

/** @returns for each the first lane that is free where it begins. A pixel of overlap is none: ends are rounded. */
function lanesOf(placed: readonly { x: number; width: number }[]): { lane: number[]; count: number } {
  const ends: number[] = [];
  const lane = new Array<number>(placed.length).fill(0);
  const byStart = placed.map((_, i) => i).sort((a, b) => placed[a]!.x - placed[b]!.x || a - b);
  for (const i of byStart) {
    const { x, width } = placed[i]!;
    const free = ends.findIndex((end) => end <= x + 1);
    lane[i] = free < 0 ? ends.length : free;
    ends[lane[i]] = x + width;
  }
  return { lane, count: Math.max(1, ends.length) };
}
