import { machine } from '#machine';
import { hexDigest } from '../../../base/digest.ts';

/** Times and process numbers stand at the beginning of recordings: no two begin alike. */
const HEAD_BYTES = 4096;

/**
 * What tells one recording from another of the same name.
 * @throws Error in words for the user when the file cannot be read.
 */
export async function headOf(file: string): Promise<string> {
  const opened = await machine.files.open(file);
  try {
    const head = new Uint8Array(Math.min(HEAD_BYTES, opened.size));
    let length = 0;
    while (length < head.length) {
      const read = await opened.read(length, head.subarray(length));
      if (read === 0) break;
      length += read;
    }
    return await hexDigest(head.subarray(0, length));
  } finally {
    await opened.close();
  }
}
