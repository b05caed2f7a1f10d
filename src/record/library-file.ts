/** The recorder library as a file of this machine, wherever it comes from. */
import { spawnSync } from 'node:child_process';
import { RecordError } from './strace-recorder.ts';

export interface RecorderLibrary {
  /** Absolute path of the shared library. */
  readonly file: string;
  /** Who made it, in words. */
  readonly origin: string;
}

/** The file's name: it is that of the library in call stacks, too. */
export const LIBRARY = 'libiolens-recorder.so';

/** What a library must fit: a home folder may be shared by machines of different processors and C libraries. */
export function machineOf(): string {
  const { stdout } = spawnSync('getconf', ['GNU_LIBC_VERSION'], { encoding: 'utf8' });
  return `${process.arch} ${typeof stdout === 'string' ? stdout.trim() : ''}`;
}

export function unwritable(folder: string, error: unknown): RecordError {
  const why = error instanceof Error ? error.message : String(error);
  return new RecordError(
    `the recorder library cannot be kept in ${folder}: ${why}; set XDG_CACHE_HOME to a folder that can be written to`,
  );
}

/**
 * Why programs cannot load it here, or ''. The loader only warns about a library that it cannot load, and starts the program without it.
 */
export function loadingProblem(library: string): string {
  // Empty, it records nothing.
  const environment = { ...process.env, LD_PRELOAD: library, IOLENS_RECORDING: '' };
  const { status, stderr, error } = spawnSync('true', [], { encoding: 'utf8', env: environment });
  if (error !== undefined) return error.message;
  return status === 0 ? (stderr.trim().split('\n')[0] ?? '') : `a program ended with it (status ${status ?? 'none'})`;
}
