import { findLoops } from '../../src/analysis/loops/find-loops.ts';
import { LoopLines } from '../../src/export/loops/loop-lines.ts';
import { loopsText } from '../../src/export/loops/loop-text.ts';
import { recogniseRecording } from '../../src/session/reading/recognise-recording.ts';
import { eventTrace } from '../support/event-trace.ts';
import { randomNumbers } from '../support/random-numbers.ts';

/**
 * Reads a recording, finds its loops, and prints the seconds of each, how large the outline is, and the seconds that as
 * many calls take which are hard to compress.
 */
const [, , location] = process.argv;
const started = performance.now();
const { format, files } = await recogniseRecording([location!]);
const trace = await format.read(files, {});
const readSeconds = (performance.now() - started) / 1000;
const found = timed(() => findLoops(trace));
const callSites = { sites: [], siteOfNode: new Int32Array(trace.stacks.nodes).fill(-1), isStartUp: new Uint8Array(0) };
const lines = new LoopLines(trace, callSites, (file) => ({ file, isHere: false }));
const groups = found.value.map((group) => ({
  ...lines.group(group),
  patterns: lines.tree(group.patterns, lines.counting(group), { lines: Infinity }),
}));
const text = loopsText({ recording: '', calls: 'outermost', groups });

const random = randomNumbers(7);
let fibonacci = 'ab';
for (let before = 'a'; fibonacci.length < trace.events.length;) [fibonacci, before] = [fibonacci + before, fibonacci];
const hard: Readonly<Record<string, (row: number) => number>> = {
  'all different': (row) => (row * 7919 * 7919) % 1_000_003,
  'two at random': () => random(2),
  'a Fibonacci word': (row) => fibonacci.charCodeAt(row),
  ruler: (row) => Math.clz32((row + 1) & -(row + 1)),
};
const hardSeconds = Object.entries(hard).map(([name, sizeOf]) => {
  const made = eventTrace([{}], ['/f'], trace.events.length, (event, row) => {
    event.call = 1;
    event.file = 0;
    event.bytes = sizeOf(row);
  });
  return { name, seconds: timed(() => findLoops(made)).seconds };
});
process.stdout.write(
  JSON.stringify({
    events: trace.events.length,
    lines: found.value.reduce((sum, { size }) => sum + size, 0),
    textBytes: Buffer.byteLength(text),
    readSeconds,
    loopSeconds: found.seconds,
    hardSeconds,
  }),
);

function timed<Value>(make: () => Value): { value: Value; seconds: number } {
  const begun = performance.now();
  const value = make();
  return { value, seconds: (performance.now() - begun) / 1000 };
}
