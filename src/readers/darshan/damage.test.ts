import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Words, writeLog, type WrittenLog } from '../../../test/support/darshan/darshan-writer.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { infoDocument } from '../../export/analysis/info-document.ts';
import { infoText } from '../../export/analysis/summary-text.ts';
import { UnreadableRecordingError, type Trace } from '../../trace/trace.ts';
import { looksLikeDarshan, readDarshan } from './darshan-reader.ts';

const readBytes = (bytes: Uint8Array): Promise<Trace> => readDarshan([memoryFile('a.darshan', bytes)]);
const read = (log: WrittenLog): Promise<Trace> => readBytes(writeLog(log));

/** A record of STDIO (version 2): 14 integers and 15 numbers. */
function record(id: number, rank: number): Buffer {
  const words = new Words().int(id, rank);
  for (let i = 1; i <= 14; i++) words.int(i);
  return words.float(...Array.from({ length: 15 }, (_, i) => i / 2)).bytes;
}

const names = [
  [1n, '/data/one'],
  [2n, '/data/two'],
] as const;
const records = (...ranks: readonly number[]): Buffer => Buffer.concat(ranks.map((rank) => record(1, rank)));
const stdio = (
  ...streams: readonly Uint8Array[]
): { slot: number; version: number; streams: readonly Uint8Array[] } => ({
  slot: 9,
  version: 2,
  streams,
});
const recordsOf = (trace: Trace, module = 'STDIO'): number | undefined =>
  trace.counters!.modules.find((table) => table.module === module)?.length;
const reports = ({ damage }: Trace): string[] =>
  damage.map(({ where, what, lost }) => `${where}: ${what}; lost: ${lost}`);

describe('regions', () => {
  test('one that reaches into the next is cut there, and both are read', async () => {
    const modules = [
      { ...stdio(records(0, 1)), length: 500 },
      { slot: 10, version: 2, streams: [new Uint8Array()] },
    ];
    const trace = await read({ names, modules });
    expect(recordsOf(trace)).toBe(2);
    expect(reports(trace)).toEqual([
      expect.stringMatching(/STDIO: the region has 500 bytes, but the region DXT_POSIX begins/),
    ]);
  });

  test('one beyond the end of the file is reported, the others are read', async () => {
    const modules = [stdio(records(0)), { slot: 1, version: 4, streams: [records(0)], offset: 2 ** 40 }];
    const trace = await read({ names, modules });
    expect(recordsOf(trace)).toBe(1);
    expect(reports(trace)).toEqual([expect.stringContaining('POSIX')]);
  });

  test('lengths and places beyond all numbers allocate nothing', async () => {
    const absurd = { offset: Number.MAX_SAFE_INTEGER, length: Number.MAX_SAFE_INTEGER };
    const modules = [
      stdio(records(0)),
      ...[1, 2, 3, 8, 15].map((slot) => ({ slot, version: 1, streams: [], ...absurd })),
    ];
    const trace = await read({ names, modules });
    expect(recordsOf(trace)).toBe(1);
    expect(trace.damage).toHaveLength(5);
  });

  test('streams behind a damaged one in the same region are read', async () => {
    const log = writeLog({ names, modules: [stdio(records(0, 1), records(2), records(3))] });
    const middle = deflateSync(records(2));
    const at = log.indexOf(middle);
    log[at + middle.length - 1]! ^= 0xff;
    const trace = await readBytes(log);
    const [table] = trace.counters!.modules;
    const ranks = Array.from({ length: table!.length }, (_, i) => table!.rank(i));
    expect(ranks).toEqual(expect.arrayContaining([0, 1, 3]));
    expect(reports(trace)).toEqual([expect.stringContaining('checksum')]);
  });
});

describe('counts', () => {
  const segmentHead = (writes: number | bigint, reads: number): Buffer =>
    new Words().int(1, 0, 0).text('host', 64).int(writes, reads).bytes;

  test.each([
    ['segments', 10, 2, segmentHead(2n ** 62n, 0)],
    ['fewer segments than that', 10, 2, segmentHead(1_000_000, 0)],
    ['negative numbers of segments', 10, 2, segmentHead(-5, 0)],
    ['components of a layout', 8, 2, new Words().int(1, 0, 2n ** 60n, 4).bytes],
    ['stripes of a layout', 8, 1, new Words().int(1, 0, 0, 0, 0, 1 << 20, 2n ** 60n).bytes],
    [
      'bins of a heatmap',
      15,
      1,
      new Words()
        .int(1, 0)
        .float(1)
        .int(2n ** 60n, 0, 0).bytes,
    ],
    ['servers of MDHIM', 12, 1, new Words().int(1, 0, 1, 1, 1, 1, 2n ** 60n).float(0, 0, 0, 0).bytes],
    ['ranks', 9, 2, record(1, 2 ** 40)],
    ['half a record', 9, 2, record(1, 0).subarray(0, 100)],
    ['a record of APMPI that ends', 14, 1, new Words().int(1, 2, 3).bytes],
  ])('absurd: %s', async (_, slot, version, bytes) => {
    const trace = await read({
      names,
      modules: [{ slot, version, streams: [bytes] }, stdio(records(0))].slice(0, slot === 9 ? 1 : 2),
    });
    expect(trace.damage).toHaveLength(1);
    if (slot !== 9) expect(recordsOf(trace)).toBe(1);
  });

  test('a name without an end, and one that is cut', async () => {
    const long = await read({ names: [[1n, 'x'.repeat(3_000_000)]], modules: [stdio(records(0))] });
    expect(reports(long)).toEqual([expect.stringContaining('a name without an end')]);
    expect(recordsOf(long)).toBe(1);
    const old = writeLog({
      version: '3.00',
      packing: 'none',
      names,
      modules: [{ ...stdio(records(0)), slot: 7, version: 2 }],
    });
    old.writeUInt32LE(2 ** 31, old.indexOf('/data/one') - 4);
    expect(reports(await readBytes(old))).toEqual([expect.stringContaining('a name of 2147483648 bytes')]);
  });
});

describe('segments', () => {
  const segments = (...values: readonly (readonly [bigint, bigint, number, number])[]): Promise<Trace> => {
    const words = new Words().int(1, 0, 0).text('host', 64).int(0, values.length);
    for (const [offset, bytes, start, end] of values) words.int(offset, bytes).float(start, end);
    return read({ names, modules: [{ slot: 10, version: 1, streams: [words.bytes] }, stdio(records(0))].reverse() });
  };
  const sound = [100n, 10n, 1, 2] as const;
  const largest = 2n ** 63n - 1n;

  test.each([
    ['a length beyond all', [0n, largest, 1, 2]],
    ['a length below zero', [0n, -5n, 1, 2]],
    ['an end behind the largest file', [largest, 4096n, 1, 2]],
    ['a start that is no number', [0n, 10n, NaN, 2]],
    ['a start beyond all times', [0n, 10n, 1e300, 2]],
    ['an end beyond all times', [0n, 10n, 1, Infinity]],
  ] as const)('%s: that one is lost, and no other', async (_, senseless) => {
    const trace = await segments(sound, sound, senseless, sound);
    expect(reports(trace)).toEqual([
      'a.darshan, DXT_POSIX: times or sizes that make no sense, of a segment; lost: this segment',
    ]);
    expect(trace.counters!.segments[0]!.read).toEqual({ count: 3, bytes: 30 });
    expect(trace.events.length).toBe(3);
    expect(recordsOf(trace)).toBe(1);
  });

  test('ends before the starts: how long they took is not known, all else is', async () => {
    const trace = await segments(sound, [0n, 7n, 5, 0], sound, [0n, 8n, 6, 5.5]);
    expect(reports(trace)).toEqual([
      'a.darshan, DXT_POSIX: ends before the starts, of 2 segments; lost: how long these calls took',
    ]);
    const rows = Array.from({ length: 4 }, (_, row) => [
      trace.events.value('bytes', row),
      trace.events.value('duration', row),
    ]);
    expect(rows).toEqual([
      [10, 1e9],
      [10, 1e9],
      [7, NaN],
      [8, NaN],
    ]);
  });
});

test.each([
  ['a module', 9, 2],
  ['segments', 10, 1],
  ['layouts', 8, 2],
  ['heatmaps', 15, 1],
])(
  'a bomb in the place of %s ends without filling the memory',
  async (_, slot, version) => {
    // 256 MiB of zeros in a quarter of a megabyte.
    const zeros = new Uint8Array(1 << 26);
    const before = process.memoryUsage().rss;
    const trace = await read({ names, modules: [{ slot, version, streams: [zeros, zeros, zeros, zeros] }] });
    expect(trace.events.length).toBe(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
  },
  60_000,
);

describe('the header', () => {
  test.each(['none', 'zlib', 'bzip2'] as const)('a wrong word on how the log is packed (%s)', async (packing) => {
    for (const packingByte of [0, 1, 2, 77]) {
      const trace = await read({ names, packing, packingByte, modules: [stdio(records(0))] });
      expect(recordsOf(trace), `${packingByte}`).toBe(1);
      const isRight = ['zlib', 'bzip2', 'none'][packingByte] === packing;
      expect(trace.damage, `${packingByte}`).toHaveLength(isRight ? 0 : 1);
    }
  });

  test('a newer version is read when its structure is the known one', async () => {
    const trace = await read({ version: '3.77', names, modules: [stdio(records(0))] });
    expect(trace.version).toBe('3.77');
    expect(recordsOf(trace)).toBe(1);
    expect(trace.notes).toEqual([expect.stringContaining('version 3.77 of the log format is not known')]);
  });

  test('a newer version of another structure is refused, and so is an older one', async () => {
    const newer = writeLog({ version: '4.10', names, modules: [{ ...stdio(records(0)), offset: 2 ** 40 }] });
    await expect(readBytes(newer)).rejects.toThrow(UnreadableRecordingError);
    await expect(readBytes(newer)).rejects.toThrow(/version 4\.10 .*newest known: 3\.41/);
    const older = writeLog({ names });
    older.write('2.05');
    await expect(readBytes(older)).rejects.toThrow(/version 2\.05: logs of Darshan 3 and later/);
    await expect(readBytes(older.subarray(0, 100))).rejects.toThrow(UnreadableRecordingError);
  });

  test('a newer version of a module is read like the newest known, or not at all', async () => {
    const like = await read({ names, modules: [{ ...stdio(records(0, 1)), version: 7 }] });
    expect(recordsOf(like)).toBe(2);
    expect(like.notes).toEqual(['version 7 of STDIO is read like the newest known']);
    const other = await read({ names, modules: [{ ...stdio(records(0), Buffer.alloc(8)), version: 7 }] });
    expect(recordsOf(other)).toBeUndefined();
    expect(reports(other)).toEqual([expect.stringContaining('the version of the module is not known')]);
  });

  test('modules without a reader are named', async () => {
    const modules = [13, 40].map((slot) => ({ slot, version: 3, streams: [records(0)] }));
    const { counters, notes, damage } = await read({ names, modules });
    const named = counters!.regions.slice(2).map(({ name, known, version }) => [name, known, version]);
    expect(named).toEqual([
      ['APXC', false, 3],
      ['module 40', false, 3],
    ]);
    expect(notes).toHaveLength(2);
    expect(damage).toEqual([]);
  });

  test('flags of incomplete modules of old logs are shifted, and swapped', async () => {
    const modules = [{ ...stdio(records(0)), slot: 7, version: 2 }];
    const old = await read({ version: '3.10', flags: 1n << 7n, names, modules });
    expect(old.counters!.modules[0]!.incomplete).toBe(true);
    expect(old.notes).toEqual([expect.stringContaining('ran out of memory for STDIO')]);
    const swapped = await read({
      littleEndian: false,
      flags: 1n << 9n,
      names,
      modules: [{ slot: 9, version: 2, streams: [new Words(false).int(1).bytes] }],
    });
    expect(swapped.counters!.regions[2]).toMatchObject({ name: 'STDIO', incomplete: true });
  });

  test('only a magic number makes a log', () => {
    expect(looksLikeDarshan(writeLog({}))).toBe(true);
    expect(looksLikeDarshan(writeLog({ littleEndian: false }))).toBe(true);
    expect(looksLikeDarshan(new TextEncoder().encode('3.41 and no log at all'))).toBe(false);
    expect(looksLikeDarshan(new Uint8Array(5))).toBe(false);
  });
});

test('control characters in names reach no terminal', async () => {
  const trace = await read({
    command: 'a\u001b[2Jb',
    names: [[1n, '/x\u001b]0;y\u0007']],
    modules: [stdio(records(0))],
    mounts: [['/\u001b[1m', 'ext4']],
  });
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(infoText(infoDocument(trace, 'x', []))).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  expect(trace.files.at(trace.counters!.modules[0]!.file(0)).path).toBe('/x\u001b]0;y\u0007');
});

test('two logs are not mixed', async () => {
  const files = ['a.darshan', 'b.darshan'].map((name) => memoryFile(name, writeLog({ names })));
  await expect(readDarshan(files)).rejects.toThrow(
    /2 Darshan logs \(a\.darshan, b\.darshan\): each log is a recording/,
  );
});

describe('the job', () => {
  const job = (...words: readonly (number | bigint)[]): Promise<Trace> => {
    const log = writeLog({ packing: 'none', names, modules: [stdio(records(0))] });
    words.forEach((word, index) => log.writeBigInt64LE(BigInt(word), 1328 + 8 * (index + 1)));
    return readBytes(log);
  };
  const [start, startNs, end, endNs] = [1_700_000_000, 500_000_000, 1_700_000_010, 750_000_000];
  const known = {
    command: './program',
    jobId: '42',
    startTime: 1_700_000_000.5,
    endTime: 1_700_000_010.75,
    runTime: 10.25,
  };

  test.each([
    ['no process', [start, startNs, end, endNs, 0], { ...known, processes: 0 }, 'a job of 0 processes; lost: how many'],
    ['too many', [start, startNs, end, endNs, 2n ** 60n], { ...known, processes: 0 }, 'a job of 1152921504606847000 '],
    [
      'a start that is none',
      [2n ** 60n, startNs, end, endNs, 4],
      { ...known, startTime: 0, runTime: NaN, processes: 4 },
      'a start at second 1152921504606847000 and 500000000 ns; lost: when the job started',
    ],
    [
      'an end that is none',
      [start, startNs, end, -1, 4],
      { ...known, endTime: NaN, runTime: NaN, processes: 4 },
      'an end at second 1700000010 and -1 ns; lost: when the job ended',
    ],
    [
      'an end before the start',
      [start, startNs, 1000, 500_000_000, 4],
      { ...known, endTime: 1000.5, runTime: NaN, processes: 4 },
      'the job ends before it starts (by 1699999000 seconds); lost: how long the job ran',
    ],
  ])('%s: only that is lost', async (_, words, expected, report) => {
    const trace = await job(...words);
    expect(trace.counters!.job).toMatchObject(expected);
    expect(reports(trace)).toEqual([expect.stringContaining(`job data: ${report}`)]);
    expect(recordsOf(trace)).toBe(1);
  });

  test('a program that was killed is no damage', async () => {
    const trace = await job(start, startNs, 0, 0, 4);
    expect(trace.counters!.job).toMatchObject({ endTime: 0, runTime: NaN });
    expect(trace.damage).toEqual([]);
  });

  test.each(['none', 'zlib'] as const)('a wrong number does not hide the tables in front (%s)', async (packing) => {
    const tables = ['0x1, /a.c:7\n', ''] as const;
    const trace = await read({ packing, packingByte: 77, processes: 0, tables, names, modules: [stdio(records(0))] });
    expect(trace.counters!.lineTables).toBeDefined();
    expect(recordsOf(trace)).toBe(1);
    expect(trace.counters!.job).toMatchObject({ command: './program', compression: packing, processes: 0 });
    expect(trace.damage).toHaveLength(2);
  });

  test('one that cannot be read was not killed', async () => {
    const trace = await job(-1, -1, -1, -1, -1);
    expect(trace.counters!.job).toMatchObject({ endTime: NaN, processes: 0 });
  });
});
