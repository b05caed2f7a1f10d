import { readStrace } from '../../src/readers/strace/strace-reader.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { memoryFile } from './memory-file.ts';

/** A call of a process at a time, in microseconds from the beginning: `pwrite64(3</w/a>, "x"..., 8, 0) = 8`. */
export type TimedCall = readonly [pid: number, at: number, duration: number, call: string];

const BEGIN = 1_795_252_180_000_000;

/** Reads calls as strace would have written them: calls of different processes may overlap. */
export function traceOfCalls(calls: readonly TimedCall[]): Promise<Trace> {
  const seconds = (time: number): string => `${Math.floor(time / 1e6)}.${String(time % 1e6).padStart(6, '0')}`;
  const lines = [...calls]
    .sort(([, a], [, b]) => a - b)
    .map(([pid, at, duration, call]) => `${pid} ${seconds(BEGIN + at)} ${call} <${seconds(duration)}>\n`);
  return readStrace([memoryFile('made.strace', lines.join(''))]);
}
