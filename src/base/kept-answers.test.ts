import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeptAnswers } from './kept-answers.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('who asks again while the answer is worked out waits for the same, and has it for a moment', async () => {
  const asked: string[] = [];
  let answer: ((text: string) => void) | undefined;
  const answers = new KeptAnswers<{ text: string }, string>(({ text }) => {
    asked.push(text);
    return new Promise((resolve) => (answer = resolve));
  }, 2_000);
  const first = answers.get({ text: 'a' });
  const again = answers.get({ text: 'a' });
  await vi.advanceTimersByTimeAsync(60_000);
  answer!('found');
  expect([await first, await again, await answers.get({ text: 'a' })]).toEqual(['found', 'found', 'found']);
  void answers.get({ text: 'b' });
  await vi.advanceTimersByTimeAsync(1_999);
  void answers.get({ text: 'a' });
  expect(asked).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(1);
  void answers.get({ text: 'a' });
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('a failure is not kept', async () => {
  let times = 0;
  const answers = new KeptAnswers<string, number>(() => {
    times += 1;
    return times === 1 ? Promise.reject(new Error('no')) : Promise.resolve(times);
  }, 2_000);
  await expect(answers.get('a')).rejects.toThrow('no');
  expect(await answers.get('a')).toBe(2);
});
