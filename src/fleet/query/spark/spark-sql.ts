/**
 * The SQL of this program in the dialect of Apache Spark. Only what differs is written anew, and only what questions, filters
 * and views of stores are made of: it is no translator of whatever DuckDB understands.
 */

type Kind = 'space' | 'word' | 'operand' | 'other';

interface Piece {
  readonly text: string;
  readonly kind: Kind;
}

/** Words may be names with their tables in front, parts of which are quoted. */
const TOKEN =
  /(?<space>\s+)|(?<text>'(?:[^']|'')*')|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<word>(?:"(?:[^"]|"")*"|[A-Za-z_]\w*)(?:\.(?:"(?:[^"]|"")*"|[A-Za-z_]\w*))*)|(?<other>::|[^])/gy;

/** Types as this dialect names them, where it has others. */
const TYPES: Readonly<Record<string, string>> = { VARCHAR: 'STRING', INTEGER: 'INT' };

/** Letters of strftime, as patterns of Java. */
const INSTANTS: Readonly<Record<string, string>> = { Y: 'yyyy', m: 'MM', d: 'dd', H: 'HH', M: 'mm', S: 'ss' };

const renamed =
  (name: string) =>
  (...given: readonly string[]): string =>
    `${name}(${given.join(', ')})`;

const FUNCTIONS: Readonly<Record<string, (...given: string[]) => string>> = {
  len: renamed('size'),
  list: renamed('collect_list'),
  list_distinct: renamed('array_distinct'),
  list_extract: renamed('element_at'),
  list_has_any: renamed('arrays_overlap'),
  list_sort: renamed('array_sort'),
  string_split: renamed('split'),
  unnest: renamed('explode'),
  starts_with: renamed('startswith'),
  make_timestamp: renamed('timestamp_micros'),
  range: (count) => `sequence(0, ${count} - 1)`,
  epoch: (instant) => `(unix_micros(${instant}) / 1000000D)`,
  quantile_disc: (value, share) => `percentile_disc(${share}) WITHIN GROUP (ORDER BY ${value})`,
  // DuckDB's leaves out rows in which the value is null.
  arg_max: (value, by) => `max_by(${value}, CASE WHEN ${value} IS NOT NULL THEN ${by} END)`,
  strftime: (instant, form = "''") =>
    `date_format(${instant}, ${form.replace(/%(\w)/g, (all, letter: string) => INSTANTS[letter] ?? all)})`,
};

/** Where the views of a store lie, so that a query may have tables of the same names. */
export const SPARK_VIEWS = 'global_temp';

/** A query of ours for Spark. */
export function sparkSql(sql: string): string {
  const tokens = [...sql.matchAll(TOKEN)].map(({ groups }) => groups as Readonly<Record<string, string | undefined>>);
  return joined(new Rewriter(tokens).until(undefined));
}

class Rewriter {
  private at = 0;

  constructor(private readonly tokens: readonly Readonly<Record<string, string | undefined>>[]) {}

  /** What stands in front of a closing bracket, which is passed over. */
  until(close: string | undefined): Piece[] {
    const pieces: Piece[] = [];
    while (this.at < this.tokens.length) {
      const token = this.tokens[this.at++]!;
      if (token['other'] === close && close !== undefined) return nullsLast(pieces);
      this.take(token, pieces);
    }
    return nullsLast(pieces);
  }

  private take(token: Readonly<Record<string, string | undefined>>, pieces: Piece[]): void {
    const { space, text, number, word, other } = token;
    if (space !== undefined) pieces.push({ text: space, kind: 'space' });
    else if (text !== undefined) pieces.push({ text: sparkText(text), kind: 'operand' });
    else if (number !== undefined) pieces.push({ text: number.includes('.') ? `${number}D` : number, kind: 'operand' });
    else if (word?.toUpperCase() === 'MATERIALIZED') pieces.splice(-2);
    else if (word !== undefined) pieces.push(wordOf(word));
    else if (other === '(') this.takeGroup(pieces);
    else if (other === '[') pieces.push({ text: listOf(this.until(']')), kind: 'operand' });
    else if (other === '::') this.cast(pieces);
    else pieces.push({ text: other!, kind: 'other' });
  }

  private takeGroup(pieces: Piece[]): void {
    const before = pieces.at(-1);
    const inner = this.until(')');
    if (before?.kind !== 'word') {
      pieces.push({ text: `(${joined(inner)})`, kind: 'operand' });
      return;
    }
    pieces.pop();
    const given = split(inner).map((part) => joined(part).trim());
    const known = FUNCTIONS[before.text.toLowerCase()];
    const call = known === undefined ? `${before.text}(${joined(inner)})` : known(...given);
    pieces.push({ text: call, kind: 'operand' });
  }

  /** `value::TYPE`. */
  private cast(pieces: Piece[]): void {
    const type = this.tokens[this.at++]?.['word'] ?? '';
    const operand = pieces.splice(operandFrom(pieces));
    pieces.push({ text: `CAST(${joined(operand)} AS ${TYPES[type] ?? type})`, kind: 'operand' });
  }
}

/** What may follow the keys of an order. */
const BEHIND_ORDER = /^(LIMIT|ROWS|RANGE|OFFSET|UNION)$/i;

/** DuckDB puts what is null last, Spark first. */
function nullsLast(pieces: readonly Piece[]): Piece[] {
  const order = pieces.findIndex((piece, i) => isWord(piece, 'ORDER') && isWord(pieces[i + 2], 'BY'));
  if (order < 0) return [...pieces];
  const begin = order + 3;
  const next = pieces.findIndex(({ kind, text }, i) => i > begin && kind === 'word' && BEHIND_ORDER.test(text));
  const end = next < 0 ? pieces.length : next;
  const keys = split(pieces.slice(begin, end)).map((key) => {
    const text = joined(key);
    if (key.some((piece) => isWord(piece, 'NULLS'))) return text;
    const bare = text.trimEnd();
    return `${bare} NULLS LAST${text.slice(bare.length)}`;
  });
  const behind = nullsLast(pieces.slice(end));
  return [...pieces.slice(0, begin), { text: keys.join(','), kind: 'other' }, ...behind];
}

/** Where the operand begins that the pieces end with: `CASE … END`, a call with its filter, or one piece. */
function operandFrom(pieces: readonly Piece[]): number {
  let at = pieces.length - 1;
  if (isWord(pieces[at], 'END')) {
    for (let open = 1; open > 0 && at > 0;) {
      at--;
      if (isWord(pieces[at], 'END')) open++;
      else if (isWord(pieces[at], 'CASE')) open--;
    }
    return at;
  }
  return isWord(pieces[at - 2], 'FILTER') ? at - 4 : at;
}

function isWord(piece: Piece | undefined, word: string): boolean {
  return piece?.kind === 'word' && piece.text.toUpperCase() === word;
}

function wordOf(word: string): Piece {
  const quoted = word
    .replaceAll('`', '``')
    .replaceAll(/"((?:[^"]|"")*)"/g, (_, name: string) => `\`${name.replaceAll('""', '"')}\``);
  return { text: quoted.replace(/^main\./, `${SPARK_VIEWS}.`), kind: 'word' };
}

/** A list of values, or of what a list's values become (`[x + 1 FOR x IN list]`). */
function listOf(pieces: readonly Piece[]): string {
  const begin = pieces.findIndex((piece) => isWord(piece, 'FOR'));
  const within = pieces.findIndex((piece, i) => i > begin && isWord(piece, 'IN'));
  if (begin < 0) return `array(${joined(pieces)})`;
  const [value, name, list] = [pieces.slice(0, begin), pieces.slice(begin + 1, within), pieces.slice(within + 1)].map(
    (part) => joined(part).trim(),
  ) as [string, string, string];
  const count = /^sequence\(0, (\d+) - 1\)$/.exec(list)?.[1];
  if (count === undefined) return `transform(${list}, ${name} -> ${value})`;
  // Shares of percentiles have to be constants.
  const inPlace = new RegExp(`\\b${name}\\b`, 'g');
  return `array(${Array.from({ length: Number(count) }, (_, i) => value.replace(inPlace, String(i))).join(', ')})`;
}

function split(pieces: readonly Piece[]): Piece[][] {
  const parts: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind === 'other' && piece.text === ',') parts.push([]);
    else parts.at(-1)!.push(piece);
  }
  return parts;
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** Spark reads backslashes in texts, and two quotes as two texts. */
function sparkText(literal: string): string {
  const text = literal.slice(1, -1).replaceAll("''", "'");
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
