import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Backend, BackendKind, ReplayCall } from '../../replay/backends/backend.ts';
import type { Names } from '../../replay/expressions/evaluate.ts';
import { instructionsFor, type RankInstructions } from '../../replay/mpi/instructions.ts';
import type { ContentReport } from '../../replay/run/surroundings.ts';
import { ReplayError } from '../../replay/run/replay-error.ts';
import { traceCacheFolder } from '../reading/cache-folders.ts';
import { nativeSources } from '../machine/native-sources.ts';
import { runProgram as runTool } from '../machine/run-program.ts';
import type { SessionResources } from '../session-resources.ts';
import { CancelledError } from '../worker/worker-protocol.ts';
import { openFlags } from './replay-folder.ts';
import type { DoneTask, TaskStart } from './task-protocol.ts';

/** Milliseconds that ended ranks have before they are killed. */
const GRACE = 2000;
/** What a rank says on standard error when it fails. */
const FAILED = 'mpi-replayer: failed';
/** Characters of what ranks and their launcher say that are kept. */
const MOST_WORDS = 4000;

interface RankCommand {
  readonly command: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
}

/** How native/mpi-replayer is made and started. */
interface Launcher {
  readonly compiler: string;
  readonly options: readonly string[];
  /** What is said when there is no such compiler. */
  readonly missing: string;
  /** Whether a source belongs to it. */
  readonly takes: (source: string) => boolean;
  /** The command that runs `size` ranks, and what it needs in its environment. */
  readonly command: (size: number, replayer: readonly string[]) => Promise<RankCommand>;
}

const isOfMpiAlone = (source: string): boolean => /^(mpi-io|datatypes|ranks)\.c$/.test(source);
const standsForMpi = (source: string): boolean => source.startsWith('alone/');

const BY_MPI: Launcher = {
  compiler: 'mpicc',
  options: [],
  missing:
    'the program has calls of MPI, and there is no mpicc: install an MPI with its compiler (Debian: libopenmpi-dev openmpi-bin), or replay requests (--layer requests)',
  takes: (source) => !standsForMpi(source),
  command: async (size, replayer) => {
    const version = await runTool('mpirun', ['--version']);
    if (version === undefined) throw new ReplayError('the program has calls of MPI, and there is no mpirun');
    const isOpenMpi = version.output.includes('Open MPI');
    const isRoot = process.getuid?.() === 0;
    const more = isOpenMpi ? ['--oversubscribe', ...(isRoot ? ['--allow-run-as-root'] : [])] : [];
    return { command: ['mpirun', ...more, '-n', String(size), ...replayer] };
  },
};

const ALONE: Launcher = {
  compiler: 'cc',
  options: ['-pthread', '-Ialone', '-I.'],
  missing: 'there is no compiler for C (cc): install one, or use --engine node',
  takes: (source) => !isOfMpiAlone(source),
  command: (size, replayer) =>
    Promise.resolve({ command: [...replayer], environment: { ...process.env, REPLAYER_RANKS: String(size) } }),
};

/** How ranks that are processes are started. */
export type RankEngine = 'mpi' | 'native';
const LAUNCHERS: Readonly<Record<RankEngine, Launcher>> = { mpi: BY_MPI, native: ALONE };
/** Ranks that share one memory for what they send each other. */
const MOST_ALONE = 512;

/** Why ranks cannot be processes here; undefined where nothing stands against it. */
export function obstacleToRanks(
  { keepGoing, program, checkContent, size }: Omit<TaskStart, 'rank'>,
  engine: RankEngine,
): string | undefined {
  if (keepGoing) return 'calls that fail end a replay whose tasks are processes: it cannot keep going';
  if (program.pools.length > 0) return 'file pools are not possible in a replay whose tasks are processes';
  if (checkContent && JSON.stringify(program.tasks).includes('"operation":"rename"'))
    return 'contents cannot be checked in a replay whose tasks are processes and rename files';
  if (engine === 'native' && size > MOST_ALONE) return `${size} tasks: --engine native has at most ${MOST_ALONE}`;
  return undefined;
}

/**
 * Runs a replay by processes, each rank one of native/mpi-replayer, which is compiled at its first use.
 * @throws ReplayError in words for the user, CancelledError.
 */
export async function runRanks(
  start: Omit<TaskStart, 'rank'>,
  engine: RankEngine,
  kinds: readonly BackendKind[],
  resources: SessionResources,
  signal: AbortSignal | undefined,
): Promise<DoneTask[]> {
  const obstacle = obstacleToRanks(start, engine);
  if (obstacle !== undefined) throw new ReplayError(obstacle);
  const ranks = Array.from({ length: start.size }, (_, rank) => instructionsOf(start, rank));
  const launcher = LAUNCHERS[engine];
  const replayer = await compiledReplayer(launcher, resources);
  // Within the folder: where ranks run on other machines, this is what all of them see.
  const work = mkdtempSync(path.join(start.root, '.iolens-replay-'));
  try {
    ranks.forEach(({ text }, rank) => writeFileSync(path.join(work, `instructions.${rank}`), text));
    const files = [start.root, path.join(work, 'instructions'), path.join(work, 'results')];
    const words = await launched(await launcher.command(start.size, [replayer, ...files]), signal);
    const results = ranks.map((_, rank) => resultsOf(path.join(work, `results.${rank}`)));
    refuseFailure(results, ranks, words);
    return results.map((lines, rank) => doneTask(lines, rank, kinds, ranks[rank]!));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function instructionsOf(
  { program, size, variables, checkContent }: Omit<TaskStart, 'rank'>,
  rank: number,
): RankInstructions {
  const names: Names = { size, rank, series: [], variables };
  return instructionsFor(program, names, checkContent, openFlags);
}

/** Whether the replayer without MPI can be compiled here, or has been. */
export async function hasNativeRanks(resources: SessionResources): Promise<boolean> {
  try {
    await compiledReplayer(ALONE, resources);
    return true;
  } catch (error) {
    if (error instanceof ReplayError) return false;
    throw error;
  }
}

/** The compiled program, in the cache of this user; of each version once. */
async function compiledReplayer(
  { compiler, options, missing, takes }: Launcher,
  resources: SessionResources,
): Promise<string> {
  const sources = (await nativeSources('mpi-replayer', resources)).filter(({ name }) => takes(name));
  if (sources.length === 0) throw new ReplayError('native/mpi-replayer: the source of the replayer is missing');
  const version = await runTool(compiler, ['--version']);
  if (version === undefined) throw new ReplayError(missing);
  const hash = createHash('sha256').update(`${compiler} ${version.output}`);
  for (const { name, text } of sources) hash.update(`\n${name} ${text.length}\n`).update(text);
  const cache = path.join(traceCacheFolder(process.env), 'replayer');
  const program = path.join(cache, `mpi-replayer-${hash.digest('hex').slice(0, 16)}`);
  if ((await stat(program).catch(() => undefined)) !== undefined) return program;
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(`${cache}/making-`);
  try {
    await mkdir(path.join(scratch, 'alone'));
    await Promise.all(sources.map(({ name, text }) => writeFile(path.join(scratch, name), text)));
    const units = sources.map(({ name }) => path.join(scratch, name)).filter((file) => file.endsWith('.c'));
    const part = path.join(scratch, 'mpi-replayer');
    const own = options.map((option) => option.replace(/^-I/, `-I${scratch}/`));
    const compiled = await runTool(compiler, ['-O2', ...own, '-o', part, ...units, '-lm'], { timeout: COMPILE_TIME });
    if (compiled?.status !== 0)
      throw new ReplayError(
        `${compiler} could not compile the replayer: ${compiled?.errors.slice(0, MOST_WORDS) ?? 'it is gone'}`,
      );
    // Whoever compiles it at the same time has the same.
    await rename(part, program);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return program;
}

const COMPILE_TIME = 120_000;

/** @returns what the ranks and their launcher said. */
function launched({ command, environment }: RankCommand, signal: AbortSignal | undefined): Promise<string> {
  if (signal?.aborted === true) throw new CancelledError('the replay was cancelled');
  const [program, ...operands] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program!, operands, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...(environment && { env: environment }),
    });
    let words = '';
    const kill = (): void => {
      setTimeout(() => endGroup(child.pid, 'SIGKILL'), GRACE).unref();
    };
    const keep = (piece: Buffer): void => {
      if (words.length < MOST_WORDS) words += piece.toString('utf8');
      // mpirun is known to hang now and then when a rank has asked it to end all.
      if (words.includes(FAILED)) kill();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const end = (): void => {
      endGroup(child.pid, 'SIGTERM');
      kill();
    };
    signal?.addEventListener('abort', end, { once: true });
    child.on('error', (error) => reject(new ReplayError(`${program!}: ${error.message}`)));
    child.on('close', () => {
      signal?.removeEventListener('abort', end);
      if (signal?.aborted === true) reject(new CancelledError('the replay was cancelled'));
      else resolve(words);
    });
  });
}

/** Ranks and what started them are a group of their own. */
function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

function resultsOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}

function refuseFailure(results: readonly string[][], ranks: readonly RankInstructions[], words: string): void {
  results.forEach((lines, rank) => {
    const match = /^error (\d+) (.*)$/.exec(lines.find((line) => line.startsWith('error ')) ?? '');
    if (match === null) return;
    const place = ranks[rank]!.places[Number(match[1]) - 1] ?? 'before its first operation';
    throw new ReplayError(`rank ${rank}, ${place}: ${match[2]!}`);
  });
  if (results.some((lines) => lines.at(-1)?.startsWith('done ') !== true))
    throw new ReplayError(`the ranks ended before the replay did: ${words.trim().slice(0, MOST_WORDS)}`);
}

/** What a rank measured, told to back ends as if they had been there. */
function doneTask(
  lines: readonly string[],
  rank: number,
  kinds: readonly BackendKind[],
  instructions: RankInstructions,
): DoneTask {
  let number = 0;
  const backends = kinds.map((kind) => kind.start(() => number++));
  const content: ContentReport = { right: 0, unwritten: 0, wrong: 0, unchecked: 0, wrongPlaces: [] };
  let operations = 0;
  let seconds = 0;
  for (const line of lines) {
    const [what, ...fields] = line.split(' ');
    if (what === 'call') tellCall(backends, fields);
    else if (what === 'content') {
      [content.right, content.unwritten, content.wrong, content.unchecked] = fields.map(Number) as [
        number,
        number,
        number,
        number,
      ];
    } else if (what === 'place') {
      const [slot, lineNumber, offset] = fields.map(Number) as [number, number, number];
      const place = instructions.places[lineNumber - 1] ?? '';
      content.wrongPlaces.push({ path: `the file open as ${slot}`, offset, place: `rank ${rank}, ${place}` });
    } else if (what === 'done') [operations, seconds] = fields.map(Number) as [number, number];
  }
  const states = backends.map((backend) => backend.state());
  return { kind: 'done', rank, began: 0, ended: seconds, operations, failures: 0, failed: [], states, content };
}

const DIRECTIONS = { r: 'read', w: 'write', '-': 'none' } as const;
const EFFECTS = { c: 'create', u: 'unlink', '-': 'none' } as const;

function tellCall(backends: readonly Backend[], fields: readonly string[]): void {
  const [operation, direction, effect, isIo, asked, times, moved, seconds] = fields as [string, 'r', 'c', ...string[]];
  const call: ReplayCall = {
    operation,
    direction: DIRECTIONS[direction],
    effect: EFFECTS[effect],
    isIo: isIo === '1',
    bytes: Number(asked),
  };
  for (const backend of backends) {
    backend.begin?.(call, 0);
    backend.end(call, Number(moved), Number(seconds), 0, Number(times));
  }
}
