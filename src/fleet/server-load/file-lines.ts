import { formatBytes } from '../../base/quantities.ts';
import type { RecordingFile } from '../../trace/byte-source.ts';

const CHUNK_BYTES = 1 << 18;
const MOST_LINE_CHARACTERS = 1 << 16;

/**
 * The lines of a text, as many at a time as a piece of the file holds.
 * @throws Error in words for the user when a line is longer than any of such a text, or the file cannot be read.
 */
export async function* linesOf(file: RecordingFile): AsyncGenerator<string[]> {
  const stream = await file.open();
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const decoder = new TextDecoder();
    let rest = '';
    for (let length = await stream.read(chunk); length > 0; length = await stream.read(chunk)) {
      const lines = (rest + decoder.decode(chunk.subarray(0, length), { stream: true })).split('\n');
      rest = lines.pop()!;
      if (rest.length > MOST_LINE_CHARACTERS) throw new Error(`${file.name}: a line of more than 65,536 characters`);
      yield lines;
    }
    if (rest !== '') yield [rest];
  } finally {
    await stream.close();
  }
}

/**
 * The whole of a text.
 * @throws Error in words for the user when it is larger.
 */
export async function wholeText(file: RecordingFile, mostBytes: number): Promise<string> {
  const stream = await file.open();
  try {
    const decoder = new TextDecoder();
    const chunk = new Uint8Array(CHUNK_BYTES);
    let text = '';
    let bytes = 0;
    for (let length = await stream.read(chunk); length > 0; length = await stream.read(chunk)) {
      bytes += length;
      if (bytes > mostBytes) throw new Error(`${file.name}: more than ${formatBytes(mostBytes)}: give shorter times`);
      text += decoder.decode(chunk.subarray(0, length), { stream: true });
    }
    return text;
  } finally {
    await stream.close();
  }
}
