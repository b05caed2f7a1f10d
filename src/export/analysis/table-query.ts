/** A part of a long table, as a view asks for it: so that a million rows never leave the session. */
export interface TableQuery {
  /** Name of the column. */
  readonly sort: string;
  readonly descending: boolean;
  /** Words that all must be found; upper and lower case are one. `rank:3`, `rank:shared` and `module:STDIO` mean that column. */
  readonly filter: string;
  /** First row that is wanted, counted from 0. */
  readonly from: number;
  readonly count: number;
}

/** Rows of a page; more are not handed out at once. */
const MOST_PAGE_ROWS = 500;

/** What a filter's words ask for. */
interface TableFilter {
  /** In lower case. */
  readonly words: readonly string[];
  /** In lower case, by the name of the column. */
  readonly columns: ReadonlyMap<string, string>;
}

export function parseFilter(filter: string): TableFilter {
  const words: string[] = [];
  const columns = new Map<string, string>();
  for (const word of filter.toLowerCase().split(/\s+/)) {
    const [, column, value] = /^(rank|module):(.*)$/.exec(word) ?? [];
    if (column !== undefined) columns.set(column, value!);
    else if (word !== '') words.push(word);
  }
  return { words, columns };
}

/** The bounds of a page inside `rows` rows. */
export function pageBounds({ from, count }: TableQuery, rows: number): { from: number; end: number } {
  const first = Math.min(Math.max(0, from), rows);
  return { from: first, end: Math.min(rows, first + Math.min(Math.max(0, count), MOST_PAGE_ROWS)) };
}
