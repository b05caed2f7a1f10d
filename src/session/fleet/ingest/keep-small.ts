import { KeptFile } from '../../machine/kept-file.ts';
import { RegularFile } from '../../machine/regular-file.ts';
import type { FoundSource } from '../source.ts';

/** A larger file is read by pieces each time: it is rare, and memory is not for it. */
const MOST_KEPT_BYTES = 1 << 20;

/**
 * Reads a source that is one small file, as most logs are: it is looked at, hashed and read from memory, so that a file
 * server is asked once, and the key is the key of what was read even if the file is changing.
 * @returns undefined for other sources.
 * @throws Error in words for the user when it cannot be read.
 */
export async function keepSmall({ files, bytes }: FoundSource): Promise<KeptFile | undefined> {
  if (files.length !== 1 || bytes > MOST_KEPT_BYTES) return undefined;
  const file = await RegularFile.open(files[0]!);
  try {
    if (file.size > MOST_KEPT_BYTES) return undefined;
    const content = new Uint8Array(file.size);
    let length = 0;
    while (length < content.length) {
      const got = await file.read(length, content.subarray(length));
      if (got === 0) break;
      length += got;
    }
    return new KeptFile(files[0]!, content.subarray(0, length));
  } finally {
    await file.close();
  }
}
