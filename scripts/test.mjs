// npm test: everything, on a fresh machine too. Formatting, lint, types, unit and golden tests, differential tests against
// real tools, tests inside a real extension host, and an end-to-end test that clicks.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { HEADLESS } from './chromium.mjs';
import { debianPackages, root, setUp } from './machine.mjs';
import { installCompiler } from './wasm.mjs';

/** Compilers and tools that tests compare with; a test whose tool is missing says so and is skipped. */
const TOOLS = [
  'gcc',
  'g++',
  'gfortran',
  'clang',
  'llvm',
  'binutils',
  'rustc',
  'strace',
  'fio',
  'git',
  'debuginfod',
  'otf2-tools',
  'zstd',
  'gzip',
  'xz-utils',
  'bzip2',
  'mawk',
  'libc6-dev',
  'gcc-aarch64-linux-gnu',
  'libc6-dev-arm64-cross',
  'musl-tools',
  'libjemalloc-dev',
  'libgoogle-perftools-dev',
  'libmimalloc-dev',
  'libaio-dev',
  'liburing-dev',
  'openmpi-bin',
  'libopenmpi-dev',
  'mpich',
  'libmpich-dev',
  'python3-mpi4py',
  'libotf2-trace-dev',
  'libhdf5-openmpi-dev',
  'libhdf5-dev',
  'libnetcdf-dev',
  'libnetcdf-mpi-dev',
  'libnetcdff-dev',
  'libpnetcdf-dev',
  'pkg-config',
  'hdf5-tools',
  'netcdf-bin',
  'shellcheck',
  'python3',
  'python3-h5py',
  'python3-netcdf4',
  HEADLESS.package,
  'slurm-wlm',
  'slurmdbd',
  'mariadb-server',
  'munge',
];

/** The projects of vitest.config.ts, as steps. */
const UNIT_TESTS = { rooms: 'unit tests', programs: 'golden and differential tests' };
const resultsOf = (project) => path.join(root, `.cache/vitest-${project}.json`);

function unitTests(project, ...options) {
  const results = resultsOf(project);
  rmSync(results, { force: true });
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  return [UNIT_TESTS[project], 'npx', ['vitest', 'run', '--project', project, ...reports, ...options]];
}

const isFull = process.env.IOLENS_TESTS === 'full';
/** Minutes after which a step is ended: several times what the slowest takes on two processors. What hangs is named. */
const MOST_MINUTES = isFull ? 180 : 40;

/** Of each failed step: its name, and what it printed. */
const failed = [];

/** Of each command that runs: how it is ended. */
const running = new Set();

/** Starts a command in a process group of its own, so that all that it started can be ended with it. */
function start(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const end = () => {
    // What left the group may hold the pipes on: nobody waits for it.
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  const late = setTimeout(() => {
    child.isLate = true;
    end();
  }, MOST_MINUTES * 60_000);
  running.add(end);
  child.on('close', () => {
    clearTimeout(late);
    running.delete(end);
  });
  return child;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const end of running) end();
    process.exit(1);
  });

/** One step; what it prints is shown as it comes, and its end kept. */
async function step(name, command, args) {
  const started = performance.now();
  console.log(`\n── ${name}`);
  const child = start(command, args);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      process.stdout.write(text);
      printed = (printed + text).slice(-200_000);
    });
  }
  const status = await statusOf(child);
  ended(name, status, started, printed, child.isLate);
}

const statusOf = (child) => new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));

function ended(name, status, started, printed, isLate = false) {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const outcome = isLate ? 'did NOT END' : status === 0 ? 'passed' : 'FAILED';
  console.log(`── ${name}: ${outcome} in ${seconds} s`);
  if (status !== 0) failed.push({ name, printed, isLate });
}

/** Several steps, one after the other, beside other lanes: what each prints comes when it is done. */
async function lane(steps) {
  for (const [name, command, args] of steps) {
    const started = performance.now();
    const child = start(command, args);
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    const status = await statusOf(child);
    const printed = Buffer.concat(chunks).toString();
    console.log(`\n── ${name}\n${printed}`);
    ended(name, status, started, printed, child.isLate);
  }
}

setUp();
const missing = [...debianPackages(TOOLS), ...installCompiler()];
if (missing.length > 0) console.log(`Missing, so the tests that need them are skipped: ${missing.join(' ')}`);

// One processor each: the checkers and the tests of single rooms, which need no build; and who clicks in an editor.
await Promise.all([
  lane([
    ['lint', 'npm', ['run', '--silent', 'lint']],
    ['types', 'npx', ['tsc', '-p', '.']],
    ['types of the webviews', 'npx', ['tsc', '-p', 'webview']],
    ['format', 'npx', ['oxfmt', '--check']],
    unitTests('rooms', '--maxWorkers=1'),
  ]),
  lane([
    ['end to end', 'node', ['test/workbench/run-end-to-end.mjs']],
    ['inside the host of web extensions', 'node', ['test/workbench/run-browser.mjs']],
    ...(isFull ? [['the five minutes of a newcomer', 'node', ['test/workbench/run-five-minutes.mjs']]] : []),
  ]),
]);
// The end-to-end test packed a build for users; the others take the one with source maps.
await step('build', 'node', ['scripts/build.mjs']);
await step(...unitTests('programs'));
await step('inside the extension host', 'node', ['test/workbench/run-host.mjs']);
if (isFull) await step('the recorder on other releases of Debian', 'node', ['scripts/try-releases.mjs']);
// Last, with nothing of ours beside it.
if (isFull) await step('no slower than at the last release', 'node', ['scripts/bench.mjs', 'guard']);

/** The failed tests once more: of a long run often only the end is kept. */
function failedTests(project) {
  const results = resultsOf(project);
  if (!existsSync(results)) return [];
  return JSON.parse(readFileSync(results, 'utf8')).testResults.flatMap(
    ({ name, status, message, assertionResults }) => {
      const file = path.relative(root, name);
      const tests = assertionResults.filter((test) => test.status === 'failed');
      if (tests.length === 0 && status === 'failed') return [`${file}: ${message}`];
      return tests.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${failureMessages.join('\n')}`);
    },
  );
}

/** The test files without an outcome when their step was ended: one of them hangs, others may not have begun. */
function unfinishedTests(project, printed) {
  const outcomes = stripVTControlCharacters(printed).matchAll(/^ [^\s\w] .*?(\S+\.test\.ts) \(/gm);
  const finished = new Set([...outcomes].map(([, file]) => file));
  const listed = spawnSync('npx', ['vitest', 'list', '--filesOnly', '--project', project], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = [...listed.stdout.matchAll(/\S+\.test\.ts$/gm)].map(([file]) => file);
  return files.filter((file) => !finished.has(file)).map((file) => `${file}: no outcome after ${MOST_MINUTES} min`);
}

/** What a step says of its failures: from each cross on; of one that stopped without any, its last words. */
function failures({ name, printed }) {
  const blocks = printed.split(/^(?=[ \t]+✗)/m).slice(1);
  if (blocks.length === 0) return [`${name}: … ${printed.slice(-2000)}`];
  return blocks.map((block) => `${name}:\n${block.split(/^[ \t]+✓/m)[0]}`);
}

if (failed.length > 0) {
  const texts = failed.flatMap((each) => {
    const project = Object.keys(UNIT_TESTS).find((one) => UNIT_TESTS[one] === each.name);
    if (project === undefined) return failures(each);
    return each.isLate ? unfinishedTests(project, each.printed) : failedTests(project);
  });
  for (const text of texts) console.log(`\n${text.slice(0, 2000)}`);
  console.log(`\nFAILED: ${failed.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}
console.log('\nAll tests passed.');
