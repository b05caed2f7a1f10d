import { describe, expect, test } from 'vitest';
import { FINDINGS, REPORT } from '../../../test/webview/report/made-up.ts';
import { severityCounts } from './findings.ts';
import { accessSizeChart, costChart, fileSystemChart, operationChart, rankTimeChart } from './job-charts.ts';
import { headlines } from './job-parts.ts';
import { bytesMoved, counterName, formatCounter, rankLabel } from './job.ts';

const { job } = REPORT;
const [posix, mpiio] = job.modules;
const MIB = 2 ** 20;

describe('the numbers at the top', () => {
  test('bytes are counted where they reached the system, not once more where MPI-IO passed them on', () => {
    expect(bytesMoved(job)).toEqual({ read: 256 * MIB, written: 512 * MIB });
    expect(bytesMoved({ ...job, modules: [mpiio!] })).toEqual({ read: 0, written: 512 * MIB });
    expect(bytesMoved({ ...job, modules: [] })).toEqual({ read: 0, written: 0 });
  });

  test('interfaces that call each other are not added up, STDIO is', () => {
    const share = (modules: typeof job.modules): string | undefined =>
      headlines({ ...job, modules }).find(([label]) => label === 'In I/O calls')?.[1];
    expect(share([posix!, mpiio!])).toBe('17 %');
    const stdio = { ...mpiio!, module: 'STDIO' };
    expect(share([posix!, stdio])).toBe('31 %');
    expect(share([{ ...posix!, time: null }])).toBe('–');
  });

  test('a program that was killed has no run time', () => {
    const killed = { ...job, job: { ...job.job, runSeconds: null, endTime: null, wasKilled: true } };
    expect(headlines(killed)).toContainEqual(['Run time', '–', 'the program was killed']);
  });
});

describe('charts', () => {
  test('a module without sizes, operations or bytes has no chart of them', () => {
    expect(accessSizeChart({ ...posix!, accessSizes: null })).toBeNull();
    expect(
      accessSizeChart({ ...posix!, accessSizes: { read: Array(10).fill(0), write: Array(10).fill(0) } }),
    ).toBeNull();
    expect(operationChart({ ...posix!, operations: [{ operation: 'read', count: 0 }] })).toBeNull();
    expect(fileSystemChart({ ...job, fileSystems: [] })).toBeNull();
  });

  test('as many labels as values, and operations that were made', () => {
    const sizes = accessSizeChart(posix!)!;
    expect(sizes.labels).toHaveLength(10);
    expect(sizes.shortLabels).toHaveLength(10);
    for (const { values } of sizes.series) expect(values).toHaveLength(10);
    expect(operationChart(posix!)!.labels).toEqual(['open', 'read', 'write', 'stat']);
  });

  test('cost is a share of the run, and seconds where the run time is unknown', () => {
    expect(costChart(job)!.unit).toBe('share');
    expect(costChart(job)!.series.map(({ name }) => name)).toEqual(['Read', 'Write', 'Metadata']);
    const unknown = job.modules.map((module) => ({ ...module, time: { ...module.time!, shareOfRun: null } }));
    const seconds = costChart({ ...job, modules: unknown })!;
    expect(seconds.unit).toBe('seconds');
    expect(seconds.series[1]!.values).toEqual([6, 7]);
  });

  test('times by rank that are unknown are left out', () => {
    const [ranks] = job.ranks;
    expect(rankTimeChart(ranks!, 4)!.series.map(({ name }) => name)).toEqual(['Read', 'Write']);
    expect(rankTimeChart({ ...ranks!, readSeconds: [], writeSeconds: [] }, 4)).toBeNull();
  });

  test('a bar of several ranks says which, the last one to its end', () => {
    expect(rankLabel(3, 1, 4)).toBe('3');
    expect(rankLabel(0, 328, 65_536)).toBe('0–327');
    expect(rankLabel(199, 328, 65_536)).toBe('65272–65535');
  });
});

test('words and numbers', () => {
  expect(counterName('MPIIO_INDEP_WRITES', 'MPI-IO')).toBe('INDEP_WRITES');
  expect(counterName('DXT_X', 'POSIX')).toBe('DXT_X');
  expect(formatCounter(null)).toBe('–');
  expect(formatCounter(12_345)).toBe('12,345');
  expect(formatCounter(0.123_456_789)).toBe('0.123457');
  expect(severityCounts(FINDINGS)).toEqual([
    ['high', 1],
    ['warn', 1],
  ]);
});
