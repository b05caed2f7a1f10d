import { expect, test } from 'vitest';
import type { Cost, RunCost } from './cost.ts';
import { severityOf, surelyOf } from './weigh.ts';

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
