import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { lmtTables } from './lmt-tables.ts';
import type { ServerLoad } from './load-rows.ts';
import { readLmt } from './read-lmt.ts';

const INFO = {
  'FILESYSTEM_INFO.tsv': 'FILESYSTEM_ID\tFILESYSTEM_NAME\n1\tscratch\n',
  'OSS_INFO.tsv': 'OSS_ID\tFILESYSTEM_ID\tHOSTNAME\n7\t1\toss7\n',
  'OST_INFO.tsv': 'OST_ID\tOSS_ID\tOST_NAME\tHOSTNAME\n1\t7\tscratch-OST001f\tNULL\n2\t7\told\toss9\n',
  'MDS_INFO.tsv': 'MDS_ID\tFILESYSTEM_ID\tMDS_NAME\tHOSTNAME\n1\t1\tscratch-MDT0000\tmds1\n',
  'TIMESTAMP_INFO.tsv':
    'TS_ID\tTIMESTAMP\n' +
    [0, 5, 10, 25, 30].map((second, i) => `${i}\t2018-01-15 10:00:${String(second).padStart(2, '0')}\n`).join(''),
};
const START = Date.UTC(2018, 0, 15, 10) / 1000;

function read(more: Readonly<Record<string, string>>, mostRows?: number): Promise<ServerLoad> {
  const files = Object.entries({ ...INFO, ...more }).map(([name, text]) => memoryFile(name, text));
  return readLmt(lmtTables(files)!, 'key', undefined, mostRows);
}

const ostData = (
  ...samples: readonly (readonly [id: number, moment: number | string, read: number | string, written: number])[]
): string =>
  'OST_ID\tTS_ID\tREAD_BYTES\tWRITE_BYTES\tPCT_CPU\n' + samples.map((sample) => `${sample.join('\t')}\t50\n`).join('');

describe('dumps of LMT', () => {
  test('differences of counters; across a gap; from 0 on after a restart; without a value nothing is known', async () => {
    const { rows, damage } = await read({
      'OST_DATA.tsv': ostData([1, 0, 100, 10], [1, 1, 150, 10], [1, 2, 'NULL', 30], [1, 3, 400, 7], [1, 4, 500, 8]),
    });
    expect(damage).toEqual([]);
    expect(rows.map((row) => [row.start_time! - START, row.seconds, row.bytes_read, row.bytes_written])).toEqual([
      [0, 5, 50, 0],
      [5, 5, null, 20],
      [10, 15, null, 7],
      [25, 5, 100, 1],
    ]);
    const target = { file_system: 'scratch', server: 'oss7', target: 'OST001f', target_kind: 'OST', target_index: 31 };
    expect(rows[0]).toMatchObject({ ...target, operations: null, cpu_percent: 50 });
  });

  test("a server's own load goes before what stands beside the counters; names without a number have no index", async () => {
    const { rows } = await read({
      'OST_DATA.tsv': ostData([2, 0, 0, 0], [2, 1, 1, 1], [2, 2, 2, 2]),
      'OSS_DATA.tsv': 'OSS_ID\tTS_ID\tPCT_CPU\n7\t1\t90\n',
    });
    expect(rows.map(({ cpu_percent }) => cpu_percent)).toEqual([90, 50]);
    expect(rows[0]).toMatchObject({ target: 'old', target_index: null, server: 'oss9' });
  });

  test('operations of a metadata target are the sum of all kinds', async () => {
    const counts = [
      [1, 0, 10],
      [2, 0, 100],
      [1, 1, 15],
      [2, 1, 107],
      [1, 2, 16],
      [2, 2, 3],
    ].map(([operation, moment, samples]) => `1\t${operation}\t${moment}\t${samples}\tNULL\n`);
    const { rows } = await read({
      'MDS_OPS_DATA.tsv': `MDS_ID\tOPERATION_ID\tTS_ID\tSAMPLES\tSUM\n${counts.join('')}`,
      'MDS_DATA.tsv': 'MDS_ID\tTS_ID\tPCT_CPU\n1\t1\t12.5\n',
    });
    expect(rows.map(({ operations, cpu_percent }) => [operations, cpu_percent])).toEqual([
      [12, 12.5],
      [4, null],
    ]);
    expect(rows[0]).toMatchObject({ target_kind: 'MDT', target: 'MDT0000', target_index: 0, bytes_read: null });
  });

  test('kinds of operations have columns where their names are known; what is counted elsewhere counts once', async () => {
    const names = ['open', 'mkdir', 'mknod', 'rename', 'samedir_rename', 'statfs', 'read_bytes'];
    const counts = [0, 1].flatMap((moment) =>
      names.map((_, i) => `1\t${i + 1}\t${moment}\t${moment * 10 ** i}\tNULL\n`),
    );
    const { rows, damage } = await read({
      'OPERATION_INFO.tsv': `OPERATION_ID\tOPERATION_NAME\n${names.map((name, i) => `${i + 1}\t${name}\n`).join('')}`,
      'MDS_OPS_DATA.tsv': `MDS_ID\tOPERATION_ID\tTS_ID\tSAMPLES\tSUM\n${counts.join('')}`,
      'MDS_DATA.tsv': 'MDS_ID\tTS_ID\tPCT_CPU\tKBYTES_USED\n1\t1\t12.5\t7\n',
    });
    expect(damage).toEqual([]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ operations: 101_111, opens: 1, creates: 110, renames: 1000, closes: null });
    expect(rows[0]).toMatchObject({ bytes_used: 7168, cpu_percent: 12.5 });
  });

  test('what a target stores, at the end of each sample', async () => {
    const { rows } = await read({
      'OST_DATA.tsv':
        'OST_ID\tTS_ID\tREAD_BYTES\tWRITE_BYTES\tKBYTES_USED\n1\t0\t0\t0\t1\n1\t1\t1\t1\t3\n1\t2\t1\t1\tNULL\n',
    });
    expect(rows.map(({ bytes_used }) => bytes_used)).toEqual([3072, null]);
  });

  test('commas with quotes are as good as tabs; names of files and columns in any case', async () => {
    const { rows } = await read({
      'ost_data.csv.gz': 'ost_id,ts_id,read_bytes,write_bytes\n"1",0,5,5\r\n"1","1",7,9',
    });
    expect(rows.map(({ bytes_read, bytes_written }) => [bytes_read, bytes_written])).toEqual([[2, 4]]);
  });

  test('what fits nothing is left out, and said', async () => {
    const { rows, damage } = await read({
      'OST_DATA.tsv': ostData([1, 1, 5, 5], [1, 0, 4, 4], [1, 'x', 6, 6], [3, 0, 0, 0], [3, 1, 9, 9]),
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ target: null, target_index: null, bytes_read: 9 });
    expect(damage).toEqual([
      '1 rows of a moment that TIMESTAMP_INFO does not hold are left out',
      '1 rows that are not later than those before them are left out',
      '1 intervals are of targets that OST_INFO or MDS_INFO do not hold',
    ]);
    await expect(read({ 'OST_DATA.tsv': '1\t2\t3\n' })).rejects.toThrow(/OST_DATA.tsv: the first line names none/);
  });

  test('too many samples are joined: no byte is lost, and each interval stands for as many', async () => {
    const moments = Array.from({ length: 1001 }, (_, i) => i);
    const { rows, damage } = await read(
      {
        'TIMESTAMP_INFO.tsv': `TS_ID\tTIMESTAMP\n${moments.map((i) => `${i}\t${START + i}\n`).join('')}`,
        'OST_DATA.tsv': ostData(...moments.flatMap((i) => [[1, i, i * 3, i] as const, [2, i, i, i * i] as const])),
      },
      100,
    );
    expect(rows.length).toBeLessThanOrEqual(100);
    for (const [name, read, written] of [
      ['OST001f', 3000, 1000],
      ['old', 1000, 1_000_000],
    ] as const) {
      const own = rows.filter(({ target }) => target === name);
      expect(own.reduce((sum, row) => sum + row.bytes_read!, 0)).toBe(read);
      expect(own.reduce((sum, row) => sum + row.bytes_written!, 0)).toBe(written);
      expect(own.reduce((sum, row) => sum + row.seconds!, 0)).toBe(1000);
      expect(new Set(own.slice(0, -1).map(({ seconds }) => seconds))).toEqual(new Set([32]));
    }
    expect(damage).toEqual(['too many samples: 32 at a time are joined to one (give dumps of shorter times)']);
  });

  test('a folder with other files is no dump', () => {
    expect(lmtTables([{ name: 'OST_DATA.tsv' }, { name: 'x.darshan' }])).toBeUndefined();
    expect(lmtTables([{ name: 'TIMESTAMP_INFO.tsv' }])).toBeUndefined();
  });
});
