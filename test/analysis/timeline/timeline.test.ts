import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { measure } from '../../../src/analysis/metrics/access-metrics.ts';
import { evaluateSelection } from '../../../src/analysis/selection/evaluate-selection.ts';
import { selectedAmounts } from '../../../src/analysis/selection/selected-amounts.ts';
import { RunCosts, type CostInputs } from '../../../src/analysis/gain/run-costs.ts';
import type { SelectionInputs } from '../../../src/analysis/selection/selection-inputs.ts';
import { Bins } from '../../../src/analysis/timeline/bins.ts';
import { TimelineBase } from '../../../src/analysis/timeline/timeline-base.ts';
import { Timeline } from '../../../src/analysis/timeline/timeline-rows.ts';
import type { RowsRequest, TimelineRow } from '../../../src/analysis/timeline/timeline.ts';
import { OPERATIONS } from '../../../src/trace/calls.ts';
import type { ChunkStore } from '../../../src/trace/chunk-store.ts';
import { CHUNK_BYTES, EVENT_FLAGS } from '../../../src/trace/events.ts';
import type { Trace } from '../../../src/trace/trace.ts';
import { recogniseRecording } from '../../../src/session/reading/recognise-recording.ts';
import { localSession, type Session } from '../../../src/features/answers/all-answers.ts';
import { plainRequest } from '../../../src/session/reading/open-request.ts';
import type { Heatmap } from '../../../src/trace/counters.ts';
import { absent, corpus } from '../../support/corpus.ts';
import { counterTrace } from '../../support/counter-trace.ts';
import { CALLS, eventTrace, timelineRecording, type MadeEvent } from '../../support/event-trace.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { paintByHand, type TestSpan } from '../../support/timeline-spans.ts';

/** Rows and windows of real recordings, compared with what going through all their events gives. */
const here = import.meta.dirname;
const project = path.resolve(here, '../../..');

const PLAIN: RowsRequest = {
  grouping: 'stream',
  facets: false,
  order: 'recorded',
  exemplars: false,
  rowFilter: '',
  colourBy: 'operation',
  ownFilesOnly: false,
  selection: [],
  onlySelected: false,
};

const RECORDINGS: readonly (readonly [name: string, file: string | undefined])[] = [
  ['demo/heat', path.join(project, 'demo/heat/heat.strace.gz')],
  ...[
    'darshan-stack/badmpi_4ranks.darshan',
    'darshan-stack/badio_serial.dxt.txt.gz',
    'strace/ior/fpp',
    'strace/ls',
  ].map((name) => [name, corpus(name)] as const),
  ...['f-tt-T-y.strace', 'io-uring.strace', 'f-ttt.strace', 'plain.strace', 'relative-ns.strace', 'ff'].map(
    (name) => [name, corpus(`strace/formats/${name}`)] as const,
  ),
];

async function read(file: string): Promise<Trace> {
  const { format, files } = await recogniseRecording([file]);
  return format.read(files, {});
}

function inputsOf(trace: Trace): SelectionInputs & CostInputs {
  const { resolved, callSites, ignored } = timelineRecording(trace);
  const siteOfNode = new Int32Array(trace.stacks.nodes).fill(-1);
  const sites = { ...callSites, siteOfNode, isStartUp: new Uint8Array(trace.stacks.nodes) };
  const metrics = measure(trace, sites, ignored);
  return { trace, resolved, callSites: sites, metrics, insights: [], ignored, localFile: (file) => file };
}

/** The spans of a row: those of the events that choosing it selects. */
function spansOf(inputs: SelectionInputs, row: TimelineRow, withParts: boolean): TestSpan[] {
  const { trace } = inputs;
  const { events, streams, calls } = trace;
  const { mask } = evaluateSelection(inputs, [row.selects!]);
  const ends = new Map<number, number>();
  const partOf = (event: number): number => streams[events.value('stream', event)]!.part;
  const lasting = (event: number): number => Math.max(0, events.value('duration', event) || 0);
  for (let event = 0; event < events.length; event++) {
    const end = events.value('start', event) + lasting(event);
    ends.set(partOf(event), Math.max(ends.get(partOf(event)) ?? 0, end));
  }
  const spans: TestSpan[] = [];
  for (let event = 0; event < events.length; event++) {
    const flags = events.value('flags', event);
    if (!mask.has(event) || flags & EVENT_FLAGS.restarted || (flags & EVENT_FLAGS.part && !withParts)) continue;
    const start = events.value('start', event);
    const isOpenEnded = flags & EVENT_FLAGS.neverReturned && trace.capabilities.duration;
    const duration = isOpenEnded ? ends.get(partOf(event))! - start : lasting(event);
    const category = calls.operation[events.value('call', event)]!;
    spans.push({ row: 0, start, duration, category, selected: false });
  }
  return spans;
}

describe.each(RECORDINGS)('%s', (name, file) =>
  test.skipIf(file === undefined)(
    `rows hold what they select${file === undefined ? `: ${absent(name)}` : ''}`,
    async () => {
      const trace = await read(file!);
      const inputs = inputsOf(trace);
      const costs = new RunCosts(inputs);
      const random = randomNumbers(11);
      for (const grouping of ['stream', 'file', 'layer'] as const) {
        const base = new TimelineBase([timelineRecording(trace)], { ...PLAIN, grouping });
        const timeline = new Timeline(base, { ...PLAIN, grouping });
        const { rows, categories, durationNs, axis } = timeline.rows(1);
        expect(rows.length).toBeGreaterThan(0);
        for (const [index, row] of rows.entries()) {
          if (row.isGroup || row.selects === undefined || random(rows.length) > 12) continue;
          if (grouping !== 'layer') {
            // Who counts what is one rule for everything.
            const { total } = selectedAmounts(inputs, evaluateSelection(inputs, [row.selects]).mask, costs);
            expect([row.label, row.events, row.timeNs]).toEqual([row.label, total.events, total.timeNs]);
          }
          if (axis === 'order') continue;
          const spans = spansOf(inputs, row, grouping === 'file');
          for (const depth of [1, 3, 40, 3000]) {
            const length = Math.max(1, Math.floor(durationNs / depth));
            const near = spans[random(spans.length)]?.start ?? 0;
            const fromNs = depth === 1 ? 0 : Math.max(0, near - random(length));
            expectWindow(timeline, index, spans, new Bins(fromNs, fromNs + length, 50), categories);
          }
        }
      }
    },
  ),
);

describe('the questions of a session', () => {
  async function opened(...names: string[]): Promise<{ session: Session; ids: number[] }> {
    const session = localSession({ folder: path.join(project, 'dist') });
    const ids: number[] = [];
    const pathRules = [{ from: '/home/hpc/heat', to: path.dirname(heat) }];
    for (const name of names)
      ids.push((await session.recordings.open({ ...plainRequest(name), pathRules, cacheBytes: 0 })).id);
    return { session, ids };
  }
  const heat = path.join(project, 'demo/heat/heat.strace.gz');

  test('rows, a window, the event under the pointer with its line of the recording', async () => {
    const { session, ids } = await opened(heat);
    const { token, rows, durationNs, axis } = await session.timeline.rows(ids, { ...PLAIN, grouping: 'site' });
    expect(axis).toBe('time');
    const row = rows.findIndex(({ label }) => label.startsWith('emit (heat.c:'));
    expect(rows[row]).toMatchObject({ events: 4096, bytes: 409_600, depth: 1, selects: { kind: 'line', line: 22 } });
    const window = await session.timeline.window(token, { fromNs: 0, toNs: durationNs, bins: 200, rows: [row] });
    const bin = window.busy.findIndex((busy) => busy > 0);
    const at = ((bin + 0.5) * durationNs) / 200;
    const event = await session.timeline.eventAt(token, row, at, durationNs / 200);
    expect(event).toMatchObject({
      call: 'write',
      bytes: 100,
      row,
      site: { line: 22, functionName: 'emit' },
      rawTextLack: '',
    });
    expect(event!.rawText).toMatch(/^\d+ \S+ write\(.*cells\.txt>, .* = 100 </);
    expect(event!.stack[1]).toBe('emit (heat.c:22)');
    expect(await session.timeline.eventAt(token, row, durationNs * 2, 1)).toBeUndefined();
    const next = await session.timeline.search(token, 'progress.log', event!.startNs, 1);
    expect(next).toMatchObject({ path: expect.stringContaining('progress.log') as string });
    expect(next!.startNs).toBeGreaterThan(event!.startNs);
    expect(rows[next!.row]!.label).toMatch(/^log_progress/);
    const totals = await session.timeline.totals(token, event!.startNs, event!.startNs + 1);
    expect(totals).toMatchObject({ events: 1, bytesWritten: 100, bytesRead: 0, files: 1, streams: 1 });
  });

  test('what is selected is a share of each cell, or all that is left', async () => {
    const { session, ids } = await opened(heat);
    const selection = [{ kind: 'call', call: 'pread64' }] as const;
    const marked = await session.timeline.rows(ids, { ...PLAIN, selection });
    const request = { fromNs: 0, toNs: marked.durationNs, bins: 100, rows: [0] };
    const both = await session.timeline.window(marked.token, request);
    const left = await session.timeline.rows(ids, { ...PLAIN, selection, onlySelected: true });
    expect(left.rows.map(({ events }) => events)).toEqual([258]);
    const only = await session.timeline.window(left.token, request);
    expect(only.selected).toBeUndefined();
    expect(both.selected!.some((share) => share > 0)).toBe(true);
    both.selected!.forEach((share, bin) => expect(share > 0).toBe(only.busy[bin]! > 0));
    const none = await session.timeline.rows(ids, { ...PLAIN, selection: [{ kind: 'call', call: 'no_such' }] });
    expect(none.notes.join()).toMatch(/no_such/);
  });

  test('a colour selects what has it: operations and source lines too', async () => {
    const { session, ids } = await opened(heat);
    for (const colourBy of ['operation', 'site'] as const) {
      const { categories } = await session.timeline.rows(ids, { ...PLAIN, colourBy });
      const selecting = categories.filter(({ selects }) => selects !== undefined);
      expect(selecting.length).toBeGreaterThan(2);
      expect(categories.length - selecting.length).toBeLessThanOrEqual(colourBy === 'operation' ? 0 : 2);
      for (const { label, events, selects } of selecting) {
        const request = { ...PLAIN, colourBy, selection: [selects!], onlySelected: true };
        const left = await session.timeline.rows(ids, request);
        const found = left.categories.map((category) => [category.label, category.events]);
        expect(found, label).toEqual([[label, events]]);
      }
    }
  });

  test('two recordings stand on one axis, each below its name', async () => {
    const { session, ids } = await opened(heat, corpus('strace/formats/relative-ns.strace')!);
    const { rows, durationNs } = await session.timeline.rows(ids, { ...PLAIN, facets: true });
    expect(rows.filter(({ depth }) => depth === 0).map(({ label }) => path.basename(label))).toEqual([
      'heat.strace.gz',
      'relative-ns.strace',
    ]);
    const single = await session.timeline.rows([ids[0]!], PLAIN);
    expect(durationNs).toBeGreaterThanOrEqual(single.durationNs);
    expect(rows[0]!.events).toBe(single.rows[0]!.events);
    expect(rows[1]).toMatchObject({ label: 'system call', depth: 1, isGroup: true });
  });

  test('rows go stale when their recording is closed, and when many others were asked for', async () => {
    const { session, ids } = await opened(heat);
    const ask = (token: number): Promise<unknown> =>
      session.timeline.window(token, { fromNs: 0, toNs: 1e9, bins: 10, rows: [0] });
    const { token: first } = await session.timeline.rows(ids, PLAIN);
    for (let i = 0; i < 6; i++) await session.timeline.rows(ids, { ...PLAIN, rowFilter: String(i) });
    await expect(ask(first)).rejects.toMatchObject({ name: 'StaleRowsError' });
    const { token: last } = await session.timeline.rows(ids, PLAIN);
    await ask(last);
    await expect(session.timeline.window(last, { fromNs: 5, toNs: 5, bins: 10, rows: [0] })).rejects.toThrow(
      'no window',
    );
    await expect(session.timeline.window(last, { fromNs: 0, toNs: 5, bins: 10, rows: [9] })).rejects.toThrow(
      'no row 9',
    );
    await session.recordings.close(ids[0]!);
    await expect(ask(last)).rejects.toMatchObject({ name: 'StaleRowsError' });
    await expect(session.timeline.rows(ids, PLAIN)).rejects.toThrow('no longer open');
  });

  test('a recording without times is shown in the order of its calls', async () => {
    const file = corpus('strace/formats/plain.strace')!;
    const { session, ids } = await opened(file);
    const { token, rows, axis, durationNs, notes } = await session.timeline.rows(ids, PLAIN);
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => /^(\w|\?)+\(/.test(line));
    expect([axis, durationNs]).toEqual(['order', lines.length]);
    expect(notes.join()).toMatch(/no times/);
    const bins = durationNs;
    const window = await session.timeline.window(token, { fromNs: 0, toNs: durationNs, bins, rows: [0] });
    expect(window.busy.every((busy) => busy === 255)).toBe(true);
    expect(window.concurrency.every((most) => most === 0)).toBe(true);
    const event = await session.timeline.eventAt(token, 0, 4.5, 0);
    expect(event!.rawText).toBe(lines[4]);
    expect(rows[0]!.timeNs).toBe(0);
  });
});

test('events that stand in a temporary file give the same answers', () => {
  const made = (store?: ChunkStore): Timeline => {
    const random = randomNumbers(9);
    const trace = eventTrace(Array<object>(8).fill({}), ['/a', '/b'], 530_000, fill(random), store);
    return new Timeline(new TimelineBase([timelineRecording(trace)], { ...PLAIN, grouping: 'file' }), PLAIN);
  };
  const fill =
    (random: (below: number) => number) =>
    (event: MadeEvent, row: number): void => {
      event.stream = Math.floor(row / 70_000);
      event.start = (row % 70_000) * 50 + random(20);
      event.duration = random(100);
      event.call = random(CALLS.length);
      event.file = random(3) - 1;
      event.bytes = random(1000);
    };
  const bytes = new Uint8Array(9 * CHUNK_BYTES);
  let reads = 0;
  const store: ChunkStore = {
    keeps: () => false,
    write: (position, piece) => {
      bytes.set(piece, position);
      return true;
    },
    read: (position, target) => {
      reads++;
      target.set(bytes.subarray(position, position + target.length));
    },
  };
  const inMemory = made();
  const inFile = made(store);
  for (const [fromNs, toNs] of [
    [0, 3_500_000],
    [1_000_000, 1_020_000],
    [777_777, 777_999],
  ] as const) {
    const request = { fromNs, toNs, bins: 60, rows: [0, 1, 2] };
    expect(inFile.window(request)).toEqual(inMemory.window(request));
    expect(inFile.totals(fromNs, toNs)).toEqual(inMemory.totals(fromNs, toNs));
  }
  expect(inFile.search('/b', 1_500_000, -1)).toEqual(inMemory.search('/b', 1_500_000, -1));
  expect(inFile.base.bytes).toBe(inMemory.base.bytes);
  expect(reads).toBeGreaterThan(10);
});

describe('a log without segments', () => {
  const counters = counterTrace({ modules: { POSIX: [{ path: '/data/a', values: { POSIX_BYTES_WRITTEN: 1000 } }] } });
  const heatmap = (api: string, written: number[]): Heatmap => ({
    api,
    rank: 0,
    binWidth: 0.1,
    read: new Float64Array(written.length),
    written: Float64Array.from(written),
  });
  const windowOf = (heatmaps: Heatmap[]): { notes: string; rates: number[] } => {
    const trace = { ...counters, counters: { ...counters.counters, heatmaps } };
    const timeline = new Timeline(new TimelineBase([timelineRecording(trace)], PLAIN), PLAIN);
    const { rows, notes, durationNs } = timeline.rows(1);
    expect(rows).toEqual([]);
    const { writeRate } = timeline.window({ fromNs: 0, toNs: durationNs, bins: durationNs / 1e8, rows: [] });
    return { notes: notes.join(), rates: [...writeRate] };
  };

  test('has no rows, and says how to get some', () => {
    const { notes, rates } = windowOf([]);
    expect(notes).toMatch(/no traced segments.*DXT_ENABLE_IO_TRACE=1/);
    expect(notes).not.toMatch(/heatmap/);
    expect(rates.every((rate) => rate === 0)).toBe(true);
  });

  test('shows the bytes of its heatmap, each once', () => {
    const posix = heatmap('POSIX', [0, 1000, 300]);
    const { notes, rates } = windowOf([posix, heatmap('MPIIO', [0, 1000, 0]), heatmap('STDIO', [50])]);
    expect(notes).toMatch(/lanes of bytes come from its heatmap/);
    expect(rates.slice(0, 4)).toEqual([500, 10_000, 3000, 0]);
  });
});

describe('rows that stand for thousands', () => {
  const random = randomNumbers(5);
  /** Ranks that do nearly the same, but for one. */
  const trace = eventTrace(
    Array.from({ length: 200 }, (_, rank) => ({ host: `node${rank % 4}`, rank })),
    ['/data/a'],
    40_000,
    (event, row) => {
      event.stream = Math.floor(row / 200);
      event.start = (row % 200) * 1000 + random(300);
      event.duration = (event.stream === 77 ? 600 : 300) + random(20);
      event.call = row % 5 === 0 ? 0 : 1;
      event.file = 0;
      event.bytes = 100;
    },
  );
  const timelineOf = (request: Partial<RowsRequest>, mostExact?: number): Timeline => {
    const base = new TimelineBase([timelineRecording(trace)], PLAIN, undefined, mostExact);
    return new Timeline(base, { ...PLAIN, ...request });
  };

  test('what differs most comes first, its group too', () => {
    const { rows } = timelineOf({ order: 'outliers' }).rows(1);
    expect(rows.slice(0, 2).map(({ label }) => label)).toEqual(['node1', 'rank 77']);
    expect(rows).toHaveLength(204);
    const recorded = timelineOf({}).rows(1).rows;
    expect(recorded.slice(0, 3).map(({ label }) => label)).toEqual(['node0', 'rank 0', 'rank 4']);
  });

  test('alike rows stand as one', () => {
    const { rows } = timelineOf({ exemplars: true }).rows(1);
    expect(rows.map(({ label, standsFor }) => `${label}: ${standsFor}`)).toEqual([
      expect.stringMatching(/^node0: 1$/),
      expect.stringMatching(/: 50$/),
      'node1: 1',
      expect.stringMatching(/: 49$/),
      'rank 77: 1',
      'node2: 1',
      expect.stringMatching(/: 50$/),
      'node3: 1',
      expect.stringMatching(/: 50$/),
    ]);
  });

  test('a filter keeps the groups above and what is below', () => {
    const labels = (rowFilter: string): string[] =>
      timelineOf({ rowFilter })
        .rows(1)
        .rows.map(({ label }) => label);
    expect(labels('RANK 77')).toEqual(['node1', 'rank 77']);
    expect(labels('node3')).toHaveLength(51);
    expect(labels('no such row')).toEqual([]);
  });

  test('drawn from sums they look as drawn span by span', () => {
    const { rows, durationNs } = timelineOf({}).rows(1);
    const groups = rows.flatMap(({ isGroup }, row) => (isGroup ? [row] : []));
    const request = { fromNs: 1000, toNs: durationNs, bins: 40, rows: groups };
    const exact = timelineOf({}, Infinity).window(request);
    const base = new TimelineBase([timelineRecording(trace)], PLAIN, undefined, 0);
    const summed = new Timeline(base, PLAIN, undefined, 0).window(request);
    expect([...summed.category]).toEqual([...exact.category]);
    summed.busy.forEach((busy, cell) => expect(Math.abs(busy - exact.busy[cell]!)).toBeLessThanOrEqual(6));
  });
});

function expectWindow(
  timeline: Timeline,
  row: number,
  spans: readonly TestSpan[],
  bins: Bins,
  categories: readonly { label: string }[],
): void {
  const { from, to, count } = bins;
  const window = timeline.window({ fromNs: from, toNs: to, bins: count, rows: [row] });
  const expected = paintByHand(spans, bins, [0], OPERATIONS.length, 1);
  const inside = spans.filter(({ start, duration }) => start < to && start + duration >= from).length;
  let off = 0;
  expected.forEach(({ categories: best, busy }, bin) => {
    off += (window.busy[bin]! - busy) / 255;
    expect(Math.abs(off)).toBeLessThanOrEqual(0.5 + (bin + 1) / 255);
    // With fewer than a block there is nothing that an edge could divide.
    if (inside > 31) return;
    expect(Math.abs(window.busy[bin]! - busy)).toBeLessThanOrEqual(1);
    const category = window.category[bin]!;
    expect(best.map((operation) => OPERATIONS[operation])).toContain(categories[category]?.label);
  });
}
