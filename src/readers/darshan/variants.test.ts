import { describe, expect, test } from 'vitest';
import { Words, writeLog, type WrittenLog } from '../../../test/support/darshan/darshan-writer.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import type { ChunkStore } from '../../trace/chunk-store.ts';
import { CHUNK_ROWS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { COUNTER_MODULES, layoutOf } from './module-layouts.ts';
import { readDarshan } from './darshan-reader.ts';

const read = (log: WrittenLog): Promise<Trace> => readDarshan([memoryFile('a.darshan', writeLog(log))]);
const names = [[7n, '/data/a']] as const;

/** A record whose numbers are 1, 2, 3, … as they stand in it. */
function counting(head: Words, integers: number, floats: number): Words {
  for (let i = 1; i <= integers; i++) head.int(i);
  for (let i = 1; i <= floats; i++) head.float(i / 2);
  return head;
}

const begun = (littleEndian = true): Words => new Words(littleEndian).int(7, -1);

/** Values of the one record of a module, by name. */
function values(trace: Trace, module: string): Record<string, number> {
  const table = trace.counters!.modules.find((candidate) => candidate.module === module)!;
  expect(table.length).toBe(1);
  return Object.fromEntries(table.counters.map((name, counter) => [name, table.value(0, counter)]));
}

describe('record layouts', () => {
  test('have the sizes that darshan-util states', () => {
    for (const [module, { versions }] of Object.entries(COUNTER_MODULES)) {
      for (const [version, { bytes }] of Object.entries(versions)) {
        expect(layoutOf(module, Number(version))?.bytes, `${module} ${version}`).toBe(bytes);
      }
    }
  });

  test('POSIX 2: what it lacks is -1, what follows stands in its place', async () => {
    const bytes = counting(begun(), 64, 15).bytes;
    const found = values(
      await read({ version: '3.10', names, modules: [{ slot: 1, version: 2, streams: [bytes] }] }),
      'POSIX',
    );
    const expected = { POSIX_OPENS: 1, POSIX_FILENOS: -1, POSIX_DUPS: -1, POSIX_READS: 2, POSIX_FDSYNCS: 8 };
    expect(found).toMatchObject(expected);
    expect(found).toMatchObject({ POSIX_RENAME_SOURCES: -1, POSIX_RENAMED_FROM: 0, POSIX_MODE: 9 });
    expect(found).toMatchObject({ POSIX_SLOWEST_RANK_BYTES: 64, POSIX_F_OPEN_START_TIMESTAMP: 0.5 });
    expect(found).toMatchObject({ POSIX_F_CLOSE_START_TIMESTAMP: -1, POSIX_F_OPEN_END_TIMESTAMP: -1 });
    expect(found).toMatchObject({ POSIX_F_READ_END_TIMESTAMP: 2, POSIX_F_VARIANCE_RANK_BYTES: 7.5 });
  });

  test('POSIX 1: records that count calls of stdio are left out, and the user is told', async () => {
    const record = (fopens: number): Buffer => {
      const words = begun().int(1, 2, 3, 4, 5, 6, fopens, 0, 0, 0);
      for (let i = 7; i <= 64; i++) words.int(i);
      return words.float(...Array.from({ length: 15 }, () => 0)).bytes;
    };
    const streams = [record(0), record(3)];
    const trace = await read({ version: '3.00', names, modules: [{ slot: 1, version: 1, streams }] });
    expect(values(trace, 'POSIX')).toMatchObject({ POSIX_MMAPS: 6, POSIX_FSYNCS: 7, POSIX_SLOWEST_RANK_BYTES: 64 });
    expect(trace.notes).toEqual([expect.stringContaining('1 records of POSIX are left out')]);
  });

  test('H5F 1 and 2', async () => {
    const one = begun().int(5).float(0.25, 9).bytes;
    expect(values(await read({ version: '3.00', modules: [{ slot: 3, version: 1, streams: [one] }] }), 'H5F')).toEqual({
      H5F_OPENS: 5,
      H5F_FLUSHES: -1,
      H5F_USE_MPIIO: -1,
      H5F_F_OPEN_START_TIMESTAMP: 0.25,
      H5F_F_CLOSE_START_TIMESTAMP: -1,
      H5F_F_OPEN_END_TIMESTAMP: -1,
      H5F_F_CLOSE_END_TIMESTAMP: 9,
      H5F_F_META_TIME: -1,
    });
    const two = begun().int(5).float(1, 2, 3, 4).bytes;
    expect(
      values(await read({ version: '3.10', modules: [{ slot: 3, version: 2, streams: [two] }] }), 'H5F'),
    ).toMatchObject({ H5F_OPENS: 5, H5F_F_CLOSE_START_TIMESTAMP: 2, H5F_F_CLOSE_END_TIMESTAMP: 4 });
  });

  test.each([
    [1, [0.5, 4], { PNETCDF_FILE_F_OPEN_START_TIMESTAMP: 0.5, PNETCDF_FILE_F_CLOSE_END_TIMESTAMP: 4 }],
    [2, [0.5, 1, 2, 4], { PNETCDF_FILE_F_CLOSE_START_TIMESTAMP: 1, PNETCDF_FILE_F_CLOSE_END_TIMESTAMP: 4 }],
  ])('PNETCDF_FILE %i: opens are the sum of two counters', async (version, floats, expected) => {
    const bytes = begun()
      .int(3, 4)
      .float(...floats).bytes;
    const trace = await read({ version: '3.10', modules: [{ slot: 4, version, streams: [bytes] }] });
    const found = values(trace, 'PNETCDF_FILE');
    expect(found).toMatchObject({ PNETCDF_FILE_OPENS: 7, PNETCDF_FILE_CREATES: -1, PNETCDF_FILE_F_WAIT_TIME: -1 });
    expect(found).toMatchObject(expected);
  });

  test('BG/Q 1 has eight bytes more in front; its modules stood two places lower', async () => {
    const bytes = counting(begun(false).int(99), 11, 1).bytes;
    const modules = [{ slot: 5, version: 1, streams: [bytes] }];
    const trace = await read({ version: '3.10', littleEndian: false, modules });
    expect(values(trace, 'BG/Q')).toMatchObject({ BGQ_CSJOBID: 1, BGQ_TORUSENABLED: 11, BGQ_F_TIMESTAMP: 0.5 });
  });

  test('MDHIM: numbers of its servers follow each record', async () => {
    const record = (puts: number): Buffer => begun().int(puts, 0, 0, 0, 2).float(0, 0, 0, 0).int(10, 20).bytes;
    const trace = await read({ modules: [{ slot: 12, version: 1, streams: [record(5), record(6)] }] });
    const [table] = trace.counters!.modules;
    expect([table!.get(0, 'MDHIM_PUTS'), table!.get(1, 'MDHIM_PUTS'), table!.length]).toEqual([5, 6, 2]);
    expect(trace.damage).toEqual([]);
  });

  test('APMPI with times of synchronisation', async () => {
    const first = new Words().int(1, 0, 0).short(1, 0).float(0.5, 0.25).bytes;
    const second = counting(new Words().int(2, 3), 396, 240).text('nid00007', 128).bytes;
    const trace = await read({ modules: [{ slot: 14, version: 1, streams: [Buffer.concat([first, second])] }] });
    const [table] = trace.counters!.modules;
    expect(table!.counters).toHaveLength(2 + 396 + 240);
    expect(table!.get(0, 'MPI_TOTAL_COMM_SYNC_TIME_VARIANCE')).toBe(0.25);
    expect(table!.get(1, 'MPI_SEND_CALL_COUNT')).toBe(1);
    expect(table!.get(1, 'MPI_TOTAL_COMM_SYNC_TIME')).toBe(120);
    expect(trace.counters!.hosts?.get(3)).toBe('nid00007');
  });
});

describe('Lustre', () => {
  const component = (size: number, count: number, start: number, end: number, pool: string): Words =>
    new Words().int(size, count, 0, 0x10, start, end, 1).text(pool, 16);

  test('a progressive layout; components that are not used are dropped', async () => {
    const parts = [
      component(1 << 20, 1, 0, 1 << 26, ''),
      component(1 << 22, 3, 1 << 26, -1, 'flash'),
      component(-1, 4, 0, 0, ''),
    ];
    const head = new Words().int(7, 0, 3, 8).bytes;
    const targets = new Words().int(5, 1, 2, 3, 9, 9, 9, 9).bytes;
    const bytes = Buffer.concat([head, ...parts.map((part) => part.bytes), targets]);
    const trace = await read({ names, modules: [{ slot: 8, version: 2, streams: [bytes, bytes] }] });
    const layouts = trace.counters!.layouts;
    expect(layouts).toHaveLength(2);
    expect(trace.files.at(layouts[0]!.file).path).toBe('/data/a');
    const [first, second] = layouts[1]!.components;
    expect(first).toMatchObject({ stripeSize: 1 << 20, targets: [5], extentEnd: 1 << 26, pattern: 'raid0', flags: 16 });
    expect(second).toMatchObject({ stripeCount: 3, targets: [1, 2, 3], extentEnd: -1, pool: 'flash', mirror: 1 });
    expect(layouts[1]!.components).toHaveLength(2);
  });
});

describe('heatmaps', () =>
  test('one bin more or less than in the first record of that width is put right', async () => {
    const map = (rank: number, ...bins: number[]): Buffer =>
      new Words()
        .int(9, rank)
        .float(0.5)
        .int(bins.length, 0xdead, 0xbeef)
        .int(...bins)
        .int(...bins.map((bin) => bin + 1)).bytes;
    const streams = [map(0, 1, 2), map(1, 3, 4, 5), map(2, 6)];
    const trace = await read({ names: [[9n, 'heatmap:MPIIO']], modules: [{ slot: 15, version: 1, streams }] });
    const found = trace.counters!.heatmaps.map(({ api, rank, read: moved, written }) => [
      api,
      rank,
      [...written],
      [...moved],
    ]);
    expect(found).toEqual([
      ['MPIIO', 0, [1, 2], [2, 3]],
      ['MPIIO', 1, [3, 4], [4, 5]],
      ['MPIIO', 2, [6, 0], [7, 0]],
    ]);
    expect(trace.files.length).toBe(0);
  }));

describe('segments', () => {
  const head = (rank: number, writes: number, reads: number, littleEndian = true): Words =>
    new Words(littleEndian).int(7, rank, 0).text('nid1', 64).int(writes, reads);

  test.each([
    [true, 1, 32],
    [false, 1, 32],
    [true, 2, 40],
    [false, 2, 40],
  ])(
    'little endian %s, version %i: writes and reads are merged by their starts',
    async (littleEndian, version, size) => {
      const words = head(3, 2, 2, littleEndian);
      for (const start of [1, 3, 2, 4]) {
        words.int(start * 100, 10).float(start, start + 0.5);
        if (size === 40) words.int(0x7f00_0000_0000);
      }
      const bytes = words.bytes;
      const trace = await read({ littleEndian, names, modules: [{ slot: 10, version, streams: [bytes] }] });
      const { events, calls, streams } = trace;
      const rows = Array.from({ length: events.length }, (_, row) => [
        calls.names[events.value('call', row)],
        events.value('offset', row),
        events.value('start', row),
        events.value('duration', row),
        events.value('line', row),
        events.value('stack', row),
      ]);
      expect(rows).toEqual([
        ['write', 100, 1e9, 5e8, 1, NONE],
        ['read', 200, 2e9, 5e8, 3, NONE],
        ['write', 300, 3e9, 5e8, 2, NONE],
        ['read', 400, 4e9, 5e8, 4, NONE],
      ]);
      expect(streams).toEqual([{ host: 'nid1', pid: 3, processId: 3, part: 0, rank: 3 }]);
      expect(trace.damage).toEqual([]);
    },
  );

  test('a length of segments that the version does not say is found by their looks', async () => {
    const words = head(0, 3, 0);
    for (const start of [1, 2, 3]) words.int(start, 10).float(start, start).int(start);
    const trace = await read({ names, modules: [{ slot: 10, version: 9, streams: [words.bytes] }] });
    expect(trace.counters!.segments).toEqual([
      { module: 'DXT_POSIX', write: { count: 3, bytes: 30 }, read: { count: 0, bytes: 0 } },
    ]);
    expect(trace.notes).toEqual(['version 9 of DXT_POSIX is read like version 2']);
  });

  test('offsets that MPI-IO does not know are NaN', async () => {
    const bytes = head(0, 1, 1).int(-1, 10).float(1, 2).int(-1, 20).float(2, 3).bytes;
    const { events } = await read({ names, modules: [{ slot: 11, version: 2, streams: [bytes] }] });
    expect([events.value('offset', 0), events.value('offset', 1)]).toEqual([NaN, NaN]);
  });

  test('many runs that are not in order are sorted across chunks of the table', async () => {
    const count = 150_000;
    const words = head(0, count, 0);
    for (let i = 0; i < count; i++) words.int(i, 1).float(((i * 7919) % count) / 1000, 1000);
    const { events } = await read({ names, modules: [{ slot: 10, version: 1, streams: [words.bytes] }] });
    let wrong = 0;
    for (let row = 1; row < count; row++) {
      const [before, start] = [events.value('start', row - 1), events.value('start', row)];
      if (start < before || Math.round(start / 1e6) !== (events.value('offset', row) * 7919) % count) wrong++;
    }
    expect(wrong).toBe(0);
  });

  test('a table that memory has no room for is sorted in its file', async () => {
    const count = 300_000;
    const segments = Buffer.alloc(2 * count * 32);
    for (let i = 0; i < 2 * count; i++) {
      // Writes start at even, reads at odd microseconds.
      const start = i < count ? 2 * i : 2 * (i - count) + 1;
      segments.writeBigInt64LE(BigInt(start), i * 32);
      segments.writeBigInt64LE(1n, i * 32 + 8);
      segments.writeDoubleLE(start / 1e6, i * 32 + 16);
      segments.writeDoubleLE(start / 1e6, i * 32 + 24);
    }
    const bytes = Buffer.concat([head(0, count, count).bytes, segments]);
    const log = writeLog({ names, packing: 'none', modules: [{ slot: 10, version: 1, streams: [bytes] }] });
    const stored = new Map<number, Uint8Array>();
    const chunkStore: ChunkStore = {
      keeps: () => false,
      write: (position, chunk) => {
        stored.set(position, chunk.slice());
        return true;
      },
      read: (position, target) => target.set(stored.get(position)!.subarray(0, target.length)),
    };
    const { events } = await readDarshan([memoryFile('a.darshan', log)], { chunkStore });
    expect(stored.size).toBeGreaterThan(0);
    let wrong = 0;
    events.chunks.forEach((chunk, number) => {
      for (let i = 0; i < events.rowsIn(number); i++) {
        const row = number * CHUNK_ROWS + i;
        const line = row % 2 === 0 ? row / 2 + 1 : count + (row + 1) / 2;
        if (chunk.offset[i] !== row || chunk.start[i] !== row * 1000 || chunk.line[i] !== line) wrong++;
      }
    });
    expect(wrong).toBe(0);
  });
});
