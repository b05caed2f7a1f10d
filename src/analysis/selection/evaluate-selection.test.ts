import { getOrCreate } from '../../base/grouping.ts';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { DarshanEvents } from '../../../test/support/darshan/darshan-events.ts';
import { filesDocument } from '../../export/analysis/file-documents.ts';
import { sitesDocument } from '../../export/analysis/site-documents.ts';
import { chooseLookup } from '../../session/machine/lookup-tools.ts';
import { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { plainRequest } from '../../session/reading/open-request.ts';
import { selectedEvents, selectionInputs } from '../../session/reading/selected-events.ts';
import { LAYERS } from '../../trace/calls.ts';
import { NONE, type EventColumn } from '../../trace/events.ts';
import { activityLog } from '../dfg/activity-log.ts';
import { directlyFollowsGraph, type GraphOptions } from '../dfg/directly-follows-graph.ts';
import { END, START } from '../dfg/graph.ts';
import { parseMapping } from '../dfg/mapping.ts';
import { chainOf } from '../sites/call-sites.ts';
import { evaluateSelection, type SelectedEvents } from './evaluate-selection.ts';
import { selectedActivities } from './selected-activities.ts';
import { selectedAmounts } from './selected-amounts.ts';
import { RunCosts } from '../gain/run-costs.ts';
import type { SelectionInputs } from './selection-inputs.ts';
import type { ActivityNaming, SelectionPart } from './selection.ts';

/** Recordings of several shapes: threads, forks, several cases, MPI, two layers, no stacks. */
const RECORDINGS: Readonly<Record<string, readonly string[]>> = {
  'small writes': ['strace-programs/small_writes/small_writes.O0.strace.gz'],
  threads: ['strace-programs/threads/threads.O0.strace.gz'],
  'fork and exec': ['strace-programs/fork_exec/fork_exec.O0.all.strace.gz'],
  'files opened anew': ['strace-programs/open_close/open_close.O0.strace.gz'],
  'MPI ranks': [0, 1, 2, 3].map((rank) => `strace-programs/mpi_unaligned/mO0_host1_${rank}.st.gz`),
  'cases without stacks': ['strace/ls'],
  'segments of ranks': ['darshan-stack/badmpi_4ranks.darshan'],
  'segments of one process': ['darshan-stack/badio_serial.darshan'],
  IOR: ['strace/ior/ssf-k'],
};

const wasm = path.resolve(import.meta.dirname, '../../../native/wasm/addr2line/addr2line.wasm');
const programs = corpus('strace-programs');

async function open(paths: readonly string[]): Promise<OpenedRecording> {
  const pathRules = programs === undefined ? [] : [{ from: '/tmp/badio', to: programs }];
  const request = { ...plainRequest(...paths), pathRules, cacheBytes: 0 };
  return OpenedRecording.open(request, await chooseLookup(wasm, false));
}

const columns = new WeakMap<SelectionInputs, Map<EventColumn, Float64Array>>();

/** A whole column: the test looks at every row many times. */
function columnOf(inputs: SelectionInputs, name: EventColumn): Float64Array {
  const known = getOrCreate(columns, inputs, () => new Map<EventColumn, Float64Array>());
  let column = known.get(name);
  if (column === undefined) {
    const { events } = inputs.trace;
    column = Float64Array.from({ length: events.length }, (_, row) => events.value(name, row));
    known.set(name, column);
  }
  return column;
}

function rowsWith(inputs: SelectionInputs, holds: (get: (column: EventColumn) => number) => boolean): number[] {
  const rows: number[] = [];
  let row = 0;
  const get = (column: EventColumn): number => columnOf(inputs, column)[row]!;
  for (; row < inputs.trace.events.length; row++) if (holds(get)) rows.push(row);
  return rows;
}

function rowsOf({ mask }: SelectedEvents, inputs: SelectionInputs): number[] {
  const rows: number[] = [];
  for (let row = 0; row < inputs.trace.events.length; row++) if (mask.has(row)) rows.push(row);
  expect(mask.count).toBe(rows.length);
  return rows;
}

/** The matcher for lists looks at each element for a long time. */
function expectRows(actual: readonly number[], expected: readonly number[], what = ''): void {
  expect(actual.length, what).toBe(expected.length);
  expect(
    actual.findIndex((row, at) => row !== expected[at]),
    what,
  ).toBe(-1);
}

const NAMINGS: readonly ActivityNaming[] = [
  { mapping: 'call+path:2', pathFilter: '', ownFilesOnly: false, grouping: 'file' },
  { mapping: 'call', pathFilter: '', ownFilesOnly: true, grouping: 'pid' },
  { mapping: 'site', pathFilter: '', ownFilesOnly: false, grouping: 'rank' },
  { mapping: 'call+file', pathFilter: 'o', ownFilesOnly: true, grouping: 'pid' },
];

function graphOptions(naming: ActivityNaming, { ignored }: SelectionInputs): GraphOptions {
  const { mapping, pathFilter, ownFilesOnly, grouping } = naming;
  const options = { mapping: parseMapping(mapping), siteVariables: [], pathFilter, withoutCalls: [], grouping };
  return { ...options, ...(ownFilesOnly && { ignored }) };
}

/** A run `⟨a, a, a⟩` has two edges from a to a and three events at their ends. */
function loopEnds(inputs: SelectionInputs, options: GraphOptions, activity: string): number {
  return activityLog(inputs.trace, inputs.callSites, options, Infinity).reduce(
    (sum, { cases, runs }) =>
      sum + cases.length * runs.reduce((ends, [name, times]) => ends + (name === activity && times > 1 ? times : 0), 0),
    0,
  );
}

describe.each(Object.entries(RECORDINGS))('%s', (_name, names) => {
  const found = names.map((name) => corpus(name)).filter((file) => file !== undefined);
  const isHere = found.length === names.length;
  let recording: OpenedRecording;
  let inputs: SelectionInputs;
  beforeAll(async () => {
    if (!isHere) return;
    recording = await open(found);
    inputs = selectionInputs(recording);
  }, 120_000);

  const select = (...selection: SelectionPart[]): SelectedEvents => evaluateSelection(inputs, selection);
  const there = (name: string, check: () => void): void =>
    test.skipIf(!isHere)(isHere ? name : `${name}: ${absent(names[0]!)}`, check, 120_000);

  there('activities are what the nodes of a graph count, edges what its edges count', () => {
    for (const naming of NAMINGS) {
      const options = graphOptions(naming, inputs);
      const graph = directlyFollowsGraph(inputs.trace, inputs.callSites, options);
      // Each is a pass over all events.
      const most = inputs.trace.events.length > 50_000 ? 5 : 20;
      for (const { activity, events } of graph.nodes.slice(0, most))
        expect(select({ kind: 'activity', activity, ...naming }).mask.count, activity).toBe(events);
      for (const { from, to, count } of graph.edges.slice(0, most)) {
        const isAtEnd = from === START || to === END;
        const ends = from === to ? loopEnds(inputs, options, from) : isAtEnd ? count : 2 * count;
        expect(select({ kind: 'edge', from, to, ...naming }).mask.count, `${from} → ${to}`).toBe(ends);
      }
      const all = selectedActivities(inputs, select().mask, naming);
      expect(all.activities.map(({ selected }) => selected)).toEqual(graph.nodes.map(({ events }) => events));
      expect(all.edges.map(({ from, to, selected, count }) => [from, to, selected, count])).toEqual(
        graph.edges.map(({ from, to, count }) => [from, to, count, count]),
      );
    }
  });

  there('lines are what the list of call sites counts', () => {
    const { trace, resolved, metrics, ignored, costs } = recording;
    const locate = (file: string): { file: string; isHere: boolean } => recording.localSource(file);
    const { sites } = sitesDocument(
      { trace, resolved, callSites: recording.callSites(), metrics, costs },
      'line',
      ignored,
      locate,
    );
    for (const { file, line, events, bytes, timeNs } of sites.filter((site) => site.line > 0)) {
      const { mask, reasons } = select({ kind: 'line', file, line });
      expect(reasons).toEqual([]);
      const { counted } = selectedAmounts(inputs, mask, recording.costs);
      expect([counted.events, counted.bytes], `${file}:${line}`).toEqual([events, bytes]);
      expect(counted.timeNs).toBeCloseTo(timeNs, 0);
    }
  });

  there('files are what the list of files counts', () => {
    const { trace, metrics, costs } = recording;
    const { files } = filesDocument({ trace, callSites: recording.callSites(), metrics, costs }, 'time', 12, (file) =>
      recording.localSource(file),
    );
    const several = new Set(files.map(({ path: name }) => name)).size < files.length;
    for (const { path: name, events, bytes, timeNs } of several ? [] : files) {
      const { counted } = selectedAmounts(inputs, select({ kind: 'file', path: name }).mask, recording.costs);
      expect([counted.events, counted.bytes], name).toEqual([events, bytes]);
      expect(counted.timeNs).toBeCloseTo(timeNs, 0);
    }
  });

  there('processes, threads, ranks, hosts, layers and calls are all rows that name them', () => {
    const { streams, calls } = inputs.trace;
    for (const { host, pid, processId, rank } of streams.slice(0, 8)) {
      const ofStream = (wanted: (stream: (typeof streams)[number]) => boolean): number[] =>
        rowsWith(inputs, (get) => wanted(streams[get('stream')]!));
      const rows = (part: SelectionPart): number[] => rowsOf(select(part), inputs);
      expectRows(
        rows({ kind: 'host', host }),
        ofStream((stream) => stream.host === host),
      );
      expectRows(
        rows({ kind: 'process', host, process: processId }),
        ofStream((stream) => stream.host === host && stream.processId === processId),
      );
      expectRows(
        rows({ kind: 'process', host, process: processId, thread: pid }),
        ofStream((stream) => stream.host === host && stream.processId === processId && stream.pid === pid),
      );
      if (rank !== undefined)
        expectRows(
          rows({ kind: 'rank', rank }),
          ofStream((stream) => stream.rank === rank),
        );
    }
    for (const [index, layer] of LAYERS.entries())
      expectRows(
        rowsOf(select({ kind: 'layer', layer }), inputs),
        rowsWith(inputs, (get) => get('layer') === index),
      );
    for (const [index, call] of calls.names.slice(0, 8).entries())
      expectRows(
        rowsOf(select({ kind: 'call', call }), inputs),
        rowsWith(inputs, (get) => get('call') === index),
      );
  });

  there('functions are all calls with a frame of them in their chain', () => {
    const { trace, resolved } = recording;
    const frames = new Map<string, { file: string; name: string }>();
    const chains = Array.from({ length: trace.stacks.nodes }, (_, node) => chainOf(trace, resolved, node));
    for (const chain of chains)
      for (const { file, functionName: name, isLibrary, line } of chain)
        if (!isLibrary && line > 0 && name !== '') frames.set(`${file} ${name}`, { file, name });
    for (const { file, name } of [...frames.values()].slice(0, 10)) {
      const isBelow = chains.map((chain) => chain.some((frame) => frame.file === file && frame.functionName === name));
      const rows = rowsWith(inputs, (get) => get('stack') !== NONE && isBelow[get('stack')]!);
      expectRows(rowsOf(select({ kind: 'function', file, name }), inputs), rows, name);
    }
  });

  there('a finding is at least the calls that it counts, all of them at its places', () => {
    for (const { code, sites, files } of recording.insights) {
      const { mask, reasons } = select({ kind: 'insight', code });
      if (sites.length === 0 && files.length === 0) expect(reasons).toHaveLength(1);
      if (mask.count === 0) continue;
      const { site } = sites[0] ?? { site: NONE };
      const amounts = selectedAmounts(inputs, mask, recording.costs);
      const sameCode = recording.insights.filter((other) => other.code === code);
      if (sites.length > 0) {
        const placed = new Set(sameCode.flatMap((other) => other.sites.map((each) => each.site)));
        expect(new Set(amounts.sites.map(({ index }) => index))).toEqual(placed);
        const { file, line } = recording.callSites().sites[site]!;
        if (line > 0) {
          const here = select({ kind: 'insight', code, file, line });
          expect(here.mask.count).toBeGreaterThanOrEqual(sites[0]!.events);
          expectRows(
            rowsOf(here, inputs).filter((row) => !mask.has(row)),
            [],
          );
        }
      } else {
        const named = new Set(sameCode.flatMap((other) => other.files.map((each) => each.file)));
        expect(amounts.files.every(({ index }) => named.has(index))).toBe(true);
      }
      expect(amounts.insights.some(({ index }) => recording.insights[index]!.code === code)).toBe(true);
    }
  });

  there('a span is what overlaps it, and parts together are what they have in common', () => {
    const { durationNs, streams } = inputs.trace;
    const time = fc.double({ min: 0, max: durationNs, noNaN: true });
    fc.assert(
      fc.property(time, time, fc.nat(streams.length - 1), (a, b, at) => {
        const [fromNs, toNs] = [Math.min(a, b), Math.max(a, b)];
        const span: SelectionPart = { kind: 'span', fromNs, toNs };
        const inSpan = rowsOf(select(span), inputs);
        expectRows(
          inSpan,
          rowsWith(inputs, (get) => {
            const start = get('start');
            const end = start + (get('duration') > 0 ? get('duration') : 0);
            const isPoint = end === start;
            return isPoint ? start >= fromNs && (start < toNs || start === fromNs) : start < toNs && end > fromNs;
          }),
        );
        const { host, processId } = streams[at]!;
        const process: SelectionPart = { kind: 'process', host, process: processId };
        const ofProcess = select(process).mask;
        expectRows(
          rowsOf(select(span, process), inputs),
          inSpan.filter((row) => ofProcess.has(row)),
        );
        expectRows(
          rowsOf(select(process, span), inputs),
          inSpan.filter((row) => ofProcess.has(row)),
        );
      }),
      { numRuns: inputs.trace.events.length > 20_000 ? 2 : 10 },
    );
  });
});

describe('what is not in a recording selects nothing, and says why', () => {
  const naming = NAMINGS[0]!;
  const MISSING: readonly (readonly [SelectionPart, string])[] = [
    [{ kind: 'line', file: '/w/solver.c', line: 99 }, 'no call of this recording comes from solver.c:99'],
    [{ kind: 'function', file: '/w/solver.c', name: 'gone' }, 'no call of this recording is made below gone'],
    [{ kind: 'file', path: '/nowhere' }, 'the recording has no file /nowhere'],
    [{ kind: 'rank', rank: 7 }, 'the recording has no rank 7'],
    [{ kind: 'process', host: 'n1', process: 9 }, 'the recording has no process 9 on n1'],
    [{ kind: 'process', host: '', process: 0, thread: 9 }, 'the recording has no thread 9 of process 0'],
    [{ kind: 'host', host: 'n1' }, 'the recording has no host n1'],
    [{ kind: 'layer', layer: 'NFS' }, 'there is no layer NFS'],
    [{ kind: 'operation', operation: 'levitate' }, 'there is no operation levitate'],
    [{ kind: 'call', call: 'pread64' }, 'the recording has no call pread64'],
    [{ kind: 'insight', code: 'X99' }, 'the recording has no finding X99'],
    [{ kind: 'edge', from: 'x', to: 'y', ...naming }, 'the activity y never directly follows x in this recording'],
    [{ kind: 'activity', activity: 'write', ...naming, mapping: '/tmp/evil.mjs' }, '"/tmp/evil.mjs" is no mapping'],
    [{ kind: 'activity', activity: 'gone', ...naming }, 'no call of this recording belongs to the selection'],
    [{ kind: 'span', fromNs: 1e12, toNs: 2e12 }, 'no call of this recording belongs to the selection'],
  ];

  test.each(MISSING)('%j', async (part, reason) => {
    const log = new DarshanEvents(2);
    for (const rank of [0, 1]) log.add({ rank, bytes: 8, start: rank, duration: 1, line: 12 });
    const { trace, resolved, callSites, metrics, insights } = await log.analysed();
    const inputs = {
      ...{ trace, resolved, callSites, metrics, insights },
      ignored: new Uint8Array(trace.files.length),
      localFile: (file: string) => file,
    };
    const { mask, reasons } = evaluateSelection(inputs, [part]);
    expect(mask.count).toBe(0);
    expect(reasons).toEqual([expect.stringContaining(reason)]);
    const together = evaluateSelection(inputs, [{ kind: 'rank', rank: 0 }, part]);
    expect(together.mask.count).toBe(0);
    expect(together.reasons).toHaveLength(1);
  });
});

describe('in a recording of two layers', () =>
  test('both layers are selected, and what they show twice counts once', async () => {
    const log = new DarshanEvents(2);
    for (const rank of [0, 1]) {
      log.add({ rank, layer: 'MPI-IO', bytes: 8, start: 10 * rank, duration: 5, line: 12 });
      log.add({ rank, layer: 'POSIX', bytes: 8, start: 10 * rank + 1, duration: 3, line: 12 });
    }
    const { trace, resolved, callSites, metrics, insights } = await log.analysed();
    const inputs = {
      ...{ trace, resolved, callSites, metrics, insights },
      ignored: new Uint8Array(trace.files.length),
      localFile: (file: string) => file,
    };
    const costs = new RunCosts(inputs);
    const amounts = (...selection: SelectionPart[]): unknown => {
      const { mask } = evaluateSelection(inputs, selection);
      const { events, bytes, timeNs } = selectedAmounts(inputs, mask, costs).total;
      return [mask.count, events, bytes, timeNs];
    };
    expect(amounts({ kind: 'line', file: '/w/solver.c', line: 12 })).toEqual([4, 2, 16, 10_000]);
    expect(amounts({ kind: 'layer', layer: 'MPI-IO' })).toEqual([2, 2, 16, 10_000]);
    expect(amounts({ kind: 'layer', layer: 'POSIX' })).toEqual([2, 2, 16, 6000]);
  }));

test('a mask is remembered for as long as its recording, a few at a time', async () => {
  const folder = corpus('strace/ls');
  expect(folder).toBeDefined();
  const recording = await open([folder!]);
  const { pid } = recording.trace.streams[0]!;
  const part = (call: string): SelectionPart => ({ kind: 'call', call });
  const first = selectedEvents(recording, [part('read')]);
  expect(selectedEvents(recording, [part('read')])).toBe(first);
  for (let i = 0; i < 8; i++)
    selectedEvents(recording, [part('read'), { kind: 'process', host: 'host1', process: pid + i }]);
  expect(selectedEvents(recording, [part('read')])).not.toBe(first);
});
