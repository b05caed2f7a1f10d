// Records the layer programs: node test/programs/layers/record.mjs [FOLDER [NAME…]]
// FOLDER is test/data/layers where nothing is said; NAME is that of a recording (heat-each), all where none is given.
// Exits with 3 when a tool is not there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, missing, record, RECORDINGS, recordSystemCalls, WITH_STRACE } from './recordings.mjs';

const [folder = path.resolve(import.meta.dirname, '../../data/layers'), ...names] = process.argv.slice(2);
const lacking = missing();
if (lacking !== '') {
  console.error(`To record the layer programs ${lacking} is needed.`);
  process.exit(3);
}

const isWanted = (name) => names.length === 0 || names.includes(name);
const wanted = RECORDINGS.filter(({ program, mode }) => isWanted(`${program}-${mode}`));
const built = mkdtempSync(path.join(tmpdir(), 'iolens-layers-built-'));
build(
  built,
  wanted.map(({ program }) => program),
);
for (const recording of wanted) {
  const name = `${recording.program}-${recording.mode}`;
  record(recording, built, path.join(folder, name));
  console.log(name);
}
rmSync(built, { recursive: true });
for (const name of WITH_STRACE.map((mode) => `heat-${mode}-strace`).filter(isWanted)) {
  recordSystemCalls(name.split('-')[1], path.join(folder, name));
  console.log(name);
}
