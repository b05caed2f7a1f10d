import type { TableDefinition } from '../../src/fleet/schema/table.ts';
import { TABLE_NAMES, TABLES } from '../../src/fleet/schema/tables.ts';
import { SQL_TYPES } from '../../src/fleet/query/table-views.ts';

const BEGIN = '<!-- tables: made by scripts/fleet-schema.mjs -->';
const END = '<!-- end of tables -->';

/** docs/fleet-schema.md with its tables as the schema describes them now. */
export function withTables(document: string): string {
  const [before, rest] = document.split(BEGIN);
  const [, after] = rest!.split(END);
  const tables = TABLE_NAMES.map((name) => {
    const { about, columns, monthOf }: TableDefinition = TABLES[name];
    const rows = Object.entries(columns).map(
      ([column, { type, about: says }]) => `| \`${column}\` | ${SQL_TYPES[type]} | ${says.replaceAll('|', '\\|')} |`,
    );
    return `### ${name}\n\n${about} Partitioned by the month of \`${monthOf}\`.\n\n| column | type | says |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `${before}${BEGIN}\n\n${tables.join('\n')}\n${END}${after}`;
}
