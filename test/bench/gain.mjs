// How well the gain that a finding promises is met: for each pair of programs in test/programs/gain the estimate from a
// recording of the one as it is, beside what the repaired one really gains without strace. Prints a table; asserts nothing.
//
//   node test/bench/gain.mjs [--folder DIR] [--no-calibration] [NAME…]
//
// --folder says on which file system the programs work (by default .cache/gain of the project).
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const sources = path.join(root, 'test/programs/gain');
/** Recordings of each program, each with runs without strace before the next: storage is fast and slow by the minute. */
const ROUNDS = 3;
/** Runs of each program in a round. */
const TURNS = 7;
/** Difference of the two programs' run times that the clock surely tells, in milliseconds. */
const MEASURABLE_MS = 60;

/** The triggers that find it, for each pair: the first finding's gain is compared. */
const PAIRS = {
  'small_writes.c': 'posix-small-writes',
  'small_reads.c': 'posix-small-reads',
  'unbuffered_bytes.c': 'posix-small-writes',
  'endl.cpp': 'flush-after-every-record posix-small-writes',
  'open_close.c': 'open-close-in-loop',
  'sync_each.c': 'sync-after-every-write',
  'seek_read.c': 'seek-before-every-access',
  'reread.c': 'posix-redundant-reads',
  'rewrites.c': 'posix-redundant-writes',
  'random_reads.c': 'posix-random-reads',
  'random_writes.c': 'posix-random-writes',
  'stat_storm.c': 'repeated-questions',
  'missing_files.c': 'missing-file-searches repeated-questions',
};

const { values, positionals } = parseArgs({
  options: { folder: { type: 'string' }, 'no-calibration': { type: 'boolean' } },
  allowPositionals: true,
});
const binaries = path.join(root, '.cache/gain');
const folder = path.resolve(values.folder ?? path.join(binaries, 'data'));

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function compile(source, repaired) {
  const output = path.join(binaries, `${source.replace('.', '-')}${repaired ? '-repaired' : ''}`);
  const compiler = source.endsWith('.cpp') ? 'g++' : 'gcc';
  const options = ['-g', '-O1', '-Wall', '-Wextra', '-Werror', ...(repaired ? ['-DREPAIRED'] : [])];
  execFileSync(compiler, [...options, '-o', output, path.join(sources, source)]);
  return output;
}

/** Milliseconds of a run without strace and without waiting for a processor that another program has. */
function run(program, repeats) {
  const { status, stdout, stderr } = spawnSync(program, [folder, String(repeats)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  const [time, waited] = stdout.split(' ').map(Number);
  return (time - waited) / 1e6;
}

/** Runs both programs in turns and compares each run with its neighbour: a busy machine slows both. */
function difference(before, after, repeats, turns) {
  const times = [[], []];
  for (let i = 0; i < turns; i++) {
    times[0].push(run(before, repeats));
    times[1].push(run(after, repeats));
  }
  return median(times[0]) - median(times[1]);
}

/** How often the workload has to run for a difference that the clock tells. */
function enoughRepeats(before, after) {
  for (let repeats = 1; ;) {
    const found = difference(before, after, repeats, 3);
    if (found >= MEASURABLE_MS || repeats >= 4096) return repeats;
    repeats *= found > 5 ? Math.ceil(MEASURABLE_MS / found) : 8;
  }
}

function estimated(program, name, triggers) {
  const recording = path.join(folder, `${name}.strace`);
  const cli = (...options) =>
    execFileSync('node', [path.join(root, 'dist/cli.js'), ...options], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const calibration = values['no-calibration'] ? ['--no-calibration'] : [];
  rmSync(`${recording}.calibration.json`, { force: true });
  cli('record', ...calibration, '-o', recording, '--', program, folder, '1');
  // Programs in a folder that is ignored by default (/dev/shm) count as well.
  const { insights } = JSON.parse(
    cli('analyze', recording, '--format', 'json', '--ignore', '/usr/**', '--ignore', '/lib/**', '--ignore', '/etc/**'),
  );
  return insights.find((insight) => triggers.split(' ').includes(insight.trigger))?.gain;
}

mkdirSync(folder, { recursive: true });
const ms = (nanoseconds) => (nanoseconds / 1e6).toFixed(2);
const rows = [['pair', 'estimate (90 %) ms', 'measured ms', 'ratio', 'all rounds', 'repeats', 'cost from']];
let within = 0;
const wanted = Object.entries(PAIRS).filter(
  ([source]) => positionals.length === 0 || positionals.some((name) => source.startsWith(name)),
);
for (const unknown of readdirSync(sources).filter((name) => /\.(c|cpp)$/.test(name) && PAIRS[name] === undefined))
  throw new Error(`${unknown}: no trigger is named for it`);
for (const [source, trigger] of wanted) {
  const [before, after] = [compile(source, false), compile(source, true)];
  const repeats = enoughRepeats(before, after);
  const name = source.replace(/\..*/, '');
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) {
    const gain = estimated(before, source, trigger);
    const gainMs = difference(before, after, repeats, TURNS) / repeats;
    rounds.push({ gain, gainMs, ratio: (gain?.savedNs ?? NaN) / 1e6 / gainMs });
  }
  const { gain, gainMs, ratio } = rounds.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(ROUNDS / 2)];
  if (Math.abs(ratio - 1) <= 0.3) within++;
  const range =
    (gain?.savedNs ?? null) === null ? 'none' : `${ms(gain.savedNs)} (${ms(gain.lowNs)}–${ms(gain.highNs)})`;
  const basis = /recording's own|measured|usual/.exec(gain?.method ?? '')?.[0] ?? '';
  const all = rounds.map((round) => round.ratio.toFixed(2)).join(' ');
  rows.push([name, range, gainMs.toFixed(2), ratio.toFixed(2), all, String(repeats), basis]);
}
rmSync(folder, { recursive: true, force: true });
const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  '));
console.log(`${within} of ${wanted.length} estimates lie within 30 % of what was measured.`);
