import type { Box, JobBox, WorkflowPicture } from '../../src/drawing/workflow/workflow-picture.ts';

/** A job, or one of its steps: what can have the focus. */
export interface Place {
  readonly job: number;
  /** null: the job itself. */
  readonly step: number | null;
}

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Where a key leads: left and right along the dependencies (the critical chain first, else to the nearest), where there is
 * none and up and down to the box that stands there; N and P to the next and previous step, Escape from a step to its job.
 */
export function walk({ job, step }: Place, key: string, picture: WorkflowPicture): Place | undefined {
  const here = picture.boxes[job];
  if (here === undefined) return undefined;
  if (key === 'Escape') return step === null ? undefined : { job, step: null };
  if (key === 'n' || key === 'p') return neighbourStep(here, step, key === 'n' ? 1 : -1);
  const direction = DIRECTIONS[key];
  if (direction === undefined) return undefined;
  const next =
    key === 'ArrowRight' || key === 'ArrowLeft'
      ? (along(picture, job, key === 'ArrowRight') ?? beside(picture, here, direction))
      : beside(picture, here, direction);
  return next === undefined ? undefined : { job: next, step: null };
}

function neighbourStep({ job, steps }: JobBox, step: number | null, by: number): Place | undefined {
  const at = steps.findIndex((each) => each.step === step);
  const next = at < 0 ? steps.at(by > 0 ? 0 : -1) : steps[at + by];
  return next === undefined ? undefined : { job, step: next.step };
}

function along({ arrows, boxes }: WorkflowPicture, job: number, isForwards: boolean): number | undefined {
  const here = boxes[job]!;
  const ends = arrows
    .filter(({ from, to }) => (isForwards ? from : to) === job)
    .map(({ from, to, isCritical }) => ({ end: isForwards ? to : from, isCritical }));
  const distance = (end: number): number => Math.hypot(boxes[end]!.x - here.x, boxes[end]!.y - here.y);
  ends.sort((a, b) => Number(b.isCritical) - Number(a.isCritical) || distance(a.end) - distance(b.end));
  return ends[0]?.end;
}

function beside({ boxes }: WorkflowPicture, here: Box, [dx, dy]: readonly [number, number]): number | undefined {
  let best: { job: number; distance: number } | undefined;
  for (const box of boxes) {
    const x = centre(box.x, box.width) - centre(here.x, here.width);
    const y = centre(box.y, box.height) - centre(here.y, here.height);
    const way = x * dx + y * dy;
    if (way <= 1) continue;
    const distance = way + 2 * (Math.abs(x * dy) + Math.abs(y * dx));
    if (best === undefined || distance < best.distance) best = { job: box.job, distance };
  }
  return best?.job;
}

function centre(corner: number, size: number): number {
  return corner + size / 2;
}
