import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SitesDocument } from '../../src/export/analysis/documents.ts';

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
