// npm run bench: how fast the reader, the graph and the address lookup are, each as a ratio against something that runs
// beside it on the same machine, so that figures of different machines compare. Prints one table; asserts nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { benchCapture } from '../test/bench/capture-lines.mjs';
import { benchCriticalPath } from '../test/bench/critical-path-lines.mjs';
import { benchDarshanAnalysis } from '../test/bench/darshan-analysis.mjs';
import { benchFleetQueries } from '../test/bench/fleet-query-lines.mjs';
import { benchOtf2 } from '../test/bench/otf2-lines.mjs';
import { benchLayerPatterns } from '../test/bench/layer-pattern-lines.mjs';
import { benchLoops } from '../test/bench/loop-lines.mjs';
import { benchMonth } from '../test/bench/month-lines.mjs';
import { benchIngestion } from '../test/bench/fleet-lines.mjs';
import { benchRecorder } from '../test/bench/recorder-lines.mjs';
import { benchScale } from '../test/bench/scale-lines.mjs';
import { benchTimeline } from '../test/bench/timeline-lines.mjs';
import {
  makeFolder,
  makeLayerText,
  makeRecording,
  makeSegmentText,
  makeStackRecording,
} from '../test/bench/recordings.mjs';
import { debianPackages, has, root, setUp } from './machine.mjs';

const CALLS = 1_000_000;
const ADDRESSES = 100_000;
const PAIRS = 7;
/** Calls of a recording of 1 GB. */
const LARGE_CALLS = 6_200_000;
const LARGE_PAIRS = 3;
/** What a recording may take by default, and a budget that a gigabyte goes beyond. */
const BUDGET = 2 * 2 ** 30;
const SMALL_BUDGET = 640 * 2 ** 20;
const STACK_CALLS = 200_000;
const SEGMENTS = 1_000_000;
const RANKS = 2000;
const LAYER_RANKS = 64;
const CALLS_OF_RANK = 100;

setUp();
debianPackages(['mawk', 'gcc', 'binutils', 'otf2-tools', 'strace', 'openmpi-bin', 'libopenmpi-dev']);
const { build } = await import('esbuild');
const folder = path.join(root, '.cache/bench');
mkdirSync(folder, { recursive: true });
const at = (name) => path.join(folder, name);
const rows = [];
const row = (what, figure, goal) => rows.push([what, figure, goal]);

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Seconds that a command takes as a whole process, and what it printed. */
function time([command, ...args], input, environment = {}) {
  const stdin = input === undefined ? 'ignore' : openSync(input, 'r');
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    stdio: [stdin, 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, ...environment },
  });
  const seconds = (performance.now() - started) / 1000;
  if (input !== undefined) closeSync(stdin);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
  return { seconds, stdout };
}

/** Runs two commands in turns and compares each run with its neighbour: a busy machine slows both. */
function paired(ours, theirs, input, count = PAIRS) {
  const pairs = [];
  for (let i = 0; i <= count; i++) {
    const pair = [time(ours, input?.ours).seconds, time(theirs, input?.theirs).seconds];
    if (i > 0) pairs.push(pair); // The first run warms the page cache.
  }
  return {
    ours: median(pairs.map(([seconds]) => seconds)),
    theirs: median(pairs.map(([, seconds]) => seconds)),
    ratio: median(pairs.map(([a, b]) => a / b)),
  };
}

function bundle(name) {
  return build({
    entryPoints: { [name]: path.join(root, `test/bench/${name}.ts`) },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    // As in build.mjs.
    loader: { '.wasm': 'base64' },
    alias: { '@duckdb/node-bindings': path.join(root, 'scripts/duckdb-bindings.cjs') },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

function recording(name, split, calls = CALLS) {
  const file = at(`${name}.strace`);
  if (!existsSync(file)) makeRecording(file, calls, split);
  return file;
}

/** Reading and indexing against mawk, which splits the same lines at their blanks. */
function againstMawk(title, location, files, goal) {
  if (!has('mawk')) return row(title, 'skipped: no mawk', goal);
  const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const { ours, theirs, ratio } = paired(
    ['node', at('read-recording.mjs'), location],
    ['mawk', '{n+=NF} END{print n}', ...files],
  );
  const figures = `${ours.toFixed(3)} s; mawk ${theirs.toFixed(3)} s (${(size / 1e6).toFixed(0)} MB)`;
  row(title, `${figures}: ${ratio.toFixed(2)}×`, goal);
}

function benchStacks() {
  const file = at('stacks.strace');
  if (!existsSync(file)) makeStackRecording(file, STACK_CALLS);
  againstMawk(`reader, ${STACK_CALLS.toLocaleString('en')} calls with stacks (-k)`, file, [file], '≤ 3.0×');
}

function benchFolder() {
  const ranks = at('ranks');
  if (!existsSync(ranks)) makeFolder(ranks, RANKS, CALLS_OF_RANK);
  const files = readdirSync(ranks).map((name) => path.join(ranks, name));
  againstMawk(`reader, a folder of ${RANKS.toLocaleString('en')} files`, ranks, files, '');
}

function benchSegmentText() {
  const file = at('segments.dxt.txt');
  if (!existsSync(file)) makeSegmentText(file, SEGMENTS);
  againstMawk(`reader, ${SEGMENTS.toLocaleString('en')} lines of darshan-dxt-parser`, file, [file], '≤ 3.0×');
}

function benchReader(title, file) {
  againstMawk(title, file, [file], '≤ 2.0×');
  if (!has('mawk')) return;
  const { events, tables, peak } = JSON.parse(time(['node', at('read-recording.mjs'), file]).stdout);
  row(
    '  memory per event',
    `${(tables / events).toFixed(0)} B (process at most ${(peak / 1e6).toFixed(0)} MB)`,
    '< 100 B',
  );
}

/** Where large recordings lie that are not made here. */
const LARGE_LOG = path.resolve(root, '../shared/data/darshan-big/badio_big.darshan');
const RECORDS = 1_000_000;

function benchDarshan() {
  const title = 'Darshan, 2.3 million segments';
  if (existsSync(LARGE_LOG)) {
    const { ours, theirs, ratio } = paired(
      ['node', at('read-recording.mjs'), LARGE_LOG],
      ['node', at('inflate-log.mjs'), LARGE_LOG],
    );
    row(title, `${ours.toFixed(3)} s; inflating alone ${theirs.toFixed(3)} s: ${ratio.toFixed(2)}×`, '≤ 2.0×');
    const { peak } = JSON.parse(time(['node', at('read-recording.mjs'), LARGE_LOG]).stdout);
    row('  memory of the process', `${(peak / 1e6).toFixed(0)} MB`, '< 250 MB');
  } else row(title, `skipped: ${LARGE_LOG} is not here`, '≤ 2.0×');
  const file = at('records.darshan');
  if (!existsSync(file)) time(['node', at('darshan-records.mjs'), file, String(RECORDS)]);
  const { ours, theirs, ratio } = paired(
    ['node', at('read-recording.mjs'), file],
    ['node', at('inflate-log.mjs'), file],
    undefined,
    LARGE_PAIRS,
  );
  const { peak } = JSON.parse(time(['node', at('read-recording.mjs'), file]).stdout);
  const figures = `${ours.toFixed(3)} s; inflating alone ${theirs.toFixed(3)} s: ${ratio.toFixed(2)}×`;
  row('Darshan, a million POSIX records', `${figures}; ${(peak / 1e6).toFixed(0)} MB`, '< 1 GiB');
  // Measured once on another machine of two cores: for the order of magnitude only.
  row('  peers, 2.3 million segments', 'darshan-dxt-parser 1.18 s, PyDarshan 3.70 s (1,054 MB), Drishti 1.82 s', '');
}

function benchGraph(file) {
  const runs = Array.from({ length: PAIRS }, () => JSON.parse(time(['node', at('build-graph.mjs'), file]).stdout));
  const graph = median(runs.map((run) => run.graph));
  const reading = median(runs.map((run) => run.reading));
  const ratio = median(runs.map((run) => run.graph / run.reading));
  row(
    'Directly-Follows-Graph, a million events',
    `${graph.toFixed(0)} ms; reading ${reading.toFixed(0)} ms: ${ratio.toFixed(3)}×`,
    '≤ 0.1×',
  );
}

/** Calls of MPI-IO and those of POSIX below them, which stand apart from each other in the recording. */
function benchLayers() {
  const file = at('layers.dxt.txt');
  if (!existsSync(file)) makeLayerText(file, SEGMENTS, LAYER_RANKS);
  const runs = Array.from({ length: PAIRS }, () => JSON.parse(time(['node', at('link-layers.mjs'), file]).stdout));
  const figure = (of) => median(runs.map(of));
  const [linking, reading] = [figure((run) => run.linking), figure((run) => run.reading)];
  const ratio = figure((run) => run.linking / run.reading);
  row(
    `linking layers, ${runs[0].events.toLocaleString('en')} events (${runs[0].linked.toLocaleString('en')} linked)`,
    `${linking.toFixed(0)} ms; reading ${reading.toFixed(0)} ms: ${ratio.toFixed(2)}×`,
    '≤ 0.5×',
  );
}

/** A recording that grows by a hundredth at a time, against opening it when it is complete. */
function benchFollowing(file, what, goal) {
  const command = ['node', at('follow-recording.mjs'), path.join(root, 'dist'), file];
  const runs = Array.from({ length: LARGE_PAIRS }, () => JSON.parse(time(command).stdout));
  const figure = (of) => median(runs.map(of));
  const reading = figure((run) => run.reading + run.stopping);
  const opening = figure((run) => run.opening);
  const ratio = figure((run) => (run.reading + run.stopping) / run.opening);
  row(
    `following a million calls of ${what} in 100 steps`,
    `${reading.toFixed(0)} ms; read at once ${opening.toFixed(0)} ms: ${ratio.toFixed(2)}×`,
    goal,
  );
  const longest = figure((run) => run.longestStep);
  const analysing = figure((run) => run.analysing / run.analysingOnce);
  row(
    '  the longest step, with its analysis',
    `${longest.toFixed(0)} ms; all analyses ${analysing.toFixed(0)} times the last`,
    '< 1000 ms',
  );
}

/** In the view it runs in a web worker. */
function benchLayout() {
  const runs = Array.from({ length: 3 }, () => JSON.parse(time(['node', at('lay-out-graph.mjs')]).stdout));
  const [plain, boxed, reference] = ['plain', 'boxed', 'reference'].map((part) => median(runs.map((run) => run[part])));
  const ratio = median(runs.map((run) => run.boxed / run.reference));
  row(
    'layout of 300 activities, 900 edges',
    `${plain.toFixed(0)} ms, in 30 boxes ${boxed.toFixed(0)} ms; hashing 300 MB ${reference.toFixed(0)} ms: ${ratio.toFixed(2)}×`,
    '1.5 s',
  );
}

/** As the editor does it: a worker that opens and analyses, while the extension host waits. */
function benchOpening() {
  const title = 'opening 1 GB until the first squiggle';
  if (!has('mawk')) return row(title, 'skipped: no mawk', '≤ 4×');
  const file = recording('large', false, LARGE_CALLS);
  const dist = path.join(root, 'dist');
  const command = (budget, cache = '') => ['node', at('open-recording.mjs'), dist, file, String(budget), cache];
  const { ours, theirs, ratio } = paired(
    command(BUDGET),
    ['mawk', '{n+=NF} END{print n}', file],
    undefined,
    LARGE_PAIRS,
  );
  row(title, `${ours.toFixed(2)} s; mawk ${theirs.toFixed(2)} s: ${ratio.toFixed(2)}×`, '≤ 4×');
  const { peak, held, idle } = JSON.parse(time(command(BUDGET)).stdout);
  row('  memory at most', `${(peak / 2 ** 30).toFixed(2)} GiB`, '< 1.2 GiB');
  row(
    '  extension host held at most',
    `${held.toFixed(1)} ms; a process that does nothing ${idle.toFixed(1)} ms`,
    '< 50 ms',
  );
  const spilled = JSON.parse(time(command(SMALL_BUDGET)).stdout);
  const budget = `${(SMALL_BUDGET / 2 ** 20).toFixed(0)} MiB`;
  row(
    `  with a memory budget of ${budget}`,
    `${(spilled.total / 1000).toFixed(2)} s, at most ${(spilled.peak / 2 ** 20).toFixed(0)} MiB`,
    `< ${budget}`,
  );
  const cacheFolder = { XDG_CACHE_HOME: at('cache') };
  const read = JSON.parse(time(command(BUDGET, 'cached'), undefined, cacheFolder).stdout);
  const again = Array.from({ length: LARGE_PAIRS }, () =>
    JSON.parse(time(command(BUDGET, 'cached'), undefined, cacheFolder).stdout),
  );
  const opening = median(again.map((run) => run.opening));
  row(
    '  opening it again, from the cache',
    `${opening.toFixed(0)} ms; reading it ${read.opening.toFixed(0)} ms: ${(read.opening / opening).toFixed(1)}× faster`,
    '≥ 5× faster',
  );
  rmSync(at('cache'), { recursive: true, force: true });
}

/** SQLite in one file, as an npm package ships it: a real program of 250,000 lines, with inlined calls. */
function sqlite() {
  const library = at('libsqlite.so');
  if (existsSync(library)) return library;
  const packed = spawnSync('npm', ['pack', 'better-sqlite3@12.11.1', '--silent'], { cwd: folder, encoding: 'utf8' });
  if (packed.status !== 0) return undefined;
  const source = 'package/deps/sqlite3/sqlite3.c';
  execFileSync('tar', ['xzf', packed.stdout.trim(), source], { cwd: folder });
  execFileSync('gcc', ['-g', '-O2', '-shared', '-fPIC', '-w', '-o', library, source], { cwd: folder });
  return library;
}

/** Addresses spread over the code of a program, always the same ones. */
function addressList(program) {
  const header = execFileSync('readelf', ['-SW', program], { encoding: 'utf8' });
  const [, start, size] = /\.text\s+PROGBITS\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)/.exec(header);
  let state = 1;
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const address = () => parseInt(start, 16) + Math.floor(next() * parseInt(size, 16));
  const list = Array.from({ length: ADDRESSES }, () => `0x${address().toString(16)}`);
  writeFileSync(at('addresses'), `${list.join('\n')}\n`);
  return at('addresses');
}

function benchAddresses() {
  const title = `${ADDRESSES.toLocaleString('en')} address lookups in SQLite`;
  const goal = '≥ 5× faster';
  const module = path.join(root, 'dist/addr2line.wasm');
  if (!has('gcc') || !has('addr2line')) return row(title, 'skipped: no gcc or no binutils', goal);
  const program = sqlite();
  if (program === undefined) return row(title, 'skipped: the registry could not be reached for the source', goal);
  const list = addressList(program);
  const { ours, theirs, ratio } = paired(
    ['node', at('look-up-addresses.mjs'), module, program, list],
    ['addr2line', '-i', '-f', '-C', '-e', program],
    { theirs: list },
  );
  row(title, `${ours.toFixed(3)} s; addr2line ${theirs.toFixed(3)} s: ${(1 / ratio).toFixed(1)}× faster`, goal);
}

function benchActivation() {
  const file = path.join(root, 'dist/extension.js');
  const imports = readFileSync(file, 'utf8').match(/^import .* from "\.\/chunks\/[^"]+"/gm) ?? [];
  row(
    'loaded at activation',
    `main bundle ${(statSync(file).size / 1e3).toFixed(1)} kB, ${imports.length} chunks with it`,
    '< 500 kB, nothing heavy',
  );
}

execFileSync('node', ['scripts/build.mjs', '--production'], { cwd: root });
const programs = [
  'read-recording',
  'build-graph',
  'lay-out-graph',
  'look-up-addresses',
  'open-recording',
  'follow-recording',
  'inflate-log',
  'darshan-records',
  'otf2-archive',
  'capture-events',
  'fleet-queries',
  'month-store',
  'timeline',
  'link-layers',
  'layer-patterns',
  'find-loops',
  'many-logs',
  'inflate-logs',
  'critical-path',
];
await Promise.all(programs.map(bundle));
let made;
const single = () => (made ??= recording('single', false));
const lines = {
  reader: () => benchReader(`reader, ${CALLS.toLocaleString('en')} calls`, single()),
  split: () => benchReader('reader, calls cut in two by other processes', recording('split', true)),
  stacks: benchStacks,
  folder: benchFolder,
  'segment-text': benchSegmentText,
  darshan: benchDarshan,
  otf2: () => benchOtf2({ at, row, paired, time, has }),
  capture: () => benchCapture({ at, row, paired, time }),
  graph: () => benchGraph(single()),
  layers: benchLayers,
  'layer-patterns': () => {
    benchLayerPatterns({ at, row, time, median }, 'text of darshan-dxt-parser', at('layers.dxt.txt'));
    if (existsSync(at('otf2-64'))) benchLayerPatterns({ at, row, time, median }, 'OTF2', at('otf2-64'));
  },
  loops: () => benchLoops({ at, row, time, median }, single()),
  following: () => {
    benchFollowing(single(), 'strace', '≤ 2×');
    const file = at('capture-million.iorec');
    time(['node', at('capture-events.mjs'), file, '1000000']);
    // In the end it is read once more.
    benchFollowing(file, 'the recorder library', '≤ 5×');
  },
  layout: benchLayout,
  scale: () => benchScale({ at, root, row, paired }),
  opening: benchOpening,
  timeline: () => benchTimeline({ folder, row, time }),
  addresses: benchAddresses,
  activation: benchActivation,
  'darshan-analysis': () => benchDarshanAnalysis({ root, row, paired, time, median, has }),
  causes: () => benchCriticalPath({ at, row, time, median }),
  ingestion: () => benchIngestion({ at, root, row, time }),
  questions: () => benchFleetQueries({ at, row, median }),
  month: () => benchMonth({ at, row }),
  recorder: () => benchRecorder({ at, root, row, time, median, has }),
};
/** `npm run bench -- causes ingestion` measures these only; the truth takes half an hour, and is told only when it is asked. */
const [first, ...options] = process.argv.slice(2);
if (first === 'truth') {
  await bundle('truth');
  process.exit(spawnSync('node', [at('truth.mjs'), ...options], { cwd: root, stdio: 'inherit' }).status ?? 1);
}
const wanted = process.argv.slice(2);
for (const name of wanted)
  if (!(name in lines)) throw new Error(`${name}: one of ${Object.keys(lines).join(', ')} is expected`);
for (const [name, measure] of Object.entries(lines)) if (wanted.length === 0 || wanted.includes(name)) measure();

const widths = [0, 1].map((column) => Math.max(...rows.map((cells) => cells[column].length)));
for (const [what, figure, goal] of [['', 'median of pairs', 'goal'], ...rows])
  console.log(`${what.padEnd(widths[0])}  ${figure.padEnd(widths[1])}  ${goal}`);
