import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../src/analysis/triggers/thresholds.ts';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { findingsOf } from '../../src/export/analysis/findings.ts';

/** How much `iolens analyze` says of findings. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const ranks = path.resolve(import.meta.dirname, '../data/darshan-stack/badmpi_4ranks.darshan');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-detail-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'analyze', ranks, ...args], {
    encoding: 'utf8',
    cwd: folder,
  });
  return { status, out: stdout, err: stderr };
}

const HEAD = /^(\d+) critical issues?, (\d+) warnings?, (\d+) for information; (\d+) recommendations?$/m;

describe('the report of findings', () => {
  test('begins with a count of what stands below, in every form', () => {
    const { out } = run();
    const [, high, warn, info, advice] = HEAD.exec(out)!.map(Number);
    const marks = (mark: string): number => out.split('\n').filter((line) => line.startsWith(`${mark} `)).length;
    expect([high, warn, info]).toEqual(['HIGH', 'WARN', 'INFO'].map(marks));
    expect(high! + info!).toBeGreaterThan(2);
    const told = out.split('\n').filter((line) => line.startsWith('     → '));
    expect(new Set(told).size).toBe(advice);
    for (const format of ['html', 'markdown']) expect(run('--format', format).out).toContain(HEAD.exec(out)![0]);
  });

  test('names the files of each finding, with their share of its calls', () => {
    const { insights } = JSON.parse(run('--format', 'json').out) as AnalysisDocument;
    const { out } = run();
    for (const { code, files } of findingsOf(insights)) {
      const part = out.split(/^(?=HIGH|WARN|INFO|OK )/m).find((text) => text.includes(` ${code} `))!;
      const all = files.reduce((sum, { events }) => sum + events, 0);
      for (const { path: file, events } of files.slice(0, 5)) {
        const line = part.split('\n').find((text) => text.trim().startsWith(`in ${file}:`))!;
        expect(line, code).toContain(`${events.toLocaleString('en')} calls`);
        if (files.length === 1) continue;
        const share = Number(/\((\d+(?:\.\d+)?) %\)/.exec(line)![1]);
        expect(Math.abs(share / 100 - events / all)).toBeLessThan(0.006);
      }
    }
    expect(out).toMatch(/INFO P06[^]*?in \/tmp\/app\/data\/field.dat: 1,200 calls \(78 %\)/);
  });

  test('with --verbose has examples of code, and the thresholds that each was held against', () => {
    const { out } = run('--verbose');
    expect(out).toContain('         MPI_File_write_at_all(file, offset, buffer, count, MPI_BYTE, MPI_STATUS_IGNORE);');
    expect(out).toMatch(/M03[^]*?held against [^\n]*collective_operations_absolute 1,000/);
    expect(run().out).not.toMatch(/held against|MPI_STATUS_IGNORE/);
    const { insights } = JSON.parse(run('--format', 'json').out) as AnalysisDocument;
    const bounds = insights.flatMap((insight) => Object.entries(insight.bounds ?? {}));
    expect(bounds.length).toBeGreaterThan(10);
    for (const [name, value] of bounds) expect(DEFAULT_THRESHOLDS[name as 'alignment'], name).toBe(value);
    const small = insights.find(({ code }) => code === 'P06')!;
    expect(small.bounds).toMatchObject({ small_requests: 0.1, small_requests_absolute: 1000 });
  });

  test("with Drishti's options says as much as Drishti would", () => {
    const issues = run('--issues').out;
    expect(issues).toMatch(/^HIGH M03/m);
    expect(issues).not.toMatch(/→|would save|For the job script/);
    const split = run('--split', '--code').out;
    expect(split).toMatch(
      /^\/tmp\/app\/data\/header\.dat\n(?: {2}.*\n)* {2}INFO P06 Many small writes: 300 calls, 7\.03 KiB/m,
    );
    const config = path.join(folder, 'bounds.json');
    writeFileSync(config, '{ "small_requests": 0.25 }');
    const { out } = run('--threshold', '--config', config);
    const [, listed] = out.split('\nThresholds\n');
    const lines = listed!.trimEnd().split('\n');
    expect(lines.map((line) => line.trim().split(/ +/)[0])).toEqual(Object.keys(DEFAULT_THRESHOLDS));
    expect(lines.filter((line) => line.includes('by default'))).toEqual([
      expect.stringMatching(/^ {2}small_requests +0\.25 {2}\(by default 0\.1\)$/),
    ]);
    expect(run('--issues', '--format', 'json')).toEqual({
      status: 2,
      out: '',
      err: 'iolens: --issues is for --format text\n',
    });
  });
});
