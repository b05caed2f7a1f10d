import type { CounterLog, CounterTable, FileLayout, Heatmap } from '../../trace/counters.ts';
import { exactTotals, inexactTotals } from '../../analysis/counters/totals.ts';
import type { CounterTotals, InfoDocument } from './documents.ts';

type Totals = Record<string, number>;

/**
 * Plain sums of the values of each counter over the records of each module, under the names that darshan-parser prints.
 * They say little of counters that cannot be added (modes, ranks, time stamps); they serve to compare two readers.
 * Identifiers are no numbers and stand beside them.
 */
export function counterTotals(log: CounterLog): InfoDocument['counters'] {
  const totals: Record<string, CounterTotals> = {};
  for (const table of log.modules) totals[table.module] = moduleTotals(table);
  if (log.layouts.length > 0) totals['LUSTRE'] = { records: log.layouts.length, totals: layoutTotals(log.layouts) };
  if (log.heatmaps.length > 0)
    totals['HEATMAP'] = { records: log.heatmaps.length, totals: heatmapTotals(log.heatmaps) };
  return totals;
}

function moduleTotals(table: CounterTable): CounterTotals {
  const totals = tableTotals(table);
  const inexact = inexactTotals(totals);
  const identifiers = table.counters.flatMap((counter) => {
    const ids = table.identifiersIn(counter);
    return ids.length === 0 ? [] : [[counter, ids.map(String)] as const];
  });
  return {
    records: table.length,
    totals,
    ...(identifiers.length > 0 && { identifiers: Object.fromEntries(identifiers) }),
    ...(inexact.length > 0 && { inexact, exact: exactTotals(table, inexact) }),
  };
}

function tableTotals(table: CounterTable): Totals {
  const totals: Totals = {};
  table.counters.forEach((name, counter) => {
    if (table.identifiersIn(name).length > 0) return;
    let sum = 0;
    for (let record = 0; record < table.length; record++) {
      const value = table.value(record, counter);
      // A counter that a record does not hold at all (APMPI's first one is unlike the others) adds nothing.
      if (!Number.isNaN(value)) sum += value;
    }
    totals[name] = sum;
  });
  return totals;
}

function layoutTotals(layouts: readonly FileLayout[]): Totals {
  const totals: Totals = {};
  const add = (name: string, value: number): void => {
    totals[`LUSTRE_${name}`] = (totals[`LUSTRE_${name}`] ?? 0) + value;
  };
  for (const { components } of layouts) {
    add('NUM_COMPONENTS', components.length);
    add(
      'NUM_STRIPES',
      components.reduce((sum, { targets }) => sum + targets.length, 0),
    );
    components.forEach((component, index) => {
      const of = (name: string): string => `COMP${index + 1}_${name}`;
      add(of('STRIPE_SIZE'), component.stripeSize);
      add(of('STRIPE_COUNT'), component.stripeCount);
      // Flags that are set are printed as words.
      if (component.flags === 0) add(of('FLAGS'), 0);
      add(of('EXT_START'), component.extentStart);
      add(of('EXT_END'), component.extentEnd);
      add(of('MIRROR_ID'), component.mirror);
      component.targets.forEach((target, stripe) => add(of(`OST_ID_${stripe}`), target));
    });
  }
  return totals;
}

function heatmapTotals(heatmaps: readonly Heatmap[]): Totals {
  const bins = heatmaps.reduce((most, { read }) => Math.max(most, read.length), 0);
  const [read, written] = [new Float64Array(bins), new Float64Array(bins)];
  let width = 0;
  for (const heatmap of heatmaps) {
    width += heatmap.binWidth;
    heatmap.read.forEach((bytes, bin) => (read[bin]! += bytes));
    heatmap.written.forEach((bytes, bin) => (written[bin]! += bytes));
  }
  const totals: Totals = { HEATMAP_F_BIN_WIDTH_SECONDS: width };
  read.forEach((bytes, bin) => (totals[`HEATMAP_READ_BIN_${bin}`] = bytes));
  written.forEach((bytes, bin) => (totals[`HEATMAP_WRITE_BIN_${bin}`] = bytes));
  return totals;
}
