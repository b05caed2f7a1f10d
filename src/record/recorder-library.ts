/** The recorder library for this machine: the built one where it fits, else compiled. */
import path from 'node:path';
import { builtLibrary } from './built-library.ts';
import { compiledBefore, compiledLibrary, type CompileWish } from './compiled-library.ts';
import type { RecorderLibrary } from './library-file.ts';
import { othersMayWrite } from './others-files.ts';
import { RecordError } from './strace-recorder.ts';

export interface LibraryWish extends CompileWish {
  /** The library that was built beforehand for this processor; none where there is none, or a compiler is named. */
  readonly built: Uint8Array | undefined;
}

/**
 * The library, put or compiled there now or before.
 * @throws RecordError in words for the user when it cannot be had.
 */
export async function recorderLibrary(wish: LibraryWish): Promise<RecorderLibrary> {
  const built = await builtFor(wish);
  if (typeof built === 'object') return ours(built, wish);
  return ours(await because(built, () => compiledLibrary(wish)), wish);
}

/**
 * The same, but nothing is compiled: undefined where that is needed first.
 * @throws RecordError when it could not be compiled either.
 */
export async function readyLibrary(wish: LibraryWish): Promise<RecorderLibrary | undefined> {
  const built = await builtFor(wish);
  if (typeof built === 'object') return ours(built, wish);
  const compiled = await because(built, () => compiledBefore(wish));
  return compiled && ours(compiled, wish);
}

/** Programs run what is in it. @throws RecordError when another user may have put it there. */
function ours(library: RecorderLibrary, { cacheFolder }: LibraryWish): RecorderLibrary {
  const others = othersMayWrite(cacheFolder, path.dirname(library.file), library.file);
  if (others === '') return library;
  throw new RecordError(
    `the recorder library is not loaded from there: ${others}; set XDG_CACHE_HOME to a folder of your own`,
  );
}

/** @returns why it does not fit, or ''; undefined where there is none. */
async function builtFor({ built, cacheFolder }: LibraryWish): Promise<RecorderLibrary | string> {
  if (process.platform !== 'linux') throw new RecordError('the recorder library is for Linux');
  if (/[\s:]/.test(cacheFolder)) {
    throw new RecordError(
      `${cacheFolder}: LD_PRELOAD takes no path with a blank or a colon: set XDG_CACHE_HOME to another folder`,
    );
  }
  return built === undefined ? '' : builtLibrary(built, cacheFolder);
}

/** Who has no compiler would like to know why one is needed. */
async function because<T>(refused: string, compiled: () => T | Promise<T>): Promise<T> {
  try {
    return await compiled();
  } catch (error) {
    if (refused === '' || !(error instanceof RecordError)) throw error;
    throw new RecordError(`the built recorder library does not fit this machine (${refused}); ${error.message}`);
  }
}
