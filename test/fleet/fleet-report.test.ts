/** The report of a store: its numbers, and that nothing of a hostile store becomes markup. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fleetReportHtml } from '../../src/export/fleet/report-html.ts';
import { fleetReportMarkdown } from '../../src/export/fleet/report-markdown.ts';
import { gatherReport, type FleetReport } from '../../src/fleet/report/fleet-report.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { DAY, plantedRows, START } from '../support/fleet-planted.ts';
import { row, writeStore } from '../support/fleet-rows.ts';
import { HOSTILE, slowDownRows, SLOWED } from './slow-down.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const folder = mkdtempSync(path.join(os.tmpdir(), 'report-'));
const SINCE = START + 31 * DAY;
const slow = slowDownRows();
const planted = plantedRows();
const jobs = [...planted.job, ...slow.job];
let report: FleetReport;

beforeAll(async () => {
  const batch = jobs.slice(0, 5).map(({ job_id, start_time }, i) =>
    row('scheduler_job', {
      ...{ log: 'sacct', cluster: HOSTILE, job_id, start_time, end_time: start_time! + 3600, state: 'COMPLETED' },
      ...{ cpus: 10, elapsed_seconds: 3600, user: HOSTILE, account: `a${HOSTILE}`, partition: `q${i}${HOSTILE}` },
      node_list: [`n${HOSTILE}`],
    }),
  );
  const [insight] = planted.insight.filter(({ severity }) => severity === 'high');
  await writeStore(path.join(folder, 'store'), {
    ...planted,
    job: jobs,
    server_load: [...planted.server_load, ...slow.server_load],
    scheduler_job: batch,
    insight: [...planted.insight, { ...insight!, log: slow.job[74]!.log, title: HOSTILE, trigger: HOSTILE }],
  });
  const store = await OpenedStore.open(path.join(folder, 'store'));
  report = await gatherReport(store, { from: SINCE });
  store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the report of a store', () => {
  const since = jobs.filter(({ start_time: start }) => start! >= SINCE);
  const moved = (of: typeof jobs): number => of.reduce((sum, job) => sum + (job.bytes_read ?? 0), 0);

  test('counts what was since the day', () => {
    expect(report.total).toMatchObject({ jobs: since.length, bytesRead: moved(since) });
    expect(report.total.coreHours).toBeGreaterThan(0);
    expect(report.days.reduce((sum, day) => sum + day.jobs, 0)).toBe(since.length);
    const applications = report.groups.find(({ by }) => by === 'application')!.rows;
    const climate = since.filter(({ application }) => application === SLOWED);
    expect(applications.find(({ name }) => name === SLOWED)).toMatchObject({
      jobs: climate.length,
      bytesRead: moved(climate),
    });
    expect(report.coverage.map(({ what }) => what)).toEqual(['jobs', 'core hours', 'bytes']);
    expect(report.causes.length).toBeGreaterThan(0);
    expect(report.slowest[0]).toMatchObject({ application: SLOWED });
  });

  test('compares with what was before the day, and tells the changes behind it', () => {
    expect(report.changed.map(({ application }) => application)).toEqual([SLOWED]);
    expect(report.changed[0]!.runs).toHaveLength(75);
  });

  test('as a page has no script, and nothing of a name as markup', async () => {
    const html = await fleetReportHtml(report, `/work/${HOSTILE}`, `by ${HOSTILE}`);
    expect(html).toContain('default-src &#39;none&#39;');
    // Our elements alone, none that does or fetches anything, and pictures among them.
    const names = new Set([...html.matchAll(/<([a-z][\w-]*)/gi)].map(([, name]) => name!.toLowerCase()));
    const known =
      'html head meta title style body main header h1 h2 p code div span section ul li figure figcaption svg rect path text table thead tbody tr th td footer';
    expect([...names].filter((name) => !known.split(' ').includes(name))).toEqual([]);
    expect(names).toContain('svg');
    expect(html).not.toMatch(/<[^>]*\son\w+=/i);
    expect(html).not.toContain('\u202e');
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(html).toContain('Bandwidth of climate, 64 processes, reads about 8 GiB');
  });

  test('as Markdown has no markup of a name, and keeps its tables whole', () => {
    const text = fleetReportMarkdown(report, `/work/${HOSTILE}`, `by ${HOSTILE}`);
    expect(text).not.toMatch(/<script|[^\\]\]\(javascript|\u202e/);
    const lines = text.split('\n');
    const bars = (line: string): number => line.replaceAll('\\|', '').split('|').length;
    for (const [index, line] of lines.entries())
      if (line.startsWith('|') && lines[index - 1]!.startsWith('|')) expect(bars(line)).toBe(bars(lines[index - 1]!));
    expect(text).toContain('half as fast');
  });

  test('of a time without jobs says so', async () => {
    const store = await OpenedStore.open(path.join(folder, 'store'));
    const empty = await gatherReport(store, { from: START + 1000 * DAY });
    store.close();
    expect(empty.total).toMatchObject({ jobs: 0, bytesRead: null, processHours: null });
    expect(fleetReportMarkdown(empty, 's', 'o')).toContain(
      'of jobs (application, processes, bytes read) no change of that time was found',
    );
    expect(await fleetReportHtml(empty, 's', 'o')).toContain('</html>');
  });
});

test('iolens fleet report', () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [cli, 'fleet', 'report', '--store', 'store', ...words], {
      encoding: 'utf8',
      cwd: folder,
    });
  const done = run('--since', '2018-02-01', '-o', 'week.html');
  expect([done.status, done.stderr]).toEqual([0, '']);
  expect(done.stdout).toMatch(/^week\.html: 1,157 recorded jobs, 1 kind of jobs changed\.\n$/);
  expect(readFileSync(path.join(folder, 'week.html'), 'utf8')).toMatch(/^<!doctype html>/);
  expect(run('--since', '2018-02-01', '--until', '2018-02-08').stdout).toMatch(
    /^# I\/O from 2018-02-01 to before 2018-02-08\n/,
  );
  const json = JSON.parse(run('--since', '2018-02-01', '--json').stdout) as { schema: string; total: unknown };
  expect(json).toMatchObject({ schema: 'iolens/fleet-report@1', total: report.total });
  expect(run('--since', '2018-02-01', '-o', 'week.pdf').status).toBe(2);
  expect(run('--since', '2018-02-01', '-o', 'no/where.md').status).toBe(2);
  expect(run('--since', 'yesterday').status).toBe(2);
  expect(run().status).toBe(2);
});
