import { groupBy } from '../../base/grouping.ts';
import type { Trace } from '../../trace/trace.ts';
import { fileRows, type FileRow } from '../counters/file-rows.ts';
import type { Amounts, NamedAmounts, RunFacts } from './run-facts.ts';

/** Files of a log that are compared, the largest; a job may use a million. */
const MOST_FILES = 10_000;

/** Modules whose calls nobody of the others makes: sums over them count nothing twice. */
const LOWEST: ReadonlySet<string> = new Set(['POSIX', 'STDIO']);

/**
 * What Darshan's counters say of a run: they count every call, where segments are of those modules and files only that
 * were traced. Layers are Darshan's modules.
 *
 * @returns undefined for recordings without counters.
 */
export function counterFacts(
  trace: Trace,
  ignored: Uint8Array,
): Pick<RunFacts, 'total' | 'files' | 'layers' | 'notes'> | undefined {
  if (trace.counters === undefined || trace.counters.modules.length === 0) return undefined;
  const ignoredPaths = new Set(trace.files.files.filter((_, file) => ignored[file] === 1).map(({ path }) => path));
  const { rows, leftOut } = fileRows(trace.counters, trace.files, MOST_FILES);
  const counted = rows.filter(({ path }) => !ignoredPaths.has(path));
  const lowest = counted.filter(({ module }) => LOWEST.has(module));
  return {
    total: sumOf(lowest),
    files: sumsBy(lowest, ({ path }) => path),
    layers: sumsBy(counted, ({ module }) => module),
    notes: [
      'Totals, files and layers are those of the log’s counters; lines and calls those of the traced segments.',
      ...(leftOut.rows > 0 ? [`${leftOut.rows} files with fewest bytes are left out.`] : []),
    ],
  };
}

function sumsBy(rows: readonly FileRow[], key: (row: FileRow) => string): NamedAmounts[] {
  const groups = groupBy(rows, key);
  return [...groups].map(([name, group]) => ({ name, ...sumOf(group) }));
}

function sumOf(rows: readonly FileRow[]): Amounts {
  const sum = { events: 0, bytes: 0, timeNs: 0 };
  for (const { opens, reads, writes, bytesRead, bytesWritten, readSeconds, writeSeconds, metadataSeconds } of rows) {
    sum.events += opens + reads + writes;
    sum.bytes += bytesRead + bytesWritten;
    sum.timeNs += (readSeconds + writeSeconds + metadataSeconds) * 1e9;
  }
  return sum;
}
