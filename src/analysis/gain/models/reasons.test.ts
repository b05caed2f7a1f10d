import { expect, test } from 'vitest';
import { mostShare } from './reasons.ts';

test('buffers that lie badly cost what copying their bytes takes, at most', () => {
  const files = [
    { file: 0, events: 1000, bytes: 1e9, timeNs: 4e9 },
    { file: 1, events: 10, bytes: 1e9, timeNs: 1e9 },
  ];
  // 2 GB in a second of five.
  expect(mostShare({ trigger: 'posix-misaligned-memory', files })).toBeCloseTo(0.2);
  // Faster than any copy: from a cache, or all of them side by side.
  expect(mostShare({ trigger: 'posix-misaligned-memory', files: [{ ...files[1]!, timeNs: 1e6 }] })).toBe(1);
  expect(mostShare({ trigger: 'posix-misaligned-memory', files: [] })).toBe(1);
  expect(mostShare({ trigger: 'posix-misaligned-writes', files })).toBe(1);
});
