import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
const inside = (...parts: string[]): string => path.join(folder, ...parts);

/** A checkout with the script, and an npm that does what `npm ci` does first: it empties node_modules. */
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'iolens-machine-'));
  for (const name of ['checkout/scripts', 'bin', 'other']) mkdirSync(inside(name), { recursive: true });
  copyFileSync('scripts/machine.mjs', inside('checkout/scripts/machine.mjs'));
  writeFileSync(inside('checkout/package-lock.json'), '{}');
  writeFileSync(inside('other/package.json'), '{}');
  writeFileSync(inside('bin/npm'), '#!/bin/sh\nrm -rf node_modules/*\n', { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true }));

function installPackages(): void {
  const script = "const { nodePackages } = await import('./scripts/machine.mjs'); nodePackages();";
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: inside('checkout'),
    env: { ...process.env, PATH: `${inside('bin')}:${process.env['PATH'] ?? ''}` },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
}

test('packages behind a link belong to another checkout and stay as they are', () => {
  symlinkSync(inside('other'), inside('checkout/node_modules'));
  installPackages();
  expect(readdirSync(inside('other'))).toEqual(['package.json']);
});

test('packages of the checkout itself are installed again when the lock file has changed', () => {
  mkdirSync(inside('checkout/node_modules'));
  writeFileSync(inside('checkout/node_modules/old'), '');
  installPackages();
  expect(existsSync(inside('checkout/node_modules/old'))).toBe(false);
  expect(existsSync(inside('checkout/node_modules/.installed'))).toBe(true);
});
