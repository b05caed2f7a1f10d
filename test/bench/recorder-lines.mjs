// What recording costs: the recorder library, with and without stacks, beside strace and `strace -k`, in turns on the same
// machine. A program of many small calls, and a parallel program that mostly does I/O. The tracers of others run beside them
// where their libraries are named: DARSHAN_LIBRARY (built without MPI), RECORDER_LIBRARY, DFTRACER_LIBRARY (the one that is
// preloaded).
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROUNDS = 5;
const DEPTH = 8;
const CALLS = 200_000;
/** With stacks of strace each takes a millisecond. */
const TRACED_CALLS = 2000;
const RANKS = 2;
const STEPS = 8000;
/** With stacks of strace a step takes ten milliseconds, and an MPI's start many seconds. */
const TRACED_STEPS = 400;
const TRACED_ROUNDS = 1;

/** Recorders, by the options of `iolens record`; undefined for none. */
const RECORDERS = {
  none: undefined,
  'library, no stacks': ['--with', 'preload', '--no-stacks'],
  'library, with stacks': ['--with', 'preload'],
  strace: ['--with', 'strace', '--no-stacks'],
  'strace -k': ['--with', 'strace'],
};

/** Room for all calls: what does not fit is dropped, and costs nothing. */
const DARSHAN_ROOM = 'MAX_RECORDS 16384 DXT_POSIX\nMODMEM 64\n';
const DARSHAN = { library: process.env.DARSHAN_LIBRARY, calls: CALLS };
const darshanVariables = (inside) => ({ DARSHAN_ENABLE_NONMPI: '1', DARSHAN_LOGFILE: inside('log') });
/** Tracers of others: what is preloaded, the calls that it traces, and its variables. None of them takes stacks. */
const PEERS = {
  'Darshan, counters': { ...DARSHAN, variables: darshanVariables },
  'Darshan, DXT': {
    ...DARSHAN,
    variables(inside) {
      writeFileSync(inside('configuration'), DARSHAN_ROOM);
      return { ...darshanVariables(inside), DARSHAN_CONFIG_PATH: inside('configuration'), DXT_ENABLE_IO_TRACE: '1' };
    },
  },
  Recorder: {
    library: process.env.RECORDER_LIBRARY,
    // A call costs the more the more there are: 200,000 took eight minutes.
    calls: TRACED_CALLS,
    variables: (inside) => ({ RECORDER_WITH_NON_MPI: '1', RECORDER_TRACES_DIR: inside('traces') }),
  },
  dftracer: {
    library: process.env.DFTRACER_LIBRARY,
    calls: CALLS,
    variables: (inside) => ({
      DFTRACER_ENABLE: '1',
      DFTRACER_INIT: 'PRELOAD',
      DFTRACER_LOG_FILE: inside('trace'),
      DFTRACER_DATA_DIR: 'all',
    }),
  },
};

const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };

/** Bytes of a recording, a file or a folder, without what lies beside it. */
function sizeOf(recording) {
  if (!statSync(recording).isDirectory()) return statSync(recording).size;
  const files = readdirSync(recording).filter((name) => name.endsWith('.iorec'));
  return files.reduce((sum, name) => sum + statSync(path.join(recording, name)).size, 0);
}

/** @param bench what scripts/bench.mjs shares: at, root, row, time, median, has. */
export function benchRecorder(bench) {
  const { at, root, row, time, has } = bench;
  if (!has('cc')) return row('recorder library', 'skipped: no cc', '');
  const folder = at('recorder');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const inside = (name) => path.join(folder, name);
  /** Runs a program with a recorder: the number that it prints, and the bytes that were recorded. */
  const run = (recorder, command) => {
    const options = RECORDERS[recorder];
    if (options === undefined) return { printed: Number(time(command, undefined, AS_ROOT).stdout), bytes: 0 };
    const output = inside(recorder.startsWith('strace') ? 'run.strace' : 'run.iolens');
    const record = ['node', path.join(root, 'dist/cli.js'), 'record', '--quiet', '--no-calibration'];
    const { stdout } = time([...record, ...options, '-o', output, '--', ...command], undefined, AS_ROOT);
    const bytes = sizeOf(output);
    rmSync(output, { recursive: true, force: true });
    return { printed: Number(stdout), bytes };
  };
  const recorders = Object.keys(RECORDERS).filter((name) => !name.startsWith('strace') || has('strace'));
  benchCalls({ ...bench, inside, run, recorders });
  for (const [name, peer] of Object.entries(PEERS))
    if (peer.library === undefined) row(`  ${name}`, 'skipped: its library is not named', '');
    else benchPeer(name, peer, { ...bench, inside });
  if (has('mpicc') && has('mpirun')) benchRanks({ ...bench, inside, run, recorders });
  else row('recorder, a parallel program', 'skipped: no mpicc or no mpirun', '');
}

function benchCalls({ root, row, time, median, inside, run, recorders }) {
  const program = inside('calls');
  time(['cc', '-O2', '-g', '-o', program, path.join(root, 'test/bench/recorder-calls.c')]);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const runs = recorders.map((name) => {
      const calls = name.startsWith('strace') ? TRACED_CALLS : CALLS;
      const { printed, bytes } = run(name, [program, String(calls), String(DEPTH), inside('calls.bin')]);
      return [name, { ns: printed, bytes: bytes / calls }];
    });
    return Object.fromEntries(runs);
  });
  const added = (name) => median(rounds.map((round) => round[name].ns - round.none.ns));
  row(
    `recorder, ${DEPTH} functions deep: a call without`,
    `${median(rounds.map(({ none }) => none.ns)).toFixed(0)} ns`,
    '',
  );
  const goals = { 'library, no stacks': ['< 0.3 µs', '< 24 B'], 'library, with stacks': ['< 3 µs', '< 24 B'] };
  for (const name of recorders.filter((other) => other !== 'none')) {
    const [time, bytes] = goals[name] ?? ['', ''];
    const slower = rounds.map((round) => (round['strace -k'].ns - round.none.ns) / (round[name].ns - round.none.ns));
    const ratio =
      recorders.includes('strace -k') && name !== 'strace -k' ? `; strace -k ${median(slower).toFixed(0)}×` : '';
    row(`  ${name} adds`, `${(added(name) / 1000).toFixed(2)} µs${ratio}`, time);
    row('    bytes per event', `${median(rounds.map((round) => round[name].bytes)).toFixed(1)} B`, bytes);
  }
}

function benchPeer(name, { library, calls, variables }, { row, time, median, inside }) {
  const output = inside('peer');
  const command = [inside('calls'), String(calls), String(DEPTH), inside('calls.bin')];
  const rounds = Array.from({ length: ROUNDS }, () => {
    mkdirSync(output);
    const without = Number(time(command).stdout);
    const variablesOf = variables((file) => path.join(output, file));
    const traced = Number(time(['env', `LD_PRELOAD=${library}`, ...command], undefined, variablesOf).stdout);
    const written = readdirSync(output, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'configuration')
      .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size);
    rmSync(output, { recursive: true });
    return { added: traced - without, bytes: written.reduce((sum, size) => sum + size, 0) / calls };
  });
  row(`  ${name} adds`, `${(median(rounds.map(({ added }) => added)) / 1000).toFixed(2)} µs`, '');
  row('    bytes per event', `${median(rounds.map(({ bytes }) => bytes)).toFixed(1)} B`, '');
}

function benchRanks({ root, row, time, median, inside, run, recorders }) {
  const program = inside('ranks');
  time(['mpicc', '-O2', '-g', '-o', program, path.join(root, 'test/bench/recorder-ranks.c')]);
  const command = (steps) => ['mpirun', '--oversubscribe', '-n', String(RANKS), program, String(steps), inside('')];
  const inTurn = (names, steps) => Object.fromEntries(names.map((name) => [name, run(name, command(steps))]));
  const isTraced = (name) => name.startsWith('strace');
  run('none', command(STEPS));
  const plain = Array.from({ length: ROUNDS }, () =>
    inTurn(
      recorders.filter((name) => !isTraced(name)),
      STEPS,
    ),
  );
  const traced = Array.from({ length: TRACED_ROUNDS }, () =>
    inTurn(['none', ...recorders.filter(isTraced)], TRACED_STEPS),
  );
  const without = median(plain.map((round) => round.none.printed));
  row(`recorder, ${RANKS} MPI ranks that write and read: without`, `${without.toFixed(3)} s`, '');
  for (const name of recorders.filter((other) => other !== 'none')) {
    const [rounds, steps] = isTraced(name) ? [traced, TRACED_STEPS] : [plain, STEPS];
    const ratio = median(rounds.map((round) => round[name].printed / round.none.printed));
    const size = median(rounds.map((round) => round[name].bytes)) / 1024 / (steps / 1000);
    const figures = `${ratio.toFixed(2)}×; ${size.toFixed(0)} KiB for a thousand steps`;
    row(`  ${name}`, figures, name === 'library, with stacks' ? '≤ 1.10×' : '');
  }
}
