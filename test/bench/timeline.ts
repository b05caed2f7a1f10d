import { Timeline } from '../../src/analysis/timeline/timeline-rows.ts';
import { TimelineBase } from '../../src/analysis/timeline/timeline-base.ts';
import type { RowGrouping, RowsRequest } from '../../src/analysis/timeline/timeline.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { CALLS, eventTrace, timelineRecording } from '../support/event-trace.ts';
import { randomNumbers } from '../support/random-numbers.ts';

/**
 * Rows of a made-up recording, and windows of them at all depths of zoom. Prints milliseconds of processor time: of the index, of the lanes, of the first
 * window, of windows (median, 95 %, most), and of copying the table's starts and durations once beside them.
 */
const [, , count, streams, grouping] = process.argv;
const BINS = 1600;
const VISIBLE_ROWS = 60;
const WINDOWS = 200;

/** Calls of many processes side by side: mostly busy, with pauses, some long calls, and bursts of short ones. */
function makeTrace(events: number, processes: number): Trace {
  const random = randomNumbers(7);
  const paths = Array.from({ length: 500 }, (_, i) => `/scratch/run/output/${i % 20}/part.${i}`);
  const perStream = Math.ceil(events / processes);
  let time = 0;
  return eventTrace(
    Array.from({ length: processes }, (_, rank) => ({ host: `node${rank >> 5}`, rank })),
    paths,
    events,
    (event, row) => {
      const step = row % perStream;
      if (step === 0) time = random(1_000_000);
      event.stream = Math.floor(row / perStream);
      event.call = random(CALLS.length);
      event.file = random(paths.length);
      event.start = time;
      event.duration = random(1000) === 0 ? 5_000_000 + random(5_000_000) : 500 + random(20_000);
      event.bytes = event.call < 2 ? 64 + random(65_536) : 0;
      time += event.duration + (random(200) === 0 ? 1_000_000 : random(step % 50_000 < 5000 ? 200 : 20_000));
    },
  );
}

const request: RowsRequest = {
  grouping: grouping as RowGrouping,
  facets: false,
  order: 'recorded',
  exemplars: false,
  rowFilter: '',
  colourBy: 'operation',
  ownFilesOnly: false,
  selection: [],
  onlySelected: false,
};
const trace = makeTrace(Number(count), Number(streams));
const columns = new Float64Array(2 * trace.events.length);

/** All starts and durations, copied once. */
function copyColumns(): number {
  const started = performance.now();
  let at = 0;
  trace.events.chunks.forEach((chunk) => {
    columns.set(chunk.start, at);
    columns.set(chunk.duration, at + chunk.start.length);
    at += 2 * chunk.start.length;
  });
  return performance.now() - started;
}

const begun = cpuTime();
const base = new TimelineBase([timelineRecording(trace)], request);
const indexed = cpuTime();
const timeline = new Timeline(base, request);
const listed = cpuTime();
const { durationNs, rows } = timeline.rows(1);
// A window of no rows: what is left is to make the lanes.
timeline.window({ fromNs: 0, toNs: durationNs, bins: 1, rows: [] });
const laned = cpuTime();
const random = randomNumbers(3);
const copies = Array.from({ length: 5 }, copyColumns);

/** Milliseconds of processor time of this process: others may use the machine. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function ask(fromNs: number, toNs: number, first: number): number {
  const started = cpuTime();
  const visible = Array.from({ length: Math.min(VISIBLE_ROWS, rows.length) }, (_, i) => (first + i) % rows.length);
  timeline.window({ fromNs, toNs, bins: BINS, rows: visible });
  return cpuTime() - started;
}

const first = ask(0, durationNs, 0);
const times = Array.from({ length: WINDOWS }, () => {
  const length = durationNs / 10 ** (random(70) / 10);
  const from = (random(1_000_000) / 1_000_000) * (durationNs - length);
  return ask(from, from + length, random(rows.length));
});
const whole = Array.from({ length: 20 }, (_, i) => ask(0, durationNs, i));
const sorted = times.toSorted((a, b) => a - b);
const wholeSorted = whole.toSorted((a, b) => a - b);
process.stdout.write(
  JSON.stringify({
    index: indexed - begun,
    colours: listed - indexed,
    lanes: laned - listed,
    first,
    median: sorted[Math.floor(sorted.length * 0.5)],
    late: sorted[Math.floor(sorted.length * 0.95)],
    most: sorted.at(-1),
    whole: wholeSorted[10],
    wholeMost: wholeSorted.at(-1),
    copy: copies.toSorted((a, b) => a - b)[2],
    bytes: base.bytes / trace.events.length,
    rows: rows.length,
  }),
);
