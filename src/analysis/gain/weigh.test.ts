import { describe, expect, test } from 'vitest';
import type { Cost, RunCost } from './cost.ts';
import type { EstimatedInsight, EstimatedSite } from './gain.ts';
import { severityOf, surelyOf, withCandidateCauses } from './weigh.ts';

const RUN = { untracedNs: 1000, mostNs: 1000, ioNs: 900, ioShare: 0.9 } as RunCost;
const cost = (ns: number): Cost => ({
  untracedNs: ns,
  lowNs: ns,
  highNs: ns,
  shareOfRun: ns / RUN.untracedNs,
  shareOfIo: ns / RUN.ioNs,
  traced: true,
});

test('bounds make a finding no graver than its cost', () => {
  const bounds = { savedNs: null, lowNs: 0, highNs: 900 };
  expect(severityOf({ severity: 'high' }, bounds, cost(40), RUN)).toBe('info');
  expect(severityOf({ severity: 'info' }, bounds, cost(300), RUN)).toBe('high');
});

test('what a language does for the calls is a part of their cost', () => {
  const bounds = { savedNs: null, lowNs: 0, highNs: 900 };
  expect(severityOf({ severity: 'high' }, { ...bounds, languageNs: 300 }, cost(40), RUN)).toBe('high');
});

test('nor graver than what is saved at most', () => {
  const bounds = { savedNs: null, lowNs: 0, highNs: 30 };
  expect(severityOf({ severity: 'high' }, bounds, cost(300), RUN)).toBe('warn');
  expect(severityOf({ severity: 'high' }, { ...bounds, highNs: 10 }, cost(300), RUN)).toBe('info');
});

test('what a finding surely is goes by its cost where there are bounds alone', () => {
  expect(surelyOf({ severity: 'high' }, { savedNs: null, lowNs: 0, highNs: 900 }, cost(300), RUN)).toBe('high');
  expect(surelyOf({ severity: 'high' }, { savedNs: 300, lowNs: 30, highNs: 900 }, cost(300), RUN)).toBe('warn');
});

describe('the bounds of severities, from both sides', () => {
  const UNKNOWN = { savedNs: null, lowNs: 0, highNs: 900 };

  test.each([
    [100, 'high'],
    [99.9, 'warn'],
    [20, 'warn'],
    [19.9, 'info'],
    [0, 'info'],
  ] as const)('where following it saves %d of a run of 1,000: %s, whatever the calls cost', (ns, severity) => {
    const gain = { savedNs: ns, lowNs: ns, highNs: ns };
    for (const costs of [cost(900), cost(ns), undefined]) {
      expect(severityOf({ severity: 'high' }, gain, costs, RUN)).toBe(severity);
      expect(severityOf({ severity: 'info' }, gain, costs, RUN)).toBe(severity);
      expect(surelyOf({ severity: 'info' }, gain, costs, RUN)).toBe(severity);
    }
    // `--fail-on` goes by the lower end, and by the longest run that it may have been.
    expect(surelyOf({ severity: 'info' }, { ...gain, savedNs: 900, highNs: 900 }, cost(900), RUN)).toBe(severity);
    const doubtful = { ...RUN, untracedNs: 500, mostNs: 1000 };
    expect(surelyOf({ severity: 'info' }, { ...gain, savedNs: 450, highNs: 450 }, cost(450), doubtful)).toBe(severity);
  });

  test.each([
    [250, 'high'],
    [249.9, 'warn'],
    [50, 'warn'],
    [49.9, 'info'],
  ] as const)('where that is not known, and the calls cost %d: %s', (ns, severity) => {
    expect(severityOf({ severity: 'high' }, UNKNOWN, cost(ns), RUN)).toBe(severity);
    expect(severityOf({ severity: 'info' }, UNKNOWN, cost(ns), RUN)).toBe(severity);
    expect(surelyOf({ severity: 'info' }, UNKNOWN, { ...cost(900), lowNs: ns }, RUN)).toBe(severity);
  });

  test.each([
    [250, 'high'],
    [249.9, 'warn'],
    [50, 'warn'],
    [49.9, 'info'],
  ] as const)('where not even the cost is known, and all I/O of the run is %d: at most %s', (ns, severity) => {
    const run = { ...RUN, ioNs: ns, ioShare: ns / 1000 };
    expect(severityOf({ severity: 'high' }, { ...UNKNOWN, highNs: null }, undefined, run)).toBe(severity);
    expect(severityOf({ severity: 'info' }, { ...UNKNOWN, highNs: null }, undefined, run)).toBe('info');
  });

  test.each([
    [10, 'high'],
    [9.99, 'info'],
  ] as const)('of a run of which I/O is %d of 1,000 a finding is no graver than %s', (ns, severity) => {
    const run = { ...RUN, ioNs: ns, ioShare: ns / 1000 };
    // Python's work for the calls may be saved beside the I/O.
    const gain = { savedNs: 300, lowNs: 300, highNs: 300, languageNs: 295 };
    expect(severityOf({ severity: 'high' }, gain, cost(5), run)).toBe(severity);
  });
});

describe('what follows from a cause that takes little and saves much', () => {
  const site = (at: number, ns: number): EstimatedSite => ({ site: at, timeNs: ns, cost: cost(ns) }) as EstimatedSite;
  const storm = (...sites: EstimatedSite[]): EstimatedInsight =>
    ({ code: 'P17', trigger: 'storm', mayFollow: ['asked'], sites }) as unknown as EstimatedInsight;
  const asked = {
    code: 'L12',
    trigger: 'asked',
    isCandidate: true,
    sites: [site(1, 60)],
  } as unknown as EstimatedInsight;
  const follows = (...insights: EstimatedInsight[]): (string | undefined)[] =>
    withCandidateCauses(insights)[0]!.sites.map(({ explainedBy }) => explainedBy);

  test('is told there, where the cause is most of it', () => {
    expect(follows(storm(site(1, 100)), asked)).toEqual(['L12']);
  });

  test('stands for itself where there is more to it, or more places', () => {
    expect(follows(storm(site(1, 130)), asked)).toEqual([undefined]);
    expect(follows(storm(site(1, 100), site(2, 100)), asked)).toEqual([undefined, undefined]);
    expect(follows(storm(site(1, 100)), { ...asked, trigger: 'other' })).toEqual([undefined]);
  });
});
