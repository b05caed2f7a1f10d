import { machine } from '#machine';
import { hexDigest } from '../../../base/digest.ts';
import { fileName } from '../../../base/path-names.ts';

/** The file of a recording that a companion belongs to, and how that begins. */
export interface CompanionOf {
  readonly name: string;
  /** SHA-256 of its first bytes, in hexadecimal digits. */
  readonly head: string;
  /** How many these are: more may be written behind them later. Absent where it was not kept: 4096, or all that there is. */
  readonly bytes?: number;
}

/** @throws Error in words for the user when the file cannot be read. */
export async function companionOf(recording: string): Promise<CompanionOf> {
  return { name: fileName(recording), ...(await headOf(recording)) };
}

export function isCompanionOf(value: unknown): value is CompanionOf {
  if (typeof value !== 'object' || value === null) return false;
  const { name, head, bytes = HEAD_BYTES } = value as Partial<Record<keyof CompanionOf, unknown>>;
  const isLength = typeof bytes === 'number' && bytes >= 0 && bytes <= HEAD_BYTES;
  return typeof name === 'string' && !/[/\\]/.test(name) && typeof head === 'string' && isLength;
}

/**
 * A recording that was made anew by other means leaves what belongs to the one before beside it.
 * @param file the companion, with its folder.
 */
export async function belongs(of: CompanionOf, file: string, recording: string): Promise<boolean> {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const { head } = await headOf(`${folder}${of.name}`, of.bytes).catch(() => ({ head: undefined }));
  // A recording that was packed since has another name, and nothing was written into it.
  return head === undefined ? !recording.endsWith(`/${of.name}`) && recording !== of.name : head === of.head;
}

/** Times and process numbers stand at the beginning of recordings: no two begin alike. */
const HEAD_BYTES = 4096;

/** What tells one recording from another of the same name. */
async function headOf(file: string, most = HEAD_BYTES): Promise<Pick<CompanionOf, 'head'> & { bytes: number }> {
  const opened = await machine.files.open(file);
  try {
    const head = new Uint8Array(Math.min(most, opened.size));
    let length = 0;
    while (length < head.length) {
      const read = await opened.read(length, head.subarray(length));
      if (read === 0) break;
      length += read;
    }
    return { head: await hexDigest(head.subarray(0, length)), bytes: length };
  } finally {
    await opened.close();
  }
}
