// Records the layer programs: node test/programs/layers/record.mjs [FOLDER [NAME…]]
// FOLDER is test/data/layers where nothing is said; NAME is that of a recording (heat-each), all where none is given.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, missing, record, RECORDINGS } from './recordings.mjs';

const [folder = path.resolve(import.meta.dirname, '../../data/layers'), ...names] = process.argv.slice(2);
const lacking = missing();
if (lacking !== '') {
  console.error(`To record the layer programs ${lacking} is needed.`);
  process.exit(1);
}
const built = mkdtempSync(path.join(tmpdir(), 'iolens-layers-built-'));
build(built);
for (const recording of RECORDINGS) {
  const name = `${recording.program}-${recording.mode}`;
  if (names.length > 0 && !names.includes(name)) continue;
  record(recording, built, path.join(folder, name));
  console.log(name);
}
rmSync(built, { recursive: true });
