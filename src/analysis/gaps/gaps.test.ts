import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CALLS, eventTrace, type MadeEvent } from '../../../test/support/event-trace.ts';
import { rounds } from '../../../test/support/rounds.ts';
import { EVENT_FLAGS } from '../../trace/events.ts';
import { FORMAT_TRAITS } from '../../readers/format-traits.ts';
import { gapsOf } from './gaps.ts';

const STREAMS = 3;

const someEvents = fc.uniqueArray(
  fc.record({
    stream: fc.nat(STREAMS - 1),
    start: fc.nat(400),
    duration: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(120)),
    call: fc.nat(CALLS.length - 1),
    file: fc.constant(0),
    bytes: fc.constant(0),
    flags: fc.constantFrom(0, 0, 0, EVENT_FLAGS.part, EVENT_FLAGS.nonBlocking, EVENT_FLAGS.neverReturned),
    error: fc.constant(0),
  }),
  { minLength: 1, maxLength: 40, selector: ({ start }) => start },
);

/** Nanoseconds between the first start of a stream and its last end in which none of its calls runs: looked at one by one. */
function idle(events: readonly MadeEvent[], stream: number): number {
  const { part, nonBlocking, neverReturned } = EVENT_FLAGS;
  const seen = events.filter((event) => event.stream === stream && ((event.flags ?? 0) & (part | nonBlocking)) === 0);
  const calls = seen.map(({ start, duration, flags }) => ({
    start,
    end: flags === neverReturned ? NaN : start + duration,
  }));
  let ns = 0;
  // Only between an end that is known and a start is known what goes on: a call that never returned goes on.
  for (let at = 0; at < 600; at++) {
    const before = calls.filter(({ start }) => start <= at);
    const isLast = !calls.some(({ start }) => start > at);
    if (before.length === 0 || isLast || before.some(({ end }) => at < end)) continue;
    const latest = before.reduce((one, other) => (other.start > one.start ? other : one));
    const goesOn = Number.isNaN(latest.end) && !before.some(({ end }) => end > latest.start);
    if (!goesOn) ns++;
  }
  return ns;
}

test('gaps add up to the time in which no call of a stream runs', () => {
  fc.assert(
    fc.property(someEvents, (events) => {
      const made = eventTrace(Array<object>(STREAMS).fill({}), ['/data/a'], events.length, (event, row) =>
        Object.assign(event, events[row]),
      );
      const { gaps } = gapsOf({ ...made, form: FORMAT_TRAITS.iolens });
      for (let stream = 0; stream < STREAMS; stream++) {
        const found = gaps.reduce((sum, { ofStreams }) => sum + (ofStreams.get(stream) ?? 0), 0);
        expect(found).toBe(idle(events, stream));
      }
      for (const { times, longestNs, ofStreams } of gaps) {
        const all = [...ofStreams.values()].reduce((sum, ns) => sum + ns, 0);
        expect(longestNs * times).toBeGreaterThanOrEqual(all);
        expect(longestNs).toBeLessThanOrEqual(all);
      }
    }),
    { numRuns: rounds(200) },
  );
});

test('what a tracer stops a program for is no gap', () => {
  const made = eventTrace([{}], ['/data/a'], 3, (event, row) =>
    Object.assign(event, { start: [0, 900_000, 3_000_000][row], duration: 10, file: 0 }),
  );
  const { gaps, leastNs } = gapsOf({ ...made, form: FORMAT_TRAITS.strace });
  expect(leastNs).toBe(1e6);
  expect(gaps.map(({ times, longestNs }) => [times, longestNs])).toEqual([[1, 2_099_990]]);
});
