import type { SiteIndex } from '../sites/call-sites.ts';
import { NONE } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { MetricTable, type Metric } from '../metrics/metric-table.ts';
import type { MetricView } from './trigger.ts';

/** Rows of metrics with the call site and the file of each. */
export interface Cells {
  readonly cells: MetricTable;
  readonly siteOfCell: readonly SiteIndex[];
  readonly fileOfCell: readonly FileIndex[];
}

/** The cells of one call site; or, where stacks lead nowhere, those of one file. */
export interface Group {
  readonly site: SiteIndex;
  readonly cells: number[];
  readonly view: MetricView;
}

export function groupCells(of: Cells): Group[] {
  const groups = new Map<string, Group>();
  const rows = new Map<Group, number>();
  const sums = new MetricTable();
  for (let cell = 0; cell < of.cells.length; cell++) {
    const site = of.siteOfCell[cell]!;
    const key = site === NONE ? `file ${of.fileOfCell[cell]!}` : `site ${site}`;
    let group = groups.get(key);
    if (group === undefined) {
      const row = sums.addRow();
      group = { site, cells: [], view: { get: (metric: Metric) => sums.get(row, metric) } };
      groups.set(key, group);
      rows.set(group, row);
    }
    sums.addFrom(rows.get(group)!, of.cells, cell);
    group.cells.push(cell);
  }
  return [...groups.values()];
}

/** The groups of sites, and one of all that have none: for what shows across files only. */
export function gatherFiles(of: Cells, groups: readonly Group[]): Group[] {
  const siteless = new Set(groups.filter(({ site }) => site === NONE).flatMap(({ cells }) => cells));
  if (siteless.size === 0) return [...groups];
  const all: Group = { site: NONE, cells: [...siteless], view: sumOf(of, (cell) => siteless.has(cell)) };
  return [...groups.filter(({ site }) => site !== NONE), all];
}

export function cellView(of: Cells, cell: number): MetricView {
  return { get: (metric) => of.cells.get(cell, metric) };
}

/** The sum over the cells that are wanted. */
export function sumOf(of: Cells, included: (cell: number) => boolean): MetricView {
  const sum = new MetricTable();
  sum.addRow();
  for (let cell = 0; cell < of.cells.length; cell++) if (included(cell)) sum.addFrom(0, of.cells, cell);
  return { get: (metric) => sum.get(0, metric) };
}
