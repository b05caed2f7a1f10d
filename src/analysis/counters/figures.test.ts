import { describe, expect, test } from 'vitest';
import { counterTable, type TestRecord } from '../../../test/support/counter-table.ts';
import { fileCategories } from './categories.ts';
import { libraryVersion, mpiHints } from './hints.ts';
import { accessPattern, accessSizes, operationCounts, operationTimes } from './module-figures.ts';
import { MountTable } from './mounts.ts';
import { performance } from './performance.ts';

function used(id: number, rank: number, read: number, written: number, lastByte = 0): TestRecord {
  const counters = { POSIX_BYTES_READ: read, POSIX_BYTES_WRITTEN: written, POSIX_MAX_BYTE_READ: lastByte };
  return { id, rank, counters: { ...counters, POSIX_MAX_BYTE_WRITTEN: 0 } };
}

describe('files by how they were used', () => {
  test('by direction and by who used them', () => {
    const table = counterTable('POSIX', [
      used(1, 0, 10, 0, 9),
      used(2, -1, 0, 20),
      used(3, 0, 1, 0, 99),
      used(3, 1, 0, 2),
      used(4, 0, 0, 0),
      used(4, 1, 0, 0),
      used(4, 2, 0, 0),
    ]);
    const found = fileCategories(table, 3)!;
    expect(found.total).toEqual({ files: 4, bytes: 33, maxOffset: 99, meanOffset: 27 });
    expect(found.readOnly).toEqual({ files: 1, bytes: 10, maxOffset: 9, meanOffset: 9 });
    expect(found.writeOnly).toMatchObject({ files: 1, bytes: 20 });
    expect(found.readWrite).toMatchObject({ files: 1, bytes: 3 });
    expect(found.unique).toMatchObject({ files: 1, bytes: 10 });
    expect(found.partiallyShared).toMatchObject({ files: 1, bytes: 3 });
    // The reduced record, and the file that each of the three processes has a record of.
    expect(found.shared).toMatchObject({ files: 2, bytes: 20 });
  });

  test('the only process of a job shares nothing', () =>
    expect(fileCategories(counterTable('POSIX', [used(1, 0, 1, 1)]), 1)).toMatchObject({
      unique: { files: 1 },
      shared: { files: 0 },
    }));

  test('modules without offsets say so, others have no such figures', () => {
    const counters = { MPIIO_BYTES_READ: 5, MPIIO_BYTES_WRITTEN: 0 };
    expect(fileCategories(counterTable('MPI-IO', [{ counters }]), 2)?.total).toEqual({
      files: 1,
      bytes: 5,
      maxOffset: -1,
      meanOffset: -1,
    });
    expect(fileCategories(counterTable('H5D', [{ counters: { H5D_READS: 1 } }]), 2)).toBeUndefined();
  });
});

describe('what a module cost the job', () => {
  const timed = (rank: number, meta: number, read: number, slowest = 0): TestRecord => ({
    rank,
    id: 1,
    counters: {
      POSIX_BYTES_READ: 1_048_576,
      POSIX_F_META_TIME: meta,
      POSIX_F_READ_TIME: read,
      POSIX_F_WRITE_TIME: 0,
      POSIX_F_SLOWEST_RANK_TIME: slowest,
    },
  });

  test('the slowest process with its own files, and the slowest in each shared file', () => {
    const table = counterTable('POSIX', [timed(0, 1, 1), timed(7, 0.5, 2), timed(7, 0.25, 0), timed(-1, 90, 90, 1.25)]);
    expect(performance(table)).toEqual({
      totalBytes: 4 * 1_048_576,
      slowestRank: 7,
      slowestRankSeconds: 2.75,
      slowestRankMetadataSeconds: 0.75,
      slowestRankTransferSeconds: 2,
      sharedFilesSeconds: 1.25,
      seconds: 4,
      mebibytesPerSecond: 1,
    });
  });

  test('without time there is no bandwidth', () =>
    expect(performance(counterTable('POSIX', [timed(3, 0, 0)]))).toMatchObject({
      slowestRank: 0,
      seconds: 0,
      mebibytesPerSecond: 0,
    }));

  test('counters that a text form leaves out took no time', () => {
    const table = counterTable('STDIO', [{ rank: 0, counters: { STDIO_BYTES_READ: 3, STDIO_F_READ_TIME: 2 } }]);
    expect(performance(table)).toMatchObject({ totalBytes: 3, seconds: 2 });
  });
});

describe('figures of one module', () => {
  test('operations: those that no record measured are left out, the others do not count -1', () => {
    const table = counterTable('POSIX', [
      { counters: { POSIX_READS: 4, POSIX_FSYNCS: 1, POSIX_FDSYNCS: 2, POSIX_MMAPS: -1, POSIX_STATS: -1 } },
      { counters: { POSIX_READS: 1, POSIX_FSYNCS: 0, POSIX_FDSYNCS: 0, POSIX_MMAPS: -1, POSIX_STATS: 6 } },
    ]);
    expect(operationCounts(table)).toEqual([
      { operation: 'read', count: 5 },
      { operation: 'stat', count: 6 },
      { operation: 'fsync', count: 3 },
    ]);
  });

  test('sizes of accesses, of whole datatypes in MPI-IO', () => {
    const posix = counterTable('POSIX', [{ counters: { POSIX_SIZE_READ_0_100: 3 } }], ['POSIX_SIZE_WRITE_0_100']);
    expect(accessSizes(posix)).toEqual({ read: [3, ...zeros(9)], write: zeros(10) });
    const counters = { MPIIO_SIZE_READ_AGG_0_100: 0, MPIIO_SIZE_WRITE_AGG_0_100: 0, MPIIO_SIZE_WRITE_AGG_1G_PLUS: 2 };
    expect(accessSizes(counterTable('MPI-IO', [{ counters }]))).toEqual({ read: zeros(10), write: [...zeros(9), 2] });
    expect(accessSizes(counterTable('STDIO', [{ counters: { STDIO_READS: 1 } }]))).toBeUndefined();
  });

  test('negative times, which Darshan 3.1 wrote, are none', () => {
    const table = counterTable('STDIO', [
      { counters: { STDIO_F_WRITE_TIME: -20.5, STDIO_F_META_TIME: 1 } },
      { counters: { STDIO_F_WRITE_TIME: 2, STDIO_F_META_TIME: 1 } },
    ]);
    expect(operationTimes(table)).toEqual({ readSeconds: 0, writeSeconds: 2, metadataSeconds: 2, waitSeconds: 0 });
    expect(operationTimes(counterTable('BG/Q', [{ counters: { BGQ_NNODES: 1 } }]))).toBeUndefined();
  });

  test('patterns are counted by POSIX only', () => {
    const counters = { POSIX_READS: 9, POSIX_SEQ_READS: 5, POSIX_CONSEC_READS: 4, POSIX_WRITES: 1 };
    expect(accessPattern(counterTable('POSIX', [{ counters }]))).toEqual({
      read: { total: 9, sequential: 5, consecutive: 4 },
      write: { total: 1, sequential: 0, consecutive: 0 },
    });
    expect(accessPattern(counterTable('STDIO', [{ counters: { STDIO_READS: 1 } }]))).toBeUndefined();
  });

  function zeros(count: number): number[] {
    return Array.from({ length: count }, () => 0);
  }
});

test('the longest mount point that a path begins with, whatever follows it', () => {
  const mounts = new MountTable([
    ['/', 'ext4'],
    ['/scratch', 'lustre'],
    ['/scratch/big', 'gpfs'],
  ]);
  expect(mounts.find('/scratch/big/a').fileSystem).toBe('gpfs');
  expect(mounts.find('/scratchy').mountPoint).toBe('/scratch');
  expect(mounts.find('/etc/passwd').fileSystem).toBe('ext4');
  expect(mounts.find('<STDOUT>')).toEqual({ mountPoint: 'UNKNOWN', fileSystem: 'UNKNOWN' });
});

test('hints and version from the lines of the job', () => {
  const metadata = [
    ['lib_ver', '3.4.6'],
    ['h', 'romio_no_indep_rw=true;cb_nodes=4;;odd'],
  ] as const;
  expect(libraryVersion(metadata)).toBe('3.4.6');
  expect(mpiHints(metadata)).toEqual([
    ['romio_no_indep_rw', 'true'],
    ['cb_nodes', '4'],
    ['odd', ''],
  ]);
  expect(mpiHints([['h', 'no']])).toEqual([]);
  expect(libraryVersion([])).toBe('');
});
