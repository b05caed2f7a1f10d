import { createHash } from 'node:crypto';
import path from 'node:path';
import { messageOf } from '../../../base/error-message.ts';
import type { KeptFile } from '../../machine/kept-file.ts';
import { RegularFile } from '../../machine/regular-file.ts';
import type { FoundSource } from '../source.ts';

const CHUNK_BYTES = 1 << 20;
/** Hexadecimal digits of a key: 128 bits. */
const KEY_DIGITS = 32;

/**
 * The key of a source: the first 32 hexadecimal digits of the SHA-256 of its content. Of several files: of the name, the
 * length and the content of each, names as they stand beside or below the first, so that a copy elsewhere has the same key.
 * @param kept its only file, where that was read already.
 * @throws Error in words for the user when a file cannot be read.
 */
export async function keyOf({ files }: FoundSource, kept?: KeptFile): Promise<string> {
  const hash = createHash('sha256');
  if (kept !== undefined) return hash.update(kept.bytes).digest('hex').slice(0, KEY_DIGITS);
  const folder = path.dirname(files[0]!);
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (const name of files) {
    const file = await RegularFile.open(name).catch((error: unknown) => {
      throw new Error(`cannot be opened: ${messageOf(error)}`, { cause: error });
    });
    try {
      if (files.length > 1) hash.update(`${path.relative(folder, name)}\0${file.size}\0`);
      for (let position = 0; ;) {
        const got = await file.read(position, chunk);
        if (got === 0) break;
        hash.update(chunk.subarray(0, got));
        position += got;
      }
    } catch (error) {
      throw new Error(`cannot be read: ${messageOf(error)}`, { cause: error });
    } finally {
      await file.close();
    }
  }
  return hash.digest('hex').slice(0, KEY_DIGITS);
}
