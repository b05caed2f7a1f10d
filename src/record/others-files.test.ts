import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { othersMayWrite } from './others-files.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'iolens-others-'));
const kept = path.join(folder, 'kept');
const library = path.join(kept, 'library.so');
beforeEach(() => {
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept);
  writeFileSync(library, '');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('what only this user could have made is taken', () => {
  expect(othersMayWrite(folder, kept, library)).toBe('');
  expect(othersMayWrite(path.join(folder, 'absent'))).toBe('');
});

test('what everybody may change is not', () => {
  chmodSync(library, 0o666);
  expect(othersMayWrite(kept, library)).toBe(`everybody may write to ${library}`);
  chmodSync(library, 0o644);
  chmodSync(kept, 0o777);
  expect(othersMayWrite(kept, library)).toBe(`everybody may write to ${kept}`);
  // As /tmp is: nobody takes away what another made there.
  chmodSync(kept, 0o1777);
  expect(othersMayWrite(kept, library)).toBe('');
});

test.skipIf(process.getuid?.() !== 0)('nor what another user made (skipped without root)', () => {
  chownSync(kept, 12_345, 12_345);
  expect(othersMayWrite(folder, kept, library)).toBe(`${kept} belongs to another user`);
});
