/**
 * The recorder library as it was built beforehand for this processor and GNU's C library (`npm run recorder-library`,
 * docs/decisions/0162): where it fits, nothing is compiled on the user's machine.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LIBRARY, loadingProblem, machineOf, unwritable, type RecorderLibrary } from './library-file.ts';
import { makeFolders } from './make-folders.ts';

/**
 * Puts the library where programs can load it; what another machine of the same home folder has there is not touched.
 * @returns why programs cannot load it here, where they cannot.
 * @throws RecordError when the folder cannot be written to.
 */
export async function builtLibrary(bytes: Uint8Array, cacheFolder: string): Promise<RecorderLibrary | string> {
  const machine = machineOf();
  if (!machine.includes('glibc')) return 'it is for the C library of GNU';
  const key = createHash('sha256').update(machine).update(bytes).digest('hex').slice(0, 24);
  const folder = path.join(cacheFolder, key);
  const library = { file: path.join(folder, LIBRARY), origin: 'as it comes with I/O Lens' };
  const there = await readFile(library.file).catch(() => undefined);
  if (there?.equals(bytes) === true) return library;
  const refused = await install(bytes, library.file).catch((error: unknown) => {
    throw unwritable(folder, error);
  });
  return refused === '' ? library : refused;
}

/** All at once: no one ever sees half of it, and each rank of a node may begin at the same moment. */
async function install(bytes: Uint8Array, file: string): Promise<string> {
  makeFolders(path.dirname(file));
  const scratch = await mkdtemp(`${path.dirname(file)}/installing-`);
  try {
    const written = path.join(scratch, LIBRARY);
    await writeFile(written, bytes, { mode: 0o755 });
    const refused = loadingProblem(written);
    if (refused === '') await rename(written, file);
    return refused;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
