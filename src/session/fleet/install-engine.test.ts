import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBinding } from './engine-binding.ts';
import { installEngine, packageAddress } from './install-engine.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'engine-'));
const name = '@duckdb/node-bindings-linux-x64';
const version = '1.2.3';
let server: Server;
let registry: string;

/** A package as npm makes it. */
async function packed(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack();
  for (const [file, text] of Object.entries(files)) archive.entry({ name: file }, text);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}

const sound = await packed({
  'package/package.json': JSON.stringify({ name, version }),
  'package/duckdb.node': 'native',
  'package/libduckdb.so': 'library',
  'package/../../outside': 'bad',
  '/etc/outside': 'bad',
});
const integrityOf = (bytes: string | Uint8Array): string =>
  `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
const needed = { name, version, integrity: integrityOf(sound) };

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    if (url === `/${name}/-/node-bindings-linux-x64-1.2.3.tgz`) response.end(sound);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

describe('the SQL engine is installed', () => {
  test('from a registry, and found there', async () => {
    const target = path.join(folder, 'from registry');
    const seen: number[] = [];
    const progress = (done: number): void => {
      seen.push(done);
    };
    const file = await installEngine({ registry }, target, needed, { progress });
    expect(readFileSync(file, 'utf8')).toBe('native');
    expect(readdirSync(path.dirname(file)).sort()).toEqual(['duckdb.node', 'libduckdb.so', 'package.json']);
    expect(readdirSync(target)).toHaveLength(1);
    expect(findBinding([target])).toBe(file);
    expect(seen.at(-1)).toBe(sound.length);
    // Once more, over what is there.
    expect(await installEngine({ registry }, target, needed)).toBe(file);
  });

  test('from a file that was carried over', async () => {
    const archive = path.join(folder, 'carried.tgz');
    writeFileSync(archive, sound);
    const file = await installEngine({ file: archive }, path.join(folder, 'carried'), needed);
    expect(readFileSync(file, 'utf8')).toBe('native');
  });

  test('only as it was published', async () => {
    const target = path.join(folder, 'nothing');
    const archive = path.join(folder, 'other.tgz');
    writeFileSync(archive, Buffer.concat([sound, Buffer.from([0])]));
    await expect(installEngine({ file: archive }, target, needed)).rejects.toThrow(/other.tgz: .*SHA-512 is another/);
    await expect(installEngine({ file: archive }, target, { ...needed, integrity: undefined })).rejects.toThrow(
      /cannot be told whether this is @duckdb.* 1.2.3 \(its SHA-512 is not known here\)/,
    );
    const carried = (bytes: string | Uint8Array): Promise<string> => {
      writeFileSync(archive, bytes);
      return installEngine({ file: archive }, target, { ...needed, integrity: integrityOf(bytes) });
    };
    const other = await packed({ 'package/package.json': JSON.stringify({ name: 'left-pad', version }) });
    await expect(carried(other)).rejects.toThrow(/is needed here, not left-pad 1.2.3/);
    await expect(carried(sound.subarray(0, 40))).rejects.toThrow(/no package of npm/);
    await expect(carried('no archive')).rejects.toThrow(/no package of npm/);
    expect(() => readdirSync(target)).toThrow();
  });

  test('or it is said why not', async () => {
    const other = { ...needed, version: '9.9.9' };
    await expect(installEngine({ registry }, folder, other)).rejects.toThrow(/9.9.9.tgz: the server answers 404/);
    await expect(installEngine({ registry: 'http://127.0.0.1:1' }, folder, needed)).rejects.toThrow(/not reached/);
    const file = path.join(folder, 'a file');
    writeFileSync(file, '');
    await expect(installEngine({ registry }, file, needed)).rejects.toThrow(/cannot be put there/);
    expect(packageAddress('https://registry.npmjs.org', needed)).toBe(
      'https://registry.npmjs.org/@duckdb/node-bindings-linux-x64/-/node-bindings-linux-x64-1.2.3.tgz',
    );
  });
});
