import { describe, expect, test } from 'vitest';
import { CaptureFile, MONOTONIC, WALL } from '../../../test/support/recorder/capture-writer.ts';
import { column, read } from '../../../test/support/recorder/captured-calls.ts';

/** Nanoseconds that a message takes at least. */
const LATENCY = 20_000;
const WORLD = [{ first: 0, step: 1, ranks: 2 }];

/**
 * Two ranks on hosts of their own that send each other a number of messages in turn, a millisecond apart, and write 10 B when
 * one was received.
 * @param ahead by how much the second's clock is wrong at a true time.
 */
function pingPong(rounds: number, ahead: (time: number) => number): CaptureFile[] {
  const files = [0, 1].map((rank) => {
    const file = new CaptureFile({
      ...{ pid: 100 + rank, host: `node${rank + 1}`, rank, size: 2 },
      ...{ monotonicClock: MONOTONIC, wallClock: WALL },
    });
    file.world(rank, 2);
    file.communicator('MPI_COMM_WORLD', 2, WORLD);
    return file;
  });
  const clock = (rank: number, time: number): number => time + (rank === 0 ? 0 : ahead(time));
  for (let round = 0; round < rounds; round++) {
    for (const from of [0, 1]) {
      const to = 1 - from;
      const at = 10_000_000 + round * 2_000_000 + from * 1_000_000;
      const arrival = at + LATENCY + (round % 7) * 3_000;
      const times = (rank: number, start: number, end: number): readonly [number, number] => [
        clock(rank, start),
        clock(rank, end),
      ];
      files[from]!.call('MPI', 'MPI_Send', 'ciamx', [1, to, 5, 8, 0], times(from, at, at + 1_000));
      files[to]!.call('MPI', 'MPI_Recv', 'cIAMx', [1, from, 5, 8, 0], times(to, at - 500_000, arrival));
      files[to]!.call('POSIX', 'write', 'fnr', [3, 10, 10], times(to, arrival + 1_000, arrival + 2_000));
    }
  }
  return files;
}

describe('clocks of several hosts', () => {
  test.each([5_000_000, -5_000_000, 0])(
    'that are %i ns apart are brought together by messages both ways',
    async (by) => {
      const trace = await read(...pingPong(20, () => by));
      const messages = Array.from({ length: trace.messages!.length }, (_, row) => trace.messages!.at(row));
      const sends = messages.filter(({ kind }) => kind === 'send').sort((a, b) => a.start - b.start);
      const receives = messages.filter(({ kind }) => kind === 'receive').sort((a, b) => a.end - b.end);
      sends.forEach(({ start }, i) => {
        const took = receives[i]!.end - start;
        // The quickest message of each way bounds it: half of both ways is what nobody can tell.
        expect(took).toBeGreaterThan(0);
        expect(Math.abs(took - (LATENCY + (Math.floor(i / 2) % 7) * 3_000))).toBeLessThan(LATENCY);
      });
      // Rows on files, and how long the run is, follow.
      const starts = column(trace, 'start', /write/).sort((a, b) => a - b);
      starts.slice(1).forEach((start, i) => expect(Math.abs(start - starts[i]! - 1_000_000)).toBeLessThan(2 * LATENCY));
      expect(Math.abs(trace.durationNs - (starts.at(-1)! + 1_000))).toBeLessThan(2 * LATENCY);
      const note = trace.notes.find((text) => text.includes('clocks'));
      if (by === 0) expect(note).toBeUndefined();
      else
        expect(note).toMatch(/^the clocks of 2 hosts differ by up to (4\.99|5|5\.0\d?) ms, .* ± [\d.]+ µs: times are/);
    },
  );

  test('that drift are followed', async () => {
    // A millisecond within the four seconds that these take.
    const trace = await read(...pingPong(2_000, (time) => 3_000_000 + time / 4_000));
    const messages = Array.from({ length: trace.messages!.length }, (_, row) => trace.messages!.at(row));
    const sends = messages.filter(({ kind }) => kind === 'send').sort((a, b) => a.start - b.start);
    const receives = messages.filter(({ kind }) => kind === 'receive').sort((a, b) => a.end - b.end);
    const wrong = sends.map(({ start }, i) => Math.abs(receives[i]!.end - start - LATENCY));
    // Without: 3 to 4 ms. Beyond the middles of the first and last of sixteen stretches it is that of these.
    expect(Math.max(...wrong)).toBeLessThan(120_000);
    expect([...wrong].sort((a, b) => a - b)[sends.length / 2]).toBeLessThan(30_000);
  });

  test('collective operations bound them, too', async () => {
    const files = [0, 1].map((rank) => {
      const file = new CaptureFile({ pid: 100 + rank, host: `node${rank + 1}`, rank, size: 2 });
      file.world(rank, 2);
      file.communicator('MPI_COMM_WORLD', 2, WORLD);
      const ahead = rank === 0 ? 0 : 2_000_000;
      for (let i = 0; i < 10; i++) {
        // Who comes last leaves at once.
        const last = 1_000_000 * (i + 1);
        const start = i % 2 === rank ? last : last - 300_000;
        file.call('MPI', 'MPI_Barrier', 'cimx', [1, -1, 0, 0], [start + ahead, last + 10_000 + ahead]);
      }
      file.call('POSIX', 'write', 'fnr', [3, 10, 10], [12_000_000 + ahead, 12_001_000 + ahead]);
      return file;
    });
    const [first, second] = column(await read(...files), 'start', /write/);
    expect(Math.abs(first! - second!)).toBeLessThan(12_000);
  });

  test('messages one way move a clock no farther than they must, and bound nothing more', async () => {
    const [first, second] = [0, 1].map((rank) => {
      const file = new CaptureFile({ pid: 100 + rank, host: `node${rank + 1}`, rank, size: 2 });
      file.world(rank, 2);
      file.communicator('MPI_COMM_WORLD', 2, WORLD);
      return file;
    }) as [CaptureFile, CaptureFile];
    // By its own clock the second has it four milliseconds before it was sent.
    first.call('MPI', 'MPI_Send', 'ciamx', [1, 1, 5, 8, 0], [5_000_000, 5_001_000]);
    second.call('MPI', 'MPI_Recv', 'cIAMx', [1, 0, 5, 8, 0], [500_000, 1_000_000]);
    const trace = await read(first, second);
    const received = trace.messages!.at(1);
    expect([received.kind, received.end]).toEqual(['receive', trace.messages!.at(0).start]);
    expect(trace.notes.find((text) => text.includes('clocks'))).toBe(
      'the clocks of 2 hosts differ by at least 4 ms, as messages between them show: times are those of one of them',
    );
  });

  test('messages that tell less than dates do change nothing', async () => {
    const files = [0, 1].map((rank) => {
      const file = new CaptureFile({ pid: 100 + rank, host: `node${rank + 1}`, rank, size: 2 });
      file.world(rank, 2);
      file.communicator('MPI_COMM_WORLD', 2, WORLD);
      // The second comes late each time, and the first waits for it.
      file.call('MPI', 'MPI_Allreduce', 'cimx', [1, -1, 8, 0], [rank * 3_000_000, 3_900_000]);
      return file.call('POSIX', 'write', 'fnr', [3, 10, 10], [4_000_000, 4_001_000]);
    });
    expect(new Set(column(await read(...files), 'start', /write/)).size).toBe(1);
  });

  test('what need not synchronise, and what was never seen to be complete, says nothing', async () => {
    const files = [0, 1].map((rank) => {
      const file = new CaptureFile({ pid: 100 + rank, host: `node${rank + 1}`, rank, size: 2 });
      file.world(rank, 2);
      for (let i = 0; i < 3; i++) file.communicator(i === 0 ? 'MPI_COMM_WORLD' : '', 2, WORLD);
      const late = rank * 3_000_000;
      // The first leaves at once: nothing goes, or a list says that nothing goes; the second comes three milliseconds later.
      file.call('MPI', 'MPI_Allreduce', 'cimx', [1, -1, 0, 0], [late, late + 1_000]);
      file.call('MPI', 'MPI_Alltoallv', 'cimx', [1, -1, -1, 0], [late + 2_000, late + 3_000]);
      // Two communicators of the same processes, in another order here and there.
      const [first, second] = rank === 0 ? [2, 3] : [3, 2];
      file.call('MPI', 'MPI_Ibarrier', 'cimqx', [first, -1, 0, 1 + rank, 0], [5_000_000, 5_001_000]);
      file.call('MPI', 'MPI_Ibarrier', 'cimqx', [second, -1, 0, 3 + rank, 0], [8_000_000, 8_001_000]);
      file.call('recorder', 'complete', 'qb', [1 + rank, 0], [8_002_000, 8_002_000]);
      file.call('recorder', 'complete', 'qb', [3 + rank, 0], [8_003_000, 8_003_000]);
      if (rank === 0) file.call('MPI', 'MPI_Irecv', 'cIAMqx', [1, 1, 5, -1, 0, 0], [8_100_000, 8_101_000]);
      else file.call('MPI', 'MPI_Send', 'ciamx', [1, 0, 5, 8, 0], [8_900_000, 8_901_000]);
      return file.call('POSIX', 'write', 'fnr', [3, 10, 10], [9_000_000, 9_001_000]);
    });
    const trace = await read(...files);
    expect(new Set(column(trace, 'start', /write/)).size).toBe(1);
    const never = Array.from({ length: trace.messages!.length }, (_, row) => trace.messages!.at(row)).filter(
      ({ end }) => Number.isNaN(end),
    );
    expect(never.map(({ kind }) => kind)).toEqual(['receive']);
  });

  test('without messages dates are believed', async () => {
    const files = [0, 1].map((rank) =>
      new CaptureFile({ pid: 100 + rank, host: `node${rank + 1}`, wallClock: WALL + BigInt(rank * 7_000_000) }).call(
        'POSIX',
        'write',
        'fnr',
        [3, 10, 10],
        [1_000, 2_000],
      ),
    );
    expect(column(await read(...files), 'start')).toEqual([0, 7_000_000]);
  });
});
