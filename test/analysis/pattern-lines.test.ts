import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

/** What a recording without any loop costs is bounded, and what is not shown is said. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const CALLS = 100_300;

/** Writes of a byte at offsets and sizes that no loop makes. */
function withoutLoops(): string {
  const lines = ['1 1700000000.000000 openat(AT_FDCWD, "/d/a", O_RDWR) = 3</d/a> <0.000001>'];
  let seed = 1;
  for (let i = 1; i < CALLS; i++) {
    seed = (seed * 48271) % 2147483647;
    const second = 1700000000 + Math.floor(i / 100_000);
    lines.push(
      `1 ${second}.${String((i % 100_000) * 10).padStart(6, '0')} pwrite64(3</d/a>, "x", ${seed % 65521}, ${seed}) = 1 <0.000001>`,
    );
  }
  return `${lines.join('\n')}\n`;
}

test('of a hundred thousand different calls the first lines are shown, and how many more there are', () => {
  const { stdout, status } = spawnSync(process.execPath, [cli, 'patterns', '-'], {
    encoding: 'utf8',
    input: withoutLoops(),
    maxBuffer: 1 << 28,
  });
  expect(status).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  const size = Number(/ in ([\d,]+) lines/.exec(stdout)![1]!.replaceAll(',', ''));
  expect(size).toBeGreaterThan(100_000);
  expect(lines.at(-1)).toBe(`  … and ${(size - 100_000).toLocaleString('en')} lines more`);
  expect(lines.filter((line) => line.includes('/d/a, '))).toHaveLength(100_000);
}, 120_000);
