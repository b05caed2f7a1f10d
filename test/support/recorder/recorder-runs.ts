import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { libraryFrom } from '../../../src/session/machine/recorder-source.ts';
import { freshFolder, has, run } from '../programs.ts';

/** Programs that run without and with the recorder library, and must not know the difference. */

const recorder = path.resolve(import.meta.dirname, '../../../native/recorder');
const OPTIONS =
  '-std=gnu11 -O2 -g -fPIC -shared -fvisibility=hidden -ftls-model=initial-exec -fno-omit-frame-pointer -fexceptions -fasynchronous-unwind-tables -pthread';

export const canRecord =
  process.platform === 'linux' && has('cc') && (process.arch === 'x64' || process.arch === 'arm64');

/** A cache folder (`XDG_CACHE_HOME`) for tests that are not about the compilation. */
export const SHARED_CACHE = path.join(tmpdir(), `iolens-test-cache-${process.getuid?.()}`);

/**
 * The library as users get it: the built one, or while that is of older sources the one that the first test file to ask
 * compiles. Other users may load it.
 */
export async function sharedRecorder(): Promise<string> {
  const cacheFolder = path.join(SHARED_CACHE, 'iolens/recorder');
  const resources = { folder: path.resolve(import.meta.dirname, '../../../dist') };
  const { file } = await libraryFrom(resources, { cacheFolder });
  for (let at = file; at !== path.dirname(SHARED_CACHE); at = path.dirname(at)) chmodSync(at, 0o755);
  return file;
}

/** One of its own, of which the compiler has nothing to say. */
export function compileRecorder(folder: string, ...more: string[]): string {
  const library = path.join(folder, 'libiolens-recorder.so');
  const sources = readdirSync(recorder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.c'));
  const files = sources.map((name) => path.join(recorder, name));
  run(folder, 'cc', ...OPTIONS.split(' '), '-Wall', '-Wextra', '-Werror', ...more, '-o', library, ...files, '-ldl');
  return library;
}

export interface Run {
  /** Of the exit, or the signal's name. */
  status: number | string | null;
  stdout: string;
  stderr: string;
  /** Every file below the folder that it ran in, with what it holds. */
  files: Record<string, string>;
  /** That folder. */
  folder: string;
}

export interface Recorded extends Run {
  /** Where the recording is. */
  recording: string;
}

function contentsOf(folder: string): Record<string, string> {
  const contents: Record<string, string> = {};
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const name of names) {
    const file = path.join(folder, name);
    const status = lstatSync(file);
    if (status.isSymbolicLink()) contents[name] = `-> ${readlinkSync(file)}`;
    else contents[name] = status.isFile() ? readFileSync(file, 'latin1') : 'no file';
  }
  return contents;
}

export interface RunOptions {
  environment?: Record<string, string>;
  /** Seconds; a program that takes longer hangs. */
  limit?: number;
}

/** Runs a command in a fresh folder that is always at the same place: programs write paths into files. */
export function plainRun(place: string, command: readonly string[], options: RunOptions = {}): Run {
  run('/', 'rm', '-rf', place);
  mkdirSync(place, { recursive: true });
  chmodSync(place, 0o777);
  const [program = '', ...words] = command;
  const { status, signal, stdout, stderr, error } = spawnSync(program, words, {
    cwd: place,
    encoding: 'latin1',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', ...options.environment },
    timeout: (options.limit ?? 60) * 1000,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) throw new Error(`${command.join(' ')}: ${error.message}`);
  return { status: status ?? signal, stdout, stderr, files: contentsOf(place), folder: place };
}

export interface RecordedRunOptions extends RunOptions {
  /** Deepest stack; 0, none, unless given. */
  depth?: number;
  /** Where the recording goes: a fresh folder unless given. */
  recording?: string;
}

export function recordedRun(
  library: string,
  place: string,
  command: readonly string[],
  options: RecordedRunOptions = {},
): Recorded {
  const recording = options.recording ?? freshFolder('recorded-run');
  chmodSync(recording, 0o777);
  const environment = {
    LD_PRELOAD: library,
    IOLENS_RECORDING: recording,
    IOLENS_STACK_DEPTH: String(options.depth ?? 0),
    ...options.environment,
  };
  return { ...plainRun(place, command, { ...options, environment }), recording };
}
