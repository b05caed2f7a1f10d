import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationsSummary, SummaryAmount } from '../../src/analysis/timeline/summary.ts';
import { operationsText } from '../../src/export/analysis/operations-text.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';

const root = path.resolve(import.meta.dirname, '../..');
const LOG = path.join(root, 'test/data/darshan-stack/badmpi_4ranks.darshan');

async function summaryOf(log: string): Promise<OperationsSummary> {
  const session = localSession({ folder: path.join(root, 'dist') });
  const { id } = await session.recordings.open({ ...plainRequest(log), cacheBytes: 0, maySpawn: false });
  return (await session.timeline.summary([id]))[0]!;
}

const sum = (rows: readonly SummaryAmount[], amount: keyof SummaryAmount): number =>
  rows.reduce((total, row) => total + row[amount], 0);

describe('operations', () => {
  test('of two layers: the time of MPI-IO without what POSIX takes below it', async () => {
    const { layers, operations, functions } = await summaryOf(LOG);
    const [mpi, posix] = ['MPI-IO', 'POSIX'].map((layer) => layers.find((row) => row.layer === layer)!);
    expect(posix!.exclusiveNs).toBeCloseTo(posix!.timeNs, 0);
    expect(mpi!.exclusiveNs).toBeLessThan(mpi!.timeNs);
    expect(mpi!.exclusiveNs).toBeGreaterThanOrEqual(0);
    for (const amount of ['calls', 'bytes', 'timeNs'] as const)
      expect(sum(operations, amount)).toBeCloseTo(sum(layers, amount), -1);
    // Five MiB through two layers are five MiB of a function, not ten.
    for (const amount of ['calls', 'bytes'] as const) expect(sum(functions, amount)).toBe(posix![amount]);
    expect(sum(functions, 'timeNs')).toBeLessThan(sum(layers, 'timeNs'));
    expect(sum(functions, 'exclusiveNs')).toBeCloseTo(sum(layers, 'exclusiveNs'), -1);
    expect(operations.some((row) => row.path.endsWith('field.dat') && row.operation === 'read')).toBe(true);
    expect(functions[0]!.group).toMatch(/badmpi\.c$/);
  });

  test('without durations there are no times, and no name moves the cursor', async () => {
    const summary = await summaryOf(path.join(root, 'test/data/strace/formats/f.strace'));
    expect(summary.hasDurations).toBe(false);
    const [first, ...others] = summary.operations;
    const text = operationsText({ ...summary, operations: [{ ...first!, path: '/x\u001b[2J\u202e' }, ...others] });
    expect(text).not.toContain('exclusive');
    for (const control of ['\u001b', '\u202e']) expect(text).not.toContain(control);
    expect(text).toContain('/x\ufffd[2J\ufffd');
  });

  test('iolens operations prints them, and JSON of a known form', () => {
    const run = (...more: string[]): string => {
      const values = [path.join(root, 'dist/cli.js'), 'operations', LOG, '--no-cache', ...more];
      return spawnSync(process.execPath, values, { encoding: 'utf8' }).stdout;
    };
    expect(run()).toMatch(
      /By layer\n +calls +bytes +recorded +exclusive\n.*By function of the program \(each transfer once\)/s,
    );
    const document = JSON.parse(run('--json')) as { schema: string; recordings: OperationsSummary[] };
    expect(document.schema).toBe('iolens/operations@1');
    expect(document.recordings[0]!.layers.map(({ layer }) => layer).toSorted()).toEqual(['MPI-IO', 'POSIX']);
  });
});
