import type { CounterTable, Heatmap } from '../../trace/counters.ts';
import type { DamageLog } from '../../trace/damage.ts';
import { layoutOf } from './module-layouts.ts';

/** What a recorder can have written into a counter, and what stands for anything else. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly instead: number;
}

/** Calls and bytes: no job makes as many. A counter that was not measured is -1, in a shared record -1 for each process. */
const INTEGER: Bounds = { least: -(2 ** 31), most: 2 ** 60, instead: -1 };
/** Seconds, in shared records those of all processes. Old releases of Darshan wrote negative ones now and then. */
const SECONDS: Bounds = { least: -(2 ** 40), most: 2 ** 40, instead: 0 };
/** A variance of bytes is as large as their square; -1 stands for one that a log does not hold. */
const VARIANCE: Bounds = { least: -1, most: 2 ** 120, instead: 0 };

/**
 * Identifiers, modes, and the common values, which mean something only where they are counted (real logs hold garbage
 * beside a count of zero): anything of 64 bits, with or without a sign.
 */
const ANYTHING: Bounds = { least: -(2 ** 63), most: 2 ** 64, instead: 0 };
const HOLDS_ANYTHING = /_(?:RENAMED_FROM|MODE|FILE_REC_ID|ACCESS\d_(?!COUNT)\w+|STRIDE\d_STRIDE)$/;

function boundsOf(counter: string): Bounds {
  if (counter.includes('VARIANCE')) return VARIANCE;
  if (counter.includes('_F_') || counter.endsWith('_TIME')) return SECONDS;
  return HOLDS_ANYTHING.test(counter) ? ANYTHING : INTEGER;
}

/**
 * Takes out of a table what no recorder can have written and reports it, so that nothing that counts has to look again: an
 * integer becomes "not measured", a time or variance nothing. Counters that only some records of a module have stay NaN in
 * the others.
 *
 * @param table trimmed.
 * @param where name of the recording.
 */
export function replaceImpossible(table: CounterTable, where: string, damage: DamageLog): void {
  const everywhere = new Set(layoutOf(table.module, table.version)?.counters);
  let replaced = 0;
  let first = '';
  table.counters.forEach((counter, column) => {
    const { least, most, instead } = boundsOf(counter);
    const { count, value } = table.replaceOutside(column, least, most, instead, !everywhere.has(counter));
    if (count > 0 && replaced === 0) first = `${counter} = ${value}`;
    replaced += count;
  });
  if (replaced > 0) report(replaced, first, `${where}, ${table.module}`, damage);
}

/** The same for the bytes of heatmaps: a bin becomes empty. */
export function emptyImpossibleBins(heatmaps: readonly Heatmap[], where: string, damage: DamageLog): void {
  let emptied = 0;
  let first = '';
  for (const heatmap of heatmaps) {
    for (const what of ['read', 'written'] as const) {
      const bins = heatmap[what];
      for (let bin = 0; bin < bins.length; bin++) {
        const bytes = bins[bin]!;
        if (bytes >= INTEGER.least && bytes <= INTEGER.most) continue;
        if (emptied++ === 0) first = `${bytes} bytes ${what} in bin ${bin} of ${heatmap.api}, process ${heatmap.rank}`;
        bins[bin] = 0;
      }
    }
  }
  if (emptied > 0) report(emptied, first, `${where}, HEATMAP`, damage);
}

function report(count: number, first: string, where: string, damage: DamageLog): void {
  const what =
    count === 1
      ? `a value that no recorder can have written (${first})`
      : `${count} values that no recorder can have written (the first: ${first})`;
  damage.add('record', where, what, count === 1 ? 'this value' : 'these values');
}
