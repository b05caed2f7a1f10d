import { COUNTER_CATALOGUE } from '../../analysis/triggers/counters/counter-catalogue.ts';

/** What a recording says in Drishti's table. */
export interface DrishtiRow {
  /** Number of the job; '' when the recording does not say. */
  readonly job: string;
  /** Codes of the triggers that hold. */
  readonly codes: readonly string[];
}

/** The columns of `drishti --csv`: S, P and M, each by number (hpc-io/drishti-io, `export_csv` in `module.py`). */
const COLUMNS: readonly string[] = ['S', 'P', 'M'].flatMap((letter) =>
  COUNTER_CATALOGUE.map(({ code }) => code)
    .filter((code) => code.startsWith(letter))
    .sort(),
);

/** Drishti's own table, for scripts that read it: a row for each recording. Lines end as Python's csv module ends them. */
export function drishtiCsv(rows: readonly DrishtiRow[]): string {
  const lines = rows.map(({ job, codes }) => [
    cell(job),
    ...COLUMNS.map((code) => (codes.includes(code) ? 'True' : 'False')),
  ]);
  return [['JOB', ...COLUMNS], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/** Job numbers are numbers, but a text of a recording can say anything. */
function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
