import { groupBy } from '../../base/grouping.ts';
import type { AmountDocument } from '../analysis/documents.ts';

interface FileAmount extends AmountDocument {
  readonly path: string;
}

interface GroupedFiles extends FileAmount {
  /** Files that the path stands for. */
  readonly files: number;
}

/** Two files of a pattern may be there by chance; the plot files or the ranks of a program are more. */
const FEWEST_FILES = 3;

/**
 * Files whose names differ by numbers alone as one, with their sums (`plt0000[0-9]`; `step*.dat` where the numbers are not
 * of one length), in the order in which their first ones stand; `most` files have room for themselves.
 */
export function groupedFiles(files: readonly FileAmount[], most: number): GroupedFiles[] {
  if (files.length <= most) return files.map((file) => ({ ...file, files: 1 }));
  const groups = groupBy(files, ({ path }) => path.replace(/\d+/g, '0'));
  return [...groups.values()].flatMap((group) =>
    group.length < FEWEST_FILES
      ? group.map((file) => ({ ...file, files: 1 }))
      : [{ path: patternOf(group.map(({ path }) => path)), files: group.length, ...sumOf(group) }],
  );
}

function sumOf(files: readonly FileAmount[]): AmountDocument {
  const sum = (of: keyof AmountDocument): number => files.reduce((total, file) => total + file[of], 0);
  return { events: sum('events'), bytes: sum('bytes'), timeNs: sum('timeNs') };
}

/** A glob for paths that are equal but for their numbers. */
function patternOf(paths: readonly string[]): string {
  const parts = paths.map((path) => path.split(/(\d+)/));
  return parts[0]!.map((part, i) => (i % 2 === 0 ? part : numbersOf(parts.map((one) => one[i]!)))).join('');
}

function numbersOf(numbers: readonly string[]): string {
  const [first] = numbers;
  if (numbers.every((number) => number === first)) return first!;
  if (numbers.some(({ length }) => length !== first!.length)) return '*';
  return Array.from(first!, (_, place) => {
    const digits = numbers.map((number) => number[place]!).sort();
    return digits[0] === digits.at(-1) ? digits[0]! : `[${digits[0]!}-${digits.at(-1)!}]`;
  }).join('');
}
