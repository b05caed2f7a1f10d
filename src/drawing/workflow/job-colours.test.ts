import { expect, test } from 'vitest';
import { luminance, parseColour } from '../timeline/category-colours.ts';
import { jobColour, textOnJob } from './job-colours.ts';
import { shareParts } from './share-parts.ts';

test.each([true, false])(
  'hundreds of jobs have colours of their own, on which words can be read (dark: %s)',
  (isDark) => {
    const colours = Array.from({ length: 300 }, (_, job) => jobColour(job, isDark));
    expect(new Set(colours.map(String)).size).toBe(300);
    colours.forEach((colour, job) => {
      const [one, other] = [luminance(colour), luminance(parseColour(textOnJob(job, isDark)))].sort((a, b) => b - a);
      expect((one! + 0.05) / (other! + 0.05)).toBeGreaterThan(4.5);
    });
  },
);

test('parts of a run time are parts of one, whatever its numbers are', () => {
  expect(shareParts({ computation: 6, communication: 3, io: 1 }).map(({ part }) => part)).toEqual([0.6, 0.3, 0.1]);
  expect(shareParts({ computation: 2, communication: -1, io: 0 }).map(({ part }) => part)).toEqual([1, 0, 0]);
  expect(shareParts({ computation: 0, communication: 0, io: 0 })).toEqual([]);
  expect(shareParts(null)).toEqual([]);
});
