import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { activityTimeline } from './activity-timeline.ts';
import { directlyFollowsGraph, type GraphOptions } from './directly-follows-graph.ts';
import { parseMapping } from './mapping.ts';
import { mappingPreview } from './mapping-preview.ts';
import { rounds } from '../../../test/support/rounds.ts';

const NO_SITES: CallSites = { sites: [], siteOfNode: new Int32Array(), isStartUp: new Uint8Array() };
const OPTIONS: GraphOptions = {
  mapping: parseMapping('call'),
  siteVariables: [],
  pathFilter: '',
  withoutCalls: [],
  grouping: 'file',
};

/** Start and duration in milliseconds. */
type Call = readonly [start: number, duration: number];

async function recordingOf(cases: readonly (readonly Call[])[]): Promise<Trace> {
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(6);
  const text = (calls: readonly Call[]): string =>
    [...calls]
      .sort(([a], [b]) => a - b)
      .map(
        ([start, duration]) =>
          `1 ${1795252180 + Math.floor(start / 1000)}.${seconds(start % 1000).slice(2)} read(3</a/b>, "x", 1) = 1 <${seconds(duration)}>\n`,
      )
      .join('');
  return readStrace(cases.map((calls, i) => memoryFile(`x_host1_${i}.st`, text(calls))));
}

const MS = 1e6;

test('shows when the calls of each case were under way, and how many at once', async () => {
  const trace = await recordingOf([
    [
      [0, 10],
      [50, 10],
    ],
    [[5, 10]],
  ]);
  const timeline = activityTimeline(trace, NO_SITES, OPTIONS, { activity: 'read', bins: 6, mostRows: 10 })!;
  expect(timeline.rows).toEqual([
    { label: 'x_host1_0', cases: 1, events: 2, timeNs: 20 * MS },
    { label: 'x_host1_1', cases: 1, events: 1, timeNs: 10 * MS },
  ]);
  expect([timeline.fromNs, timeline.toNs]).toEqual([0, 60 * MS]);
  expect(timeline.busyNs.map((ns) => Math.round(ns / MS))).toEqual([10, 0, 0, 0, 0, 10, 5, 5, 0, 0, 0, 0]);
  expect(timeline.starts).toEqual([1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]);
  expect(timeline.concurrency).toEqual([2, 1, 0, 0, 0, 1]);
  expect([timeline.maxConcurrency, timeline.maxConcurrencyAtNs]).toEqual([2, 5 * MS]);
});

test('a span of it, in which a call is under way that began before', async () => {
  const trace = await recordingOf([[[0, 100]], [[10, 5]]]);
  const wanted = { activity: 'read', bins: 2, mostRows: 10, fromNs: 40 * MS, toNs: 60 * MS };
  const timeline = activityTimeline(trace, NO_SITES, OPTIONS, wanted)!;
  expect(timeline.busyNs.map((ns) => Math.round(ns / MS))).toEqual([10, 10, 0, 0]);
  expect(timeline.concurrency).toEqual([1, 1]);
  expect([timeline.firstNs, timeline.lastNs, timeline.maxConcurrency]).toEqual([0, 100 * MS, 2]);
});

test('many cases share rows', async () => {
  const trace = await recordingOf(Array.from({ length: 10 }, (_, i): Call[] => [[i, 1]]));
  const { rows, busyNs } = activityTimeline(trace, NO_SITES, OPTIONS, { activity: 'read', bins: 5, mostRows: 4 })!;
  expect(rows.map(({ label, cases, events }) => [label, cases, events])).toEqual([
    ['x_host1_0 … x_host1_2', 3, 3],
    ['x_host1_3 … x_host1_5', 3, 3],
    ['x_host1_6 … x_host1_8', 3, 3],
    ['x_host1_9', 1, 1],
  ]);
  expect(busyNs.length).toBe(20);
});

test('what there is not has no timeline', async () => {
  const trace = await recordingOf([[[0, 1]]]);
  expect(activityTimeline(trace, NO_SITES, OPTIONS, { activity: 'write', bins: 5, mostRows: 4 })).toBeUndefined();
  const hostile = { activity: 'read', bins: 1e12, mostRows: NaN };
  expect(activityTimeline(trace, NO_SITES, OPTIONS, hostile)!.bins).toBe(4096);
});

test('agrees with the graph and with every instant, whatever the calls', async () => {
  const call = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 30 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(call, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      async (cases, bins) => {
        const trace = await recordingOf(cases);
        const timeline = activityTimeline(trace, NO_SITES, OPTIONS, { activity: 'read', bins, mostRows: 9 })!;
        const [node] = directlyFollowsGraph(trace, NO_SITES, OPTIONS).nodes;
        expect(timeline.maxConcurrency).toBe(node!.maxConcurrency);
        expect(Math.max(...timeline.concurrency)).toBe(node!.maxConcurrency);
        const busy = timeline.busyNs.reduce((sum, ns) => sum + ns, 0);
        expect(busy / node!.durationNs).toBeCloseTo(1, 6);
        expect(timeline.starts.reduce((sum, count) => sum + count, 0)).toBe(node!.events);
      },
    ),
    { numRuns: rounds(60) },
  );
});

test('a preview counts what a mapping makes, and what it leaves out', async () => {
  const text = ['read(3</a/b>, "x", 1) = 1', 'read(3</a/b>, "x", 1) = 1', 'write(4</c/d>, "x", 1) = 1', 'sync() = 0']
    .map((call, i) => `1 1795252180.${i} ${call} <0.001000>\n`)
    .join('');
  const trace = await readStrace([memoryFile('t', text)]);
  const mapping = parseMapping('{ "base": null, "rules": [{ "path": "/a/**", "name": "input" }] }');
  expect(mappingPreview(trace, NO_SITES, { ...OPTIONS, mapping }, 1)).toEqual({
    activities: [{ name: 'input', events: 2, timeNs: 2 * MS }],
    activityCount: 1,
    mappedEvents: 2,
    unmapped: [{ name: 'write:/c/d', events: 1, timeNs: MS }],
    unmappedEvents: 2,
  });
});
