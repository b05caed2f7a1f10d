import { csvText } from '../csv-field.ts';
import { COUNTER_CATALOGUE } from '../../analysis/triggers/counters/counter-catalogue.ts';

/** What a recording says in Drishti's table. */
export interface DrishtiRow {
  /** As the user named it. */
  readonly recording: string;
  /** Number of the job; '' when the recording does not say. */
  readonly job: string;
  /** Codes of the triggers that hold. */
  readonly codes: readonly string[];
  /** Codes of the findings that the other reports have. */
  readonly reported: readonly string[];
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
    csvText(job),
    ...COLUMNS.map((code) => (codes.includes(code) ? 'True' : 'False')),
  ]);
  return [['JOB', ...COLUMNS], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/**
 * Where the table and the other reports disagree, and why; '' where they agree. Drishti judges the run by its totals, those of
 * the system's files among them, the reports lines and files by their calls.
 */
export function drishtiDifferences({ recording, codes, reported }: DrishtiRow): string {
  const only = (these: readonly string[], those: readonly string[]): string[] =>
    COLUMNS.filter((code) => these.includes(code) && !those.includes(code));
  const [inTable, inReports] = [only(codes, reported), only(reported, codes)];
  const rule = "Drishti's rule over the run's totals";
  const parts = [
    inTable.length === 0
      ? ''
      : `${inTable.join(', ')} True by ${rule}, but no finding of the files that count, or a trifle`,
    inReports.length === 0
      ? ''
      : `${inReports.join(', ')} False by ${rule}, but a finding by our own over single calls`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${recording}: unlike the other reports: ${parts.join('; ')} (docs/triggers.md)`;
}
