import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { readHeader } from '../../src/readers/darshan/log-header.ts';

/** Reads all Darshan logs of a folder and inflates their regions; prints the seconds, without Node's start. */
const [, , folder] = process.argv;
const started = performance.now();
for (const name of readdirSync(folder!, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.darshan')) continue;
  const bytes = readFileSync(path.join(folder!, name));
  const { names, modules } = readHeader(bytes, bytes.length, name);
  for (const { offset, length } of [names, ...modules]) {
    for (let at = offset; at < offset + length;) {
      const { engine } = inflateSync(bytes.subarray(at, offset + length), { info: true }) as unknown as {
        engine: { bytesWritten: number };
      };
      at += engine.bytesWritten;
    }
  }
}
process.stdout.write(JSON.stringify({ seconds: (performance.now() - started) / 1000 }));
