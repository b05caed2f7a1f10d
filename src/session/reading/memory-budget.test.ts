import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryBudget, parseByteSize } from './memory-budget.ts';
import { SpillFile } from './spill-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-spill-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a temporary file for events', () => {
  test('keeps bytes by position and leaves no name behind', () => {
    const spill = new SpillFile(new MemoryBudget(0), folder);
    expect(spill.write(100_000, Uint8Array.of(1, 2, 3))).toBe(true);
    expect(spill.write(0, Uint8Array.of(9))).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
    const target = new Uint8Array(3);
    spill.read(100_000, target);
    expect([...target]).toEqual([1, 2, 3]);
    expect(() => spill.read(100_001, new Uint8Array(10))).toThrow('shorter');
    spill.close();
    expect(() => spill.read(0, target)).toThrow('closed');
  });

  test('a folder that is not there: the chunk stays, and the reason is known', () => {
    const spill = new SpillFile(new MemoryBudget(0), path.join(folder, 'absent'));
    expect(spill.write(0, Uint8Array.of(1))).toBe(false);
    expect(spill.problem).toContain('ENOENT');
  });

  test('recordings share the budget and give it back', () => {
    const budget = new MemoryBudget(0);
    const [one, two] = [new SpillFile(budget, folder), new SpillFile(budget, folder)];
    expect(one.keeps(60 << 20)).toBe(true);
    expect(two.keeps(60 << 20)).toBe(false);
    one.close();
    expect(two.keeps(60 << 20)).toBe(true);
  });
});

test.each([
  ['2GiB', 2 ** 31],
  ['512 MiB', 2 ** 29],
  ['1.5g', 1.5 * 2 ** 30],
  ['4096', 4096],
  ['10KB', 10_240],
])('%s is %d bytes', (text, bytes) => expect(parseByteSize(text)).toBe(bytes));
test.each(['', 'much', '-1', '2 GiBs', '1e9'])('%j is no size', (text) => expect(parseByteSize(text)).toBeUndefined());
