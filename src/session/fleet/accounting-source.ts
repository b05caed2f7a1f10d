import { readAccounting, type Accounting } from '../../fleet/scheduler/read-accounting.ts';
import { HEAD_BYTES } from '../../readers/registry.ts';
import { filled, isNamedAsRecording, type SourceFile } from './file-head.ts';

/** A larger table does not stand in memory: a month of a large machine has less. */
const MOST_BYTES = 2 ** 29;
const PIECE_BYTES = 1 << 20;

/**
 * The table of the batch system that a file is; undefined for other files.
 * @throws Error in words for the user when it is one, and too large.
 */
export async function accountingOf(file: SourceFile): Promise<Accounting | undefined> {
  const { path } = file;
  if (isNamedAsRecording(path)) return undefined;
  const stream = await file.open();
  try {
    const head = await filled(new Uint8Array(HEAD_BYTES), stream);
    if (!mayBeTable(head)) return undefined;
    const pieces = [head];
    let bytes = head.length;
    for (let piece = head; piece.length > 0; bytes += piece.length) {
      piece = await filled(new Uint8Array(PIECE_BYTES), stream);
      pieces.push(piece);
      if (bytes > MOST_BYTES) {
        if (readAccounting(file.name, joined(pieces, bytes + piece.length)) === undefined) return undefined;
        throw new Error(`${path}: a table of more than 512 MiB: give it in parts, by month`);
      }
    }
    return readAccounting(file.name, joined(pieces, bytes));
  } finally {
    await stream.close();
  }
}

/** Whether a file that begins like this may be a table of the batch system. */
function mayBeTable(head: Uint8Array): boolean {
  // No table holds NUL, and every binary recording has some.
  if (head.includes(0)) return false;
  const begins = new TextDecoder()
    .decode(head.subarray(0, 64))
    .replace(/^\uFEFF/, '')
    .trimStart();
  return begins.startsWith('{') || readAccounting('', head) !== undefined;
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
