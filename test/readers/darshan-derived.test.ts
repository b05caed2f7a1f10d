/**
 * Figures derived of Darshan's counters against what the real tools print: `derived` of the expected files is the output of
 * `darshan-parser --total --file --perf` 3.5.0.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileCategories, type FileCategory } from '../../src/analysis/counters/categories.ts';
import { performance } from '../../src/analysis/counters/performance.ts';
import { counterTotals } from '../../src/analysis/counters/totals.ts';
import { recogniseRecording } from '../../src/session/reading/recognise-recording.ts';
import type { CounterLog, CounterTable } from '../../src/trace/counters.ts';
import { absent, corpus } from '../support/corpus.ts';

interface Expected {
  readonly derived: Readonly<
    Record<
      string,
      { readonly total: Readonly<Record<string, number>>; readonly summary: Readonly<Record<string, string>> }
    >
  >;
  readonly records: Readonly<Record<string, { readonly totals: Readonly<Record<string, number>> }>>;
  readonly known_tool_errors?: readonly {
    readonly module: string;
    readonly counter: string;
    readonly correct_total: number;
  }[];
}

const folder = corpus('darshan');
const names =
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((name) => name.endsWith('.darshan'))
        .map((name) => name.replace(/\.darshan$/, ''));

async function countersOf(name: string): Promise<CounterLog> {
  const { format, files } = await recogniseRecording([path.join(folder!, `${name}.darshan`)]);
  const trace = await format.read(files, {});
  return trace.counters!;
}

function expectedOf(name: string): Expected {
  return JSON.parse(readFileSync(path.join(folder!, `${name}.expected.json`), 'utf8')) as Expected;
}

/** As darshan-parser prints the sums of a category. */
function printed(...categories: readonly FileCategory[]): string {
  const sum = (name: 'files' | 'bytes' | 'maxOffset'): number =>
    categories.reduce((total, category) => total + category[name], 0);
  // An empty category knows no offset, nor that the module measures none.
  const unknown = categories.some(({ maxOffset }) => maxOffset === -1);
  return `${sum('files')} ${sum('bytes')} ${unknown ? -1 : sum('maxOffset')}`;
}

/** What `--file` and `--perf` print for a module. */
function summaryOf(table: CounterTable, processes: number): Record<string, string> {
  const found = fileCategories(table, processes)!;
  const perf = performance(table)!;
  const six = (value: number): string => value.toFixed(6);
  return {
    total: printed(found.total),
    read_only: printed(found.readOnly),
    write_only: printed(found.writeOnly),
    read_write: printed(found.readWrite),
    unique: printed(found.unique),
    // It prints both kinds as one, and adds their greatest offsets up, too.
    shared: printed(found.shared, found.partiallyShared),
    total_bytes: String(perf.totalBytes),
    'unique files.slowest_rank_io_time': six(perf.slowestRankSeconds),
    'unique files.slowest_rank_meta_only_time': six(perf.slowestRankMetadataSeconds),
    'unique files.slowest_rank_rw_only_time': six(perf.slowestRankTransferSeconds),
    'unique files.slowest_rank': String(perf.slowestRank),
    'shared files.time_by_slowest': six(perf.sharedFilesSeconds),
    agg_time_by_slowest: `${six(perf.seconds)} # seconds`,
    agg_perf_by_slowest: `${six(perf.mebibytesPerSecond)} # MiB/s`,
  };
}

/** The right total where the tool is known to be wrong; else what it prints. */
function rightTotal(
  { known_tool_errors: errors = [], records }: Expected,
  module: string,
  counter: string,
  value: number,
): number {
  const error = errors.find((each) => each.module === module && each.counter === counter);
  if (error !== undefined) return error.correct_total;
  // The size of the slowest access goes with its time, which the tool took for nothing; such logs have one record.
  const time = counter.replace(/_MAX_(READ|WRITE)_TIME_SIZE$/, '_F_MAX_$1_TIME');
  if (errors.some((each) => each.counter === time)) return records[module]!.totals[counter]!;
  // Old records did not measure it: the tool adds -1 up in STDIO only, elsewhere -1 stays -1.
  return counter === 'STDIO_FDOPENS' && value < -1 ? -1 : value;
}

describe.skipIf(folder === undefined)(`darshan-parser's derived values (${folder ?? absent('darshan')})`, () => {
  test('the logs are all there', () => expect(names.length).toBeGreaterThanOrEqual(38));

  test.each(names)('%s', async (name) => {
    const expected = expectedOf(name);
    const log = await countersOf(name);
    for (const [module, { total, summary }] of Object.entries(expected.derived)) {
      const table = log.modules.find((each) => each.module === module)!;
      const totals = counterTotals(table);
      const found: Record<string, string> = {};
      const wanted: Record<string, string> = {};
      for (const [key, value] of Object.entries(total)) {
        const counter = key.replace(/^total_/, '');
        // Variances of totals make no sense: the tool prints 0, we leave them out.
        if (counter.includes('_VARIANCE_')) {
          expect([value, totals.has(counter)]).toEqual([0, false]);
          continue;
        }
        // The identifier of the last record is no total.
        if (table.identifiersIn(counter).length > 0) {
          expect(totals.has(counter)).toBe(false);
          continue;
        }
        const digits = counter.includes('_F_') ? 6 : 0;
        found[counter] = totals.get(counter)!.toFixed(digits);
        wanted[counter] = rightTotal(expected, module, counter, value).toFixed(digits);
      }
      expect(found).toEqual(wanted);
      expect(summaryOf(table, log.job.processes)).toEqual(summary);
    }
  });
});
