import { formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../../src/base/quantities.ts';
import type { QueryColumn, QueryValue } from '../../src/features/store/protocol.ts';
import type { CellWords } from '../kit/row-grid.ts';

/** What the numbers of a column count, as far as its name says so: names of the store's schema say their units. */
type Quantity = 'bytes' | 'rate' | 'seconds' | 'share' | 'percent' | 'count' | 'name';

const QUANTITIES: readonly (readonly [Quantity, RegExp])[] = [
  ['rate', /bandwidth|bytes_per_second|throughput/],
  ['percent', /percent/],
  ['share', /(^|_)(share|ratio|fraction)(_|$)/],
  ['seconds', /(^|_)seconds$|^elapsed/],
  ['bytes', /(^|_)bytes(_|$)|^stripe_size$/],
  // Numbers that are names: thousands are not told apart in them.
  ['name', /(^|_)(id|index|rank|line|place|ost|target|task|code|signal|year|offset)$/],
];

/** Types of the engine that are numbers; names of columns say nothing of others. */
const NUMERIC = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DOUBLE|FLOAT|DECIMAL.*)$/;

export function isNumeric({ type }: QueryColumn): boolean {
  return NUMERIC.test(type);
}

export function quantityOf(column: QueryColumn): Quantity {
  if (!isNumeric(column)) return 'name';
  const name = column.name.toLowerCase();
  return QUANTITIES.find(([, pattern]) => pattern.test(name))?.[0] ?? 'count';
}

/** A value as people read it; what is not known is `–`. */
export function cellText(value: QueryValue, column: QueryColumn): string {
  if (typeof value === 'number') return numberText(value, quantityOf(column));
  // Of an integer beyond 2^53 the engine gives the digits.
  if (typeof value === 'string' && isNumeric(column)) return numberText(Number(value), quantityOf(column));
  // Fractions of a second say nothing of when a job ran.
  if (typeof value === 'string' && column.type.startsWith('TIMESTAMP')) return value.slice(0, 19);
  return exactText(value);
}

function numberText(value: number, quantity: Quantity): string {
  // Differences are shown too, and the formats are of amounts.
  const sign = value < 0 ? '−' : '';
  const amount = Math.abs(value);
  switch (quantity) {
    case 'bytes':
      return sign + formatBytes(amount);
    case 'rate':
      return sign + formatRate(amount);
    case 'seconds':
      return amount === 0 ? '0 s' : sign + formatDuration(amount * 1e9);
    case 'share':
      return sign + formatShare(amount);
    case 'percent':
      return sign + formatShare(amount / 100);
    case 'count':
      return sign + countText(amount);
    case 'name':
      return String(value);
  }
}

function countText(value: number): string {
  return Number.isInteger(value) || value >= 1_000 ? formatCount(value) : String(Number(value.toPrecision(4)));
}

/** A value as the engine gave it, for SQL results and hints. */
export function exactText(value: QueryValue): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.map((each: QueryValue) => exactText(each)).join(', ') : String(value);
}

/** `bytes_read` as the heading `bytes read`; parameters have hyphens instead. */
export function columnTitle(name: string): string {
  return name.replaceAll(/[_-]/g, ' ');
}

const isLargestFirst = (column: QueryColumn): boolean => isNumeric(column) || column.type.startsWith('TIMESTAMP');

/** Amounts with their units, for tables. */
export const AMOUNTS: CellWords<QueryColumn, QueryValue> = {
  title: ({ name }) => columnTitle(name),
  text: cellText,
  exact: exactText,
  isNumber: isNumeric,
  isLargestFirst,
};

/** Names and values as the engine gave them, for answers to SQL. */
export const AS_GIVEN: CellWords<QueryColumn, QueryValue> = { ...AMOUNTS, title: ({ name }) => name, text: exactText };
