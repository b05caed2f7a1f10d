// npm run bench -- guard: whether a row became a tenth slower than at the last release, in two minutes. Each run stands beside one
// of a yardstick, and what counts is the ratio of their times of the processor: others who use the machine slow both. A row fails
// only where its median is a tenth above with the certainty of order statistics; and where the release's commit is at hand, it is
// built, and has to be faster beside it, too. "sees": slowdowns from here on would have been found in this run; on a busy machine
// that is more than the tenth. --renew keeps today's figures as those of a release; names of rows measure these only.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/machine.mjs';
import { at, median } from '../programs.mjs';
import { lowestMedian, verdictOf, WORSE } from './judgement.mjs';
import { recordingOf, ROWS } from './rows.mjs';

const FIGURES = path.join(import.meta.dirname, 'figures.json');
/** Seconds of measuring, and rounds at least and at most. */
const SECONDS = 110;
const [FEWEST, MOST] = [5, 15];
const HOOK = ['--import', path.join(import.meta.dirname, 'processor-time.mjs')];
const YARDSTICK = path.join(import.meta.dirname, 'yardstick.mjs');

/** What a program of Node took of the processors, in seconds, and of memory at most. */
function measured(args, times = 1) {
  if (times > 1) {
    const runs = Array.from({ length: times }, () => measured(args));
    return { seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0), peak: runs[0].peak };
  }
  const { status, output, stderr } = spawnSync('node', [...HOOK, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`);
  return JSON.parse(output[3]);
}

/** One run of a row. @param command the `cli.js` that runs it. */
function runOf(row, command) {
  row.prepare?.();
  return measured([command, ...row.args(row.location)], row.times);
}

/** Rounds over all rows, so that a bad minute of the machine does not meet one row only. */
function measureRows(rows, partner, seconds) {
  const ends = performance.now() + seconds * 1000;
  const own = path.join(root, 'dist/cli.js');
  for (let round = -1; round < MOST && (round < FEWEST || performance.now() < ends); round++)
    for (const row of rows) {
      const [ours, theirs] = [runOf(row, own), partner(row)];
      // The first round warms the page cache.
      if (round >= 0) row.pairs.push({ ratio: ours.seconds / theirs.seconds, ...ours });
    }
}

/** The command as the release built it, from its commit; undefined where that is not at hand. */
function releasedCommand(commit) {
  const folder = at('released');
  const git = (...args) => spawnSync('git', args, { cwd: root, stdio: 'ignore' }).status === 0;
  rmSync(folder, { recursive: true, force: true });
  git('worktree', 'prune');
  if (!git('worktree', 'add', '--detach', folder, commit)) return undefined;
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const { status } = spawnSync('node', ['scripts/build.mjs', '--production', '--command'], { cwd: folder });
  return status === 0 ? path.join(folder, 'dist/cli.js') : undefined;
}

/** Measures rows that seem worse beside the release itself. */
function confirm(rows, commit) {
  const command = releasedCommand(commit);
  if (command === undefined) return false;
  for (const row of rows) row.pairs = [];
  measureRows(rows, (row) => runOf(row, command), SECONDS / 2);
  spawnSync('git', ['worktree', 'remove', '--force', at('released')], { cwd: root, stdio: 'ignore' });
  for (const row of rows) {
    const ratios = row.pairs.map(({ ratio }) => ratio);
    row.isWorse = lowestMedian(ratios) > WORSE;
    const words = row.isWorse ? 'WORSE' : 'no worse';
    row.verdict = `${words}: ${median(ratios).toFixed(2)}× the release, built and run beside it`;
  }
  return true;
}

function printTable(rows) {
  const cells = rows.map((row) => [row.title, ...row.figures, row.verdict]);
  const table = [['', 'ratio', 'release', 'change', 'sees', 'memory', ''], ...cells];
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  for (const line of table)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

function machine() {
  return { node: process.versions.node.split('.')[0], processor: cpus()[0].model.trim() };
}

function keep(rows) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const ratios = Object.fromEntries(rows.map(({ name, pairs }) => [name, round(median(pairs.map((p) => p.ratio)))]));
  const figures = { version, commit, ...machine(), ratios };
  writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(`\nKept in ${path.relative(root, FIGURES)}: commit it.`);
}

const round = (ratio) => Number(ratio.toFixed(3));

/** Rows that are worse than at the release: what they are held against is said. */
function judge(rows, kept) {
  const suspects = rows.filter((row) => row.isWorse);
  if (suspects.length === 0) return [];
  console.log(`${suspects.length} of ${rows.length} rows seem worse: version ${kept.version} is built and run beside.`);
  if (confirm(suspects, kept.commit)) return suspects.filter((row) => row.isWorse);
  const here = machine();
  if (here.node === kept.node && here.processor === kept.processor) return suspects;
  for (const row of suspects) row.verdict = 'not judged: another machine, and the release cannot be built here';
  return [];
}

/** @returns the exit status. */
export async function guard(options) {
  const isRenewed = options.includes('--renew');
  const names = options.filter((option) => option !== '--renew');
  for (const name of names)
    if (!(name in ROWS)) throw new Error(`${name}: --renew, or one of ${Object.keys(ROWS).join(', ')} is expected`);
  if (isRenewed && names.length > 0) throw new Error('--renew keeps the figures of all rows');
  execFileSync('node', ['scripts/build.mjs', '--production'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(at(''), { recursive: true });
  const rows = [];
  for (const [name, row] of Object.entries(ROWS).filter(([name]) => names.length === 0 || names.includes(name)))
    rows.push({ name, ...row, location: await recordingOf(row), pairs: [] });
  const kept = existsSync(FIGURES) ? JSON.parse(readFileSync(FIGURES, 'utf8')) : undefined;
  measureRows(rows, (row) => measured([YARDSTICK, String(row.units)], row.times), SECONDS);
  for (const row of rows) Object.assign(row, verdictOf(row.pairs, kept?.ratios[row.name]));
  const worse = isRenewed || kept === undefined ? [] : judge(rows, kept);
  printTable(rows);
  if (isRenewed) keep(rows);
  if (worse.length === 0) return 0;
  console.log(
    `\nSlower than version ${kept.version} by a tenth or more: ${worse.map(({ title }) => title).join('; ')}`,
  );
  return 1;
}
