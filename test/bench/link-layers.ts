import { statSync } from 'node:fs';
import { linkLayers } from '../../src/analysis/layers/link-layers.ts';
import { recogniseRecording } from '../../src/session/reading/recognise-recording.ts';

/** Reads a recording of several layers, links their calls, and prints the milliseconds of both. */
const [, , file] = process.argv;
const { format, files } = await recogniseRecording([file!]);
const started = performance.now();
const trace = await format.read(files, {});
const read = performance.now();
const { time, handle, ambiguous } = linkLayers(trace);
const linked = performance.now();
process.stdout.write(
  JSON.stringify({
    reading: read - started,
    linking: linked - read,
    events: trace.events.length,
    linked: time + handle,
    ambiguous,
    bytes: statSync(file!).size,
  }),
);
