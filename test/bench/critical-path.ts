import { criticalPath } from '../../src/fleet/causes/critical-path.ts';
import { randomNumbers } from '../support/random-numbers.ts';

/** Prints the seconds that the sweep-line takes over a million intervals, and those that sorting their ends takes. */
const INTERVALS = 1_000_000;
const random = randomNumbers(11);
const starts = new Float64Array(INTERVALS);
const ends = new Float64Array(INTERVALS);
for (let i = 0; i < INTERVALS; i++) {
  starts[i] = random(1_000_000_000) / 1e3;
  // Most are short and some are long, as files of a job are.
  ends[i] = starts[i]! + (random(100) === 0 ? random(1_000_000) : random(1000)) / 1e3;
}
// Compiled first: a command looks at many jobs.
criticalPath(starts.subarray(0, 50_000), ends.subarray(0, 50_000));
const points = new Float64Array(2 * INTERVALS);
points.set(starts);
points.set(ends, INTERVALS);
const sortSeconds = seconds(() => points.sort());
let files = 0;
const sweepSeconds = seconds(() => (files = criticalPath(starts, ends).files.length));
process.stdout.write(JSON.stringify({ intervals: INTERVALS, files, sweepSeconds, sortSeconds }));

function seconds(run: () => unknown): number {
  const begun = performance.now();
  run();
  return (performance.now() - begun) / 1000;
}
