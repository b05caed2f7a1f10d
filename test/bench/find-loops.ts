import { findLoops } from '../../src/analysis/loops/find-loops.ts';
import { recogniseRecording } from '../../src/session/recognise-recording.ts';

/** Reads a recording, finds its loops, and prints how many seconds each took. */
const [, , location] = process.argv;
const started = performance.now();
const { format, files } = await recogniseRecording([location!]);
const trace = await format.read(files, {});
const read = performance.now();
const found = findLoops(trace);
const ended = performance.now();
process.stdout.write(
  JSON.stringify({
    events: trace.events.length,
    calls: found.reduce((sum, { length, streams }) => sum + length * streams.length, 0),
    lines: found.reduce((sum, { size }) => sum + size, 0),
    readSeconds: (read - started) / 1000,
    loopSeconds: (ended - read) / 1000,
  }),
);
