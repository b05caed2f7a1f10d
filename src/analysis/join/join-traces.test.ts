import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventTrace, type MadeEvent } from '../../../test/support/event-trace.ts';
import { LINK, NONE } from '../../trace/events.ts';
import type { Layer } from '../../trace/calls.ts';
import type { Trace } from '../../trace/trace.ts';
import { estimateOffset } from './estimate-offset.ts';
import { joinTraces, type JoinedSource } from './join-traces.ts';
import { matchStreams } from './match-streams.ts';
import { rounds } from '../../../test/support/rounds.ts';

type Made = Partial<MadeEvent>;

function made(
  streams: Parameters<typeof eventTrace>[0],
  paths: readonly string[],
  rows: readonly Made[],
  layer: Layer = 'POSIX',
): Trace {
  return eventTrace(streams, paths, rows.length, (event, row) => {
    Object.assign(event, { stream: 0, start: 0, duration: 0, call: 0, file: NONE, bytes: 0, layer });
    Object.assign(event, rows[row]);
  });
}

function join(...traces: [Trace, ...Trace[]]): Trace {
  const [base] = traces;
  const sources = traces.map((trace, i): JoinedSource => {
    const matches = i === 0 ? new Int32Array(trace.streams.length).fill(NONE) : matchStreams(base, trace);
    const clock =
      i === 0
        ? ({ offsetNs: 0, offsetFrom: 'first source', uncertaintyNs: 0 } as const)
        : estimateOffset(base, trace, matches);
    return { trace, matches, source: { format: trace.format, version: '', path: `source ${i}`, ...clock } };
  });
  return joinTraces(sources);
}

function shown(trace: Trace, row: number): unknown[] {
  const { events, calls, files, streams } = trace;
  const file = events.value('file', row);
  const { rank, pid } = streams[events.value('stream', row)]!;
  const path = file === NONE ? '' : files.at(file).path;
  return [
    calls.names[events.value('call', row)],
    path,
    rank ?? pid,
    events.value('bytes', row),
    events.value('line', row),
  ];
}

const RANKS = [{ rank: 0 }, { rank: 1 }];

describe('recordings of one run that are joined', () => {
  test('hold every event of each, with its own file, process and call, on one clock', () => {
    const event = fc.record({
      stream: fc.nat(1),
      start: fc.nat(1_000_000),
      duration: fc.nat(1000),
      call: fc.nat(5),
      file: fc.integer({ min: -1, max: 2 }),
      bytes: fc.nat(1 << 20),
    });
    fc.assert(
      fc.property(fc.array(event), fc.array(event), fc.integer({ min: -5, max: 5 }), (ofBase, ofAdded, seconds) => {
        const base = { ...made(RANKS, ['/a', '/b', '/c'], ofBase), startTime: 1000.5 };
        const added = { ...made(RANKS, ['/c', '/x', '/a'], ofAdded, 'MPI-IO'), startTime: 1000.5 + seconds };
        const whole = join(base, added);
        expect(whole.events.length).toBe(ofBase.length + ofAdded.length);
        const starts = [base, added].flatMap((trace) =>
          Array.from(
            { length: trace.events.length },
            (_, row) => (trace.startTime - 1000) * 1e9 + trace.events.value('start', row),
          ),
        );
        const absolute = starts.map((_, row) => (whole.startTime! - 1000) * 1e9 + whole.events.value('start', row));
        const first = [base, added].flatMap((trace) =>
          Array.from({ length: trace.events.length }, (_, row) => shown(trace, row)),
        );
        first.forEach((row, at) => {
          expect(shown(whole, at)).toEqual(row);
          // The offset may be that of calls in common, which are equally far apart only when the dates say so.
          if (whole.sources![1]!.offsetFrom === 'dates of both recordings')
            expect(absolute[at]).toBeCloseTo(starts[at]!, -3);
          expect(whole.events.value('start', at)).toBeGreaterThanOrEqual(0);
        });
      }),
      { numRuns: rounds(60) },
    );
  });

  test('a process that both recorded is one process with a stream in each recording', () => {
    const base = made(
      [
        { rank: 0, pid: 100, processId: 100 },
        { rank: 1, pid: 101, processId: 101 },
      ],
      ['/a'],
      [{}],
    );
    const added = made(
      [
        { rank: 1, pid: 1, processId: 1 },
        { rank: 7, pid: 7, processId: 7 },
      ],
      ['/a'],
      [{}],
    );
    const { streams, parts } = join(base, added);
    expect(streams.map(({ rank, pid }) => [rank, pid])).toEqual([
      [0, 100],
      [1, 101],
      [1, 101],
      [7, 7],
    ]);
    expect(parts[streams[2]!.part]!.run).toBe(parts[streams[1]!.part]!.run);
  });

  test('one process in each is the same one, unless one tool recorded both and numbers them differently', () => {
    const base = made([{ pid: 7, processId: 7 }], ['/a'], [{}]);
    const added = made([{ pid: 8, processId: 8 }], ['/a'], [{}]);
    expect([...matchStreams(base, added)]).toEqual([NONE]);
    expect([...matchStreams(base, { ...added, format: 'dftracer' })]).toEqual([0]);
  });

  test('the process that wrote the file of a rank is that rank', () => {
    const base = made(
      [{ pid: 50 }, { pid: 51 }],
      ['/w/app.1.drishti', '/w/app.0.drishti'],
      [
        { stream: 0, file: 0, call: 2 },
        { stream: 1, file: 1, call: 2 },
      ],
    );
    const added = made(
      [
        { rank: 0, part: 0 },
        { rank: 1, part: 1 },
      ],
      [],
      [{ stream: 0 }, { stream: 1 }],
    );
    const parts = ['app.0.drishti', 'app.1.drishti'].map((name) => ({ ...added.parts[0]!, name }));
    expect([...matchStreams(base, { ...added, parts })]).toEqual([1, 0]);
  });

  test('who made the requests that nobody else made is the same process, where one tool knows ranks and the other numbers', () => {
    const requests = (streams: readonly number[]): Made[] =>
      streams.flatMap((stream, rank) =>
        [0, 1, 2, 3].map((i): Made => ({ stream, call: 1, file: 0, bytes: 8, offset: i === 0 ? 0 : 100 * rank + i })),
      );
    const base = made([{ pid: 1 }, { pid: 50 }, { pid: 51 }], ['/a'], requests([2, 1]));
    const added = {
      ...made([{ rank: 0 }, { rank: 1 }, { rank: 2 }], ['/a'], requests([0, 1])),
      format: 'otf2',
    } as const;
    expect([...matchStreams(base, added)]).toEqual([2, 1, NONE]);
    // What every process did alike tells nothing.
    const alike = made(
      [{ pid: 1 }, { pid: 50 }],
      ['/a'],
      [0, 1].flatMap((stream) => requests([stream])),
    );
    expect([...matchStreams(alike, added)]).toEqual([NONE, NONE, NONE]);
  });

  test('what both recorded sets the clock within the second that their dates leave open', () => {
    const opens = [10, 300, 4000, 50_000].map((start): Made => ({ start: start * 1000, call: 2, file: 0 }));
    const base = { ...made([{ rank: 0 }], ['/a'], opens), startTime: 1000 };
    const later = opens.map((open) => ({ ...open, start: open.start! + 2_500_000 }));
    const added = { ...made([{ rank: 0 }], ['/a'], later, 'MPI-IO'), startTime: 1000 };
    const [, source] = join(base, added).sources!;
    expect(source).toMatchObject({ offsetNs: -2_500_000, offsetFrom: 'calls that both recorded' });
    expect(source!.uncertaintyNs).toBe(0);
  });

  test('calls that both show in one layer count once, and what they made finds no parent there', () => {
    const base = made([{ rank: 0 }], ['/a'], [{ start: 1, call: 1, file: 0, bytes: 8 }]);
    const added = made(
      [{ rank: 0 }, { rank: 1 }],
      ['/a'],
      [
        { start: 1, call: 1, file: 0, bytes: 8 },
        { start: 2, call: 1, file: 0, bytes: 8, layer: 'system call' },
        { stream: 1, start: 3, call: 1, file: 0, bytes: 8 },
        { stream: 1, start: 4, call: 1, file: 0, bytes: 8, layer: 'system call' },
      ],
    );
    added.events.update((chunk) => {
      chunk.parent.set([NONE, 0, NONE, 2]);
      chunk.link.set([LINK.none, LINK.nesting, LINK.none, LINK.nesting]);
    });
    const whole = join(base, added);
    expect([0, 1, 2, 3].map((row) => whole.events.value('line', row))).toEqual([1, 2, 3, 4]);
    expect([0, 1, 2, 3].map((row) => whole.events.value('parent', row))).toEqual([NONE, NONE, NONE, 2]);
    expect([0, 1, 2, 3].map((row) => whole.events.value('link', row))).toEqual([0, 0, 0, LINK.nesting]);
    expect(whole.events.length).toBe(4);
    expect(whole.notes).toContainEqual(expect.stringContaining('1 of its calls are left out'));
  });

  test('what one layer did lies within calls of the other, although Darshan began a little after the job', () => {
    const lower = Array.from({ length: 60 }, (_, i): Made => ({
      // Clocks of nanoseconds: whole microseconds would add to the uncertainty.
      start: 1e6 * i * (1 + (i % 7)) + 137,
      duration: 1000,
      call: 1,
      file: 0,
    }));
    const upper = lower.map((call): Made => ({ start: call.start! - 200 + 4_321_000, duration: 1500, call: 1 }));
    const base = { ...made([{ rank: 0 }], ['/a'], lower), startTime: 1000 };
    const added = { ...made([{ rank: 0 }], [], upper, 'HDF5'), startTime: 1000 };
    const [, source] = join(base, added).sources!;
    expect(source!.offsetFrom).toBe('calls within calls of the other layer');
    expect(Math.abs(source!.offsetNs + 4_321_000)).toBeLessThanOrEqual(source!.uncertaintyNs + 300);
    expect(source!.uncertaintyNs).toBeLessThanOrEqual(250);
    // The other way round: the upper layer was opened first.
    const [, reversed] = join(added, base).sources!;
    expect(Math.abs(reversed!.offsetNs - 4_321_000)).toBeLessThanOrEqual(source!.uncertaintyNs + 300);
  });

  test('times in whole seconds set no clock: the dates count, and are that much less exact', () => {
    const lower = [1, 2, 3, 4].map((i): Made => ({ start: 1e9 * i + 300, duration: 1000, call: 1, file: 0 }));
    const upper = [1, 2, 3, 4].map((i): Made => ({ start: 1e9 * i, duration: 1e9, call: 1 }));
    const base = { ...made([{ rank: 0 }], ['/a'], lower), startTime: 1000.5 };
    const added = { ...made([{ rank: 0 }], [], upper, 'HDF5'), startTime: 1000 };
    const [, source] = join(base, added).sources!;
    expect(source).toMatchObject({ offsetNs: -5e8, offsetFrom: 'dates of both recordings', parts: added.parts.length });
    expect(source!.uncertaintyNs).toBeGreaterThanOrEqual(2e9);
  });

  test('what begins where the dates say is as exact as the calls show, not as the dates', () => {
    const lower = [1, 2, 3, 4].map((i): Made => ({ start: 1e9 * i + 300, duration: 1000, call: 1, file: 0 }));
    const upper = lower.map((call): Made => ({ start: call.start! - 100, duration: 1200, call: 1 }));
    const base = { ...made([{ rank: 0 }], ['/a'], lower), startTime: 1000 };
    const added = { ...made([{ rank: 0 }], [], upper, 'HDF5'), startTime: 1000 };
    const [, source] = join(base, added).sources!;
    expect(source).toMatchObject({ offsetNs: 0, uncertaintyNs: 100 });
  });

  test('without dates and common calls the beginnings are brought together, as a guess', () => {
    const base = made([{}], ['/a'], [{ start: 500 }]);
    const added = made([{}], ['/b'], [{ start: 20, call: 5, file: 0 }], 'MPI-IO');
    const [, source] = join(base, added).sources!;
    expect(source).toMatchObject({ offsetNs: 480, offsetFrom: 'beginnings', uncertaintyNs: NaN });
  });

  test('what began before the first recording moves the origin, not the truth', () => {
    const base = { ...made([{ rank: 0 }], ['/a'], [{ start: 0 }]), startTime: 1000.25 };
    const added = { ...made([{ rank: 0 }], [], [{ start: 0, call: 5 }], 'HDF5'), startTime: 1000.125 };
    const whole = join(base, added);
    expect(whole.startTime).toBe(1000.125);
    expect([0, 1].map((row) => whole.events.value('start', row))).toEqual([125_000_000, 0]);
    expect(whole.durationNs).toBe(125_000_000);
  });
});
