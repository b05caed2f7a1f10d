/** Records of files that do not count: what is left out of events is left out of counters, too. */
import type { CounterTable } from '../../trace/counters.ts';
import type { Trace } from '../../trace/trace.ts';

/**
 * Marks files whose records do not count.
 * @param ignored 1 for files that findings over events leave out. The standard streams are among these, and keep their
 *   counters: no events tell of them, and nobody knows whether they lead to a file.
 */
export function leftOutFiles({ files }: Pick<Trace, 'files'>, ignored: Uint8Array): Uint8Array {
  return ignored.map((isIgnored, file) => (isIgnored === 1 && files.at(file).kind === 'regular' ? 1 : 0));
}

/**
 * Marks records of such files; a record whose name the log has lost counts.
 * @returns undefined where all count.
 */
export function leftOutRecords(table: CounterTable, files: Uint8Array): Uint8Array | undefined {
  const leftOut = new Uint8Array(table.length);
  for (let record = 0; record < table.length; record++) leftOut[record] = files[table.file(record)] ?? 0;
  return leftOut.includes(1) ? leftOut : undefined;
}
