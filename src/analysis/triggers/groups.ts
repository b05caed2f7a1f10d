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
  const ofSite = new Map<number, CellGroup>();
  const ofFile = new Map<number, CellGroup>();
  const sums = new MetricTable();
  const all: CellGroup[] = [];
  for (let cell = 0; cell < of.cells.length; cell++) {
    const site = of.siteOfCell[cell]!;
    const [groups, key] = site === NONE ? [ofFile, of.fileOfCell[cell]!] : [ofSite, site];
    let group = groups.get(key);
    if (group === undefined) {
      group = new CellGroup(of.cells, sums, site, cell);
      groups.set(key, group);
      all.push(group);
    } else group.add(cell);
  }
  return all;
}

/** Most groups of a recording without stacks have one cell, which is their sum. */
class CellGroup implements Group {
  readonly cells: number[];
  readonly view: MetricView = this;
  /** Row of the sums, once there is something to be added up. */
  private row = NONE;

  constructor(
    private readonly of: MetricTable,
    private readonly sums: MetricTable,
    readonly site: SiteIndex,
    first: number,
  ) {
    this.cells = [first];
  }

  add(cell: number): void {
    if (this.row === NONE) {
      this.row = this.sums.addRow();
      this.sums.addFrom(this.row, this.of, this.cells[0]!);
    }
    this.sums.addFrom(this.row, this.of, cell);
    this.cells.push(cell);
  }

  get(metric: Metric): number {
    return this.row === NONE ? this.of.get(this.cells[0]!, metric) : this.sums.get(this.row, metric);
  }
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
