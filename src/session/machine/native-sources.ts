import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SessionResources } from '../session-resources.ts';

/** Paths below `native` of what the single-file executable carries, put in by scripts/executable.mjs. */
declare const IOLENS_NATIVE: readonly string[] | undefined;

/** A file of a program's or library's source in C. */
interface NativeSource {
  /** Its path below the folder of the program, with slashes, such as `posix/open.c`. */
  readonly name: string;
  readonly text: Uint8Array;
}

/**
 * The source in C of something that is compiled where it is used, in the order of its names.
 * @param program its folder in `native`.
 * @param resources beside whose folder that is.
 * @returns none when it is missing.
 */
export async function nativeSources(
  program: string,
  { folder, read = readFile }: SessionResources,
): Promise<NativeSource[]> {
  const place = path.join(folder, '../native', program);
  const names = (await namesIn(program, place)).filter((name) => /\.[ch]$/.test(name)).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await read(path.join(place, name)) })));
}

async function namesIn(program: string, place: string): Promise<string[]> {
  if (typeof IOLENS_NATIVE !== 'undefined')
    return IOLENS_NATIVE.filter((file) => file.startsWith(`${program}/`)).map((file) => file.slice(program.length + 1));
  const names = await readdir(place, { recursive: true }).catch(() => []);
  return names.map((name) => name.replaceAll(path.sep, '/'));
}
