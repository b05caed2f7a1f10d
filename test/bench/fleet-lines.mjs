// Ingestion of many small Darshan logs by one thread, beside inflating the same logs and doing nothing with them.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const LOGS = 1000;
/** Packed by zlib, and small, as most logs of a centre are. */
const SMALL = /^(mpi-io-test-x86_64-3\.[345]|ior-HDF5|ior_hdf5|ior-PNETCDF|macsio|pydarshan_example).*\.darshan$/;

/** @param bench what bench.mjs measures with: `at`, `root`, `row`, `time`. */
export function benchIngestion({ at, root, row, time }) {
  const title = `ingestion, ${LOGS.toLocaleString('en')} small Darshan logs, one thread`;
  const goal = '20 × PyDarshan';
  const samples = path.resolve(root, '../shared/data/darshan');
  if (!existsSync(samples)) return row(title, 'skipped: the logs are not on this machine', goal);
  const folder = at('many-logs');
  if (!existsSync(folder)) {
    const logs = readdirSync(samples).filter((name) => SMALL.test(name));
    time(['node', at('many-logs.mjs'), folder, String(LOGS), ...logs.map((name) => path.join(samples, name))]);
  }
  const store = at('store');
  rmSync(store, { recursive: true, force: true });
  const command = [
    path.join(root, 'dist/cli.js'),
    'fleet',
    'ingest',
    folder,
    '--store',
    store,
    '--workers',
    '1',
    '--json',
  ];
  const run = JSON.parse(time(['node', ...command]).stdout);
  const inflating = JSON.parse(time(['node', at('inflate-logs.mjs'), folder]).stdout).seconds;
  rmSync(store, { recursive: true, force: true });
  const rate = `${(run.stored / run.seconds).toFixed(0)} logs a second`;
  const each = `${((run.seconds / run.stored) * 1000).toFixed(1)} ms a log; inflating alone ${((inflating / LOGS) * 1000).toFixed(1)} ms`;
  // PyDarshan cannot be installed here: measured elsewhere, Python's start included.
  row(title, `${rate} (${each})`, goal);
}
