import { getOrCreate } from '../../base/grouping.ts';
import type { SiteIndex } from '../sites/call-sites.ts';
import { OPERATION } from '../../trace/calls.ts';
import { CHUNK_ROWS, NONE } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { Amount, Insight } from '../triggers/insight.ts';
import { AmountTable } from './amount-table.ts';
import { CallWeights, WEIGHT } from './call-weights.ts';
import type { EventMask } from './event-mask.ts';
import { placesOf } from './insight-conditions.ts';
import type { SelectionInputs } from './selection-inputs.ts';

/** Something that takes part in a selection, with what its selected events amount to. */
export interface Selected extends Amount {
  /** Index into the table that the list is of. */
  readonly index: number;
}

export interface SelectedAmounts {
  /** Of all selected calls. */
  readonly total: Amount;
  /** Of those that findings count. */
  readonly counted: Amount;
  /** Indices of call sites, NONE for calls that lead to no place in the source; by time. */
  readonly sites: readonly Selected[];
  /** Indices of files; by time. */
  readonly files: readonly Selected[];
  /** Indices of streams; by time. */
  readonly streams: readonly Selected[];
  /** Indices into the insights, in their order. */
  readonly insights: readonly Selected[];
}

/** What takes part in a selection, and how much; one pass over the events. */
export function selectedAmounts(inputs: SelectionInputs, mask: EventMask): SelectedAmounts {
  const { trace, callSites, insights } = inputs;
  const weights = new CallWeights(inputs);
  const isMoving = movingCalls(trace.calls.operation);
  const total = new AmountTable(1);
  const counted = new AmountTable(1);
  // NONE has the first row.
  const sites = new AmountTable(callSites.sites.length + 1);
  const files = new AmountTable(trace.files.length + 1);
  const streams = new AmountTable(trace.streams.length);
  const cells = new CellAmounts();
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    const first = number * CHUNK_ROWS;
    for (let i = 0; i < rows; i++) {
      if (!mask.has(first + i)) continue;
      const weight = weights.of(chunk, i);
      const bytes = chunk.error[i] === 0 && isMoving[chunk.call[i]!] === 1 ? chunk.bytes[i]! : 0;
      const timeNs = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
      const node = chunk.stack[i]!;
      const site = node === NONE ? NONE : callSites.siteOfNode[node]!;
      const file = chunk.file[i]!;
      total.add(0, weight, bytes, timeNs);
      if (weight & WEIGHT.counted) counted.add(0, weight, bytes, timeNs);
      sites.add(site + 1, weight, bytes, timeNs);
      if (file !== NONE) files.add(file + 1, weight, bytes, timeNs);
      streams.add(chunk.stream[i]!, weight, bytes, timeNs);
      cells.add(site, file, weight, bytes, timeNs);
    }
  });
  return {
    total: total.amount(0),
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
function listed(table: AmountTable, rows: number, before: number): Selected[] {
  const all = Array.from({ length: rows }, (_, row) => ({ index: row - before, ...table.amount(row) }));
  return all.filter(takesPart).sort((a, b) => b.timeNs - a.timeNs || b.events - a.events);
}

function takesPart({ events }: Amount): boolean {
  return events > 0;
}

function insightAmount(inputs: SelectionInputs, insight: Insight, cells: CellAmounts, files: AmountTable): Amount {
  const places = placesOf(inputs, insight);
  if (places.sites.size === 0) return files.sum([...places.files].map((file) => file + 1));
  return cells.sum([...places.sites].flatMap(([site, of]) => [...of].map((file) => [site, file] as const)));
}

/** Sums of each call site with each file. */
class CellAmounts {
  private readonly table = new AmountTable(64);
  private readonly rows = new Map<number, number>();
  private lastKey = NaN;
  private lastRow = 0;

  add(site: SiteIndex, file: FileIndex, weight: number, bytes: number, timeNs: number): void {
    const key = keyOf(site, file);
    if (key !== this.lastKey) {
      const row = getOrCreate(this.rows, key, () => this.rows.size);
      this.lastKey = key;
      this.lastRow = row;
    }
    this.table.add(this.lastRow, weight, bytes, timeNs);
  }

  sum(cells: readonly (readonly [site: SiteIndex, file: FileIndex])[]): Amount {
    const rows = cells.map(([site, file]) => this.rows.get(keyOf(site, file))).filter((row) => row !== undefined);
    return this.table.sum(rows);
  }
}

function keyOf(site: SiteIndex, file: FileIndex): number {
  return (site + 1) * 0x80000000 + file + 1;
}
