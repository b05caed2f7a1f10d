import { statSync } from 'node:fs';
import { directlyFollowsGraph } from '../../src/analysis/dfg/directly-follows-graph.ts';
import { DEFAULT_MAPPING } from '../../src/analysis/dfg/mapping.ts';
import type { CallSites } from '../../src/analysis/sites/call-sites.ts';
import { readStrace } from '../../src/readers/strace/strace-reader.ts';
import { LocalRecordingFile } from '../../src/session/reading/recording-files.ts';

/** Reads a recording, builds its graph, and prints the milliseconds of both. */
const NO_SITES: CallSites = { sites: [], siteOfNode: new Int32Array(0), isStartUp: new Uint8Array(0) };
const [, , file] = process.argv;
const started = performance.now();
const trace = await readStrace([new LocalRecordingFile(file!, statSync(file!).size)]);
const read = performance.now();
const graph = directlyFollowsGraph(trace, NO_SITES, {
  mapping: DEFAULT_MAPPING,
  siteVariables: [],
  pathFilter: '',
  withoutCalls: [],
  grouping: 'pid',
});
const done = performance.now();
process.stdout.write(JSON.stringify({ reading: read - started, graph: done - read, nodes: graph.nodes.length }));
