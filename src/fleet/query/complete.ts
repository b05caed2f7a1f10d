import { TABLE_NAMES, TABLES, type TableName } from '../schema/tables.ts';
import type { TableDefinition } from '../schema/table.ts';
import { FUNCTIONS, KEYWORDS } from './sql-words.ts';

export interface Completion {
  readonly text: string;
  readonly kind: 'table' | 'column' | 'keyword' | 'function';
  readonly about: string;
}

/** What can stand at a place of a query, best first. */
export function completions(sql: string, position: number): Completion[] {
  const before = withoutTexts(sql.slice(0, position));
  if (before === undefined) return [];
  const [, owner, typed = ''] = /(?:(\w+)\.)?(\w*)$/.exec(before)!;
  const named = tablesNamed(withoutTexts(sql) ?? before);
  if (owner !== undefined) return matching(columnsOf([named.get(owner.toLowerCase())]), typed);
  const word = /(\w+)[\s(]*$/.exec(before.slice(0, before.length - typed.length))?.[1]?.toLowerCase();
  if (word === 'from' || word === 'join') return matching(TABLE_COMPLETIONS, typed);
  const tables = [...new Set(named.values())];
  const columns = columnsOf(tables.length > 0 ? tables : TABLE_NAMES);
  return matching([...columns, ...TABLE_COMPLETIONS, ...FUNCTION_COMPLETIONS, ...KEYWORD_COMPLETIONS], typed);
}

const TABLE_COMPLETIONS = TABLE_NAMES.map((table): Completion => ({
  text: table,
  kind: 'table',
  about: TABLES[table].about,
}));
const FUNCTION_COMPLETIONS = FUNCTIONS.map(([text, about]): Completion => ({ text, kind: 'function', about }));
const KEYWORD_COMPLETIONS = KEYWORDS.map((text): Completion => ({ text, kind: 'keyword', about: '' }));
const MONTH: Completion = {
  text: 'month',
  kind: 'column',
  about: 'Month of the row, such as `2018-01`: the partition.',
};

function columnsOf(tables: readonly (TableName | undefined)[]): Completion[] {
  const columns = new Map<string, Completion>();
  for (const table of tables) {
    if (table === undefined) continue;
    const definition: TableDefinition = TABLES[table];
    for (const [text, { about }] of Object.entries(definition.columns))
      if (!columns.has(text)) columns.set(text, { text, kind: 'column', about });
    columns.set('month', MONTH);
  }
  return [...columns.values()];
}

/** Tables of the store that a query names, by their names and aliases. */
function tablesNamed(sql: string): Map<string, TableName> {
  const named = new Map<string, TableName>();
  for (const [, table, alias] of sql.matchAll(/\b(?:from|join|,)\s+(?:main\.)?"?(\w+)"?(?:\s+(?:as\s+)?(\w+))?/gi)) {
    const known = TABLE_NAMES.find((name) => name === table!.toLowerCase());
    if (known === undefined) continue;
    named.set(known, known);
    if (alias !== undefined) named.set(alias.toLowerCase(), known);
  }
  return named;
}

function matching(all: readonly Completion[], typed: string): Completion[] {
  const wanted = typed.toLowerCase();
  return all.filter(({ text }) => text.toLowerCase().startsWith(wanted) && text.toLowerCase() !== wanted);
}

/** The query with its texts and comments emptied; undefined when it ends inside of one. */
function withoutTexts(sql: string): string | undefined {
  const plain = sql.replace(/'[^']*'|--[^\n]*\n|\/\*[\s\S]*?\*\//g, ' ');
  return /'|--|\/\*/.test(plain) ? undefined : plain;
}
