import { expect, test } from 'vitest';
import type { Insight } from '../triggers/insight.ts';
import type { Gain } from './gain.ts';
import type { LanguageWork } from './work/language-work.ts';
import type { CallGroup } from './observed-calls.ts';
import { withAllOfFiles, withLanguageWork } from './wider-bounds.ts';

const BOUND: Gain = { savedNs: null, lowNs: 0, highNs: 100, ofNs: 1000, method: 'nobody knows' };
const insight = { files: [{ file: 1 }] } as unknown as Insight;
const group = (file: number, timeNs: number): CallGroup => ({ file, timeNs }) as CallGroup;

test('a bound is all I/O on the files of a finding, by its share of what was recorded', () => {
  const none = (): undefined => undefined;
  const whole = { groups: [group(1, 300), group(2, 100)], ownWork: [], ioNs: 800, folderOf: none };
  expect(withAllOfFiles(BOUND, insight, whole)).toMatchObject({
    highNs: 600,
    method: 'nobody knows; the bound is all I/O on these files',
  });
  expect(withAllOfFiles(BOUND, insight, { ...whole, ioNs: 100 })).toBe(BOUND);
  // SQLite synchronises the folder for the name of its journal.
  expect(withAllOfFiles(BOUND, insight, { ...whole, folderOf: () => 2 })).toMatchObject({
    highNs: 800,
    method: 'nobody knows; the bound is all I/O on these files and their folders',
  });
  expect(withAllOfFiles(BOUND, insight, { ...whole, folderOf: () => 7 }).highNs).toBe(600);
});

test('what a language does beside the calls is in the bound, as far as the run is so long', () => {
  const work = {
    ofAll: () => ({ likelyNs: 40, mostNs: 60 }),
    languageOf: () => 'Python',
  } as unknown as LanguageWork;
  expect(withLanguageWork(BOUND, [5, 5], work, 0.5, 1000)).toMatchObject({ highNs: 130, languageNs: 20 });
  const { highNs, method } = withLanguageWork(BOUND, [5, 5], work, 1, 120);
  expect([highNs, method]).toEqual([120, "nobody knows; up to 20 ns of it is Python's own work beside them"]);
});
