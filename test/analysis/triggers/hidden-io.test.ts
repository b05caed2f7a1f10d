import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Estimates } from '../../../src/analysis/gain/gain.ts';
import { layerFindings, layerTrace, type LayerRow } from '../../support/layer-rows.ts';
import { open } from '../../support/programs.ts';
import { CaptureFile } from '../../support/recorder/capture-writer.ts';

/** I/O beside the program's own work costs what is waited for, and no finding claims to save more. */

const MS = 1e6;
const [WRITES, EACH] = [2000, 50_000];

/** A second of a process, a thread of which makes small writes for 100 ms. @param firstThreadNs its first thread is busy. */
async function besides(firstThreadNs: number, thread: number): Promise<Estimates> {
  const file = new CaptureFile({ startedAt: 5_000_000_000_000n });
  file.call('POSIX', 'open', 'plmr', ['/work/data', 0o1101, 0o644, 3], [0, 10], { thread });
  for (let i = 0; i < WRITES; i++) {
    const start = MS + i * 2 * EACH;
    file.call('POSIX', 'write', 'fnr', [3, 20, 20], [start, start + EACH], { thread });
  }
  file.life(1000 * MS, 900 * MS, 50 * MS, 0, firstThreadNs, 0);
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-hidden-'));
  try {
    const recording = path.join(folder, 'run-100.iorec');
    writeFileSync(recording, file.bytes());
    const { run, insights, unmarked } = await open(recording, folder);
    return { run, insights, unmarked };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('small writes of a second thread', () => {
  const [OWN, OTHER] = [100, 101];

  test('cost nothing while the first one works, all of it where that waits, and in between what it waits', async () => {
    const savedOf = async (busyNs: number, thread: number): Promise<[saved: number, severity: string]> => {
      const { insights, run } = await besides(busyNs, thread);
      const { gain, severity } = insights.find(({ code }) => code === 'P06')!;
      expect(run.untracedNs).toBeCloseTo(1000 * MS, -7);
      return [gain.savedNs!, severity];
    };
    const [waitedFor, high] = await savedOf(100 * MS, OTHER);
    expect([waitedFor > 80 * MS, high]).toEqual([true, 'warn']);
    expect(await savedOf(1000 * MS, OTHER)).toEqual([0, 'info']);
    const [half] = await savedOf(950 * MS, OTHER);
    expect(half / waitedFor).toBeCloseTo(0.5, 1);
    // Its own calls the first thread waits for, however busy it is.
    expect((await savedOf(1000 * MS, OWN))[0]).toBeCloseTo(waitedFor, -6);
  });
});

describe('what one run does not show is bounded, and why is said', () => {
  const MIB = 1 << 20;
  const RANKS = [0, 1, 2, 3];

  /** Collective writes of four ranks, each of which writes its part by itself. @param late of the last rank. */
  const collective = (bytes: number, late: number): LayerRow[] => {
    const rows: LayerRow[] = [];
    for (let step = 0; step < 10; step++)
      for (const stream of RANKS) {
        const start = step * MS + (stream === 3 ? late : 0);
        const offset = (step * 4 + stream) * bytes;
        const row = { start, duration: step * MS + 500_000 - start, stream, bytes, offset, line: 20 };
        const parent = rows.push({ ...row, call: 'MPI_File_write_at_all', collective: true }) - 1;
        rows.push({ ...row, call: 'pwrite', start: start + 1000, duration: 100_000, parent });
      }
    return rows;
  };
  const metadata = RANKS.flatMap((stream) =>
    Array.from({ length: 10 }, (_, i): LayerRow[] => [
      { call: 'H5Dopen2', start: i * 1e5, duration: 9e4, stream, line: 25 },
      { call: 'pread', start: i * 1e5 + 10, duration: 4e4, stream, bytes: 512, offset: 0, parent: NaN, line: 25 },
    ]),
  )
    .flat()
    .map((row, i) => (row.call === 'pread' ? { ...row, parent: i - 1 } : row));
  const misaligned = Array.from({ length: 400 }, (_, i): LayerRow => {
    const bytes = MIB + 100;
    return { call: 'pwrite', start: i * 1e6, duration: 9e5, stream: i % 4, bytes, offset: i * bytes, line: 30 };
  });

  test.each<[string, LayerRow[], RegExp]>([
    ['L24', collective(MIB, 300_000), /how much earlier that one can come/],
    ['L29', collective(640, 0), /hand each other the bytes/],
    ['L30', metadata, /one process makes the requests for all/],
    ['P08', misaligned, /locks and rereading between processes/],
  ])('%s', (code, rows, why) => {
    const { gain, cost } = layerFindings(layerTrace(rows, { ranks: 4 })).get(code)!;
    expect(gain).toMatchObject({ savedNs: null, lowNs: 0, method: expect.stringMatching(why) as string });
    expect(gain.highNs).toBeGreaterThan(0);
    expect(gain.highNs).toBeLessThanOrEqual(cost!.highNs);
  });
});
