import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layerFindings, layerTrace, type FunctionRow, type LayerRow } from '../../../../test/support/layer-rows.ts';
import { LOCK_KIND } from '../../../trace/events.ts';
import { findBursts } from './metadata-storm.ts';

const MS = 1e6;

/** A write that is begun, and waited for when other work of `work` ms is done. */
function begun(work: number): { rows: LayerRow[]; functions: FunctionRow[] } {
  const rows: LayerRow[] = [
    { call: 'MPI_File_iwrite_at', start: 0, duration: 10 * MS, bytes: 4096, nonBlocking: true, line: 8 },
  ];
  const functions = [
    { name: 'MPI_File_iwrite_at', start: 0, duration: 1 * MS },
    { name: 'compute', start: 1 * MS, duration: work * MS },
    { name: 'MPI_Wait', start: (1 + work) * MS, duration: Math.max(0, 9 - work) * MS },
  ];
  return { rows, functions };
}

test('an operation that is waited for at once overlaps with nothing', () => {
  const { rows, functions } = begun(0);
  const found = layerFindings(layerTrace(rows, { functions })).get('L25')!;
  expect(found.message).toContain('1 MPI_File_iwrite_at (4 KiB) is waited for at once');
  expect(found.evidence).toMatchObject({ operations: 1, withoutOverlap: 1, idleNs: 10 * MS, overlappedNs: 0 });
  expect(found.sites).toMatchObject([{ site: 8 }]);
  expect(found.picture!.lanes.map(({ label, amount }) => [label, amount])).toEqual([
    ['the operation', '10 ms'],
    ['MPI_File_iwrite_at', '1 ms'],
    ['the wait', '9 ms'],
  ]);
});

test('work in between makes it one that overlaps', () => {
  const { rows, functions } = begun(6);
  expect(layerFindings(layerTrace(rows, { functions })).has('L25')).toBe(false);
});

test('without calls of functions nobody knows what was in between', () =>
  expect(layerFindings(layerTrace(begun(0).rows)).has('L25')).toBe(false));

/** Ranks that each lock the file for a while, one after the other; the wait lasts until the one before has released. */
function locked(ranks: number, hold: number, isContended: boolean): LayerRow[] {
  const rows: LayerRow[] = [];
  for (let stream = 0; stream < ranks; stream++) {
    const asked = isContended ? 0 : stream * (hold + 1) * MS;
    const given = stream * (hold + 1) * MS + 1000;
    const common = { call: 'fcntl', stream, line: 30 } as const;
    rows.push({ ...common, start: asked, duration: given - asked, argument: LOCK_KIND.exclusive });
    rows.push({ call: 'pwrite', start: given, duration: hold * MS, stream, bytes: 4096, offset: 0, line: 31 });
    rows.push({ ...common, start: given + hold * MS, duration: 1000, argument: LOCK_KIND.release, line: 32 });
  }
  return rows;
}

test('waiting for locks names those who held them', () => {
  const found = layerFindings(layerTrace(locked(4, 10, true), { ranks: 4 })).get('L26')!;
  expect(found.message).toContain(
    '3 waits for locks by fcntl, 22 ms each on average and 33 ms at most; rank 0, rank 1, rank 2 held it meanwhile (60 ms)',
  );
  expect(found.evidence).toMatchObject({ locks: 3, holders: 3 });
  expect(found.sites.map(({ site }) => site)).toEqual([30]);
  expect(found.picture!.lanes.map(({ label, bars }) => [label, bars.map(({ kind }) => kind)])).toEqual([
    ['rank 3', ['waiting']],
    ['rank 0', ['held']],
    ['rank 1', ['held']],
    ['rank 2', ['held']],
  ]);
});

test('locks that are free are no finding', () =>
  expect(layerFindings(layerTrace(locked(4, 10, false), { ranks: 4 })).has('L26')).toBe(false));

/** Every rank opens the file in each step; the time each takes grows with the ranks before it. */
function opened(ranks: number, steps: number): LayerRow[] {
  const rows: LayerRow[] = [];
  for (let step = 0; step < steps; step++) {
    for (let stream = 0; stream < ranks; stream++) {
      const start = step * 500 * MS + stream * 1000;
      rows.push({ call: 'MPI_File_open', start, duration: (stream + 1) * MS, stream, line: 15 });
    }
  }
  return rows;
}

test('figure 5.7: all ranks open the file for every step, and some have to wait', () => {
  const found = layerFindings(layerTrace(opened(8, 10), { ranks: 8 })).get('L27')!;
  expect(found.message).toContain(
    '80 × MPI_File_open of 8 processes on 1 file come in 10 bursts, up to 8 within 50 ms: the median takes 4 ms, the longest 8 ms',
  );
  expect(found.sites).toMatchObject([{ site: 15, events: 80, streams: 8 }]);
  expect(found.picture!.lanes[0]).toMatchObject({ label: 'rank 7', amount: '8 ms' });
});

test('one open for all steps is no storm', () =>
  expect(layerFindings(layerTrace(opened(8, 1), { ranks: 8 })).has('L27')).toBe(false));

const call = fc.record({ at: fc.integer({ min: 0, max: 100 }), stream: fc.integer({ min: 0, max: 4 }) });

test('bursts share no call, lie within the window and are of enough processes; outside of them there is none', () =>
  fc.assert(
    fc.property(
      fc.array(call, { maxLength: 60 }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 1, max: 4 }),
      (calls, window, streams) => {
        const order = calls.map((_, index) => index).sort((a, b) => calls[a]!.at - calls[b]!.at);
        const bursts = findBursts(
          (index) => calls[index]!.at,
          (index) => calls[index]!.stream,
          order,
          window,
          streams,
        );
        const taken = new Set(bursts.flat());
        expect(taken.size).toBe(bursts.flat().length);
        for (const burst of bursts) {
          expect(calls[burst.at(-1)!]!.at - calls[burst[0]!]!.at).toBeLessThanOrEqual(window);
          expect(new Set(burst.map((index) => calls[index]!.stream)).size).toBeGreaterThanOrEqual(streams);
        }
        const rest = order.filter((index) => !taken.has(index));
        for (const first of rest) {
          const near = rest.filter(
            (index) => calls[index]!.at >= calls[first]!.at && calls[index]!.at <= calls[first]!.at + window,
          );
          const isBetween = bursts.some((burst) =>
            burst.some((index) => calls[index]!.at >= calls[first]!.at && calls[index]!.at <= calls[near.at(-1)!]!.at),
          );
          if (!isBetween) expect(new Set(near.map((index) => calls[index]!.stream)).size).toBeLessThan(streams);
        }
      },
    ),
  ));

/** Two ranks write together; rank 0 moves the data of both and comes back later by `moving`, after `computing` of its own. */
function together(moving: number, computing: number): LayerRow[] {
  const rows: LayerRow[] = [];
  let at = 0;
  for (let step = 0; step < 40; step++) {
    const common = { call: 'MPI_File_write_at_all', bytes: 4096, collective: true, line: 12 } as const;
    const ofStep = rows.push({ ...common, start: at + computing * MS, duration: moving * MS, stream: 0 }) - 1;
    rows.push({ ...common, start: at + 1000, duration: computing * MS + 1000, stream: 1 });
    rows.push({
      call: 'pwrite',
      start: at + computing * MS,
      duration: moving * MS,
      bytes: 8192,
      offset: step * 8192,
      parent: ofStep,
    });
    at += (moving + computing) * MS;
  }
  // Rank 1 comes to the next call while rank 0 still moves the data of this one.
  return rows.map((row, i) =>
    row.stream === 1 && i > 2 ? { ...row, start: row.start - moving * MS, duration: row.duration + moving * MS } : row,
  );
}

test('an aggregator that comes back later from a collective call does not keep the others waiting for work of its own', () => {
  expect(layerFindings(layerTrace(together(10, 0), { ranks: 2 })).has('L24')).toBe(false);
});

test('what the last one does before the call does, and costs what one rank waits', () => {
  const { message, evidence, gain } = layerFindings(layerTrace(together(10, 10), { ranks: 2 })).get('L24')!;
  expect(evidence).toMatchObject({ latestRank: 0, latestTimes: 40 });
  // Of 20 ms that rank 1 waits for each call 10 ms are rank 0's computing.
  expect(evidence['lostNs']).toBeGreaterThan(390 * MS);
  expect(evidence['lostNs']).toBeLessThan(410 * MS);
  expect(message).toContain('The waits cost 400 ms, 50 % of the run');
  expect(gain.highNs).toBeLessThan(410 * MS);
});
