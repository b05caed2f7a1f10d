import { TRANSFERS } from '../schema/recorded-tables.ts';
import type { Row } from '../schema/tables.ts';

/** What a program moved: of one file, or of all. */
export type Transfers = Pick<Row<'file'>, keyof typeof TRANSFERS>;

const NAMES = Object.keys(TRANSFERS) as (keyof Transfers)[];

/** What is no sum but a moment: the first or the last. */
const MOMENTS: Partial<Record<keyof Transfers, (a: number, b: number) => number>> = {
  read_start: Math.min,
  read_end: Math.max,
  write_start: Math.min,
  write_end: Math.max,
};

const plus = (a: number, b: number): number => a + b;

/** The transfers of all parts together: what one part does not know is what the others say, null when none does. */
export function joinedTransfers(parts: readonly Transfers[]): Transfers {
  // Of nothing all sums are 0, and no moment is known.
  const initial = (name: keyof Transfers): number | null => (parts.length === 0 && !(name in MOMENTS) ? 0 : null);
  const joined = Object.fromEntries(NAMES.map((name) => [name, initial(name)])) as Record<
    keyof Transfers,
    number | null
  >;
  for (const part of parts) {
    for (const name of NAMES) {
      const [before, value] = [joined[name], part[name]];
      if (value !== null) joined[name] = before === null ? value : (MOMENTS[name] ?? plus)(before, value);
    }
  }
  return joined;
}
