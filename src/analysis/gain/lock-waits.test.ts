import { expect, test } from 'vitest';
import { traceOfCalls, type TimedCall } from '../../../test/support/timed-calls.ts';
import { NO_SITES, times } from '../../../test/support/traced-gains.ts';
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
