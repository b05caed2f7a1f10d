import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  compiledLibrary,
  recorderLibrary,
  type LibraryWish,
  type RecorderLibrary,
  type RecorderSource,
} from '../../record/recorder-library.ts';
import { RecordError } from '../../record/strace-recorder.ts';
import { traceCacheFolder } from '../reading/cache-folders.ts';
import type { SessionResources } from '../session-resources.ts';

/** Names of the source's files in the single-file executable, put in by scripts/executable.mjs. */
declare const IOLENS_RECORDER: readonly string[] | undefined;

/** Where the compiled library is kept, and what compiles it. */
interface LibraryPlace {
  /** '' for `CC`, else the first compiler that there is. */
  readonly compiler?: string;
  /** The user's cache folder when it is not said. */
  readonly cacheFolder?: string;
  /** What names a compiler in the words of whoever asks; `CC` when it is not said. */
  readonly compilerName?: string;
  /** Told before it is compiled, which takes seconds. */
  readonly onCompile?: (compiler: string) => void;
}

/**
 * The recorder library, compiled at the first use.
 * @param resources beside whose folder the source is.
 * @throws RecordError in words for the user.
 */
export async function libraryFrom(resources: SessionResources, place: LibraryPlace = {}): Promise<RecorderLibrary> {
  return recorderLibrary(await wishFor(resources, place));
}

/**
 * The same where it was compiled before; undefined where it was not.
 * @throws RecordError in words for the user when it could not be compiled either.
 */
export async function compiledFrom(
  resources: SessionResources,
  place: LibraryPlace = {},
): Promise<RecorderLibrary | undefined> {
  return compiledLibrary(await wishFor(resources, place));
}

async function wishFor(resources: SessionResources, place: LibraryPlace): Promise<LibraryWish> {
  const cacheFolder = place.cacheFolder ?? path.join(traceCacheFolder(process.env), 'recorder');
  return { ...place, sources: await sourcesFrom(resources), cacheFolder };
}

async function sourcesFrom({ folder, read = readFile }: SessionResources): Promise<RecorderSource[]> {
  const place = path.join(folder, '../native/recorder');
  const names = typeof IOLENS_RECORDER === 'undefined' ? await readdir(place).catch(() => []) : IOLENS_RECORDER;
  const sources = names.filter((name) => /\.[ch]$/.test(name));
  if (sources.length === 0) throw new RecordError(`${place}: the source of the recorder library is missing`);
  return Promise.all(sources.map(async (name) => ({ name, text: await read(path.join(place, name)) })));
}
