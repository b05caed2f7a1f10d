import { readCapture } from '../../../src/readers/capture/capture-reader.ts';
import { NONE, type EventColumn } from '../../../src/trace/events.ts';
import type { Trace } from '../../../src/trace/trace.ts';
import { CaptureFile } from './capture-writer.ts';
import { memoryFile } from '../memory-file.ts';
import { expectSound } from '../sound-trace.ts';

/** Recordings of a few calls of the recorder library, and what the reader makes of them. */

/** O_CREAT, O_TRUNC and O_RDWR. */
export const CREATES = 0o1102;

export async function read(...files: CaptureFile[]): Promise<Trace> {
  const trace = await readCapture(files.map((file, i) => memoryFile(`node-${i}.iorec`, file.bytes())));
  expectSound(trace);
  return trace;
}

/** A column for all rows of calls with these names. */
export function column(trace: Trace, name: EventColumn, calls?: RegExp): number[] {
  const rows = Array.from({ length: trace.events.length }, (_, row) => row);
  return rows
    .filter((row) => calls?.test(trace.calls.names[trace.events.value('call', row)]!) !== false)
    .map((row) => trace.events.value(name, row));
}

export const paths = (trace: Trace, calls?: RegExp): string[] =>
  column(trace, 'file', calls).map((file) => (file === NONE ? '' : trace.files.at(file).path));

export const opened = (fd: number, at: readonly [number, number] = [0, 10], file = new CaptureFile()): CaptureFile =>
  file.call('POSIX', 'open', 'plr', ['data', CREATES, fd], at);
