import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { absent, corpus } from '../support/corpus.ts';
import { dearRecording } from '../support/dear-recording.ts';

/** The built command, as scripts use it. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const demo = path.resolve(import.meta.dirname, '../../demo/heat/heat.strace.gz');
const folder = mkdtempSync(path.join(tmpdir(), 'iolens-cli-triggers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: readonly string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args, '--no-cache'], {
    encoding: 'utf8',
    cwd: folder,
  });
  return { status, out: stdout, err: stderr };
}

const logs = corpus('darshan');
const log = (name: string): string => path.join(logs ?? '', `${name}.darshan`);

describe.skipIf(logs === undefined)(`Darshan logs (${logs === undefined ? absent('darshan') : 'here'})`, () => {
  test("drishti-csv is Drishti's own table, a row for each recording", () => {
    const { status, out } = run('analyze', log('noposix'), log('skew-app'), '--format', 'drishti-csv');
    expect(status).toBe(0);
    const rows = out.split('\r\n').map((line) => line.split(','));
    expect(rows).toHaveLength(4);
    // hpc-io/drishti-io, `export_csv`.
    expect(rows[0]!.join(' ')).toBe(
      'JOB S01 P01 P02 P03 P04 P05 P06 P07 P08 P09 P10 P11 P12 P13 P14 P15 P16 P17 P18 P19 P21 P22 M01 M02 M03 M04 M05 M06 M07 M08 M09 M10',
    );
    const codes = (row: readonly string[]): string[] => rows[0]!.filter((_, i) => row[i] === 'True');
    expect(codes(rows[1]!)).toEqual(['S01', 'M01']);
    expect(codes(rows[2]!)).toEqual(['P01', 'P03', 'P06', 'P14', 'P16', 'P18', 'M05', 'M06', 'M07']);
    for (const [job, ...cells] of rows.slice(1, 3)) {
      expect(job).toMatch(/^\d+$/);
      expect(cells.every((cell) => cell === 'True' || cell === 'False')).toBe(true);
    }
    expect(rows[3]).toEqual(['']);
  });

  const skewed = corpus('darshan-more/skew-autobench-ior.darshan');
  test.skipIf(skewed === undefined)(
    'one of 2,048 processes that takes 75 times the mean is a finding, and none by Drishti’s figures of P18 and P19',
    () => {
      const [header, row] = run('analyze', skewed!, '--format', 'drishti-csv')
        .out.split('\r\n')
        .map((line) => line.split(','));
      for (const code of ['P18', 'P19']) expect(row![header!.indexOf(code)], code).toBe('False');
      expect(run('analyze', skewed!).out).toMatch(
        /^HIGH L44 [^]*one process takes up to 5\.62 min, where the mean[^]*the slowest is rank 1024/m,
      );
    },
  );

  test('lines for the job script stand at the end of the text, not indented', () => {
    const { out } = run('analyze', log('ior_hdf5_example'));
    expect(out).toContain('In the job: ');
    expect(out).toMatch(/^For the job script$/m);
    expect(out).toMatch(/^# P08, P19: Stripes/m);
  });

  test('a folder of logs is as many recordings; one that cannot be read hides no other', () => {
    const many = path.join(folder, 'many');
    mkdirSync(many);
    for (const name of ['noposix', 'empty_log']) copyFileSync(log(name), path.join(many, `${name}.darshan`));
    const jobs = (): unknown[] => JSON.parse(run('info', '--json', many).out) as unknown[];
    expect(jobs()).toHaveLength(2);
    writeFileSync(path.join(many, 'cut.darshan'), readFileSync(log('noposix')).subarray(0, 100));
    const { status, err } = run('info', '--json', many);
    expect([status, err]).toEqual([3, expect.stringContaining('the file is cut off')]);
    expect(jobs()).toHaveLength(2);
  });

  test('nothing is praised where nothing could be judged', () => {
    const cut = path.join(folder, 'cut.darshan');
    writeFileSync(cut, readFileSync(log('ior-HDF5')).subarray(0, 2000));
    expect(run('analyze', cut).out).toContain('Nothing could be judged');
    expect(run('analyze', cut).out).not.toContain('No finding');
    expect(run('analyze', log('empty_log')).out).toContain('Nothing could be judged');
  });

  test('hints for reads and writes are one set', () => {
    const { out } = run('analyze', path.join(corpus('darshan-stack') ?? '', 'badmpi_4ranks.darshan'));
    expect(out.match(/^cat > "\$PWD\/romio-hints"/gm)).toHaveLength(1);
    expect(out).toMatch(/romio_cb_read enable\nromio_cb_write enable/);
    expect(out).not.toContain('lfs setstripe');
  });

  test('--nodes decides M08 to M10', () => {
    const codes = (nodes: string): string[] => {
      const { out } = run('analyze', log('macsio'), '--format', 'json', '--nodes', nodes);
      const { insights } = JSON.parse(out) as AnalysisDocument;
      return insights.map(({ code }) => code).filter((code) => ['M08', 'M09', 'M10'].includes(code));
    };
    // The log sets cb_nodes=4.
    expect([codes('8'), codes('3'), codes('4')]).toEqual([['M08'], ['M09'], ['M10']]);
    expect(run('analyze', log('noposix'), '--nodes', 'many').status).toBe(2);
    expect(run('analyze', log('noposix'), '--nodes', '0').status).toBe(2);
  });
});

test('drishti-csv says on standard error where it disagrees with the report, and why', () => {
  const recording = path.resolve(import.meta.dirname, '../data/darshan-stack/badmpi_4ranks_small.darshan');
  const table = run('analyze', recording, '--format', 'drishti-csv');
  const [head, row] = table.out.split('\r\n').map((line) => line.split(','));
  const inTable = head!.filter((_, i) => row![i] === 'True');
  const { insights } = JSON.parse(run('analyze', recording, '--format', 'json').out) as AnalysisDocument;
  const reported = new Set(insights.map(({ code }) => code));
  const inReportOnly = head!.filter((code) => reported.has(code) && !inTable.includes(code));
  expect(inReportOnly).toContain('P10');
  // On one file a process takes 0.3 ms longer than another, a thirtieth of the run: no finding, and True for Drishti.
  expect(inTable.filter((code) => !reported.has(code))).toEqual(['P19']);
  expect(table.err).toBe(
    `iolens: ${recording}: unlike the other reports: P19 True by Drishti's rule over the run's totals, but no finding of the files that count, or a trifle; ${inReportOnly.join(', ')} False by Drishti's rule over the run's totals, but a finding by our own over single calls (docs/triggers.md)\n`,
  );
});

describe('--triggers', () => {
  const module = (name: string, text: string): string => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const trigger = (code: string): string =>
    `export default { kind: 'site', code: '${code}', name: 'every-write-${code.toLowerCase()}', title: 'Writes',
      offending: (cell) => ({ events: cell.get('writes'), bytes: cell.get('writtenBytes'), timeNs: cell.get('writeTime') }),
      local: () => true, subject: (site) => site.offence.events + ' writes', recommend: () => [] };`;

  test('runs what is named, and nothing of the current folder', () => {
    module('.iolens/triggers/lurking.mjs', trigger('X66'));
    const file = module('mine.mjs', trigger('X01'));
    const map = `/home/hpc/heat=${path.dirname(demo)}`;
    const { status, out, err } = run('analyze', demo, '--format', 'json', '--triggers', file, '--source-map', map);
    expect([status, err]).toEqual([0, '']);
    const { insights, triggerProblems } = JSON.parse(out) as AnalysisDocument;
    expect(triggerProblems).toEqual([]);
    expect(insights.map(({ code }) => code)).toContain('X01');
    expect(insights.map(({ code }) => code)).not.toContain('X66');
    const sites = insights.find(({ code }) => code === 'X01')!.sites;
    expect(sites[0]!.line).toBeGreaterThan(0);
  });

  test('an error in it is told with file and reason, and the findings stand', () => {
    const file = module('broken.mjs', 'export default { kind: "site" ');
    const { status, out, err } = run('analyze', demo, '--triggers', file);
    expect(status).toBe(0);
    expect(err).toContain(`iolens: ${file}: SyntaxError`);
    expect(out).toContain(`${file}: SyntaxError`);
    expect(out).toMatch(/^HIGH/m);
  });

  test('a module that waits for ever is told, and --fail-on still holds', () => {
    const file = module('waits.mjs', `await new Promise(() => {}); ${trigger('X02')}`);
    const dear = path.join(folder, 'dear.strace');
    writeFileSync(dear, dearRecording());
    const { status, out, err } = run('analyze', dear, '--fail-on', 'high', '--triggers', file);
    expect(status).toBe(1);
    expect(err).toContain(`iolens: ${file}: Error: it was not loaded within 10 s`);
    expect(out).toMatch(/^HIGH/m);
  });

  test('a file that is not there is a wrong call', () => {
    const { status, err } = run('analyze', demo, '--triggers', 'nowhere.mjs');
    expect([status, err.trim()]).toEqual([2, expect.stringContaining('--triggers nowhere.mjs: there is no such file')]);
  });
});
