import { expect, test } from 'vitest';
import { FileContents } from './file-contents.ts';

test('what was overwritten since it was read is new', () => {
  const contents = new FileContents();
  const first = contents.of(0, 0, true, 0, 100);
  expect(contents.of(0, 0, true, 0, 100)).toBe(first);
  contents.of(0, 0, false, 100, 50);
  expect(contents.of(0, 0, true, 0, 150), 'appended behind what was read').toBe(first);
  const write = contents.of(0, 0, false, 20, 10);
  expect(contents.of(0, 0, true, 0, 100)).not.toBe(first);
  expect(contents.of(0, 0, false, 500, 10), 'writes stay one group').toBe(write);
  expect(contents.of(0, 1, false, 500, 10), 'but not over a rename').not.toBe(write);
  expect(contents.of(1, 0, true, 0, 100)).not.toBe(first);
  contents.synchronised(0, 0);
  expect(contents.of(0, 0, false, 500, 10), 'made safe in between').not.toBe(write);
});
