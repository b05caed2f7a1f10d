import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CausesRequest, JobCauses } from '../../src/fleet/query/job-causes.ts';
import type { JobFilter } from '../../src/fleet/query/job-filter.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { makeStore } from '../support/made-store.ts';

const JOBS = 6000;
const FILES = 4;
const MONTH = '2018-01';
const folder = mkdtempSync(path.join(os.tmpdir(), 'iolens-slowest-'));
let store: OpenedStore;

/**
 * Files of a job follow each other at once in some jobs, and hours apart in most: over the span these are slow, over the active
 * time they are not. Job 7 reads 20 GB and writes 5,905 bytes.
 */
beforeAll(async () => {
  const job = `(i // ${FILES})`;
  const apart = `CASE WHEN ${job} % 3 = 0 THEN 0 ELSE 5000 END`;
  const start = `(i % ${FILES}) * (10 + ${apart}) + (hash(i) % 5)::DOUBLE`;
  const files = {
    log: `md5(${job}::VARCHAR)`,
    job_id: `${job}::VARCHAR`,
    file_id: 'i::VARCHAR',
    path: `'/f' || i`,
    bytes_read: `CASE WHEN ${job} = 7 THEN 5000000000 ELSE 0 END`,
    bytes_written: `CASE WHEN ${job} = 7 THEN 1476 + i % ${FILES} // 3 ELSE (1 + hash(${job}) % 100000) * 10000 END`,
    writes: '10',
    reads: `CASE WHEN ${job} = 7 THEN 10 ELSE 0 END`,
    read_start: start,
    read_end: `${start} + 4`,
    write_start: start,
    write_end: `${start} + 4 + (hash(i + 1) % 100) / 10.0`,
  };
  const sums = ['bytes_read', 'bytes_written', 'reads', 'writes'].map((name) => `sum(${name}) AS ${name}`);
  const moments = ['read', 'write'].map((way) => `min(${way}_start) AS ${way}_start, max(${way}_end) AS ${way}_end`);
  const parts = `read_parquet('${folder}/parts/file/*/*.parquet')`;
  await makeStore(folder, [
    { table: 'file', month: MONTH, first: 0, last: JOBS * FILES, values: files },
    {
      table: 'job',
      month: MONTH,
      first: 0,
      last: JOBS,
      values: {
        ...Object.fromEntries(
          [...Object.keys(files)].filter((name) => !/^(log|file_id|path)$/.test(name)).map((n) => [n, n]),
        ),
        log: 'md5(job_id)',
        path: `'/logs/' || job_id`,
        application: `'app'`,
        processes: `CASE WHEN job_id::INTEGER % 2 = 0 THEN 4 ELSE 64 END`,
        nodes: '2',
      },
      source: `(SELECT job_id, ${[...sums, ...moments].join(', ')} FROM ${parts} GROUP BY job_id)`,
    },
    {
      table: 'scheduler_job',
      month: MONTH,
      first: 0,
      last: JOBS,
      values: { log: `'s'`, job_id: 'i::VARCHAR', nodes: '1 + i % 5', cluster: `'c'` },
    },
  ]);
  store = await OpenedStore.open(folder);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const request = (more: Partial<CausesRequest> = {}): CausesRequest => ({
  ...{ filter: {}, direction: 'write', leastBandwidth: 0, mostBandwidth: 1e9, mostJobs: 50 },
  ...more,
});

async function found(more: Partial<CausesRequest>): Promise<readonly JobCauses[]> {
  return store.causes(request(more));
}

async function numbers(filter: JobFilter, direction: 'read' | 'write'): Promise<(string | null)[]> {
  return (await found({ filter, direction, mostBandwidth: 1e12, mostJobs: JOBS })).map(({ jobId }) => jobId).sort();
}

async function logsOf(condition: string): Promise<string[]> {
  const { rows } = await store.query(`SELECT job_id FROM job WHERE ${condition} ORDER BY job_id`);
  return rows.map(([number]) => number as string);
}

describe('the slowest jobs of a store', () => {
  test('are those of all jobs, although few are looked at', async () => {
    const all = await found({ mostJobs: JOBS });
    expect(all.length).toBeGreaterThan(3000);
    for (const mostJobs of [1, 50, 700]) expect(await found({ mostJobs })).toEqual(all.slice(0, mostJobs));
    const fast = all.filter(({ causes }) => causes.bandwidth! >= 1e7).slice(0, 20);
    expect(await found({ mostJobs: 20, leastBandwidth: 1e7 })).toEqual(fast);
    expect(await found({ mostJobs: 0 })).toEqual([]);
    expect(all[0]!.nodes).toBe(1 + (Number(all[0]!.jobId) % 5));
  });

  test('are chosen by the bytes of the direction, and by those of each process', async () => {
    expect(await numbers({ leastBytes: 1e10 }, 'read')).toEqual(['7']);
    expect(await numbers({ leastBytes: 1e10 }, 'write')).toEqual([]);
    const least = 1e9;
    expect(await numbers({ leastBytes: least }, 'write')).toEqual(await logsOf(`bytes_written >= ${least}`));
    const share = 5e7;
    const each = await numbers({ leastBytesPerProcess: share, leastProcesses: 5 }, 'write');
    expect(each).toEqual(await logsOf(`bytes_written / processes >= ${share} AND processes >= 5`));
    expect(each.length).toBeGreaterThan(10);
  });
});
