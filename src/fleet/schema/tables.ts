import { FILE, INSIGHT, JOB, SEGMENT_SUMMARY, SITE } from './recorded-tables.ts';
import { JOB_STEP, SCHEDULER_JOB, SERVER_LOAD } from './system-tables.ts';
import type { RowOf, TableDefinition } from './table.ts';

/** All tables of a store (IOMiner, section II.B and figure 1; docs/fleet-schema.md). */
export const TABLES = {
  job: JOB,
  file: FILE,
  segment_summary: SEGMENT_SUMMARY,
  site: SITE,
  insight: INSIGHT,
  scheduler_job: SCHEDULER_JOB,
  job_step: JOB_STEP,
  server_load: SERVER_LOAD,
} as const satisfies Record<string, TableDefinition>;

export type TableName = keyof typeof TABLES;

export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

export type Row<Name extends TableName> = RowOf<(typeof TABLES)[Name]>;

/** Rows for the tables of a store that come of one source (a recording, a table of the batch system, a dump of a server). */
export type StoreRows = { readonly [Name in TableName]?: readonly Row<Name>[] };
