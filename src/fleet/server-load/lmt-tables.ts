/** The tables of the Lustre Monitoring Tool (schema 1.1) that a dump is made of: one file for each, named like it. */
const TABLES = [
  'FILESYSTEM_INFO',
  'OSS_INFO',
  'OST_INFO',
  'MDS_INFO',
  'OPERATION_INFO',
  'TIMESTAMP_INFO',
  'OST_DATA',
  'OSS_DATA',
  'MDS_DATA',
  'MDS_OPS_DATA',
] as const;
export type LmtTable = (typeof TABLES)[number];

const FILE_NAME = /^(.*?)\.(?:tsv|csv|txt)(?:\.(?:gz|xz|bz2|zst))?$/i;

/** The table that a file is, by its name (`OST_DATA.tsv`); undefined for other files. */
function tableOfFile(name: string): LmtTable | undefined {
  const table = FILE_NAME.exec(name)?.[1]?.toUpperCase();
  return TABLES.find((known) => known === table);
}

/**
 * The files of a dump by table.
 * @param files with their names; others are passed over.
 * @returns undefined when these are no dump: there must be moments, and what a target counted.
 */
export function lmtTables<File extends { readonly name: string }>(
  files: readonly File[],
): ReadonlyMap<LmtTable, File> | undefined {
  const tables = new Map<LmtTable, File>();
  for (const file of files) {
    const table = tableOfFile(file.name);
    if (table !== undefined) tables.set(table, file);
  }
  const counts = tables.has('OST_DATA') || tables.has('MDS_OPS_DATA');
  return counts && tables.has('TIMESTAMP_INFO') ? tables : undefined;
}
