import { gatherLayerCalls } from '../../src/analysis/layers/patterns/layer-calls.ts';
import { LAYER_PATTERNS } from '../../src/analysis/layers/patterns/pattern-catalogue.ts';
import { linkLayers } from '../../src/analysis/layers/link-layers.ts';
import { DEFAULT_THRESHOLDS } from '../../src/analysis/triggers/thresholds.ts';
import { recogniseRecording } from '../../src/session/reading/recognise-recording.ts';
import { NONE } from '../../src/trace/events.ts';

/**
 * Reads a recording of several layers, gathers what patterns across them look at, looks for all of them, and prints the
 * milliseconds of each.
 */
const [, , location] = process.argv;
const { format, files } = await recogniseRecording([location!]);
const started = performance.now();
const trace = await format.read(files, {});
const reading = performance.now() - started;
linkLayers(trace);
const { nodes } = trace.stacks;
const callSites = {
  sites: [],
  siteOfNode: new Int32Array(nodes).fill(NONE),
  isStartUp: new Uint8Array(nodes),
  traitsOfNode: new Uint8Array(nodes),
};
const counts = new Uint8Array(trace.files.length).fill(1);
const begun = performance.now();
const calls = gatherLayerCalls({ trace, callSites, counts, tinyBytes: DEFAULT_THRESHOLDS.tiny_bytes });
const gathered = performance.now();
const places = LAYER_PATTERNS.reduce((sum, pattern) => sum + pattern.find(calls, DEFAULT_THRESHOLDS).length, 0);
process.stdout.write(
  JSON.stringify({
    events: trace.events.length,
    upper: calls.upper?.length ?? 0,
    places,
    reading,
    gathering: gathered - begun,
    finding: performance.now() - gathered,
  }),
);
