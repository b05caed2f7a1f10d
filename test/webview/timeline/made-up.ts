import {
  NO_CATEGORY,
  type LayerStep,
  type RangeTotals,
  type RowsRequest,
  type TimelineEvent,
  type TimelineRow,
  type TimelineRows,
  type TimelineWindow,
  type WindowRequest,
} from '../../../src/analysis/timeline/timeline.ts';
import type { TimelineMethods } from '../../../src/features/timeline/methods.ts';

const MS = 1e6;

/** One call of the made-up run. */
interface Call {
  readonly event: number;
  readonly row: number;
  readonly startNs: number;
  readonly durationNs: number;
  readonly category: number;
}

/**
 * A run of a second on one host. Every rank has a call each 100 ms, later by a millisecond for each rank, which takes
 * 50 ms: writes, and reads in turn.
 */
export class MadeUpTimeline implements TimelineMethods {
  readonly asked: RowsRequest[] = [];
  readonly windows: WindowRequest[] = [];
  readonly points: { readonly row: number; readonly timeNs: number }[] = [];
  durationNs = 1000 * MS;
  /** Rows are answered once this is done. */
  until: Promise<void> = Promise.resolve();
  failure: Error | undefined;
  /** Calls of rank 0 are those of an upper layer, each of which became one of rank 1. */
  layered = false;
  private token = 0;
  /** Storage was looked at, too. */
  hasStorage = false;
  private readonly calls: readonly Call[];

  constructor(
    private readonly ranks = 3,
    private readonly decorate: (name: string) => string = (name) => name,
  ) {
    this.calls = Array.from({ length: ranks * 10 }, (_, event) => {
      const rank = Math.floor(event / 10);
      const turn = event % 10;
      const startNs = (turn * 100 + (rank % 40)) * MS;
      return { event, row: rank + 1, startNs, durationNs: 50 * MS, category: turn % 2 };
    });
  }

  async rows(_ids: readonly number[], request: RowsRequest): Promise<TimelineRows> {
    this.asked.push(request);
    await this.until;
    if (this.failure !== undefined) throw this.failure;
    const amounts = { standsFor: 1, events: 10, timeNs: 500 * MS, bytes: 4096 };
    const name = this.decorate;
    const host: TimelineRow = {
      ...amounts,
      ...{ key: 'host', parent: -1, depth: 0, label: name('node01'), description: '', isGroup: true },
      selects: { kind: 'host', host: 'node01' },
    };
    const ranks = Array.from({ length: this.ranks }, (_, rank): TimelineRow => ({
      ...amounts,
      ...{ key: `rank ${rank}`, parent: 0, depth: 1, label: name(`rank ${rank}`), description: '', isGroup: false },
      selects: { kind: 'rank', rank },
    }));
    return {
      token: ++this.token,
      rows: [host, ...ranks],
      axis: 'time',
      durationNs: this.durationNs,
      categories: [
        { label: name('write'), events: 15, timeNs: 750 * MS, selects: { kind: 'call', call: 'write' } },
        { label: name('read'), events: 15, timeNs: 750 * MS },
      ],
      notes: this.decorate('') === '' ? [] : [name('a note')],
    };
  }

  window(_token: number, request: WindowRequest): Promise<TimelineWindow> {
    this.windows.push(request);
    const { fromNs, toNs, bins, rows } = request;
    const binNs = (toNs - fromNs) / bins;
    const category = new Uint16Array(rows.length * bins).fill(NO_CATEGORY);
    const busy = new Uint8Array(rows.length * bins);
    const place = new Map(rows.map((row, number) => [row, number]));
    for (const call of this.calls)
      for (const row of [call.row, 0]) {
        const number = place.get(row);
        if (number === undefined) continue;
        const first = Math.max(0, Math.floor((call.startNs - fromNs) / binNs));
        const last = Math.min(bins, Math.ceil((call.startNs + call.durationNs - fromNs) / binNs));
        for (let bin = first; bin < last; bin++) {
          category[number * bins + bin] = call.category;
          busy[number * bins + bin] = 255;
        }
      }
    const lane = (value: number): Float32Array => new Float32Array(bins).fill(value);
    const concurrency = new Uint32Array(bins).fill(2);
    const storage = { readRate: lane(2e6), writeRate: lane(7e6), waiting: lane(25) };
    const lanes = { readRate: lane(1e6), writeRate: lane(3e6), concurrency, ...(this.hasStorage && { storage }) };
    return Promise.resolve({ ...request, category, busy, ...lanes });
  }

  eventAt(_token: number, row: number, timeNs: number, toleranceNs: number): Promise<TimelineEvent | undefined> {
    this.points.push({ row, timeNs });
    const near = this.calls.find(
      (call) =>
        call.row === row &&
        timeNs >= call.startNs - toleranceNs &&
        timeNs <= call.startNs + call.durationNs + toleranceNs,
    );
    return Promise.resolve(near && this.told(near));
  }

  totals(_token: number, fromNs: number, toNs: number): Promise<RangeTotals> {
    const share = { label: this.decorate('write'), events: 4, timeNs: 200 * MS, bytes: 400 };
    return Promise.resolve({
      ...{ fromNs, toNs, events: 6, timeNs: 300 * MS, bytesRead: 0, bytesWritten: 400, files: 1, streams: 3 },
      calls: [{ ...share, selects: { kind: 'call', call: 'write' } }],
      paths: [{ ...share, label: this.decorate('/scratch/out.txt') }],
      sites: [{ ...share, label: 'emit (heat.c:22)', selects: { kind: 'line', file: '/work/heat.c', line: 22 } }],
    });
  }

  summary(): Promise<never[]> {
    return Promise.resolve([]);
  }

  search(_token: number, text: string, fromNs: number, direction: 1 | -1): Promise<TimelineEvent | undefined> {
    const inTime = [...this.calls].sort((a, b) => (a.startNs - b.startNs) * direction);
    const found = inTime.find((call) => (call.startNs - fromNs) * direction > 0 && this.told(call).call.includes(text));
    return Promise.resolve(found && this.told(found));
  }

  linked(_token: number, _recording: number, event: number, step: LayerStep): Promise<TimelineEvent | undefined> {
    const steps = { up: -10, down: 10, next: 1, previous: -1 };
    const found = this.calls[event + steps[step]];
    return Promise.resolve(found && this.told(found));
  }

  /** Rank 0 made those of rank 1. */
  private layersOf(event: number): Pick<TimelineEvent, 'layers'> {
    if (!this.layered || event >= 20) return {};
    const caller = { call: this.decorate('MPI_File_write'), layer: 'MPI-IO', bytes: 100, durationNs: 50 * MS } as const;
    const amount = { layer: 'POSIX', calls: 27, bytes: 2048, timeNs: 3 * MS };
    const neighbours = { hasPrevious: event > 10, hasNext: event >= 10 };
    return event < 10
      ? { layers: { above: [], below: [amount], hasPrevious: false, hasNext: false } }
      : { layers: { above: [{ ...caller, link: 'time' }], below: [], ...neighbours } };
  }

  private told({ event, row, startNs, durationNs, category }: Call): TimelineEvent {
    const call = this.decorate(category === 0 ? 'write' : 'read');
    return {
      ...{
        recording: 0,
        event,
        row,
        startNs,
        durationNs,
        call,
        layer: 'POSIX',
        path: this.decorate('/scratch/out.txt'),
      },
      ...{ offset: event * 100, bytes: 100, requested: 100, error: '', host: 'node01', process: 7, thread: 7 },
      ...{ rank: row - 1, recordingFile: '/work/heat.st', recordingLine: event + 1, rawTextLack: '' },
      rawText: this.decorate(`${event} ${call}(3, "1 2 3", 100) = 100`),
      site: { file: '/work/heat.c', line: 22, functionName: 'emit' },
      ...this.layersOf(event),
      stack: [this.decorate('emit (heat.c:22)'), 'main (heat.c:82)'],
    };
  }
}
