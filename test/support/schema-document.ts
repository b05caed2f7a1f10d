import type { TableDefinition } from '../../src/fleet/schema/table.ts';
import { TABLE_NAMES, TABLES } from '../../src/fleet/schema/tables.ts';
import { RECORDED_TABLE_NAMES, RECORDED_TABLES } from '../../src/export/tables/recorded-tables.ts';
import { SQL_TYPES } from '../../src/fleet/query/table-views.ts';

const BEGIN = '<!-- tables: made by scripts/fleet-schema.mjs -->';
const END = '<!-- end of tables -->';

/** docs/fleet-schema.md with its tables as the schema describes them now. */
export function withTables(document: string): string {
  const tables = TABLE_NAMES.map((name) => {
    const { about, monthOf }: TableDefinition = TABLES[name];
    return described(name, `${about} Partitioned by the month of \`${monthOf}\`.`, TABLES[name]);
  });
  return between(document, tables);
}

/** docs/query.md with the tables of a recording. */
export function withRecordedTables(document: string): string {
  const tables = RECORDED_TABLE_NAMES.map((name) =>
    described(name, RECORDED_TABLES[name].about, RECORDED_TABLES[name]),
  );
  return between(document, tables);
}

function between(document: string, tables: readonly string[]): string {
  const [before, rest] = document.split(BEGIN);
  const [, after] = rest!.split(END);
  return `${before}${BEGIN}\n\n${tables.join('\n')}\n${END}${after}`;
}

function described(name: string, about: string, { columns }: Pick<TableDefinition, 'columns'>): string {
  const rows = Object.entries(columns).map(
    ([column, { type, about: says }]) => `| \`${column}\` | ${SQL_TYPES[type]} | ${says.replaceAll('|', '\\|')} |`,
  );
  return `### ${name}\n\n${about}\n\n| column | type | says |\n|---|---|---|\n${rows.join('\n')}\n`;
}
