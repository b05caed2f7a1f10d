import { readFile, stat } from 'node:fs/promises';
import { readDios, DiosError } from '../../replay/dios/read-dios.ts';
import type { ReplayProgram } from '../../replay/program.ts';
import { messageOf } from '../../base/error-message.ts';

/** Bytes of a file: more was made to be in the way. */
const LARGEST = 1 << 28;

/**
 * Reads a DIOS file.
 * @throws Error in words for the user, with file and line.
 */
export async function readDiosFile(file: string): Promise<ReplayProgram> {
  try {
    const status = await stat(file);
    if (!status.isFile()) throw new Error('it is no regular file');
    if (status.size > LARGEST) throw new Error(`it has ${status.size} bytes: ${LARGEST} are the most`);
    return readDios(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)));
  } catch (error) {
    if (error instanceof TypeError) throw new Error(`${file}: it is no text in UTF-8`, { cause: error });
    const message = messageOf(error);
    throw new Error(`${file}${error instanceof DiosError ? ', ' : ': '}${message}`, { cause: error });
  }
}
