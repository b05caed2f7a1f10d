import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SitesDocument } from '../../src/export/analysis/documents.ts';
import { freshFolder, has } from '../support/programs.ts';
import { recordVariant } from '../support/truth/truth-findings.ts';
import { makeVariant, toolsOf, truthPrograms } from '../support/truth/truth-programs.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const demo = path.resolve(import.meta.dirname, '../../demo/heat');

function sites(...options: string[]): string {
  const args = [cli, 'sites', ...options, '--source-map', `/home/hpc/heat=${demo}`, path.join(demo, 'heat.strace.gz')];
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
}

test.each(['line', 'function', 'stack'])('call sites by %s are told by what they cost of the run', (by) => {
  const { sites: all, run } = JSON.parse(sites('--by', by, '--json')) as SitesDocument;
  const emit = all.find((site) => site.function === 'emit')!;
  expect(emit).toMatchObject({ calls: { write: 4096 }, events: 4096, cost: { traced: true } });
  expect(emit.cost!.untracedNs).toBeLessThan(0.1 * emit.timeNs);
  // The dearest first, and all of them are the I/O of the run.
  const shares = all.map(({ cost }) => cost!.shareOfRun);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(run.ioShare, 2);
});

test('the table adds up to the run', () => {
  const text = sites();
  expect(text).toMatch(/^ *of run +cost +recorded +calls +bytes +what +where\n/);
  expect(text).toContain('write 4,096');
  expect(text).toMatch(/the rest of the run\)\n +100 % .* the run\n$/);
});

/** What the table says: cost in nanoseconds, and calls, of each row. */
function rowsOf(table: string): { what: string; costNs: number; calls: number }[] {
  const units: Readonly<Record<string, number>> = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 };
  const [head, ...lines] = table.trimEnd().split('\n');
  const ends = ['cost', 'recorded', 'calls', 'bytes'].map((name) => head!.indexOf(name) + name.length);
  return lines.map((line) => {
    const cells = ends.map((end, i) => line.slice(i === 0 ? head!.indexOf('run') + 3 : ends[i - 1]!, end).trim());
    const [, amount, unit] = /^([\d.,]+) (\S+)$/.exec(cells[0]!) ?? [];
    const costNs = amount === undefined ? 0 : Number(amount.replaceAll(',', '')) * units[unit!]!;
    return { what: line.slice(ends[3]).trim(), costNs, calls: Number(cells[2]!.replaceAll(',', '')) };
  });
}

/** Rows add up to the last one, as exactly as they are rounded. */
function expectSum(table: string): void {
  const rows = rowsOf(table);
  const whole = rows.pop()!;
  expect(whole.what).toBe('the run');
  expect(rows.map(({ what }) => what)).toContain('(the rest of the run)');
  const sum = (of: (row: (typeof rows)[0]) => number): number => rows.reduce((all, row) => all + of(row), 0);
  expect(sum(({ calls }) => calls)).toBe(whole.calls);
  expect(sum(({ costNs }) => costNs) / whole.costNs).toBeCloseTo(1, 1);
}

test.each(['line', 'function', 'stack'])('by %s costs and calls add up to the run, with a row for the rest', (by) =>
  expectSum(sites('--by', by)),
);

const program = truthPrograms().find(({ source }) => source === 'variable_values.c')!;
const tools = has('gcc') ? toolsOf(program.kind, program.source) : 'no gcc';
test.skipIf(typeof tools === 'string')(
  `nc_put_var1 is among the call sites (${typeof tools === 'string' ? tools : 'recorded by the library'})`,
  () => {
    const folder = freshFolder('sites');
    try {
      const variant = makeVariant(program, 0, folder);
      if (typeof variant === 'string') throw new Error(variant);
      const recording = recordVariant(variant, 'preload', folder, false);
      const ask = (...options: string[]): string =>
        spawnSync(process.execPath, [cli, 'sites', ...options, recording], { encoding: 'utf8' }).stdout;
      const { sites: all } = JSON.parse(ask('--json')) as SitesDocument;
      const site = all.find(({ line }) => line === program.planted[0]!.line)!;
      expect(site.calls).toMatchObject({ nc_put_var1_double: 2000 });
      expect(site.cost!.untracedNs).toBeGreaterThan(0);
      expect(ask()).toMatch(/nc_put_var1_double 2,000/);
      expectSum(ask());
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
