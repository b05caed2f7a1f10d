import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrowPath } from './arrow-path.ts';
import { spread } from './columns.ts';
import { layOutWorkflow } from './workflow-layout.ts';
import {
  WORKFLOW_MODES,
  type Box,
  type DrawnDependency,
  type DrawnJob,
  type DrawnWorkflow,
  type WorkflowPicture,
} from './workflow-picture.ts';
import { rounds } from '../../../test/support/rounds.ts';

function job(start: number, end: number, lengths: readonly number[] = [end - start]): DrawnJob {
  let at = start;
  const steps = lengths.map((elapsed) => {
    const step = { start: at, end: at + elapsed, elapsed };
    at += elapsed;
    return step;
  });
  return { queued: 10, start, end, elapsed: end - start, steps };
}

function arrow(from: number, to: number, kind: DrawnDependency['kind'] = 'declared'): DrawnDependency {
  return { from, to, kind };
}

/** Jobs 42 to 46 of the dissertation's synthetic workflow (section 5.4.1), with its times in hundreds. */
const SYNTHETIC: DrawnWorkflow = {
  jobs: [job(0, 100, [40, 20, 30, 10]), job(100, 300), job(100, 500), job(310, 500), job(500, 900, [100, 300])],
  dependencies: [arrow(0, 1), arrow(0, 2), arrow(2, 4), arrow(3, 4), arrow(1, 3, 'data')],
  criticalChain: [0, 1, 3, 4],
};

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Boxes of different jobs that cover each other by more than a pixel. */
function collisions({ boxes }: WorkflowPicture): string[] {
  const found: string[] = [];
  for (const a of boxes)
    for (const b of boxes) {
      const smaller = { ...b, x: b.x + 1, width: b.width - 2 };
      if (a.job < b.job && overlaps(a, smaller)) found.push(`${a.job} and ${b.job}`);
    }
  return found;
}

describe('the dependency graph', () => {
  const picture = layOutWorkflow(SYNTHETIC, 'dependency');
  const [first, left, right, last, end] = picture.boxes;

  test('has boxes of one size, predecessors to the left', () => {
    expect(new Set(picture.boxes.map(({ width, height }) => `${width} ${height}`)).size).toBe(1);
    expect(left!.x).toBe(right!.x);
    expect([first!.x, left!.x, last!.x, end!.x].every((x, i, all) => i === 0 || x > all[i - 1]!)).toBe(true);
    expect(left!.y).toBe(last!.y);
    expect(right!.y).not.toBe(left!.y);
  });

  test('takes the arrow that passes a column around the box that stands there', () => {
    const passing = picture.arrows.find(({ from, to }) => from === 2 && to === 4)!;
    expect(passing.points).toHaveLength(4);
    const [, into, out] = passing.points;
    expect([into!.x, out!.x]).toEqual([last!.x, last!.x + last!.width]);
    expect(into!.y < last!.y || into!.y > last!.y + last!.height).toBe(true);
  });

  test('marks the critical chain, and keeps each kind of dependency', () => {
    const marked = picture.arrows.filter(({ isCritical }) => isCritical);
    expect(marked.map(({ from, to, kind }) => `${kind} ${from}-${to}`).sort()).toEqual([
      'data 1-3',
      'declared 0-1',
      'declared 3-4',
    ]);
  });

  test('arrows of two kinds between the same jobs lie beside each other', () => {
    const both = layOutWorkflow({ ...SYNTHETIC, dependencies: [arrow(0, 1), arrow(0, 1, 'data')] }, 'dependency');
    const [one, other] = both.arrows.map(({ points }) => points[0]!.y);
    expect(Math.abs(one! - other!)).toBeGreaterThan(8);
  });

  test('dependencies of one kind between two jobs are one arrow, and those that make no sense are none', () => {
    const dependencies = [arrow(0, 1, 'data'), arrow(0, 1, 'data'), arrow(1, 1), arrow(0, 99), arrow(-1, 0)];
    const { arrows } = layOutWorkflow({ ...SYNTHETIC, dependencies }, 'dependency');
    expect(arrows.map(({ dependencies: of }) => of)).toEqual([[0, 1]]);
  });
});

describe('the graph that is scaled by durations', () => {
  test('has widths that are to each other as the run times', () => {
    const { boxes } = layOutWorkflow(SYNTHETIC, 'duration');
    expect(boxes[4]!.width / boxes[0]!.width).toBeCloseTo(4, 5);
    expect(boxes[2]!.width / boxes[1]!.width).toBeCloseTo(2, 5);
    const [short, long] = boxes[4]!.steps;
    expect(long!.width / short!.width).toBeCloseTo(3, 1);
  });

  test('has equal gaps along a chain, whatever the jobs waited', () => {
    const chain = { jobs: [job(0, 10), job(500, 600), job(9_000, 9_050)], dependencies: [arrow(0, 1), arrow(1, 2)] };
    const { boxes } = layOutWorkflow({ ...chain, criticalChain: [] }, 'duration');
    const gaps = [1, 2].map((at) => boxes[at]!.x - boxes[at - 1]!.x - boxes[at - 1]!.width);
    expect(gaps[0]).toBeCloseTo(gaps[1]!, 6);
  });
});

describe('the timeline', () => {
  const picture = layOutWorkflow(SYNTHETIC, 'timeline');

  test('places jobs and steps by their times', () => {
    const { from, to, left, right } = picture.axis!;
    const xOf = (at: number): number => left + ((at - from) / (to - from)) * (right - left);
    expect([from, to]).toEqual([0, 900]);
    SYNTHETIC.jobs.forEach(({ start, end }, at) => {
      expect(picture.boxes[at]!.x).toBeCloseTo(xOf(start!), 5);
      expect(picture.boxes[at]!.width).toBeCloseTo(xOf(end!) - xOf(start!), 5);
    });
  });

  test('has a row for each job that runs beside another, and keeps a chain in one', () => {
    const rows = picture.boxes.map(({ y }) => y);
    expect(new Set(rows).size).toBe(2);
    expect(rows[3]).toBe(rows[1]);
  });

  test('takes an arrow along the row that is free, and changes the row just before its end', () => {
    const [, , beside, , end] = picture.boxes;
    const { points } = picture.arrows.find(({ from, to }) => from === 2 && to === 4)!;
    expect(points).toHaveLength(2);
    const later = { ...SYNTHETIC, jobs: SYNTHETIC.jobs.map((each, at) => (at === 2 ? job(100, 200) : each)) };
    const way = layOutWorkflow(later, 'timeline').arrows.find(({ from, to }) => from === 2 && to === 4)!.points;
    expect(way).toHaveLength(3);
    expect(way[1]!.y).toBe(way[0]!.y);
    expect(way[2]!.x - way[1]!.x).toBeLessThan(40);
    expect(end!.x).toBeGreaterThan(beside!.x);
  });

  test('shows the time in the queue', () => {
    expect(picture.boxes[0]!.queue).toBeNull();
    const { queue, x } = picture.boxes[3]!;
    expect(queue!.x + queue!.width).toBeCloseTo(x, 6);
    expect(queue!.width / picture.boxes[3]!.width).toBeCloseTo(10 / 190, 5);
  });

  test('steps that ran side by side lie below each other', () => {
    const steps = [
      { start: 0, end: 50, elapsed: 50 },
      { start: 10, end: 60, elapsed: 50 },
      { start: 60, end: 90, elapsed: 30 },
    ];
    const one = { jobs: [{ ...job(0, 100), steps }], dependencies: [], criticalChain: [] };
    const [a, b, c] = layOutWorkflow(one, 'timeline').boxes[0]!.steps;
    expect(b!.y).toBeGreaterThanOrEqual(a!.y + a!.height);
    expect(c!.y).toBe(a!.y);
  });

  test('jobs without times stand in a row of their own', () => {
    const unknown = { queued: null, start: null, end: null, elapsed: null, steps: [] };
    const { boxes } = layOutWorkflow({ ...SYNTHETIC, jobs: [...SYNTHETIC.jobs, unknown] }, 'timeline');
    expect(boxes[5]!.y).toBeGreaterThan(Math.max(...boxes.slice(0, 5).map(({ y }) => y)));
  });
});

test('of many steps the longest are drawn, in their order', () => {
  const lengths = Array.from({ length: 200 }, (_, i) => (i % 20 === 0 ? 100 : 1));
  const { boxes } = layOutWorkflow({ jobs: [job(0, 1_200, lengths)], dependencies: [], criticalChain: [] }, 'duration');
  const shown = boxes[0]!.steps.map(({ step }) => step);
  expect(shown).toEqual(expect.arrayContaining([0, 20, 40, 180]));
  expect(shown).toEqual([...shown].sort((a, b) => a - b));
  expect(boxes[0]!.leftOut).toBe(200 - shown.length);
});

const NUMBER = fc.integer({ min: 0, max: 50_000 });
const TIMES = fc.oneof(
  fc.tuple(NUMBER, NUMBER).map(([start, length]) => job(start, start + length)),
  fc.constant({ queued: null, start: null, end: null, elapsed: null, steps: [] }),
  fc.constant({ queued: 895, start: 900, end: 3, elapsed: -897, steps: [{ start: 9, end: null, elapsed: null }] }),
);
const KIND = fc.constantFrom('declared', 'data', 'time');
const ANY = fc.record({
  jobs: fc.array(TIMES, { maxLength: 25 }),
  dependencies: fc.array(
    fc.record({ from: fc.integer({ min: -1, max: 25 }), to: fc.integer({ min: -1, max: 25 }), kind: KIND }),
    { maxLength: 60 },
  ),
  criticalChain: fc.array(fc.nat(25), { maxLength: 5 }),
});

test.each(WORKFLOW_MODES)('any workflow has a place for each job, none on another (%s)', (mode) =>
  fc.assert(
    fc.property(ANY, (workflow) => {
      const picture = layOutWorkflow(workflow, mode);
      expect(picture.boxes.map(({ job: at }) => at)).toEqual(workflow.jobs.map((_, at) => at));
      const numbers = [picture.width, picture.height, ...picture.boxes.flatMap(({ x, y, width }) => [x, y, width])];
      expect(numbers.every((number) => Number.isFinite(number) && number >= 0)).toBe(true);
      // A timeline draws what is too short to be seen a little wider than it took.
      expect(collisions(picture)).toEqual([]);
      for (const { steps, ...box } of picture.boxes)
        for (const step of steps) {
          expect(step.width).toBeGreaterThan(0);
          expect(step.x).toBeGreaterThanOrEqual(box.x);
        }
      for (const { points } of picture.arrows) expect(arrowPath(points)).not.toMatch(/NaN|undefined/);
    }),
    { numRuns: rounds(150) },
  ),
);

test('without circles every arrow of a grid points to the right', () => {
  const edges = fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 50 });
  fc.assert(
    fc.property(edges, (pairs) => {
      const dependencies = pairs.flatMap(([a, b]) => (a === b ? [] : [arrow(Math.min(a, b), Math.max(a, b))]));
      const jobs = Array.from({ length: 20 }, (_, i) => job(i, i + 1));
      for (const mode of ['dependency', 'duration'] as const)
        for (const { points } of layOutWorkflow({ jobs, dependencies, criticalChain: [] }, mode).arrows)
          points.slice(1).forEach((point, i) => expect(point.x).toBeGreaterThanOrEqual(points[i]!.x));
    }),
    { numRuns: rounds(100) },
  );
});

test('rows are whole numbers, apart, and as near to the wanted as can be', () => {
  expect(spread([5, 5, 5])).toEqual([4, 5, 6]);
  expect(spread([0, 10])).toEqual([0, 10]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -20, max: 20 })), (wanted) => {
      const given = spread(wanted);
      given.slice(1).forEach((row, i) => expect(row - given[i]!).toBeGreaterThanOrEqual(1));
    }),
  );
});

test('five hundred jobs with a thousand arrows are placed', () => {
  const jobs = Array.from({ length: 500 }, (_, i) => job(i * 10, i * 10 + 100));
  const dependencies = jobs.flatMap((_, i) => [
    arrow(i, Math.min(499, i * 2 + 1)),
    arrow(Math.floor(i / 3), i, 'data'),
  ]);
  for (const mode of WORKFLOW_MODES) {
    const picture = layOutWorkflow({ jobs, dependencies, criticalChain: [0, 1, 3, 7] }, mode);
    expect(collisions(picture)).toEqual([]);
  }
});
