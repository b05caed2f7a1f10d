/**
 * The recorder library, compiled from its source (`native/recorder/`) by the machine's own C compiler at the first recording and
 * kept: where the built one does not fit, or a compiler is named. It links with nothing but the C library, so one library fits
 * every MPI and HDF5.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import compile from '../../native/recorder/compile.json';
import { LIBRARY, loadingProblem, machineOf, unwritable, type RecorderLibrary } from './library-file.ts';
import { makeFolders } from './make-folders.ts';
import { RecordError } from './strace-recorder.ts';

/** A file of the library's source. */
interface RecorderSource {
  /** Its path within the source, such as `posix/open.c`. */
  readonly name: string;
  readonly text: Uint8Array;
}

export interface CompileWish {
  readonly sources: readonly RecorderSource[];
  /** Libraries are kept below it. */
  readonly cacheFolder: string;
  /** A command such as `gcc` or `ccache gcc -m64`; '' for `CC`, else the first compiler that there is. */
  readonly compiler?: string;
  /** What names a compiler in the words of whoever asks; `CC` when it is not said. */
  readonly compilerName?: string;
  /** Told before it is compiled, which takes seconds. */
  readonly onCompile?: (compiler: string) => void;
}

/** In this order: an MPI's wrapper adds its own libraries, which the recorder does not need. */
const COMPILERS = ['cc', 'gcc', 'clang', 'mpicc'];
/** A login node is others' too. */
const MOST_AT_ONCE = 8;
/**
 * Above a thousand short functions of the layers ("wrappers"): what more is done for them takes most of the time, and gains
 * nothing. What they only hand on they shall not stand on the stack for.
 */
const optimization = (unit: string): readonly string[] =>
  compile.wrappers.includes(path.posix.dirname(unit)) ? compile.ofWrappers : compile.ofOthers;
/** Milliseconds: a compiler on a slow file server is waited for, one that hangs is not. */
const COMPILE_TIME = 600_000;
const LOOK_AGAIN = 50;
const SCRATCH = 'making-';
/** Milliseconds for which nothing was written into it. */
const ABANDONED = 3_600_000;
const SIGN_OF_LIFE = 1000;
/** Ten signs of life that did not come. */
const LONGEST_SILENCE = 10_000;

/**
 * The library, compiled now or before.
 * @throws RecordError when there is no compiler, it cannot compile the source, or what it made cannot be loaded.
 */
export async function compiledLibrary(wish: CompileWish): Promise<RecorderLibrary> {
  const places = libraryPlaces(wish);
  let problem = '';
  for (const { compiler, folder, library } of places) {
    if (existsSync(library.file)) return library;
    wish.onCompile?.(compiler.join(' '));
    const failed = await compileOnce(wish.sources, compiler, folder);
    if (failed === '') return library;
    problem ||= failed;
  }
  throw new RecordError(problem);
}

/**
 * The library where it was compiled before; nothing is compiled.
 * @throws RecordError when it could not be compiled either.
 */
export function compiledBefore(wish: CompileWish): RecorderLibrary | undefined {
  return libraryPlaces(wish).find(({ library }) => existsSync(library.file))?.library;
}

interface LibraryPlace {
  readonly compiler: Command;
  readonly folder: string;
  readonly library: RecorderLibrary;
}

/** Where each compiler's library stands, or will. @throws RecordError when there is no compiler. */
function libraryPlaces(wish: CompileWish): LibraryPlace[] {
  const machine = machineOf();
  return installedCompilers(wish).map((compiler) => {
    const folder = path.join(wish.cacheFolder, keyOf(wish.sources, compiler, machine));
    return {
      compiler,
      folder,
      library: { file: path.join(folder, LIBRARY), origin: `compiled by ${compiler.join(' ')}` },
    };
  });
}

type Command = readonly string[];

function candidates(wanted: string | undefined): Command[] {
  const named = [wanted ?? '', process.env['CC'] ?? ''].find((text) => text.trim() !== '');
  return named === undefined ? COMPILERS.map((name) => [name]) : [named.trim().split(/\s+/)];
}

/** The command with its program's whole path, when it is there. */
function found([program = '', ...options]: Command): Command[] {
  const folders = program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(':').filter((at) => at !== '');
  const file = folders.map((folder) => path.resolve(folder, program)).find(isProgram);
  return file === undefined ? [] : [[file, ...options]];
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** @throws RecordError when there is none. */
function installedCompilers({ compiler, compilerName = 'CC' }: CompileWish): Command[] {
  const named = candidates(compiler);
  const there = named.flatMap((words) => found(words));
  if (there.length > 0) return there;
  const names = named.map(([name]) => name).join(', ');
  throw new RecordError(
    `the recorder library is compiled on this machine, and there is no C compiler (${names}): install one, load a module, or name it by ${compilerName}`,
  );
}

function keyOf(sources: readonly RecorderSource[], compiler: Command, machine: string): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([compiler, compile.options, compile.link, machine]));
  for (const { name, text } of [...sources].sort((a, b) => (a.name < b.name ? -1 : 1)))
    hash.update(`\n${name} ${text.length} ${optimization(name).join(' ')}\n`).update(text);
  return hash.digest('hex').slice(0, 24);
}

/**
 * Compiles, unless another process (each rank of a node may begin at once) is doing so: then its library is waited for.
 * @returns why it failed; '' when the library is there.
 * @throws RecordError when the folder cannot be written to.
 */
async function compileOnce(sources: readonly RecorderSource[], compiler: Command, folder: string): Promise<string> {
  const library = path.join(folder, LIBRARY);
  const mark = path.join(folder, 'compiling');
  try {
    makeFolders(folder);
  } catch (error) {
    throw unwritable(folder, error);
  }
  const isOurs = await mayCompile(mark);
  if (!isOurs) {
    await untilCompiled(mark);
    if (existsSync(library)) return '';
  }
  // Whoever waits sees by it that someone is still there.
  const alive = setInterval(() => {
    utimes(mark, new Date(), new Date()).catch(() => undefined);
  }, SIGN_OF_LIFE);
  try {
    return await compileHere(sources, compiler, library);
  } finally {
    clearInterval(alive);
    await rm(mark, { force: true });
  }
}

/** Waits until the mark is gone, or its maker is: one that was killed leaves it. Clocks of other machines are not asked. */
async function untilCompiled(mark: string): Promise<void> {
  let seen = madeAt(mark);
  let since = performance.now();
  while (seen !== 0 && performance.now() - since < LONGEST_SILENCE) {
    await pause(LOOK_AGAIN);
    const now = madeAt(mark);
    if (now !== seen) since = performance.now();
    seen = now;
  }
}

/**
 * Makes the file that says that someone compiles.
 * @returns false when it is there already.
 */
async function mayCompile(mark: string): Promise<boolean> {
  try {
    const file = await open(mark, 'wx');
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unwritable(path.dirname(mark), error);
  }
}

/** Milliseconds since 1970; 0 when it is not there. */
function madeAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Removes folders of compilations that were killed, of this version of the library and of others: nobody else does. What
 * cannot be removed is in nobody's way.
 */
async function removeAbandoned(cacheFolder: string): Promise<void> {
  const within = async (folder: string): Promise<string[]> =>
    (await readdir(folder).catch(() => [])).map((name) => path.join(folder, name));
  for (const kept of await within(cacheFolder)) {
    const scratches = (await within(kept)).filter((folder) => path.basename(folder).startsWith(SCRATCH));
    for (const scratch of scratches) {
      const changed = await stat(scratch).then(
        ({ mtimeMs }) => mtimeMs,
        () => NaN,
      );
      if (Date.now() - changed > ABANDONED) await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** Compiles in a folder of its own and puts the library in its place at once: no one ever sees half of one. */
async function compileHere(
  sources: readonly RecorderSource[],
  [program = '', ...options]: Command,
  library: string,
): Promise<string> {
  await removeAbandoned(path.dirname(path.dirname(library)));
  const scratch = await mkdtemp(`${path.dirname(library)}/${SCRATCH}`).catch((error: unknown) => {
    throw unwritable(path.dirname(library), error);
  });
  try {
    for (const { name, text } of sources) {
      await mkdir(path.join(scratch, path.dirname(name)), { recursive: true });
      await writeFile(path.join(scratch, name), text);
    }
    const run = (more: readonly string[]): Promise<string> => runCompiler(program, [...options, ...more], scratch);
    const units = sources.map(({ name }) => name.slice(0, -2)).filter((_, i) => sources[i]!.name.endsWith('.c'));
    const failed = (await compileUnits(units, run)) || (await run(linkCommand(units)));
    if (failed !== '') return `${program} cannot compile the recorder library: ${failed}`;
    const made = path.join(scratch, LIBRARY);
    const refused = loadingProblem(made);
    if (refused !== '') return `the recorder library that ${program} compiled cannot be loaded: ${refused}`;
    await rename(made, library);
    return '';
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Several at once, for whoever waits: @returns '' or why the first that failed did. */
async function compileUnits(
  units: readonly string[],
  run: (options: readonly string[]) => Promise<string>,
): Promise<string> {
  let next = 0;
  let problem = '';
  const work = async (): Promise<void> => {
    while (next < units.length && problem === '') {
      const unit = units[next++]!;
      const failed = await run([...compile.options, ...optimization(unit), '-c', '-o', `${unit}.o`, `${unit}.c`]);
      problem ||= failed;
    }
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, availableParallelism()) }, work));
  return problem;
}

function linkCommand(units: readonly string[]): string[] {
  return ['-o', LIBRARY, ...units.map((unit) => `${unit}.o`).sort(), ...compile.link];
}

/** @returns '' or the first thing that the compiler says. */
function runCompiler(program: string, options: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve) => {
    const limits = { cwd: folder, timeout: COMPILE_TIME, killSignal: 'SIGKILL', encoding: 'utf8' } as const;
    execFile(program, options, limits, (error, output, errors) => {
      if (error === null) resolve('');
      else if (error.killed === true) resolve(`it takes longer than ${COMPILE_TIME / 1000} s`);
      else resolve(firstError(`${errors}\n${output}`) || error.message);
    });
  });
}

/** Compilers say before it in which function it is, and behind it what follows from it. */
function firstError(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /\berror\b|undefined reference|not found/i.test(line)) ?? lines[0] ?? '').trim();
}
