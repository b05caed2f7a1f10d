// npm run bench -- peers: what else reads these recordings, in turns with `iolens` on the same machine: medians of five runs,
// with memory. Peers are installed at pinned versions into an environment of their own; who refuses a recording is told so.
// --write puts the table into docs/performance.md; words of a row's title choose rows, of which --write then renews only these.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/machine.mjs';
import { at, folder, median } from '../programs.mjs';
import { recordingOf, ROWS } from './rows.mjs';

const ROUNDS = 5;
/** Seconds after which nobody waits for a peer. */
const PATIENCE = 300;
const DOCUMENT = path.join(root, 'docs/performance.md');
const [BEGIN, END] = ['<!-- begin of what "npm run bench -- peers --write" makes -->', '<!-- end -->'];
const environment = at('peers');
const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');
const OWN = path.join(root, 'dist/cli.js');
const PRINTED = at('peers-printed');

/** Installs the peers, again when their list changed. */
function install() {
  const stamp = path.join(environment, 'installed.txt');
  const wanted = readFileSync(REQUIREMENTS, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing the peers');
  rmSync(environment, { recursive: true, force: true });
  execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' });
  execFileSync(path.join(environment, 'bin/pip'), ['install', '--quiet', '-r', REQUIREMENTS], { stdio: 'inherit' });
  writeFileSync(stamp, wanted);
}

function run(command) {
  const { stdout, stderr } = spawnSync(
    'python3',
    [path.join(import.meta.dirname, 'measure.py'), String(PATIENCE), PRINTED, ...command],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${path.join(environment, 'bin')}:${process.env.PATH}`, MPLBACKEND: 'agg' },
    },
  );
  if (stdout === '') throw new Error(stderr);
  return { ...JSON.parse(stdout), isSilent: statSync(PRINTED).size === 0 };
}

/** Why a run does not count; undefined when it does. */
function refusal({ status, isLate, isSilent }) {
  if (isLate) return `not done after ${PATIENCE} s`;
  if (status !== 0) {
    const last = readFileSync(PRINTED, 'utf8').trimEnd().split('\n').at(-1).trim();
    return status < 0 ? `crashes (signal ${-status})` : `fails: ${last.slice(0, 80).replaceAll('|', '/')}`;
  }
  return isSilent ? 'prints nothing' : undefined;
}

/** All programs of a row in turns; the first turn warms the page cache, and tells who refuses. */
function measure({ verb, peers, location }) {
  const ours = { runs: [], command: ['node', OWN, verb, '--no-cache', location] };
  const others = peers.map((peer) => ({ ...peer, runs: [], command: peer.command(location) }));
  for (let round = -1; round < ROUNDS; round++)
    for (const program of [ours, ...others]) {
      if (program.why !== undefined) continue;
      const measured = run(program.command);
      const why = refusal(measured);
      if (why !== undefined && program === ours) throw new Error(`${program.command.join(' ')} ${why}`);
      program.why = why;
      if (round >= 0) program.runs.push(measured);
    }
  return [ours, ...others];
}

const of = (runs, key) => median(runs.map((each) => each[key]));
const megabytes = (runs) => `${(of(runs, 'peak') / 1e6).toFixed(0)} MB`;
const digits = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

function linesOf(title, [ours, ...others]) {
  const lines = [`| ${title} | **I/O Lens** | ${digits(of(ours.runs, 'passed'))} s | | | ${megabytes(ours.runs)} |`];
  for (const { name, runs, why } of others) {
    if (why !== undefined) {
      lines.push(`| | ${name} | ${why} | | | |`);
      continue;
    }
    const ratio = (key) => `${digits(median(runs.map((each, i) => each[key] / ours.runs[i][key])))}×`;
    lines.push(
      `| | ${name} | ${digits(of(runs, 'passed'))} s | ${ratio('passed')} | ${ratio('processors')} | ${megabytes(runs)} |`,
    );
  }
  return lines;
}

export async function peers(options) {
  const words = options.filter((option) => option !== '--write');
  mkdirSync(folder, { recursive: true });
  install();
  execFileSync('node', ['scripts/build.mjs', '--production'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const blocks = new Map();
  for (const row of ROWS.filter(({ title }) => words.every((word) => title.includes(word)))) {
    const location = await recordingOf(row);
    const lines =
      location === undefined
        ? [`| ${row.title} | | not on this machine | | | |`]
        : linesOf(row.title, measure({ ...row, location }));
    blocks.set(row.title, lines);
    console.log(lines.join('\n'));
  }
  rmSync(PRINTED, { force: true });
  if (options.includes('--write')) write(blocks);
}

/** Puts what was measured into the document; rows that were not stay as they are. */
function write(blocks) {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before, after] = [text.slice(0, text.indexOf(BEGIN)), text.slice(text.indexOf(END))];
  const known = blocksOf(text.slice(before.length, text.length - after.length));
  const lines = ROWS.flatMap(({ title }) => blocks.get(title) ?? known.get(title) ?? []);
  const head = ['| work | program | time | × ours | × ours, processors | memory |', '|---|---|--:|--:|--:|--:|'];
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n\n${[...head, ...lines].join('\n')}\n\n${after}`);
  execFileSync('npx', ['prettier', '--write', DOCUMENT], { cwd: root, stdio: 'ignore' });
}

/** Of each title its lines in the table: its own, and those behind it whose first cell is empty. */
function blocksOf(table) {
  const known = new Map();
  let block = [];
  for (const line of table.split('\n').filter((each) => each.startsWith('|'))) {
    const title = line.split('|')[1].trim();
    if (title !== '') known.set(title, (block = []));
    block.push(line);
  }
  return known;
}
