// Makes HDF5 traces, as Drishti's VOL connector writes them, around the MPI-IO calls of badmpi_4ranks.darshan:
// node test/data/joined/make-vol.mjs, after a build. One HDF5 call for each 50 calls of a kind; in microseconds and in
// whole seconds, both of which builds of the connector write. Their clock is that of the world, the log's first call stands
// 5.4 ms behind its date.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;
const cli = path.resolve(here, '../../../dist/cli.js');
const log = path.resolve(here, '../darshan-stack/badmpi_4ranks.darshan');
/** The log's date, microseconds since 1970. */
const START = 1_795_252_165_175_000;
const CALLS_OF_ONE = 50;

const csv = execFileSync(process.execPath, [cli, 'export', log, '--format', 'csv'], { encoding: 'utf8', maxBuffer: 1e9 });
const [heading, ...rows] = csv.trim().split('\n');
const names = heading.split(',');
const calls = rows
  .map((row) => Object.fromEntries(row.split(',').map((value, at) => [names[at], value])))
  .filter(({ layer, operation }) => layer === 'MPI-IO' && ['read', 'write'].includes(operation))
  .map(({ rank, operation, start_ns: start, duration_ns: duration }) => ({
    rank,
    operation,
    start: START + Math.floor(Number(start) / 1000),
    end: START + Math.floor((Number(start) + Number(duration)) / 1000),
  }));

for (const rank of new Set(calls.map((call) => call.rank))) {
  const own = calls.filter((call) => call.rank === rank).sort((a, b) => a.start - b.start);
  for (const [folder, step] of [
    ['badmpi-vol', 1],
    ['badmpi-vol-seconds', 1e6],
  ]) {
    const lines = [];
    for (let at = 0; at < own.length; ) {
      const { operation, start } = own[at];
      let last = at;
      while (own[last + 1]?.operation === operation && last + 1 - at < CALLS_OF_ONE) last++;
      const [from, to] = [start, own[last].end].map((time) => Math.floor(time / step));
      lines.push(`HDF5;${rank};${operation};${from};${to};${to - from};2048\n`);
      at = last + 1;
    }
    mkdirSync(path.join(here, folder), { recursive: true });
    writeFileSync(path.join(here, folder, `badmpi.${rank}.drishti`), lines.join(''));
  }
}
