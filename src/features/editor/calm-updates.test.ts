import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CalmUpdates } from './calm-updates.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('draws calmly while a recording grows, and at once when it is complete', () => {
  let drawn = 0;
  const updates = new CalmUpdates(() => drawn++);
  for (let step = 0; step < 18; step++) {
    updates.ask(true);
    vi.advanceTimersByTime(300);
  }
  expect(drawn).toBe(2);
  updates.ask(true);
  updates.ask(false);
  expect(drawn).toBe(3);
  vi.advanceTimersByTime(60_000);
  expect(drawn).toBe(3);
});

test('draws no more when the view is gone', () => {
  let drawn = 0;
  const updates = new CalmUpdates(() => drawn++);
  updates.ask(true);
  updates.dispose();
  vi.advanceTimersByTime(60_000);
  expect(drawn).toBe(0);
});
