import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import { recordingFilesAt } from '../../session/reading/recording-files.ts';
import type { RecordingFile } from '../../trace/byte-source.ts';
import type { CallSites } from '../sites/call-sites.ts';
import type { CaseGrouping } from './cases.ts';
import { directlyFollowsGraph, type GraphOptions } from './directly-follows-graph.ts';
import type { DirectlyFollowsGraph } from './graph.ts';

interface Truth {
  case?: string;
  mapping: string;
  filter: { pathContains: string | null };
  nodes: Record<
    string,
    {
      count: number;
      durationNanoseconds: number;
      relativeDuration: number;
      bytes: number | null;
      processDataRateBytesPerSecond: number | null;
      maxConcurrencyBySweep: number;
    }
  >;
  edges: [from: string, to: string, count: number][];
  partition?: {
    green: string[];
    red: string[];
    nodes: Record<'green' | 'red' | 'common' | 'both', string[]>;
    edges: Record<'green' | 'red' | 'common' | 'both', [string, string, number?][]>;
  };
}

const NO_SITES: CallSites = { sites: [], siteOfNode: new Int32Array(), isStartUp: new Uint8Array() };

/**
 * The reference skips `newfstatat(-1, "/sys/…", …)`: it takes the path of these calls from the descriptor only. The raw
 * lines name the path, so ours counts them (see the last test); for the comparison they are taken out.
 */
const UNREAD = /^.* newfstatat\(-1, ".*\n/gm;

function withoutUnread(file: RecordingFile): RecordingFile {
  let rest = Buffer.from(readFileSync(file.path, 'latin1').replace(UNREAD, ''), 'latin1');
  return {
    ...file,
    name: file.name,
    path: file.path,
    size: rest.length,
    open: () =>
      Promise.resolve({
        position: 0,
        close: () => Promise.resolve(),
        read: (target) => {
          const length = rest.copy(target);
          rest = rest.subarray(length);
          return Promise.resolve(length);
        },
      }),
  };
}

async function graphOf(folders: readonly string[], truth: Truth): Promise<DirectlyFollowsGraph> {
  const files: RecordingFile[] = [];
  for (const folder of folders) {
    const found = await recordingFilesAt(folder);
    const recordings = found.filter(({ name }) => /\.st(\.gz)?$|^trace\.\d+$/.test(name));
    for (const file of recordings) files.push(file.name.endsWith('.gz') ? file : withoutUnread(file));
  }
  const trace = await readStrace(files);
  const of = (ids: readonly string[]) => (name: string) => ids.some((id) => name.startsWith(`${id}_`));
  const grouping: CaseGrouping = truth.case?.includes('pid') === true ? 'pid' : 'file';
  const options: GraphOptions = {
    mapping: { kind: 'call+path', levels: Number(/top (\d)/.exec(truth.mapping)?.[1] ?? 2) },
    siteVariables: [],
    pathFilter: truth.filter.pathContains ?? '',
    withoutCalls: ['mmap'],
    grouping,
    ...(truth.partition && { partition: { green: of(truth.partition.green), red: of(truth.partition.red) } }),
  };
  return directlyFollowsGraph(trace, NO_SITES, options);
}

/** Folder of the recording(s), and the file with the truth. */
const RECORDINGS: [truth: string, ...folders: string[]][] = [
  ['strace/ls/expected-dfg.json', 'strace/ls'],
  ['strace/ior/ssf/expected-dfg.json', 'strace/ior/ssf'],
  ['strace/ior/fpp/expected-dfg.json', 'strace/ior/fpp'],
  ['strace/ior/mpiio/expected-dfg.json', 'strace/ior/mpiio'],
  ['strace/ior/ssf-k/expected-dfg-scratch.json', 'strace/ior/ssf-k'],
  ['strace/ior/expected-ssf-vs-fpp.json', 'strace/ior/ssf', 'strace/ior/fpp'],
  ['strace/ior/expected-ssf-vs-fpp-case-is-pid.json', 'strace/ior/ssf', 'strace/ior/fpp'],
  ['strace/ior/expected-ssf-vs-fpp-scratch.json', 'strace/ior/ssf', 'strace/ior/fpp'],
  ['strace/ior/expected-ssf-vs-fpp-scratch-3-levels.json', 'strace/ior/ssf', 'strace/ior/fpp'],
  ['strace/ior/expected-mpiio-vs-posix.json', 'strace/ior/mpiio', 'strace/ior/ssf'],
  ['strace/ior/expected-mpiio-vs-posix-scratch.json', 'strace/ior/mpiio', 'strace/ior/ssf'],
  ['strace/ior/expected-mpiio-vs-posix-scratch-3-levels.json', 'strace/ior/mpiio', 'strace/ior/ssf'],
  ['strace/formats/ff/expected-dfg.json', 'strace/formats/ff'],
];

describe('the graph equals the ground truth', () => {
  for (const [name, ...folders] of RECORDINGS) {
    const truthFile = corpus(name);
    test.skipIf(truthFile === undefined)(truthFile === undefined ? absent(name) : name, async () => {
      const truth = JSON.parse(readFileSync(truthFile!, 'utf8')) as Truth;
      const graph = await graphOf(
        folders.map((folder) => path.resolve(corpus(folder)!)),
        truth,
      );
      expectNodes(graph, truth);
      const edges = graph.edges.map(({ from, to, count }): [string, string, number] => [from, to, count]);
      expect(new Set(edges.map(String))).toEqual(
        new Set(truth.edges.map(([from, to, count]) => String([renamed(from), renamed(to), count]))),
      );
      if (truth.partition !== undefined) expectPartition(graph, truth.partition);
    });
  }
});

const ssf = corpus('strace/ior/ssf');
test.skipIf(ssf === undefined)('a path is known although its folder is descriptor −1', async () => {
  const trace = await readStrace((await recordingFilesAt(ssf!)).filter(({ name }) => name.endsWith('.st')));
  const options = { siteVariables: [], pathFilter: '/sys/kernel', withoutCalls: [], grouping: 'file' } as const;
  const graph = directlyFollowsGraph(trace, NO_SITES, { ...options, mapping: { kind: 'call+path', levels: 2 } });
  expect(graph.nodes.find(({ activity }) => activity === 'newfstatat:/sys/kernel')?.events).toBe(16);
});

/** The reference takes memfd_create's argument for a path; the descriptor that it returns tells the real one. */
function renamed(activity: string): string {
  return activity.replace(/^memfd_create:/, 'memfd_create:/memfd:');
}

function expectNodes(graph: DirectlyFollowsGraph, truth: Truth): void {
  expect(graph.nodes.map(({ activity }) => activity).sort()).toEqual(Object.keys(truth.nodes).map(renamed).sort());
  for (const [activity, node] of Object.entries(truth.nodes)) {
    const found = graph.nodes.find((candidate) => candidate.activity === renamed(activity))!;
    expect([activity, found.events, found.durationNs, found.bytes, found.maxConcurrency]).toEqual([
      activity,
      node.count,
      node.durationNanoseconds,
      node.bytes ?? 0,
      node.maxConcurrencyBySweep,
    ]);
    expect(found.relativeDuration).toBeCloseTo(node.relativeDuration, 12);
    if (node.processDataRateBytesPerSecond === null) expect(found.processDataRate).toBeNull();
    else expect(found.processDataRate! / node.processDataRateBytesPerSecond || 1).toBeCloseTo(1, 9);
  }
}

function expectPartition(graph: DirectlyFollowsGraph, truth: NonNullable<Truth['partition']>): void {
  for (const colour of ['green', 'red'] as const) {
    const nodes = graph.nodes.filter(({ partition }) => partition === colour).map(({ activity }) => activity);
    expect(nodes.sort()).toEqual([...truth.nodes[colour]].sort());
    const edges = graph.edges.filter(({ partition }) => partition === colour).map(({ from, to }) => `${from} → ${to}`);
    expect(edges.sort()).toEqual(truth.edges[colour].map(([from, to]) => `${from} → ${to}`).sort());
  }
}
