// Windows of a timeline: how long the worker takes for what the view asks for, beside one copy of the columns that they show.
import path from 'node:path';

const RECORDINGS = [
  ['a million events, 64 ranks', 1_000_000, 64, 'stream'],
  ['a million events, by file', 1_000_000, 64, 'file'],
  ['a million events, 10,000 ranks', 1_000_000, 10_000, 'stream'],
  ['10 million events, 64 ranks', 10_000_000, 64, 'stream'],
];
const ms = (time) => `${time.toFixed(1)} ms`;

/** @param bench what bench.mjs measures with: `folder` of the bundles, `row`, `time`. */
export function benchTimeline({ folder, row, time }) {
  const program = path.join(folder, 'timeline.mjs');
  for (const [name, events, streams, grouping] of RECORDINGS) {
    const command = ['node', '--max-old-space-size=4096', program, String(events), String(streams), grouping];
    const run = JSON.parse(time(command).stdout);
    const window = `${ms(run.median)}, 95 % ${ms(run.late)}, at most ${ms(run.most)}`;
    row(`timeline, window of 60 rows × 1,600 bins, ${name}`, window, '< 16 ms');
    row('  over the whole time', `${ms(run.whole)}; copying the columns ${ms(run.copy)}`, '< 16 ms');
    const index = `${(run.index / 1000).toFixed(2)} s, colours ${(run.colours / 1000).toFixed(2)} s, lanes ${(run.lanes / 1000).toFixed(2)} s`;
    row(
      '  rows and index',
      `${index}; first window ${ms(run.first)}; ${run.bytes.toFixed(1)} B an event`,
      '< 1 s a million',
    );
  }
}
