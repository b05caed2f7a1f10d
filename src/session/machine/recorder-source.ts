import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RecorderLibrary } from '../../record/library-file.ts';
import { readyLibrary, recorderLibrary, type LibraryWish } from '../../record/recorder-library.ts';
import { RecordError } from '../../record/strace-recorder.ts';
import { unpackedResource } from '../reading/compression/packed-resource.ts';
import { traceCacheFolder } from '../reading/cache-folders.ts';
import type { SessionResources } from '../session-resources.ts';
import { nativeSources } from './native-sources.ts';

/** Where the library is kept, and what compiles it. */
interface LibraryPlace {
  /** Compiles it in place of the built one; '' for that, or where it does not fit `CC`, else the first compiler that there is. */
  readonly compiler?: string;
  /** The user's cache folder when it is not said. */
  readonly cacheFolder?: string;
  /** What names a compiler in the words of whoever asks; `CC` when it is not said. */
  readonly compilerName?: string;
  /** Told before it is compiled, which takes seconds. */
  readonly onCompile?: (compiler: string) => void;
}

/**
 * The recorder library, put into the cache or compiled at the first use.
 * @param resources beside whose folder the source is.
 * @throws RecordError in words for the user.
 */
export async function libraryFrom(resources: SessionResources, place: LibraryPlace = {}): Promise<RecorderLibrary> {
  return recorderLibrary(await wishFor(resources, place));
}

/**
 * The same where nothing has to be compiled for it; undefined where it has.
 * @throws RecordError in words for the user when it could not be compiled either.
 */
export async function readyFrom(
  resources: SessionResources,
  place: LibraryPlace = {},
): Promise<RecorderLibrary | undefined> {
  return readyLibrary(await wishFor(resources, place));
}

async function wishFor(resources: SessionResources, place: LibraryPlace): Promise<LibraryWish> {
  const cacheFolder = place.cacheFolder ?? path.join(traceCacheFolder(process.env), 'recorder');
  const sources = await nativeSources('recorder', resources);
  if (sources.length === 0) throw new RecordError('native/recorder: the source of the recorder library is missing');
  const isNamed = (place.compiler ?? '').trim() !== '';
  return { ...place, sources, cacheFolder, built: isNamed ? undefined : await builtBytes(resources) };
}

/** Undefined: there is none for this processor. */
async function builtBytes({ folder, read = readFile }: SessionResources): Promise<Uint8Array | undefined> {
  const bytes = await read(path.join(folder, `recorder-${process.arch}.so`)).catch(() => undefined);
  return bytes && unpackedResource(bytes);
}
