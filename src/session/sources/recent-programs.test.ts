import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProgramSources } from './program-sources.ts';
import { RecentPrograms } from './recent-programs.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const QUESTION = {
  language: 'c',
  file: '/w/a.c',
  recorded: [],
  folders: { workspaceFolders: [], pathRules: [], learnedRules: [] },
  edited: {},
} as const;

/** Programs whose reading takes so long; `readings` counts how often it was begun. */
function slow(milliseconds: number): { programs: RecentPrograms; readings: () => number } {
  let readings = 0;
  const programs = new RecentPrograms(2_000, () => {
    let reading: Promise<ProgramSources> | undefined;
    const begin = async (): Promise<ProgramSources> => {
      readings += 1;
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      return { sources: {} };
    };
    return { sourcesOf: () => (reading ??= begin()) };
  });
  return { programs, readings: () => readings };
}

test('reading that takes longer than sources are kept comes to its end, however often is asked meanwhile', async () => {
  const { programs, readings } = slow(5_000);
  const asked: Promise<ProgramSources>[] = [];
  for (let k = 0; k < 10; k += 1) {
    asked.push(programs.sourcesOf(QUESTION));
    await vi.advanceTimersByTimeAsync(600);
  }
  await Promise.all(asked);
  expect(readings()).toBe(1);
});

test('what was read is taken for two seconds, not longer because it is asked for again', async () => {
  const { programs, readings } = slow(0);
  for (let k = 0; k < 7; k += 1) {
    const asked = programs.sourcesOf(QUESTION);
    await vi.advanceTimersByTimeAsync(500);
    await asked;
  }
  expect(readings()).toBe(2);
});
