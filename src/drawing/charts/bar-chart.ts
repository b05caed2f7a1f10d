import type { Unit } from './amounts.ts';

/** A chart: bars over labels, one bar for each series, or (stacked) one on the other. */
export interface BarChart {
  readonly title: string;
  readonly labels: readonly string[];
  /** Said behind the title. */
  readonly note?: string;
  /** For the axis, where the labels themselves have no room. */
  readonly shortLabels?: readonly string[];
  readonly series: readonly Series[];
  readonly isStacked: boolean;
  /** Bars lie: for labels that are long. */
  readonly isHorizontal: boolean;
  readonly unit: Unit;
  /** Heading of the labels, for the table that says the same. */
  readonly of: string;
}

interface Series {
  readonly name: string;
  readonly values: readonly number[];
}
