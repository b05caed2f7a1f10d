import { FILE_FIGURES, INSIGHT, SITE_FIGURES } from '../../fleet/schema/recorded-tables.ts';
import { integer, integers, number, text, type TableDefinition } from '../../fleet/schema/table.ts';

/**
 * The tables of one recording, for questions in SQL (docs/query.md comes of them). What a store has, too, is named as there
 * and means the same, so that a query goes from one run to all of them.
 */
type RecordedTable = Omit<TableDefinition, 'monthOf'>;

/** What calls cost in a run without a tracer. */
const COSTS = {
  cost_seconds: number('Seconds of the run that they cost without a tracer; null where the recording holds no times.'),
  cost_low_seconds: number('The cost lies between this and `cost_high_seconds` with 90 % probability.'),
  cost_high_seconds: number('See `cost_low_seconds`.'),
};

const EVENTS = {
  about: 'One row for each recorded call, as `iolens export` has it; none for a Darshan log without DXT.',
  columns: {
    event: integer('Number of the row, from 0.'),
    recording: text('File of the recording that holds the call.'),
    line: integer('Line (of text) or record in it.'),
    host: text('Machine; null where the recording names none.'),
    process: integer('Number of the process.'),
    thread: integer('Number of the thread.'),
    rank: integer('Rank in the job; null where the recording knows none.'),
    layer: text('`POSIX`, `MPI-IO`, `system call`, …'),
    call: text('Its name, such as `pwrite64`.'),
    operation: text('`open`, `close`, `read`, `write`, `seek`, `sync`, `metadata`, …'),
    path: text('The file, as recorded.'),
    start_ns: integer('Nanoseconds from the origin of the recording.'),
    duration_ns: integer('Nanoseconds, as recorded: with what a tracer adds.'),
    file_offset: integer('First byte in the file (`offset`, which is a word of SQL).'),
    bytes: integer('Bytes that were moved.'),
    requested: integer('Bytes that were asked for.'),
    error: text('`ENOENT`; null for success.'),
    state: text('`complete`, `never returned`, `restarted`, `beginning lost`, `part`: count only `complete`.'),
    site_file: text('Source file of the call site.'),
    site_line: integer('Its line, from 1.'),
    site_function: text('Its function.'),
    parent: integer('`event` of the call that made this one.'),
    link: text('How that is known: `nesting`, `handle`, `time`; `part`: this row is a part of that one.'),
    site: integer('Joins `sites.site`.'),
    file: integer('Joins `files.file`.'),
  },
} as const satisfies RecordedTable;

export const SITES = {
  about: 'One row for each call site that uses files which count (`iolens sites`).',
  columns: {
    site: integer('Number of the site; `events.site` and `findings.sites` name it.'),
    ...SITE_FIGURES,
    ...COSTS,
  },
} as const satisfies RecordedTable;

export const FILES = {
  about:
    'One row for each file of the program that counts, including those only opened or asked about. For a Darshan log its counters, whether it has DXT or not.',
  columns: {
    file: integer('Number of the file; `events.file` and `findings.files` name it.'),
    path: text('As recorded.'),
    ...FILE_FIGURES,
    events: integer('Calls on it that are in `events`.'),
    seconds: number('Seconds in these calls, summed over processes, as recorded.'),
    ...COSTS,
  },
} as const satisfies RecordedTable;

const { code, trigger, severity, title, message } = INSIGHT.columns;
export const FINDINGS = {
  about: 'One row for each finding, in the order of `iolens analyze --all`.',
  columns: {
    finding: integer('Number of the finding, from 0.'),
    code,
    trigger,
    severity,
    title,
    message,
    events: integer('Calls that it is about; null where it counts none.'),
    bytes: integer('Bytes of these.'),
    seconds: number('Seconds of these, summed over processes, as recorded.'),
    ...COSTS,
    saved_seconds: number('Seconds of the run that its advice would save; null where none can be told.'),
    saved_low_seconds: number('The saving lies between this and `saved_high_seconds`.'),
    saved_high_seconds: number('See `saved_low_seconds`.'),
    sites: integers('Its places, costliest first: `list_contains(findings.sites, events.site)` joins them.'),
    files: integers('Its files, costliest first, in the same way.'),
  },
} as const satisfies RecordedTable;

export const RECORDED_TABLES = { events: EVENTS, sites: SITES, files: FILES, findings: FINDINGS } as const;
export type RecordedTableName = keyof typeof RECORDED_TABLES;
export const RECORDED_TABLE_NAMES = Object.keys(RECORDED_TABLES) as RecordedTableName[];
