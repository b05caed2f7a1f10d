import path from 'node:path';
import {
  compiledLibrary,
  recorderLibrary,
  type LibraryWish,
  type RecorderLibrary,
} from '../../record/recorder-library.ts';
import { RecordError } from '../../record/strace-recorder.ts';
import { traceCacheFolder } from '../reading/cache-folders.ts';
import type { SessionResources } from '../session-resources.ts';
import { nativeSources } from './native-sources.ts';

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
  const sources = await nativeSources('recorder', resources);
  if (sources.length === 0) throw new RecordError('native/recorder: the source of the recorder library is missing');
  return { ...place, sources, cacheFolder };
}
