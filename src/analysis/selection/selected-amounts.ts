import { getOrCreate } from '../../base/grouping.ts';
import type { SiteIndex } from '../sites/call-sites.ts';
import { OPERATION } from '../../trace/calls.ts';
import { CHUNK_ROWS, NONE, type EventChunk } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { Cost } from '../gain/cost.ts';
import type { RunCosts } from '../gain/run-costs.ts';
import type { Amount, Insight } from '../triggers/insight.ts';
import { AmountTable } from './amount-table.ts';
import { CallWeights, WEIGHT } from './call-weights.ts';
import { CostTable } from './cost-table.ts';
import type { EventMask } from './event-mask.ts';
import { placesOf } from './insight-conditions.ts';
import type { SelectionInputs } from './selection-inputs.ts';

/** What events amount to, and what those of them that count cost of the run; absent where none do, or nobody knows. */
interface CostedAmount extends Amount {
  readonly cost?: Cost;
}

/** Something that takes part in a selection, with what its selected events amount to. */
export interface Selected extends CostedAmount {
  /** Index into the table that the list is of. */
  readonly index: number;
}

export interface SelectedAmounts {
  /** Of all selected calls. */
  readonly total: CostedAmount;
  /** Of those that findings count. */
  readonly counted: Amount;
  /** Indices of call sites, NONE for calls that lead to no place in the source; the dearest first. */
  readonly sites: readonly Selected[];
  /** Indices of files; the dearest first. */
  readonly files: readonly Selected[];
  /** Indices of streams; the dearest first. */
  readonly streams: readonly Selected[];
  /** Indices into the insights, in their order. */
  readonly insights: readonly Selected[];
}

/** What takes part in a selection, and how much; one pass over the events. */
export function selectedAmounts(inputs: SelectionInputs, mask: EventMask, costs: RunCosts): SelectedAmounts {
  const { trace, callSites, insights } = inputs;
  const weights = new CallWeights(inputs);
  const isMoving = movingCalls(trace.calls.operation);
  const table = (rows: number): CostedTable => new CostedTable(rows, costs);
  const total = table(1);
  const counted = new AmountTable(1);
  // NONE has the first row.
  const sites = table(callSites.sites.length + 1);
  const files = table(trace.files.length + 1);
  const streams = table(trace.streams.length);
  const cells = new CellAmounts(costs);
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    const first = number * CHUNK_ROWS;
    for (let i = 0; i < rows; i++) {
      if (!mask.has(first + i)) continue;
      const weight = weights.of(chunk, i);
      const bytes = chunk.error[i] === 0 && isMoving[chunk.call[i]!] === 1 ? chunk.bytes[i]! : 0;
      const node = chunk.stack[i]!;
      const site = node === NONE ? NONE : callSites.siteOfNode[node]!;
      const file = chunk.file[i]!;
      total.add(0, weight, bytes, chunk, i);
      if (weight & WEIGHT.counted) counted.add(0, weight, bytes, timeOf(chunk, i));
      sites.add(site + 1, weight, bytes, chunk, i);
      if (file !== NONE) files.add(file + 1, weight, bytes, chunk, i);
      streams.add(chunk.stream[i]!, weight, bytes, chunk, i);
      cells.add(keyOf(site, file), weight, bytes, chunk, i);
    }
  });
  return {
    total: total.sum([0]),
    counted: counted.amount(0),
    sites: listed(sites, callSites.sites.length + 1, 1),
    files: listed(files, trace.files.length + 1, 1),
    streams: listed(streams, trace.streams.length, 0),
    insights: insights
      .map((insight, index) => ({ index, ...insightAmount(inputs, insight, cells, files) }))
      .filter(takesPart),
  };
}

/** 1 for calls whose bytes count: those that read, write and copy. */
function movingCalls(operations: readonly number[]): Uint8Array {
  const moving: readonly number[] = [OPERATION.read, OPERATION.write, OPERATION.copy];
  return Uint8Array.from(operations, (operation) => (moving.includes(operation) ? 1 : 0));
}

/** @param before rows that stand before the one of index 0. */
function listed(table: CostedTable, rows: number, before: number): Selected[] {
  const all = Array.from({ length: rows }, (_, row) => ({ index: row - before, ...table.sum([row]) }));
  const weight = ({ cost, timeNs }: CostedAmount): number => cost?.untracedNs ?? timeNs;
  return all.filter(takesPart).sort((a, b) => weight(b) - weight(a) || b.events - a.events);
}

function timeOf(chunk: EventChunk, i: number): number {
  return chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
}

/** Amounts with their costs, a row for each thing. */
class CostedTable {
  private readonly amounts: AmountTable;
  private readonly costs: CostTable;

  constructor(rows: number, costs: RunCosts) {
    this.amounts = new AmountTable(rows);
    this.costs = new CostTable(costs);
  }

  add(row: number, weight: number, bytes: number, chunk: EventChunk, i: number): void {
    this.amounts.add(row, weight, bytes, timeOf(chunk, i));
    this.costs.add(row, weight, chunk, i);
  }

  sum(rows: readonly number[]): CostedAmount {
    const cost = this.costs.cost(...rows);
    return { ...this.amounts.sum(rows), ...(cost && { cost }) };
  }
}

function takesPart({ events }: Amount): boolean {
  return events > 0;
}

function insightAmount(
  inputs: SelectionInputs,
  insight: Insight,
  cells: CellAmounts,
  files: CostedTable,
): CostedAmount {
  const places = placesOf(inputs, insight);
  if (places.sites.size === 0) return files.sum([...places.files].map((file) => file + 1));
  return cells.sum([...places.sites].flatMap(([site, of]) => [...of].map((file) => [site, file] as const)));
}

/** Sums of each call site with each file. */
class CellAmounts {
  private readonly table: CostedTable;
  private readonly rows = new Map<number, number>();
  private lastKey = NaN;
  private lastRow = 0;

  constructor(costs: RunCosts) {
    this.table = new CostedTable(64, costs);
  }

  /** @param key of a site and a file. */
  add(key: number, weight: number, bytes: number, chunk: EventChunk, i: number): void {
    if (key !== this.lastKey) {
      const row = getOrCreate(this.rows, key, () => this.rows.size);
      this.lastKey = key;
      this.lastRow = row;
    }
    this.table.add(this.lastRow, weight, bytes, chunk, i);
  }

  sum(cells: readonly (readonly [site: SiteIndex, file: FileIndex])[]): CostedAmount {
    const rows = cells.map(([site, file]) => this.rows.get(keyOf(site, file))).filter((row) => row !== undefined);
    return this.table.sum(rows);
  }
}

function keyOf(site: SiteIndex, file: FileIndex): number {
  return (site + 1) * 0x80000000 + file + 1;
}
