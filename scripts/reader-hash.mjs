import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './machine.mjs';

/** Hash of the sources that make traces: a cached trace of other readers is not taken. */
export function readerHash() {
  const hash = createHash('sha256');
  const at = (name) => path.join(root, name);
  const list = (folder) => readdirSync(at(folder), { recursive: true }).map((name) => `${folder}/${name}`);
  const sources = ['src/trace', 'src/readers', 'src/core', 'native/wasm/strace-scan/src']
    .flatMap(list)
    .filter((name) => /(?<!\.test)\.(ts|rs)$/.test(name));
  for (const name of sources.toSorted()) hash.update(name).update(readFileSync(at(name)));
  return hash.digest('hex').slice(0, 16);
}
