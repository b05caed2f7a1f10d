import { expect, test } from 'vitest';
import { traceOfCalls, type TimedCall } from '../../../test/support/timed-calls.ts';
import { NO_SITES, times, untracedGains } from '../../../test/support/traced-gains.ts';
import { FORMAT_TRAITS } from '../../readers/format-traits.ts';
import { measure } from '../metrics/access-metrics.ts';
import { ignoredFiles } from '../metrics/ignored-files.ts';
import { RunCosts } from './run-costs.ts';

test('the few of many locks that somebody else holds are waited for, and cost what was recorded of them', async () => {
  // Of 200 locks four are held for 50 ms; a release that long had its processor taken away.
  const calls = times(200, (i): TimedCall[] => {
    const at = i * 100_000;
    return [
      [7, at, i % 50 === 0 ? 50_000 : 1, 'flock(3</w/journal>, LOCK_EX) = 0'],
      [7, at + 50_001, i === 60 ? 40_000 : 1, 'flock(3</w/journal>, LOCK_UN) = 0'],
    ];
  });
  const recorded = await traceOfCalls(calls);
  const trace = { ...recorded, form: FORMAT_TRAITS.darshan };
  const ignored = ignoredFiles(trace.files);
  const metrics = measure(trace, NO_SITES, ignored);
  const costs = new RunCosts({ trace, callSites: NO_SITES, metrics, ignored });
  const groups = [...costs.observed.groups.values()].flat();
  const spent = (kind: string): number => {
    const group = groups.find(({ of }) => of.kind === kind)!;
    return costs.rateOf([group]).value * group.timeNs;
  };
  expect(spent('lock')).toBeCloseTo(4 * 50e6 + 196e3, -1);
  expect(spent('other')).toBeLessThan(1e6);
});

test('a seek in which the processor was taken away is no price of the others, also where nothing was measured beside it', async () => {
  const lines = times(400, (i) => [
    [`lseek(3</w/a>, ${i * 8192}, SEEK_SET) = ${i * 8192}`, i === 200 ? 20e6 : 300] as const,
    ['read(3</w/a>, "x"..., 4096) = 4096', 1000] as const,
  ]);
  const { 'seek-before-every-access': gain } = await untracedGains(lines);
  expect(gain!.savedNs!).toBeLessThan(2 * 400 * 300);
  expect(gain!.savedNs!).toBeGreaterThan(0.5 * 400 * 300);
});
