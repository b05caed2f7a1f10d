import { expect, test } from 'vitest';
import { drishtiDifferences } from './drishti-csv.ts';

const difference = (codes: string[], reported: string[]): string =>
  drishtiDifferences({ recording: 'a.darshan', job: '1', codes, reported });

test('codes of the table that no report has, and the other way round, are named with the rule that says so', () => {
  expect(difference(['P10', 'P06', 'M01'], ['P06', 'P05', 'L02', 'M01'])).toBe(
    "a.darshan: unlike the other reports: P10 True by Drishti's rule over the run's totals, but no finding of the files that count, or a trifle; P05 False by Drishti's rule over the run's totals, but a finding by our own over single calls (docs/triggers.md)",
  );
  expect(difference(['P10'], [])).toMatch(/P10 True .* no finding of the files that count, or a trifle \(docs/);
});

test('our own codes are none of the table', () => expect(difference(['P06'], ['L02', 'P06'])).toBe(''));
