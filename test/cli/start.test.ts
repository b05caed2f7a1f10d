import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');

/** The built files that are loaded with one, itself among them: what it imports before anything runs. */
function loadedWith(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.matchAll(/(?:^import|^\}? ?from|^import .* from) ?"(\.[^"]+\.js)"/gm))
    loadedWith(path.resolve(path.dirname(file), name!), known);
  return known;
}

function run(...args: string[]): string {
  return spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' }).stdout;
}

test('the command starts without the code of its commands', () => {
  const files = [...loadedWith(cli)];
  // The parser of the command line is there.
  expect(files.some((file) => readFileSync(file, 'utf8').includes('commander.unknownOption'))).toBe(true);
  expect(files.reduce((sum, file) => sum + readFileSync(file).length, 0)).toBeLessThan(250_000);
});

test('help knows all commands, and each knows its own', () => {
  const { version } = JSON.parse(readFileSync(path.resolve(cli, '../../package.json'), 'utf8')) as { version: string };
  expect([run('--version'), run('-V')]).toEqual([`${version}\n`, `${version}\n`]);
  for (const name of ['info', 'record', 'fleet', 'workflow']) {
    expect(run('--help')).toContain(`\n  ${name} `);
    expect(run(name, '--help')).toContain(`Usage: iolens ${name} `);
    expect(run('help', name)).toBe(run(name, '--help'));
  }
});
