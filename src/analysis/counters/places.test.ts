import { describe, expect, test } from 'vitest';
import { counterTable, type TestRecord } from '../../../test/support/counter-table.ts';
import type { CounterLog, CounterTable, FileLayout, Heatmap } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import { FileTable } from '../../trace/files.ts';
import { fileRows } from './file-rows.ts';
import { accessByFileSystem } from './file-systems.ts';
import { mergedHeatmaps } from './heatmaps.ts';
import { RankSums } from './rank-sums.ts';
import { rankFigures } from './ranks.ts';
import { RANK_COLUMNS } from './segments.ts';
import { TimeGrid } from './time-grid.ts';

function log(modules: readonly CounterTable[], more: Partial<CounterLog> = {}, processes = 4): CounterLog {
  const job = {
    command: '',
    userId: '0',
    jobId: '0',
    startTime: 0,
    endTime: 0,
    runTime: NaN,
    processes,
    logVersion: '3.41',
    compression: 'zlib',
    metadata: [],
    mounts: [['/scratch', 'lustre']],
  } as const;
  return { job, regions: [], modules, layouts: [], heatmaps: [], segments: [], ...more };
}

function fileTable(...paths: readonly string[]): FileTable {
  const files = new FileTable();
  for (const path of paths) files.intern('', path);
  return files;
}

function posix(file: number, rank: number, counters: Readonly<Record<string, number>>): TestRecord {
  const prefixed = Object.entries(counters).map(([name, value]) => [`POSIX_${name}`, value]);
  return { rank, file, id: file + 100, counters: Object.fromEntries(prefixed) as Record<string, number> };
}

describe('the table of files', () => {
  const files = fileTable('/scratch/a', '/scratch/b', '/home/c');

  test('a row for each file and module, most bytes first', () => {
    const table = counterTable(
      'POSIX',
      [
        posix(0, 2, {
          BYTES_READ: 10,
          READS: 4,
          SIZE_READ_0_100: 3,
          SIZE_READ_1M_4M: 1,
          SEQ_READS: 2,
          CONSEC_READS: 1,
        }),
        posix(1, 0, { BYTES_WRITTEN: 100, F_WRITE_TIME: 2, FASTEST_RANK: 0, MAX_BYTE_WRITTEN: 99 }),
        posix(1, 3, { BYTES_WRITTEN: 50, F_WRITE_TIME: 0.5, MAX_BYTE_WRITTEN: 49 }),
        posix(2, -1, { FASTEST_RANK: 1, F_FASTEST_RANK_TIME: 0.1, SLOWEST_RANK: 3, F_SLOWEST_RANK_TIME: 9 }),
      ],
      ['POSIX_META_TIME', 'POSIX_F_META_TIME', 'POSIX_F_READ_TIME', 'POSIX_FILE_NOT_ALIGNED'],
    );
    const stdio = counterTable('STDIO', [{ rank: 0, file: 0, counters: { STDIO_BYTES_READ: 30, STDIO_READS: 1 } }]);
    const { rows, leftOut } = fileRows(log([table, stdio]), files, 10);
    expect(leftOut).toEqual({ rows: 0, bytes: 0 });
    expect(rows.map(({ path, module, processes, rank }) => [path, module, processes, rank])).toEqual([
      ['/scratch/b', 'POSIX', 2, null],
      ['/scratch/a', 'STDIO', 1, 0],
      ['/scratch/a', 'POSIX', 1, 2],
      ['/home/c', 'POSIX', 4, null],
    ]);
    expect(rows[0]).toMatchObject({
      mountPoint: '/scratch',
      fileSystem: 'lustre',
      bytesWritten: 150,
      writeSeconds: 2.5,
      maxOffset: 99,
      fastest: { rank: 3, seconds: 0.5, bytes: 50 },
      slowest: { rank: 0, seconds: 2, bytes: 100 },
      smallShare: null,
    });
    expect(rows[1]).toMatchObject({ smallShare: null, sequentialShare: null, maxOffset: null, fastest: null });
    expect(rows[2]).toMatchObject({
      smallShare: 0.75,
      sequentialShare: 0.5,
      consecutiveShare: 0.25,
      misalignedShare: 0,
    });
    expect(rows[3]).toMatchObject({
      fileSystem: 'UNKNOWN',
      fastest: { rank: 1, seconds: 0.1 },
      slowest: { rank: 3, seconds: 9 },
    });
  });

  test('beyond the bound the rest is counted, also among equals', () => {
    const bytes = [5, 9, 5, 5, 1];
    const table = counterTable(
      'POSIX',
      bytes.map((BYTES_READ, id) => posix(id, 0, { BYTES_READ })),
    );
    const names = fileTable(...bytes.map((_, i) => `/f${i}`));
    const { rows, leftOut } = fileRows(log([table]), names, 3);
    expect(rows.map(({ path }) => path)).toEqual(['/f1', '/f0', '/f2']);
    expect(leftOut).toEqual({ rows: 2, bytes: 6 });
  });

  test('a file without a name is a row like others', () => {
    const table = counterTable('POSIX', [posix(NONE, 0, { BYTES_READ: 3 })]);
    expect(fileRows(log([table]), files, 5).rows[0]).toMatchObject({ path: '', bytesRead: 3 });
  });

  test('stripes of the first component', () => {
    const layout: FileLayout = {
      file: 1,
      recordId: 101n,
      rank: -1,
      components: [component(4096, [7, 8]), component(65_536, [1])],
    };
    const table = counterTable('POSIX', [posix(1, 0, { BYTES_READ: 3 }), posix(2, 0, { BYTES_READ: 1 })]);
    const { rows } = fileRows(log([table], { layouts: [layout] }), files, 5);
    expect(rows[0]!.stripes).toEqual({ bytes: 4096, count: 2, targets: [7, 8], allTargets: 2, components: 2 });
    expect(rows[1]!.stripes).toBeNull();
  });

  function component(stripeSize: number, targets: readonly number[]): FileLayout['components'][number] {
    const rest = { pattern: 'raid0', flags: 0, extentStart: 0, extentEnd: -1, mirror: 0, pool: '' };
    return { stripeSize, stripeCount: targets.length, targets, ...rest };
  }
});

test('bytes by file system: POSIX and STDIO together, a file counts once', () => {
  const files = fileTable('/scratch/a', '/home/u/b', '<STDOUT>', '/vmlinuz', 'relative');
  const table = counterTable('POSIX', [
    posix(0, 0, { BYTES_READ: 10, BYTES_WRITTEN: 1 }),
    posix(0, 1, { BYTES_READ: 10 }),
    posix(1, 0, { BYTES_READ: -1, BYTES_WRITTEN: 7 }),
    posix(NONE, 0, { BYTES_READ: 2 }),
    posix(3, 0, { BYTES_READ: 3 }),
    posix(4, 0, { BYTES_READ: 4 }),
  ]);
  const stdio = counterTable('STDIO', [
    { file: 0, counters: { STDIO_BYTES_READ: 5 } },
    { file: 2, counters: { STDIO_BYTES_WRITTEN: 6 } },
  ]);
  // MPI-IO goes through POSIX: its bytes would count twice.
  const mpi = counterTable('MPI-IO', [{ file: 0, counters: { MPIIO_BYTES_READ: 1000 } }]);
  const found = accessByFileSystem(log([table, stdio, mpi]), files);
  expect(found.map(({ name, fileSystem, ...rest }) => [name, fileSystem, ...Object.values(rest)])).toEqual([
    ['/scratch', 'lustre', 1, 1, 25, 1],
    ['/home', '', 0, 1, 0, 7],
    ['<STDOUT>', '', 0, 1, 0, 6],
    ['relative', '', 1, 0, 4, 0],
    ['/', '', 1, 0, 3, 0],
    ['?', '', 1, 0, 2, 0],
  ]);
});

describe('bytes over time', () => {
  const heatmap = (rank: number, binWidth: number, read: number[], written: number[] = []): Heatmap => ({
    api: 'MPIIO',
    rank,
    binWidth,
    read: Float64Array.from(read),
    written: Float64Array.from(written),
  });
  const size = { rows: 2, columns: 4 };

  test('heatmaps of all processes in one, bins of different widths in the widest', () => {
    const heatmaps = [heatmap(0, 1, [1, 2, 0, 4, 0, 0]), heatmap(3, 2, [0, 8], [16, 0])];
    const [merged] = mergedHeatmaps(log([], { heatmaps }), [], size);
    expect(merged).toMatchObject({ module: 'MPI-IO', source: 'heatmap' });
    expect(merged!.grid).toMatchObject({ binSeconds: 2, ranksPerRow: 2, columns: 2 });
    expect([...merged!.grid.cells]).toEqual([3, 4, 16, 8]);
    expect([...merged!.grid.read]).toEqual([3, 12]);
    expect([...merged!.grid.written]).toEqual([16, 0]);
  });

  test('traced accesses stand for a heatmap of a few bins, unless some of them are lost', () => {
    const grid = new TimeGrid(4, 2, 4, 0.25);
    const traced = [{ module: 'MPI-IO', ranks: new RankSums(RANK_COLUMNS), grid }];
    const few = [heatmap(0, 0.1, [1, 2])];
    const many = [
      heatmap(
        0,
        0.1,
        Array.from({ length: 30 }, () => 1),
      ),
    ];
    const lost = { name: 'DXT_MPIIO', bytes: 1, version: 1, incomplete: true, known: true };
    const wide = { rows: 2, columns: 40 };
    const source = (heatmaps: readonly Heatmap[], more: Partial<CounterLog> = {}): string[] =>
      mergedHeatmaps(log([], { heatmaps, ...more }), traced, wide).map((each) => each.source);
    expect(source([])).toEqual(['segments']);
    expect(source(few)).toEqual(['segments']);
    expect(source(few, { regions: [lost] })).toEqual(['heatmap']);
    expect(source(many)).toEqual(['heatmap']);
  });

  test('more bins than columns share columns; widths that mean nothing are passed over', () => {
    const heatmaps = [
      heatmap(
        0,
        0.1,
        Array.from({ length: 10 }, () => 1),
      ),
      heatmap(1, NaN, [5]),
      heatmap(1, 0, [5]),
    ];
    const [merged] = mergedHeatmaps(log([], { heatmaps }), [], size);
    expect([...merged!.grid.read]).toEqual([3, 3, 3, 1]);
    expect(merged!.grid.binSeconds).toBeCloseTo(0.3);
  });

  test('an access that lasts is spread over the bins by their share of its time', () => {
    const grid = new TimeGrid(1, 10, 4, 1);
    grid.addSpan(0, true, 0.5, 2, 100);
    grid.addSpan(0, false, 3.5, 10, 7);
    grid.addSpan(0, false, 9, 0, 1);
    expect([...grid.read]).toEqual([25, 50, 25, 0]);
    expect([...grid.written]).toEqual([0, 0, 0, 8]);
  });

  test('ranks beyond the job and absurd numbers of processes stay in the grid', () => {
    const grid = new TimeGrid(2 ** 60, 10, 4, 1);
    grid.add(5, true, NaN, 1);
    grid.add(2 ** 31, true, 0, 1);
    expect([grid.rows, grid.cells.length]).toEqual([10, 40]);
    expect(grid.read[0]).toBe(2);
  });
});

describe('processes', () => {
  test('records of single processes; shared ones are nobody’s', () => {
    const table = counterTable('POSIX', [
      posix(0, 0, { BYTES_READ: 5, F_READ_TIME: 1 }),
      posix(1, 2, { BYTES_READ: 7, F_READ_TIME: 3 }),
      posix(2, 3, { BYTES_READ: 1, F_READ_TIME: 2 }),
      posix(3, -1, { BYTES_READ: 100, F_READ_TIME: 100 }),
    ]);
    const [found] = rankFigures(log([table]), [], 2);
    expect(found).toMatchObject({ module: 'POSIX', source: 'records', active: 3, ranksPerRow: 2 });
    expect(found).toMatchObject({ bytesRead: [5, 8], readSeconds: [1, 5], mostBytes: [5, 7], mostSeconds: [1, 3] });
    expect(found!.exemplars.map(({ role, rank, seconds }) => [role, rank, seconds])).toEqual([
      ['slowest', 2, 3],
      ['median', 3, 2],
      ['fastest', 0, 1],
    ]);
  });

  test('one process stands for itself once, and without times bytes decide', () => {
    const heatmaps: Heatmap[] = [
      { api: 'STDIO', rank: 1, binWidth: 1, read: Float64Array.of(4), written: Float64Array.of(1) },
    ];
    const [found] = rankFigures(log([], { heatmaps }), [], 10);
    expect(found).toMatchObject({ module: 'STDIO', source: 'heatmap', readSeconds: [], mostSeconds: [] });
    expect(found!.exemplars).toEqual([{ role: 'most bytes', rank: 1, bytes: 5, seconds: null }]);
  });

  test('only shared records: nothing is known by process', () =>
    expect(rankFigures(log([counterTable('POSIX', [posix(0, -1, { BYTES_READ: 5 })])]), [], 10)).toEqual([]));
});
