import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Insight } from '../../../src/analysis/triggers/insight.ts';
import { chooseLookup } from '../../../src/session/machine/lookup-tools.ts';
import { plainRequest } from '../../../src/session/reading/open-request.ts';
import { OpenedRecording } from '../../../src/session/reading/opened-recording.ts';
import { absent, corpus } from '../../support/corpus.ts';
import { KiB, MiB } from '../../support/analysed-text.ts';
import { writeSignatures, type WrittenCall } from '../../support/recorder/recorder-writer.ts';
import { expectSlots } from '../../support/sentences.ts';

const FUNCTIONS = [
  ...[
    'open',
    'close',
    'read',
    'write',
    'pread',
    'pwrite',
    'lseek',
    '__xstat',
    'fopen',
    'fclose',
    'fread',
    'fwrite',
    'fseek',
  ],
  ...['MPI_File_open', 'MPI_File_close', 'MPI_File_read_at', 'MPI_File_write_at', 'MPI_File_write_at_all'],
  ...['MPI_File_read_at_all', 'MPI_File_iwrite_at', 'MPI_File_iread_at', 'MPI_Barrier', 'H5Fopen', 'H5Dwrite'],
];

/** Ticks of 0.1 µs. */
const MILLISECOND = 10_000;

/** Calls of one rank, one after the other. */
class Rank {
  readonly calls: WrittenCall[] = [];
  private now = 0;

  /** @param ticks that the call takes. */
  call(name: string, args: readonly (string | number)[], ticks = MILLISECOND): this {
    this.calls.push({ name, arguments: args, start: this.now, end: this.now + ticks });
    this.now += ticks + 10;
    return this;
  }

  /** A call, and inside of it one that it makes. */
  nested(upper: readonly [string, ...(string | number)[]], lower: readonly [string, ...(string | number)[]]): this {
    const [start, end] = [this.now, this.now + MILLISECOND];
    this.calls.push({ name: upper[0], arguments: upper.slice(1), start, end });
    this.calls.push({ name: lower[0], arguments: lower.slice(1), start: start + 100, end: end - 100, level: 1 });
    this.now = end + 10;
    return this;
  }

  repeat(times: number, make: (rank: this, i: number) => void): this {
    for (let i = 0; i < times; i++) make(this, i);
    return this;
  }
}

async function insightsOfFolder(place: string, thresholds: Record<string, number> = {}): Promise<readonly Insight[]> {
  const request = { ...plainRequest(place), thresholds };
  const recording = await OpenedRecording.open(request, await chooseLookup('/nonexistent', false));
  expect(recording.trace.damage).toEqual([]);
  expectSlots(recording.insights);
  return recording.insights;
}

/** The findings of a recording of these ranks. */
async function insights(ranks: readonly Rank[], thresholds: Record<string, number> = {}): Promise<readonly Insight[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-recorder-'));
  try {
    const place = path.join(folder, 'trace');
    mkdirSync(place);
    const written = writeSignatures({ functions: FUNCTIONS, ranks: ranks.map(({ calls }) => calls) }, '2.5.0');
    for (const [name, bytes] of written) writeFileSync(path.join(place, name), bytes);
    return await insightsOfFolder(place, thresholds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const codesOf = (found: readonly Insight[]): string[] => found.map(({ code }) => code);
const codes = async (ranks: readonly Rank[], thresholds: Record<string, number> = {}): Promise<string[]> =>
  codesOf(await insights(ranks, thresholds));

const FILE = '/scratch/data';
const opened = (rank: Rank, file = FILE): Rank => rank.call('open', [file, 66, 420], 10);
const ranksOf = (count: number, make: (rank: Rank, number: number) => void): Rank[] =>
  Array.from({ length: count }, (_, number) => {
    const rank = new Rank();
    make(rank, number);
    return rank;
  });
const oneRank = (make: (rank: Rank) => void): Rank[] => ranksOf(1, make);
const at = (name: 'pread' | 'pwrite', offset: number, bytes: number): [string, (string | number)[]] => [
  name,
  [FILE, '%p', bytes, offset],
];

describe('Drishti’s catalogue over Recorder traces', () => {
  test('S01: much through stdio; not in a few large calls', async () => {
    const stdio = (times: number, bytes: number): Rank[] =>
      oneRank((rank) =>
        rank
          .call('fopen', [FILE, 'w'])
          .repeat(times, (r) => r.call('fwrite', ['%p', 1, bytes, FILE]))
          .call('fclose', [FILE]),
      );
    expect(await codes(stdio(1500, 8 * KiB))).toContain('S01');
    expect(await codes(stdio(20, MiB))).not.toContain('S01');
  });

  test('M01: ranks share a file by system calls alone; not with MPI-IO', async () => {
    const shared = (upper: boolean): Rank[] =>
      ranksOf(4, (rank, number) => {
        rank.call('MPI_Barrier', ['MPI_COMM_WORLD']);
        if (upper) rank.call('MPI_File_open', ['MPI_COMM_WORLD', FILE, 5, '%p', '0-0']);
        opened(rank).repeat(40, (r, i) => {
          const offset = (i * 4 + number) * MiB;
          if (upper)
            r.nested(
              ['MPI_File_write_at_all', '0-0', offset, '%p', MiB, 'MPI_BYTE', '%p'],
              ['pwrite', FILE, '%p', MiB, offset],
            );
          else r.call(...at('pwrite', offset, MiB));
        });
      });
    expect(await codes(shared(false))).toContain('M01');
    expect(await codes(shared(true))).not.toContain('M01');
  });

  test.each([
    ['P05', 'read'],
    ['P06', 'write'],
  ])('%s: small requests in a row (%s); not large ones', async (code, name) => {
    const requests = (times: number, bytes: number): Rank[] =>
      oneRank((rank) => opened(rank).repeat(times, (r) => r.call(name, [FILE, '%p', bytes])));
    expect(await codes(requests(2000, 100))).toContain(code);
    expect(await codes(requests(40, 4 * MiB))).not.toContain(code);
  });

  test('P08: misaligned writes to a shared file, by the block or by the stripe that is set', async () => {
    const writes = (bytes: number): Rank[] =>
      ranksOf(4, (rank, number) =>
        opened(rank).repeat(64, (r, i) => r.call(...at('pwrite', (i * 4 + number) * bytes, bytes))),
      );
    expect(await codes(writes(60_000))).toContain('P08');
    expect(await codes(writes(64 * KiB))).not.toContain('P08');
    expect(await codes(writes(64 * KiB), { alignment: MiB })).toContain('P08');
  });

  test.each([
    ['P09', 'pread'],
    ['P10', 'pwrite'],
  ] as const)('%s: the same bytes again (%s)', async (code, name) => {
    const again = (step: number): Rank[] =>
      oneRank((rank) => opened(rank).repeat(100, (r, i) => r.call(...at(name, i * step, 256 * KiB))));
    expect(await codes(again(0))).toContain(code);
    expect(await codes(again(256 * KiB))).not.toContain(code);
  });

  test.each([
    ['P11', 'pread'],
    ['P13', 'pwrite'],
  ] as const)('%s: places all over the file (%s)', async (code, name) => {
    const places = (place: (i: number) => number): Rank[] =>
      oneRank((rank) => opened(rank).repeat(1200, (r, i) => r.call(...at(name, place(i) * 64 * KiB, 64 * KiB))));
    expect(await codes(places((i) => (i * i * 7919) % 100_003))).toContain(code);
    expect(await codes(places((i) => i))).not.toContain(code);
  });

  test.each([
    ['P15', 'pread'],
    ['P16', 'pwrite'],
  ] as const)('%s: small requests in a shared file (%s)', async (code, name) => {
    const requests = (bytes: number): Rank[] =>
      ranksOf(4, (rank, number) =>
        opened(rank).repeat(400, (r, i) => r.call(...at(name, (i * 4 + number) * bytes, bytes))),
      );
    expect(await codes(requests(8 * KiB))).toContain(code);
    expect(await codes(requests(2 * MiB))).not.toContain(code);
  });

  test('P17: a rank that spends long in metadata', async () => {
    const asks = (ticks: number): Rank[] =>
      ranksOf(2, (rank, number) =>
        opened(rank)
          .repeat(40, (r, i) => r.call('__xstat', [1, `${FILE}.${i}`, '%p'], number === 1 ? ticks : 10))
          .repeat(40, (r) => r.call('write', [FILE, '%p', 4 * MiB], 100 * MILLISECOND)),
      );
    expect(await codes(asks(1000 * MILLISECOND))).toContain('P17');
    expect(await codes(asks(MILLISECOND))).not.toContain('P17');
  });

  test('P18, P19: ranks that differ on a shared file', async () => {
    const ranks = (large: number, ticks: number): Rank[] =>
      ranksOf(4, (rank, number) =>
        opened(rank).repeat(40, (r, i) =>
          r.call(
            'pwrite',
            [FILE, '%p', number === 0 ? large : MiB, (i * 4 + number) * 8 * MiB],
            number === 0 ? ticks : MILLISECOND,
          ),
        ),
      );
    expect(await codes(ranks(8 * MiB, 8 * MILLISECOND))).toContain('P18');
    expect(await codes(ranks(MiB, 20 * MILLISECOND))).toContain('P19');
    expect(await codes(ranks(MiB, MILLISECOND))).not.toEqual(expect.arrayContaining(['P18']));
    expect(await codes(ranks(MiB, MILLISECOND))).not.toEqual(expect.arrayContaining(['P19']));
  });

  test.each([
    ['P21', 'write'],
    ['P22', 'read'],
  ])('%s: ranks that differ in files of their own (%s)', async (code, name) => {
    const ranks = (factor: number): Rank[] =>
      ranksOf(4, (rank, number) => {
        const file = `${FILE}.${number}`;
        opened(rank, file).repeat(10, (r) => r.call(name, [file, '%p', number === 0 ? factor * MiB : MiB]));
      });
    expect(await codes(ranks(3))).toContain(code);
    expect(await codes(ranks(1))).not.toContain(code);
  });

  test.each([
    ['M02', 'M06', 'read', 'pread'],
    ['M03', 'M07', 'write', 'pwrite'],
  ] as const)(
    '%s and %s: MPI-IO calls of single ranks, and calls that block (%s)',
    async (alone, blocks, verb, system) => {
      const calls = (upper: string, bytes: number): Rank[] =>
        ranksOf(4, (rank, number) => {
          rank.call('MPI_File_open', ['MPI_COMM_WORLD', FILE, 9, '%p', '0-0']);
          opened(rank).repeat(300, (r, i) => {
            const offset = (i * 4 + number) * bytes;
            r.nested([upper, '0-0', offset, '%p', bytes, 'MPI_BYTE', '%p'], [system, FILE, '%p', bytes, offset]);
          });
        });
      const independent = await insights(calls(`MPI_File_${verb}_at`, 8 * KiB));
      const found = independent.find(({ code }) => code === alone);
      expect(found?.severity).toBe('high');
      const many = { summary_operations: 100 };
      const collective = await insights(calls(`MPI_File_${verb}_at_all`, 2 * MiB), many);
      expect(collective.find(({ code }) => code === blocks)).toMatchObject({ severity: 'info', sites: [], files: [] });
      expect(codesOf(collective)).not.toContain(alone);
      const background = await codes(calls(`MPI_File_i${verb}_at`, 2 * MiB), many);
      expect(background).not.toContain(blocks);
    },
  );

  test('P01 to P04, P12, P14, M04 and M05 sum up what many calls do', async () => {
    const ranks = ranksOf(2, (rank, number) => {
      rank.call('MPI_File_open', ['MPI_COMM_WORLD', FILE, 9, '%p', '0-0']);
      opened(rank)
        .repeat(60, (r, i) => {
          const offset = (i * 2 + number) * MiB;
          r.nested(
            ['MPI_File_write_at_all', '0-0', offset, '%p', MiB, 'MPI_BYTE', '%p'],
            ['pwrite', FILE, '%p', MiB, offset],
          );
        })
        .repeat(10, (r, i) => {
          const offset = (i * 2 + number) * MiB;
          r.nested(
            ['MPI_File_read_at_all', '0-0', offset, '%p', MiB, 'MPI_BYTE', '%p'],
            ['pread', FILE, '%p', MiB, offset],
          );
        });
    });
    const found = await insights(ranks, { summary_operations: 100 });
    expect(codesOf(found)).toEqual(expect.arrayContaining(['P01', 'P03', 'P12', 'P14', 'M04', 'M05']));
    const writes = found.find(({ code }) => code === 'M05');
    expect(writes).toMatchObject({ severity: 'ok', evidence: { count: 120, share: 1 } });
    const reading = oneRank((rank) => opened(rank).repeat(200, (r) => r.call('read', [FILE, '%p', MiB])));
    expect(await codes(reading, { summary_operations: 100 })).toEqual(expect.arrayContaining(['P02', 'P04']));
  });

  test('what tracers and systems keep files for is left out', async () => {
    const files = [
      '/dev/shm/segment',
      '/proc/self/maps',
      '/sys/class/net',
      '/work/job.darshan',
      '/work/a.pfw',
      '/work/recorder-20260101/0.ts',
    ];
    const ranks = oneRank((rank) => {
      for (const file of files) opened(rank, file).repeat(300, (r) => r.call('write', [file, '%p', 10]));
    });
    expect(await codes(ranks)).toEqual([]);
  });
});

describe('recordings of our own programs', () => {
  const simple = corpus('recorder/btio_simple');

  test.skipIf(simple === undefined)(`btio_simple is what it is (else: ${absent('recorder/btio_simple')})`, async () => {
    const found = await insightsOfFolder(simple!);
    // Nor P08 for the same writes: joined to large requests they are misaligned at their ends alone.
    expect(codesOf(found)).toEqual(['M03']);
    expect(found[0]!.message).toMatch(/^8,192 writes of 640 B by independent MPI-IO calls/);
  });

  test('btio_full is not', async () => {
    const full = codesOf(await insightsOfFolder(corpus('recorder/btio_full')!));
    for (const code of ['M03', 'P16']) expect(full).not.toContain(code);
  });
});

test('P11: what a seek of a stream takes belongs to the read that it leads to', async () => {
  const rank = new Rank().call('fopen', [FILE, 'r'], 10);
  rank.repeat(400, (each, i) => {
    each.call('fseek', ['0x10', ((i * 7919) % 400) * 4096, 0], 1000);
    each.call('fread', ['0x1', 1, 64, '0x10'], 10);
  });
  const found = (await insights([rank])).find(({ code }) => code === 'P11');
  // Ticks of 100 ns.
  expect(found?.evidence['timeNs']).toBeGreaterThan(390 * 1000 * 100);
});

test.each([
  ['4 % of the I/O', 1500, 'warn'],
  ['1 % of the I/O', 400, undefined],
])('L12: questions that take %s, all of which could go', async (_share, ticks, severity) => {
  const rank = opened(new Rank());
  rank.repeat(700, (each, i) => each.call('pread', [3, '0x1', 65536, i * 65536]));
  rank.repeat(200, (each) => each.call('__xstat', [1, FILE, '0x1'], ticks));
  const found = await insights([rank]);
  expect(found.find(({ code }) => code === 'L12')?.severity).toBe(severity);
});
