import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { QueryValue } from '../../src/fleet/query/query-engine.ts';
import { QUESTIONS } from '../../src/fleet/query/questions/questions.ts';
import type { StoreRows } from '../../src/fleet/schema/tables.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { DAY, plantedRows, START } from '../support/fleet-planted.ts';
import { writeStore } from '../support/fleet-rows.ts';
import { randomNumbers } from '../support/random-numbers.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'order-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Rows = ReturnType<typeof plantedRows>;

/** Fractions that add up to other last digits in each order, files over several targets, and jobs that meet in one hour. */
function withFractions(rows: Rows): Rows {
  const random = randomNumbers(7);
  const fraction = (): number => (1 + random(1_000_000_000)) / 999_983 / 7;
  const within = (moment: number | null): number => START + 10 * DAY - 1800 + ((moment! - START) % 3000);
  return {
    ...rows,
    job: rows.job.map((job) => ({ ...job, start_time: within(job.start_time) })),
    file: rows.file.map((file) => ({
      ...file,
      start_time: within(file.start_time),
      ...{ read_seconds: fraction(), write_seconds: fraction() },
      ...(file.osts === null
        ? {}
        : { osts: [...new Set([...file.osts, ...(random(2) > 0 ? [random(12), 3, 4] : [])])] }),
      ...(file.write_start === null
        ? {}
        : { write_start: file.write_start / 3, write_end: file.write_end! + fraction() }),
    })),
    insight: rows.insight.map((insight) => ({ ...insight, seconds: fraction() })),
    server_load: rows.server_load.map((load) => ({ ...load, cpu_percent: fraction() % 100 })),
  };
}

/** Rows in another order, in several batches. */
function shuffled(rows: Rows, batches: number, seed: number): StoreRows[] {
  const random = randomNumbers(seed);
  const parts: Record<string, object[]>[] = Array.from({ length: batches }, () => ({}));
  for (const [table, own] of Object.entries(rows) as [string, object[]][]) {
    const order = [...own];
    for (let i = order.length - 1; i > 0; i--) {
      const j = random(i + 1);
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    for (const row of order) (parts[random(batches)]![table] ??= []).push(row);
  }
  return parts;
}

/** Where few jobs would answer with the initial values. */
const ASKED: Readonly<Record<string, readonly QueryValue[]>> = {
  'low-bandwidth-jobs': ['write', 1e12, 1, 1, 1000],
  interference: ['', 1000],
  'slow-targets': [5, 1000],
};

/** All that is asked without SQL of the user's, as text: not a byte may differ. */
async function answers(name: string, parts: readonly StoreRows[]): Promise<Record<string, string>> {
  const place = path.join(folder, name);
  for (const [index, part] of parts.entries()) await writeStore(place, part, String(index));
  const store = await OpenedStore.open(place);
  try {
    const found: Record<string, string> = {};
    for (const { id, parameters } of QUESTIONS) {
      const values = ASKED[id] ?? parameters.map(({ initial }) => initial);
      found[id] = JSON.stringify((await store.answer(id, values)).result.rows);
    }
    for (const direction of ['read', 'write'] as const) {
      const all = { filter: {}, direction, leastBandwidth: 0, mostBandwidth: Infinity, mostJobs: 1000 };
      found[`causes ${direction}`] = JSON.stringify(await store.causes(all));
    }
    const page = { filter: {}, orderBy: 'processes', descending: true, first: 0, count: 1000 };
    found['jobs'] = JSON.stringify((await store.jobs(page)).result.rows);
    return found;
  } finally {
    store.close();
  }
}

test('answers are the same to the last digit, whatever order and parts the rows stand in', async () => {
  const rows = withFractions(plantedRows());
  const whole = await answers('whole', [rows]);
  for (const [id, text] of Object.entries(whole)) expect(text.length, id).toBeGreaterThan(40);
  expect(await answers('cut', shuffled(rows, 4, 1))).toEqual(whole);
});
