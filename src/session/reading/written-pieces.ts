import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import type { Sink } from '../../export/events/events-csv.ts';

const STANDARD_OUTPUT = 1;

/**
 * Writes what is made a piece at a time to a file; `-` is standard output. What cannot be completed is not left behind as
 * if it were complete.
 *
 * @returns bytes that were written.
 * @throws Error in words for the user.
 */
export async function writePieces(file: string, make: (sink: Sink) => Promise<void>): Promise<number> {
  const existed = file === '-' || existsSync(file);
  const output = file === '-' ? STANDARD_OUTPUT : openSync(file, 'w');
  let written = 0;
  try {
    await make((bytes) => {
      writeAll(output, bytes);
      written += bytes.length;
    });
  } catch (error) {
    if (!existed) rmSync(file, { force: true });
    throw error;
  } finally {
    if (output !== STANDARD_OUTPUT) closeSync(output);
  }
  return written;
}

function writeAll(output: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) {
    try {
      done += writeSync(output, bytes, done, bytes.length - done);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      // A pipe whose reader is slow, and that others made non-blocking.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
