import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventTrace, type MadeEvent } from '../../../test/support/event-trace.ts';
import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, LINKS, NONE, type Link } from '../../trace/events.ts';
import type { Stream, Trace } from '../../trace/trace.ts';
import type { Clocks } from './clocks.ts';
import { linkLayers } from './link-layers.ts';
import { rounds } from '../../../test/support/rounds.ts';

const [READ, WRITE, OPEN] = [0, 1, 2];

function traceOf(
  streams: readonly Partial<Stream>[],
  rows: readonly MadeEvent[],
  parentOfHandle: readonly number[] = [],
): Trace {
  const trace = eventTrace(streams, ['/a', '/b'], rows.length, (event, row) => {
    for (const key of Object.keys(event)) Reflect.deleteProperty(event, key);
    Object.assign(event, rows[row]);
  });
  parentOfHandle.forEach((parent) => trace.handles.add(0, 0, parent));
  return trace;
}

function linksOf({ events }: Trace): [parent: number, link: Link][] {
  return Array.from({ length: events.length }, (_, row) => [
    events.value('parent', row),
    LINKS[events.value('link', row)]!,
  ]);
}

const call = (layer: MadeEvent['layer'], start: number, end: number, more: Partial<MadeEvent> = {}): MadeEvent => ({
  stream: 0,
  start,
  duration: end - start,
  call: WRITE,
  file: 0,
  bytes: 8,
  ...(layer && { layer }),
  ...more,
});
const one = [{ rank: 0 }];

/** @param sources of each stream. */
function twoClocks(sources: readonly number[], toleranceNs: number): Clocks {
  return {
    sourceOfStream: Int32Array.from(sources),
    toleranceNs: (source, other) => (source === other ? 0 : toleranceNs),
  };
}

describe('a call is linked with', () => {
  test('the call of an upper layer on the same file whose time contains its own', () => {
    const trace = traceOf(one, [
      call('MPI-IO', 0, 10),
      call('POSIX', 2, 5),
      call('POSIX', 5, 10),
      call('POSIX', 9, 11),
    ]);
    expect(linkLayers(trace)).toEqual({ handle: 0, time: 2, ambiguous: 0, uncertain: 0 });
    expect(linksOf(trace)).toEqual([
      [NONE, 'none'],
      [0, 'time'],
      [0, 'time'],
      [NONE, 'none'],
    ]);
  });

  test('the nearest of several layers, in whatever order the rows stand', () => {
    const trace = traceOf(one, [call('POSIX', 3, 4), call('HDF5', 0, 9), call('MPI-IO', 2, 5)]);
    linkLayers(trace);
    expect(linksOf(trace).map(([parent]) => parent)).toEqual([2, NONE, 1]);
  });

  test('nothing on another file or stream, and nothing that never returned', () => {
    const trace = traceOf(
      [{ rank: 0 }, { rank: 1 }],
      [
        call('MPI-IO', 0, 10, { file: 1 }),
        call('MPI-IO', 0, 10, { stream: 1 }),
        call('MPI-IO', 0, NaN, { flags: EVENT_FLAGS.neverReturned }),
        call('POSIX', 2, 5),
        call('POSIX', 2, 5, { file: NONE }),
      ],
    );
    expect(linkLayers(trace)).toEqual({ handle: 0, time: 0, ambiguous: 0, uncertain: 0 });
  });

  test('neither of two that both contain it', () => {
    const trace = traceOf(one, [
      call('MPI-IO', 0, 10),
      call('MPI-IO', 3, 12),
      call('POSIX', 4, 6),
      call('POSIX', 1, 2),
    ]);
    expect(linkLayers(trace)).toEqual({ handle: 0, time: 1, ambiguous: 1, uncertain: 0 });
    expect(linksOf(trace).map(([parent]) => parent)).toEqual([NONE, NONE, NONE, 0]);
  });

  test('what the program waited for rather than what was only begun', () => {
    const begun = { flags: EVENT_FLAGS.nonBlocking };
    const trace = traceOf(one, [
      call('MPI-IO', 0, 20, begun),
      call('MPI-IO', 3, 9),
      call('POSIX', 4, 6),
      call('POSIX', 10, 12),
    ]);
    linkLayers(trace);
    expect(linksOf(trace).map(([parent]) => parent)).toEqual([NONE, NONE, 1, 0]);
  });

  test('what the recording’s handles say, whatever their files are', () => {
    // An HDF5 file, a data set in it, the file of MPI-IO, and that of POSIX.
    const handles = [NONE, 0, 0, 2];
    const trace = traceOf(
      one,
      [
        call('HDF5', 0, 20, { handle: 1 }),
        call('HDF5', 1, 19, { handle: NONE, file: 1 }),
        call('MPI-IO', 2, 18, { handle: 2, file: NONE }),
        call('POSIX', 3, 5, { handle: 3, file: 1 }),
        call('POSIX', 6, 7, { handle: NONE, file: 1 }),
      ],
      handles,
    );
    linkLayers(trace);
    expect(linksOf(trace)).toEqual([
      [NONE, 'none'],
      [NONE, 'none'],
      [0, 'handle'],
      [2, 'handle'],
      [1, 'time'],
    ]);
  });

  describe('clocks of joined recordings', () => {
    const streams = [{ rank: 0 }, { rank: 0 }];
    const rows = [
      call('MPI-IO', 10, 20),
      call('POSIX', 8, 12, { stream: 1 }),
      call('POSIX', 11, 12, { stream: 1 }),
      call('POSIX', 17, 23, { stream: 1 }),
    ];
    test.each([
      [0, [NONE, NONE, 0, NONE], 0],
      [2, [NONE, 0, 0, NONE], 0],
      // No more than this is known: what lies nearer to an end may be outside.
      [-1, [NONE, NONE, 0, NONE], 0],
      [-2, [NONE, NONE, NONE, NONE], 2],
      [-Infinity, [NONE, NONE, NONE, NONE], 3],
    ])('that agree to %d', (toleranceNs, parents, uncertain) => {
      const trace = traceOf(streams, rows);
      expect(linkLayers(trace, twoClocks([0, 1], toleranceNs)).uncertain).toBe(uncertain);
      expect(linksOf(trace).map(([parent]) => parent)).toEqual(parents);
      // Within one recording there is one clock.
      const own = traceOf(streams, rows);
      linkLayers(own, twoClocks([0, 0], toleranceNs));
      expect(linksOf(own).map(([parent]) => parent)).toEqual([NONE, NONE, 0, NONE]);
    });
  });

  test('one that knows no file, by time alone, where handle and file lead to none', () => {
    const nowhere = { file: NONE, bytes: 0 };
    const trace = traceOf(
      [{ rank: 0 }, { rank: 0 }, { rank: 1 }],
      [
        call('HDF5', 0, 10, nowhere),
        call('HDF5', 20, 30, nowhere),
        call('HDF5', 25, 35, nowhere),
        call('MPI-IO', 1, 9, { stream: 1 }),
        call('POSIX', 2, 4, { stream: 1 }),
        call('POSIX', 2, 4, { stream: 1, file: 1, bytes: 7 }),
        call('POSIX', 26, 28, { stream: 1 }),
        call('POSIX', 21, 23, { stream: 1, file: NONE }),
        call('POSIX', 2, 4, { stream: 2 }),
      ],
    );
    expect(linkLayers(trace)).toEqual({ handle: 0, time: 3, ambiguous: 1, uncertain: 0 });
    // Of the files below it the one that most was done to: it counts with that.
    expect([0, 1, 2].map((row) => trace.events.value('file', row))).toEqual([0, NONE, NONE]);
    expect(linksOf(trace).slice(3)).toEqual([
      [0, 'time'],
      [3, 'time'],
      [0, 'time'],
      [NONE, 'none'],
      [NONE, 'none'],
      [NONE, 'none'],
    ]);
  });

  test('a call in another stream of its process, where that records none of its layer', () => {
    const streams = [{ rank: 3 }, { pid: 9, processId: 9, rank: 3 }, { pid: 10, processId: 9 }, { rank: 4 }];
    const trace = traceOf(streams, [
      call('MPI-IO', 0, 10),
      call('system call', 1, 2, { stream: 1 }),
      call('system call', 3, 4, { stream: 2 }),
      call('system call', 3, 4, { stream: 3 }),
    ]);
    linkLayers(trace);
    expect(linksOf(trace).map(([parent]) => parent)).toEqual([NONE, 0, 0, NONE]);
    // A thread that has calls of both layers made those of its own.
    const threads = traceOf(
      [{ processId: 9 }, { processId: 9 }],
      [call('MPI-IO', 0, 10), call('POSIX', 1, 2), call('POSIX', 3, 4, { stream: 1 })],
    );
    linkLayers(threads);
    expect(linksOf(threads).map(([parent]) => parent)).toEqual([NONE, 0, NONE]);
  });

  test('what a reader linked it with', () => {
    const trace = traceOf(one, [
      call('MPI-IO', 0, 10),
      call('MPI-IO', 20, 30),
      call('POSIX', 2, 5, { parent: 1, link: 'nesting' }),
      call('POSIX', 2, 5, { parent: 2, link: 'part', flags: EVENT_FLAGS.part }),
    ]);
    linkLayers(trace);
    expect(linksOf(trace).slice(2)).toEqual([
      [1, 'nesting'],
      [2, 'part'],
    ]);
  });
});

test('recordings of system calls alone are not even looked at', () => {
  const trace = traceOf(one, [call('system call', 0, 10), call('system call', 2, 3)]);
  const untouchable = {
    ...trace,
    capabilities: { ...trace.capabilities, systemCallsOnly: true },
    events: new Proxy(trace.events, {
      get: () => {
        throw new Error('looked at');
      },
    }),
  };
  expect(linkLayers(untouchable)).toEqual({ handle: 0, time: 0, ambiguous: 0, uncertain: 0 });
});

/** The rules in the plainest words: every call against every other. */
function bruteForce(trace: Trace, { sourceOfStream, toleranceNs }: Clocks): [number, Link][] {
  const { events, streams, handles } = trace;
  const at = (column: Parameters<typeof events.value>[0], row: number): number => events.value(column, row);
  const rows = Array.from({ length: events.length }, (_, row) => row);
  const layersOfStream = streams.map(
    (_, stream) => new Set(rows.filter((row) => at('stream', row) === stream).map((row) => at('layer', row))),
  );
  const topOf = (handle: number): number => {
    const parent = handles.parent.at(handle);
    return parent === NONE ? handle : topOf(parent);
  };
  const contains = (upper: number, row: number): boolean => {
    const end = at('start', row) + (at('duration', row) > 0 ? at('duration', row) : 0);
    const tolerance = toleranceNs(sourceOfStream[at('stream', row)]!, sourceOfStream[at('stream', upper)]!);
    return (
      at('start', upper) <= at('start', row) + tolerance &&
      at('start', upper) + at('duration', upper) >= end - tolerance
    );
  };
  const sameFile = (a: number, b: number): boolean => at('file', a) !== NONE && at('file', a) === at('file', b);
  const tops = Array.from({ length: handles.length }, (_, handle) => topOf(handle));
  // A handle that is related to no other says nothing.
  const hasFamily = (row: number): boolean => {
    const top = tops[at('handle', row)];
    return top !== undefined && tops.filter((each) => each === top).length > 1;
  };
  const related = (a: number, b: number): boolean => {
    return hasFamily(a) && tops[at('handle', a)] === tops[at('handle', b)];
  };
  const knowsNoFile = (upper: number, row: number): boolean =>
    at('file', row) !== NONE && at('file', upper) === NONE && !hasFamily(upper);
  const begun = (row: number): boolean => (at('flags', row) & EVENT_FLAGS.nonBlocking) !== 0;
  const among = (callers: readonly number[], row: number): number | undefined => {
    const holding = callers.filter((upper) => at('layer', upper) < at('layer', row) && contains(upper, row));
    if (holding.length === 0) return undefined;
    const nearest = Math.max(...holding.map((upper) => at('layer', upper)));
    const ofLayer = holding.filter((upper) => at('layer', upper) === nearest);
    const waited = ofLayer.filter((upper) => !begun(upper));
    const best = waited.length > 0 ? waited : ofLayer;
    return best.length === 1 ? best[0]! : -2;
  };
  return rows.map((row) => {
    for (const [link, belongs] of [
      ['handle', related],
      ['time', sameFile],
      ['time', knowsNoFile],
    ] as const) {
      const fitting = rows.filter((upper) => belongs(upper, row));
      const own = fitting.filter((upper) => at('stream', upper) === at('stream', row));
      const others = fitting.filter(
        (upper) =>
          at('stream', upper) !== at('stream', row) &&
          streams[at('stream', upper)]!.rank === streams[at('stream', row)]!.rank &&
          !layersOfStream[at('stream', upper)]!.has(at('layer', row)),
      );
      const found = among(own, row) ?? among(others, row);
      if (found === -2) return [NONE, 'none'];
      if (found !== undefined) return [found, link];
    }
    return [NONE, 'none'];
  });
}

test('gives what comparing every call with every other gives', () => {
  const events = fc.array(
    fc.record({
      stream: fc.nat(3),
      start: fc.nat(40),
      duration: fc.nat(20),
      call: fc.constantFrom(READ, WRITE, OPEN),
      file: fc.integer({ min: NONE, max: 1 }),
      handle: fc.integer({ min: NONE, max: 4 }),
      bytes: fc.nat(9),
      layer: fc.constantFrom(...LAYERS.slice(3, 7)),
      flags: fc.constantFrom(0, 0, 0, EVENT_FLAGS.nonBlocking),
    }),
    { maxLength: 25 },
  );
  const parents = fc.tuple(...[0, 1, 2, 3, 4].map((handle) => fc.integer({ min: NONE, max: handle - 1 })));
  const sources = fc.constantFrom([0, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 1]);
  fc.assert(
    fc.property(
      events,
      parents,
      sources,
      fc.constantFrom(0, 0, 3, -2),
      (rows, parentOfHandle, sourceOf, toleranceNs) => {
        const clocks = twoClocks(sourceOf, toleranceNs);
        const trace = traceOf([{ rank: 0 }, { rank: 0 }, { rank: 1 }, { rank: 1 }], rows, parentOfHandle);
        const expected = bruteForce(trace, clocks);
        linkLayers(trace, clocks);
        expect(linksOf(trace)).toEqual(expected);
      },
    ),
    { numRuns: rounds(900) },
  );
});
