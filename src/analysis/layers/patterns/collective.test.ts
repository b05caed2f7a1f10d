import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layerCallsOf, layerFindings, layerTrace, type LayerRow } from '../../../../test/support/layer-rows.ts';
import { bufferingOf } from './collective-buffering.ts';
import { findSeries } from './moments.ts';

const MIB = 1 << 20;
const STEP = 1e6;

/** Collective writes of all ranks; `late` nanoseconds after the others a rank comes. */
function together(
  steps: number,
  ranks: number,
  piece: number,
  aggregators: readonly number[],
  late: Readonly<Record<number, number>> = {},
): LayerRow[] {
  const rows: LayerRow[] = [];
  const share = (piece * ranks) / aggregators.length;
  for (let step = 0; step < steps; step++) {
    const base = step * piece * ranks;
    for (let stream = 0; stream < ranks; stream++) {
      const start = step * STEP + (late[stream] ?? 0);
      const duration = step * STEP + 500_000 - start;
      const offset = base + stream * piece;
      const row: LayerRow = { call: 'MPI_File_write_at_all', start, duration, stream, bytes: piece, offset, line: 20 };
      const parent = rows.push({ ...row, collective: true }) - 1;
      const at = aggregators.indexOf(stream);
      if (at < 0) continue;
      const lower = { start: start + 100_000, duration: 50_000, bytes: share, offset: base + at * share, line: 20 };
      rows.push({ call: 'pwrite', stream, parent, ...lower });
    }
  }
  return rows;
}

test('figure 3.21: all ranks write together, rank 0 alone moves the data; nothing is wrong with it', () => {
  const found = layerFindings(layerTrace(together(10, 4, MIB, [0]), { ranks: 4 }));
  const buffering = found.get('L23')!;
  expect(buffering.message).toContain(
    '40 × MPI_File_write_at_all of 4 processes (40 MiB, 1 MiB each) become 10 writes of 4 MiB by rank 0 alone, in domains of 4 MiB of the file (collective buffering)',
  );
  expect(buffering.severity).toBe('ok');
  expect(buffering.evidence).toMatchObject({
    moments: 10,
    processes: 4,
    aggregators: 1,
    upperCalls: 40,
    lowerCalls: 10,
    upperBytes: 40 * MIB,
    lowerBytes: 40 * MIB,
    overlappingDomains: 0,
  });
  expect(found.has('L29')).toBe(false);
  expect(found.has('L24')).toBe(false);
});

test('the picture has the pieces of all above, and the domain of each aggregator below', () => {
  const { picture } = layerFindings(layerTrace(together(10, 4, MIB, [0, 2]), { ranks: 4 })).get('L23')!;
  expect(picture!.lanes.map(({ label, amount }) => [label, amount])).toEqual([
    ['MPI_File_write_at_all of 4', '4 MiB'],
    ['rank 0', '1 write, 2 MiB'],
    ['rank 2', '1 write, 2 MiB'],
  ]);
  expect(picture!.lanes[2]!.bars).toEqual([{ from: 2 * MIB, to: 4 * MIB, kind: 'write' }]);
});

test('aggregators are told by node, and nodes without one get advice', () => {
  const hosts = ['n1', 'n1', 'n2', 'n2'];
  const each = layerFindings(layerTrace(together(10, 4, MIB, [0, 2]), { ranks: 4, hosts })).get('L23')!;
  expect(each.message).toContain('by ranks 0, 2 alone, on 2 of 2 nodes (1 each)');
  expect(each.severity).toBe('ok');
  const one = layerFindings(layerTrace(together(10, 4, MIB, [0, 1]), { ranks: 4, hosts })).get('L23')!;
  expect(one.message).toContain('on 1 of 2 nodes (2 each)');
  expect(one.severity).toBe('info');
  expect(one.recommendations[0]!.snippet!.code).toContain('"cb_nodes", "2"');
});

test('collective calls that each rank carries out by itself are a finding', () => {
  const found = layerFindings(layerTrace(together(10, 4, 640, [0, 1, 2, 3]), { ranks: 4 }));
  expect(found.has('L23')).toBe(false);
  const alone = found.get('L29')!;
  expect(alone.message).toContain(
    '40 × MPI_File_write_at_all of 4 processes become 40 writes of 640 B, each process its own',
  );
  // Of half a millisecond in each call the write takes 50 µs: what the others take is not its.
  expect(alone.message).toContain('the calls below cost 500 µs, 5.3 % of the run');
  expect(alone.message).toContain('18 ms are spent above them, in the library itself.');
  expect(alone.severity).toBe('warn');
  expect(alone.recommendations[0]!.snippet!.code).toContain('romio_cb_write');
});

test('independent calls are neither', () => {
  const rows = together(10, 4, 640, [0, 1, 2, 3]).map((row): LayerRow =>
    row.call === 'pwrite' ? row : { ...row, call: 'MPI_File_write_at', collective: false },
  );
  const found = layerFindings(layerTrace(rows, { ranks: 4 }));
  for (const code of ['L23', 'L24', 'L29']) expect(found.has(code), code).toBe(false);
});

test('who comes late is named, with what all others lose', () => {
  const rows = together(10, 4, MIB, [0], { 2: 300_000 });
  const waiting = layerFindings(layerTrace(rows, { ranks: 4 })).get('L24')!;
  expect(waiting.message).toContain("9 ms (53 % of the calls' time) are lost until the last one arrives");
  expect(waiting.message).toContain('9 ms of it for rank 2, which is last 10 of 10 times');
  expect(waiting.evidence).toMatchObject({ moments: 10, lostNs: 9e6, medianSpreadNs: 300_000, latestRank: 2 });
  expect(waiting.severity).toBe('high');
  expect(waiting.picture!.lanes.map(({ label, amount }) => [label, amount])).toEqual([
    ['rank 2', 'last'],
    ['rank 0', 'waits 300 µs'],
    ['rank 1', 'waits 300 µs'],
    ['rank 3', 'waits 300 µs'],
  ]);
});

test('it is named for what is lost, not for how often', () => {
  const often = together(10, 4, MIB, [0], { 2: 10_000 });
  const begin = Math.max(...often.map(({ start, duration }) => start + duration)) + 1000;
  const once = together(1, 4, MIB, [0], { 3: 450_000 }).map((row) => ({
    ...row,
    start: row.start + begin,
    ...(row.parent !== undefined && { parent: row.parent + often.length }),
  }));
  const waiting = layerFindings(layerTrace([...often, ...once], { ranks: 4 })).get('L24')!;
  expect(waiting.message).toContain('1.35 ms of it for rank 3, which is last 1 of 11 times');
});

test('calls of ranks that do not fit together are not waited in: nobody knows which belong together', () => {
  const rows = together(10, 4, MIB, [0], { 2: 300_000 });
  rows.push({ call: 'MPI_File_write_at_all', start: 11 * STEP, duration: 10, stream: 1, collective: true, line: 20 });
  const calls = layerCallsOf(layerTrace(rows, { ranks: 4 }));
  expect(findSeries(calls).map(({ isWhole }) => isWhole)).toEqual([false]);
  expect(layerFindings(calls.trace).has('L24')).toBe(false);
});

test('what goes in comes out: bytes above are bytes below, and aggregators add up to them', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 2, max: 6 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 1 }), { minLength: 1 }),
      (steps, ranks, aggregators) => {
        const [of] = bufferingOf(layerCallsOf(layerTrace(together(steps, ranks, 1024, aggregators), { ranks })));
        expect(of!.lowerBytes).toBe(of!.upper.bytes);
        expect(of!.upper.bytes).toBe(steps * ranks * 1024);
        expect(of!.aggregators.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(of!.lowerBytes);
        expect(of!.aggregators.reduce((sum, { calls }) => sum + calls, 0)).toBe(of!.lowerCalls);
        expect(of!.overlappingDomains).toBe(0);
      },
    ),
  ));
