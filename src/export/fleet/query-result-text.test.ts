import { describe, expect, test } from 'vitest';
import type { QueryResult } from '../../fleet/query/query-engine.ts';
import { resultText, type ResultFormat } from './query-result-text.ts';

const COLUMNS = {
  path: '/a\u001b[31m\nb',
  bytes_written: 3 * 2 ** 30,
  'sum(bytes_read)': 2 ** 20,
  'count(bytes_read)': 2 ** 20,
  run_seconds: 90,
  job_percent: 12.5,
  share_so_far: 0.844111,
  file_bandwidth: 8_200_000,
  shared_files: 1234,
};

describe('the result of a query', () => {
  test('as a table has units where the names of columns tell them, and nothing that a terminal obeys', async () => {
    const [head = '', , row = ''] = (await text('table')).split('\n');
    const cells = row.split(/ {2,}/).filter((cell) => cell !== '');
    expect(cells[0]).toBe('/a\ufffd[31m\ufffdb');
    expect(cells.slice(1)).toEqual(['3 GiB', '1 MiB', '1048576', '90 s', '13 %', '84 %', '8.2 MB/s', '1234']);
    expect(head).toContain('bytes_written');
  });

  test('as CSV and JSON has the values as they are', async () => {
    expect(await text('csv')).toContain(`,${3 * 2 ** 30},1048576,1048576,90,12.5,0.844111,8200000,1234\r\n`);
    expect((JSON.parse(await text('json')) as { rows: unknown[] }).rows).toEqual([COLUMNS]);
  });
});

async function text(format: ResultFormat): Promise<string> {
  const columns = Object.entries(COLUMNS).map(([name, value]) => ({
    name,
    type: typeof value === 'string' ? 'VARCHAR' : 'DOUBLE',
  }));
  const result: QueryResult = { columns, rows: [Object.values(COLUMNS)], truncated: false, elapsedMs: 0 };
  let all = '';
  for await (const piece of resultText([result], format, {})) all += piece;
  return all;
}
