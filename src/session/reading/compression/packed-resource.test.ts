import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { unpackedResource } from './packed-resource.ts';

test('a resource is the same, packed or not', async ({ skip }) => {
  const plain = Buffer.concat([randomBytes(100_000), Buffer.alloc(1_000_000), randomBytes(10)]);
  expect(await unpackedResource(plain)).toBe(plain);
  const { stdout, error } = spawnSync('xz', ['-9e', '-c'], { input: plain, maxBuffer: 1 << 24 });
  if (error !== undefined) return skip('xz is not installed');
  expect(stdout.length).toBeLessThan(plain.length / 2);
  expect(Buffer.from(await unpackedResource(stdout)).equals(plain)).toBe(true);
});
