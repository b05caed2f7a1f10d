import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALLS, eventTrace, timelineRecording, type MadeEvent } from '../../../test/support/event-trace.ts';
import { EVENT_FLAGS } from '../../trace/events.ts';
import { Bins } from './bins.ts';
import { searchEvents } from './event-search.ts';
import { LaneGrid, type Lanes } from './lane-grid.ts';
import { rangeTotals } from './range-totals.ts';
import { ShownEvents } from './shown-events.ts';
import { rounds } from '../../../test/support/rounds.ts';

const PATHS = ['/data/a', '/data/b', '/usr/lib/c'];
const STREAMS = 4;

const someEvents = (most: number): fc.Arbitrary<MadeEvent[]> =>
  fc.array(
    fc.record({
      stream: fc.nat(STREAMS - 1),
      start: fc.nat(2000),
      duration: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(900)),
      call: fc.nat(CALLS.length - 1),
      file: fc.integer({ min: -1, max: PATHS.length - 1 }),
      bytes: fc.nat(1000),
      flags: fc.constantFrom(0, 0, 0, 0, EVENT_FLAGS.neverReturned, EVENT_FLAGS.restarted, EVENT_FLAGS.part),
      error: fc.nat(1),
    }),
    { minLength: 1, maxLength: most },
  );

function shown(events: readonly MadeEvent[], ownFilesOnly = false): ShownEvents {
  const trace = eventTrace(Array<object>(STREAMS).fill({}), PATHS, events.length, (event, row) =>
    Object.assign(event, events[row]),
  );
  const recording = { ...timelineRecording(trace), ignored: Uint8Array.of(0, 0, 1) };
  return new ShownEvents([recording], { ownFilesOnly });
}

const operationOf = ({ call }: MadeEvent): string => CALLS[call]![1];
/** What counts: not what never returned or was begun again, and not the other side of a copy. */
function counting(events: readonly MadeEvent[]): MadeEvent[] {
  return events.filter(
    (event) =>
      !(event.flags! & (EVENT_FLAGS.neverReturned | EVENT_FLAGS.restarted)) &&
      !(event.flags! & EVENT_FLAGS.part && operationOf(event) === 'copy'),
  );
}

/** The lanes, worked out for each bin from all events. */
function byHand(
  events: readonly MadeEvent[],
  bins: Bins,
): { read: number[]; written: number[]; concurrency: number[] } {
  const all = counting(events);
  const each = <Value>(make: (from: number, to: number) => Value): Value[] =>
    Array.from({ length: bins.count }, (_, bin) => make(bins.edge(bin), bins.edge(bin + 1)));
  const bytes = (kinds: readonly string[]): number[] =>
    each((from, to) =>
      all
        .filter((event) => kinds.includes(operationOf(event)))
        .reduce((sum, { start, duration, bytes: moved }) => {
          if (duration === 0) return sum + (start >= from && start < to ? moved : 0);
          return sum + (moved * Math.max(0, Math.min(to, start + duration) - Math.max(from, start))) / duration;
        }, 0),
    );
  const inFlight = (time: number): number =>
    all.filter(({ start, duration }) => start <= time && time < start + Math.max(duration, 0.5)).length;
  const concurrency = each((from, to) => {
    const moments = all.map(({ start }) => start).filter((start) => start >= from && start < to);
    return Math.max(...[from, ...moments].map(inFlight));
  });
  return { read: bytes(['read', 'copy']), written: bytes(['write', 'copy']), concurrency };
}

function bytesOf(rates: Float32Array, bins: Bins): number[] {
  return Array.from(rates, (rate) => (rate * bins.width) / 1e9);
}

const windows = fc.record({
  from: fc.nat(2500),
  length: fc.integer({ min: 1, max: 3000 }),
  count: fc.integer({ min: 1, max: 30 }),
});

describe('lanes', () => {
  it('are those of all events', () =>
    fc.assert(
      fc.property(someEvents(60), windows, (events, { from, length, count }) => {
        const bins = new Bins(from, from + length, count);
        const lanes = new LaneGrid(shown(events)).lanes(bins);
        expectLanes(lanes, events, bins);
      }),
      { numRuns: rounds(100) },
    ));

  function expectLanes(lanes: Lanes, events: readonly MadeEvent[], bins: Bins): void {
    const expected = byHand(events, bins);
    expect([...lanes.concurrency]).toEqual(expected.concurrency);
    bytesOf(lanes.readRate, bins).forEach((bytes, bin) => expect(bytes).toBeCloseTo(expected.read[bin]!, 1));
    bytesOf(lanes.writeRate, bins).forEach((bytes, bin) => expect(bytes).toBeCloseTo(expected.written[bin]!, 1));
  }

  it('lose no byte and no peak where they come from the grid', () => {
    const options = { eventsOfStretch: 3, mostStretches: 50, mostExact: 0 };
    fc.assert(
      fc.property(someEvents(200), fc.integer({ min: 1, max: 30 }), (events, count) => {
        const all = shown(events);
        const bins = new Bins(0, all.durationNs + 1, count);
        const lanes = new LaneGrid(all, options).lanes(bins);
        const expected = byHand(events, bins);
        const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
        expect(sum(bytesOf(lanes.readRate, bins))).toBeCloseTo(sum(expected.read), 0);
        expect(sum(bytesOf(lanes.writeRate, bins))).toBeCloseTo(sum(expected.written), 0);
        expect(Math.max(...lanes.concurrency)).toBe(Math.max(...expected.concurrency));
        lanes.concurrency.forEach((most, bin) => expect(most).toBeGreaterThanOrEqual(expected.concurrency[bin]!));
      }),
      { numRuns: rounds(100) },
    );
  });
});

describe('sums of a span of time', () =>
  it('are those of the events that lie in it', () =>
    fc.assert(
      fc.property(someEvents(60), windows, fc.boolean(), (events, { from, length }, ownFilesOnly) => {
        const to = from + length;
        const totals = rangeTotals(shown(events, ownFilesOnly), from, to, [{ has: (event) => event % 2 === 0 }]);
        const inside = ({ start, duration }: MadeEvent): boolean =>
          start < to && (start >= from || start + duration > from);
        const counts = ({ file }: MadeEvent): boolean => !ownFilesOnly || file === 0 || file === 1;
        const found = counting(events).filter((event) => inside(event) && counts(event));
        const bytes = (of: readonly MadeEvent[], kind: string): number =>
          of
            .filter((event) => [kind, 'copy'].includes(operationOf(event)))
            .reduce((sum, event) => sum + event.bytes, 0);
        const amounts = (of: readonly MadeEvent[]): object => ({
          events: of.length,
          timeNs: of.reduce((sum, { duration }) => sum + duration, 0),
          bytesRead: bytes(of, 'read'),
          bytesWritten: bytes(of, 'write'),
        });
        expect(totals).toMatchObject({ fromNs: from, toNs: to, ...amounts(found) });
        expect(totals.selected).toEqual(amounts(found.filter((event) => events.indexOf(event) % 2 === 0)));
        expect(totals.files).toBe(new Set(found.map(({ file }) => file).filter((file) => file >= 0)).size);
        expect(totals.streams).toBe(new Set(found.map(({ stream }) => stream)).size);
        const byCall = totals.calls.map(({ label, events: count }) => [label, count]);
        const names = new Set(found.map(({ call }) => CALLS[call]![0]));
        expect(new Map(byCall as [string, number][])).toEqual(
          new Map([...names].map((name) => [name, found.filter(({ call }) => CALLS[call]![0] === name).length])),
        );
      }),
      { numRuns: rounds(100) },
    )));

describe('search', () =>
  it('finds the next and the previous event', () =>
    fc.assert(
      fc.property(
        someEvents(40),
        fc.nat(2500),
        fc.constantFrom('READ', 'data/b', 'noent', 'copy', 'nothing of all'),
        fc.constantFrom(1 as const, -1 as const),
        (events, from, text, direction) => {
          const found = searchEvents(shown(events), text, from, direction);
          const holds = (event: MadeEvent): boolean =>
            [CALLS[event.call]![0], PATHS[event.file] ?? '', event.error === 1 ? 'ENOENT' : ''].some((name) =>
              name.toLowerCase().includes(text.toLowerCase()),
            );
          const wanted = events
            .filter((event) => !(event.flags! & EVENT_FLAGS.restarted) && holds(event))
            .filter(({ start }) => (start - from) * direction > 0)
            .sort((a, b) => (a.start - b.start) * direction || events.indexOf(a) - events.indexOf(b));
          expect(found).toEqual(wanted[0] && { event: events.indexOf(wanted[0]), start: wanted[0].start });
        },
      ),
      { numRuns: rounds(100) },
    )));
