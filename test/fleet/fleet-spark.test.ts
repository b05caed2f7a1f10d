import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryResult, QueryValue } from '../../src/fleet/query/query-engine.ts';
import { QUESTIONS } from '../../src/fleet/query/questions/questions.ts';
import { sparkSql } from '../../src/fleet/query/spark/spark-sql.ts';
import type { JobFilter } from '../../src/fleet/query/job-filter.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { askSpark, sparkQuestion } from '../../src/session/fleet/spark/spark-store.ts';
import { plantedRows, START, VICTIM } from '../support/fleet-planted.ts';
import { row, writeStore } from '../support/fleet-rows.ts';

/** Spark's answers against DuckDB's, in `npm run test:full`, where pip and Java can be had. */
const cache = path.resolve(import.meta.dirname, '../../.cache/pyspark');
const MINUTES = 60_000;
/** Spark itself, with two threads. */
const CLUSTER = 'local[2]';

/** A Python that has pyspark: the one that is named, or one of the tests' own; or why there is none. */
function pythonWithSpark(): { readonly python?: string; readonly whyNot?: string } {
  const { IOLENS_PYSPARK: named, IOLENS_TESTS: tests } = process.env;
  if (named !== undefined) return { python: named };
  if (tests !== 'full') return { whyNot: 'in npm run test:full, or with a Python in IOLENS_PYSPARK' };
  const runs = (command: string, ...options: string[]): boolean => spawnSync(command, options).status === 0;
  const python = path.join(cache, 'bin/python');
  if (!runs('java', '-version')) return { whyNot: 'there is no Java' };
  if (existsSync(python) && runs(python, '-c', 'import pyspark')) return { python };
  const isMade = runs('python3', '-m', 'venv', cache) && runs(python, '-m', 'pip', 'install', '-q', 'pyspark<4');
  return isMade ? { python } : { whyNot: 'pip does not give pyspark here' };
}

const { python, whyNot } = pythonWithSpark();
if (whyNot !== undefined) test.skip(`Spark is not asked: ${whyNot}`);
const folder = mkdtempSync(path.join(os.tmpdir(), 'spark-'));
let store: OpenedStore;

beforeAll(async () => {
  const rows = plantedRows();
  // The batch system's tables tell of a job more than once, and name nodes and accounts.
  const scheduled = rows.scheduler_job.map((job, i) => ({
    ...job,
    user: `user-${i % 7}`,
    account: ['fusion', "o'brien", null][i % 3]!,
    partition: 'batch',
    node_list: [`n${i % 5}`, `n${(i + 1) % 5}`],
    cpus: 32 * job.nodes!,
    elapsed_seconds: 1000 + i,
    end_time: job.start_time! + 1000 + i,
  }));
  const again = scheduled
    .slice(0, 50)
    .map(({ job_id, start_time }) =>
      row('scheduler_job', { log: 'collected', job_id, start_time, state: 'RUNNING', cluster: 'c' }),
    );
  await writeStore(folder, { ...rows, scheduler_job: [...scheduled, ...again] });
  store = await OpenedStore.open(folder);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

interface Asked {
  readonly id: string;
  readonly values: readonly QueryValue[];
  readonly filter: JobFilter;
}

const FILTERS: readonly JobFilter[] = [
  { text: "O'N", from: START + 20 * 86_400, leastProcesses: 4 },
  { insight: 'P06', leastBytes: 1, mostBandwidth: 1e12 },
];
const ASKED: readonly Asked[] = [
  ...QUESTIONS.map(({ id }) => ({ id, values: [], filter: {} })),
  ...['account', 'node', 'queue', 'application', 'all'].map((by) => ({ id: 'usage', values: [by], filter: {} })),
  { id: 'coverage', values: ['2018-01-10', '2018-02-01'], filter: {} },
  { id: 'low-bandwidth-jobs', values: ['read', 1e12, 1, 1, 500], filter: {} },
  { id: 'shared-targets', values: [`${VICTIM}, 1001`], filter: {} },
  { id: 'interference', values: [VICTIM], filter: {} },
  { id: 'lines-over-time', values: ['P06'], filter: {} },
  ...FILTERS.flatMap((filter) => QUESTIONS.map(({ id }) => ({ id, values: [], filter }))),
];

/** Fractions agree to twelve digits: engines add them in different orders. */
function plain(value: QueryValue): unknown {
  if (Array.isArray(value)) return value.map((item: QueryValue) => plain(item));
  const number = typeof value === 'string' && /^\d{16,}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && !Number.isInteger(number) ? Number(number.toPrecision(12)) : number;
}

const table = ({ columns, rows }: QueryResult): unknown[][] => [
  columns.map(({ name }) => name),
  ...rows.map((values) => values.map(plain)),
];

describe.skipIf(python === undefined)('Spark', () => {
  const answers: unknown[][][] = [];

  beforeAll(async () => {
    const queries = ASKED.map(({ id, values, filter }) => sparkQuestion(id, values, filter));
    for await (const { query, result } of askSpark(folder, queries, { master: CLUSTER, python: python! })) {
      const known = answers[query];
      if (known === undefined) answers[query] = table(result);
      else known.push(...table(result).slice(1));
    }
  }, 60 * MINUTES);

  test.each(ASKED.map((asked, i) => [asked.id, JSON.stringify([asked.values, asked.filter]), asked, i] as const))(
    'answers %s %s as DuckDB does',
    async (id, _, { values, filter }, number) => {
      const { result } = await store.answer(id, values, filter);
      expect(answers[number]).toEqual(table(result));
    },
  );

  test(
    'says what is wrong with a query',
    async () => {
      const ask = async (): Promise<void> => {
        for await (const answer of askSpark(folder, ['SELECT nothing FROM job'], {
          master: 'local[1]',
          python: python!,
        }))
          expect(answer).toBeUndefined();
      };
      await expect(ask()).rejects.toThrow(/nothing/);
    },
    10 * MINUTES,
  );
});

test('a Python without pyspark, and one that is not there, are told', async () => {
  const ask = async (command: string): Promise<void> => {
    for await (const answer of askSpark(folder, ['SELECT 1'], { master: 'local[1]', python: command }))
      expect(answer).toBeUndefined();
  };
  await expect(ask(path.join(folder, 'no-python'))).rejects.toThrow(/pip install pyspark.*ENOENT.*--python/);
});

describe("Spark's dialect", () => {
  test.each([
    ["SELECT x::DOUBLE, 'it''s \\ ', \"user\".a", "SELECT CAST(x AS DOUBLE), 'it\\'s \\\\ ', `user`.a"],
    ['count(*) FILTER (WHERE a)::DOUBLE', 'CAST(count(*) FILTER (WHERE a) AS DOUBLE)'],
    [
      'CASE WHEN a THEN CASE WHEN b THEN 1 END ELSE 2 END::INTEGER',
      'CAST(CASE WHEN a THEN CASE WHEN b THEN 1 END ELSE 2 END AS INT)',
    ],
    ["[trim(x) FOR x IN string_split(y, ',')]", "transform(split(y, ','), x -> trim(x))"],
    [
      'sum(a) OVER (ORDER BY b DESC, c NULLS FIRST ROWS UNBOUNDED PRECEDING)',
      'sum(a) OVER (ORDER BY b DESC NULLS LAST, c NULLS FIRST ROWS UNBOUNDED PRECEDING)',
    ],
    [
      'FROM main.job AS NOT MATERIALIZED ORDER BY 1.5\nLIMIT 3',
      'FROM global_temp.job AS  ORDER BY 1.5D NULLS LAST\nLIMIT 3',
    ],
  ])('%s', (ours, theirs) => {
    expect(sparkSql(ours)).toBe(theirs);
  });
});
