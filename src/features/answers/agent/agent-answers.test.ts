import { describe, expect, test } from 'vitest';
import type { CallerDocument } from '../../../export/analysis/caller-documents.ts';
import type { Session } from '../all-answers.ts';
import { AS_ANALYSED, fileOf, placeOf, type AskedRecording } from './asked-recording.ts';
import { cutText, fitting, shortened, within } from './limits.ts';
import { lineAnswer } from './line-answers.ts';

describe('what is told is bearable', () => {
  test('numbers that are asked for stay within bounds', () =>
    expect([0, -3, 2.7, 900].map((wanted) => within(wanted, 50))).toEqual([1, 1, 2, 50]));

  test('a list is cut by its length and by its size, and counts what is left out', () => {
    expect(fitting([1, 2, 3], 2)).toEqual({ told: [1, 2], more: 1 });
    const long = fitting(
      Array.from({ length: 100 }, () => 'x'.repeat(1500)),
      100,
    );
    expect(long.told.length).toBeGreaterThan(10);
    expect(long.told.length + long.more).toBe(100);
    expect(JSON.stringify(long.told).length).toBeLessThan(41_000);
    // One is told, however large: nothing would be no answer.
    expect(fitting([{ a: Array.from({ length: 100 }, () => 'x'.repeat(1500)) }], 5)).toMatchObject({ more: 0 });
  });

  test('long texts are cut at any depth, names of fields among them, and say so', () => {
    const name = 'n'.repeat(5000);
    const short = shortened({ a: ['y'.repeat(5000), 1, null, true], [name]: 2 });
    expect(short.a[0]).toMatch(/^y{2000}… \(3000 more characters\)$/);
    expect(short.a.slice(1)).toEqual([1, null, true]);
    expect(Object.keys(short).every((key) => key.length < 2100)).toBe(true);
    expect(cutText('abc', 3)).toBe('abc');
  });
});

const frame = { function: '', module: '', address: '' };
const files = ['/w/a/io.c', '/w/b/io.c', '/w/main.c'];
const recording = {
  id: 1,
  name: 'run',
  sites: files.map((file, i) => ({ file, line: 10 + i, stack: [{ ...frame, file: '/w/caller.c', line: 1 }] })),
  analysis: { insights: [] },
} as unknown as AskedRecording;

describe('places', () => {
  test('a file is found by its path or an end that fits one only', () => {
    expect(fileOf(recording, 'main.c')).toBe('/w/main.c');
    expect(fileOf(recording, './b/io.c')).toBe('/w/b/io.c');
    expect(fileOf(recording, 'caller.c')).toBe('/w/caller.c');
    expect(() => fileOf(recording, 'io.c')).toThrow('may be any of /w/a/io.c, /w/b/io.c: name one');
    expect(() => fileOf(recording, 'ain.c')).toThrow('makes no recorded I/O call in run');
  });

  test('a line is asked for as it stands now', () => {
    const moved = (file: string, line: number): number => (file === '/w/main.c' ? line + 5 : line);
    expect(placeOf(recording, { file: 'main.c', line: 17 }, moved)).toEqual({ file: '/w/main.c', line: 12 });
    expect(placeOf(recording, { file: 'main.c', line: 12 }, AS_ANALYSED)).toEqual({ file: '/w/main.c', line: 12 });
  });
});

test('of thousands of callers the nearest are told, and how many there are besides', async () => {
  const caller = (line: number, callers: readonly CallerDocument[]): CallerDocument => ({
    ...{ function: `f${line}`, file: '/w/x.c', line, isHere: true, events: 1, timeNs: 1, callers },
  });
  const many = Array.from({ length: 2000 }, (_, i) => caller(i, [caller(10_000 + i, [])]));
  const session = { lines: { callers: () => Promise.resolve(caller(1, many)) } } as unknown as Session;
  const { callers = [], moreCallers } = await lineAnswer(
    session,
    recording,
    { file: 'caller.c', line: 1 },
    AS_ANALYSED,
  );
  expect([callers.length, moreCallers]).toEqual([60, 1940]);
  expect(callers.every((each) => each.moreCallers === 1)).toBe(true);
  expect(callers[0]).toMatchObject({ line: 0, callers: [] });
});
