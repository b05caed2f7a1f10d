import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whyNotStarted } from './recordable-program.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-startable-'));
  mkdirSync(path.join(folder, 'a-folder'));
  const file = (name: string, text: string, mode: number): void => {
    writeFileSync(path.join(folder, name), text);
    chmodSync(path.join(folder, name), mode);
  };
  file('data', 'text', 0o644);
  file('script', '#!/bin/sh\n', 0o755);
  file('lost', '#!/absent/python3\n', 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['./absent', './absent: no such file or directory'],
  ['no-such-program-of-ours', 'no-such-program-of-ours: not found in the folders of PATH'],
  ['./data', './data: permission denied'],
  ['./a-folder', './a-folder: is no file'],
  ['./lost', './lost: its interpreter /absent/python3: no such file or directory'],
  ['./script', ''],
  ['/bin/sh', ''],
  ['sh', ''],
])('why %s is not started: %s', (program, why) => expect(whyNotStarted(program, folder)).toBe(why));
