import type { Cost } from '../../analysis/gain/cost.ts';
import { MetricTable } from '../../analysis/metrics/metric-table.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { costNs } from './cost-text.ts';
import type { AmountDocument } from './documents.ts';
import type { LocateSource, MeasuredCalls } from './site-documents.ts';

/** What the files of a list are ordered by, largest first, `time` by what they cost; by name from a to z. */
export type FileOrder = 'time' | 'calls' | 'bytes' | 'name';

/** A place that accesses a file. */
export interface FileSiteDocument extends AmountDocument {
  /** Source file, on this machine where it is here; '' when the calls lead to no source line. */
  readonly file: string;
  /** Counted from 1; 0 when unknown. */
  readonly line: number;
  readonly function: string;
  readonly isHere: boolean;
  readonly cost?: Cost;
}

/** What a program did with one of its files. */
export interface FileDocument extends AmountDocument {
  readonly path: string;
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** Share of the recorded I/O time, 0 to 1. */
  readonly share: number;
  /** What the calls on it cost without a tracer; absent where the recording holds no times. */
  readonly cost?: Cost;
  readonly opens: number;
  /** Processes that read and that write it. */
  readonly readers: number;
  readonly writers: number;
  /** The costliest places that access it. */
  readonly sites: readonly FileSiteDocument[];
}

export interface FilesDocument {
  readonly files: readonly FileDocument[];
  /** Files that the program uses, those included that are not listed. */
  readonly total: number;
}

/** Places that are listed with each file. */
const MOST_SITES = 20;

/** The first `most` files of a recording that count, in the wanted order. */
export function filesDocument(
  { trace, callSites, metrics, costs }: Omit<MeasuredCalls, 'resolved'>,
  order: FileOrder,
  most: number,
  locate: LocateSource,
): FilesDocument {
  const { cells, fileOfCell } = metrics;
  const sums = new MetricTable();
  const rowOfFile = new Map<number, number>();
  const cellsOfRow: number[][] = [];
  let total = 0;
  for (let cell = 0; cell < cells.length; cell++) {
    const file = fileOfCell[cell]!;
    let row = rowOfFile.get(file);
    if (row === undefined) {
      row = sums.addRow();
      rowOfFile.set(file, row);
      cellsOfRow.push([]);
    }
    sums.addFrom(row, cells, cell);
    cellsOfRow[row]!.push(cell);
    total += cells.get(cell, 'time');
  }
  const files = [...rowOfFile].map(([file, row]) => {
    const timeNs = sums.get(row, 'time');
    return { file, row, path: trace.files.at(file).path, timeNs, cost: costs.ofFile(file, timeNs) };
  });
  type Row = (typeof files)[number];
  const value = {
    time: ({ cost, timeNs }: Row) => cost?.untracedNs ?? timeNs,
    calls: ({ row }: Row) => sums.get(row, 'events'),
    bytes: ({ row }: Row) => bytesOf(sums, row),
    name: () => 0,
  }[order];
  files.sort((a, b) => value(b) - value(a) || (a.path < b.path ? -1 : 1));
  return {
    total: files.length,
    files: files.slice(0, most).map(({ file, row, path, timeNs, cost }) => ({
      path,
      events: sums.get(row, 'events'),
      bytes: bytesOf(sums, row),
      timeNs,
      readBytes: sums.get(row, 'readBytes'),
      writtenBytes: sums.get(row, 'writtenBytes'),
      share: total === 0 ? 0 : timeNs / total,
      ...(cost && { cost }),
      opens: sums.get(row, 'opens'),
      readers: metrics.fileUse.get(file)?.readers.size ?? 0,
      writers: metrics.fileUse.get(file)?.writers.size ?? 0,
      sites: fileSites({ callSites, metrics, costs }, file, cellsOfRow[row]!, locate),
    })),
  };
}

function fileSites(
  { callSites, metrics: { cells, siteOfCell }, costs }: Pick<MeasuredCalls, 'callSites' | 'metrics' | 'costs'>,
  file: FileIndex,
  ofFile: readonly number[],
  locate: LocateSource,
): FileSiteDocument[] {
  const measured = ofFile.map((cell) => {
    const timeNs = cells.get(cell, 'time');
    const cost = costs.ofCell(siteOfCell[cell]!, file, timeNs);
    return { cell, timeNs, ...(cost && { cost }) };
  });
  const costliest = measured.sort((a, b) => costNs(b) - costNs(a));
  return costliest.slice(0, MOST_SITES).map(({ cell, timeNs, cost }) => {
    const place = callSites.sites[siteOfCell[cell]!];
    return {
      ...(place === undefined ? { file: '', isHere: false } : locate(place.file)),
      line: place?.line ?? 0,
      function: place?.functionName ?? '',
      events: cells.get(cell, 'events'),
      bytes: bytesOf(cells, cell),
      timeNs,
      ...(cost && { cost }),
    };
  });
}

function bytesOf(table: MetricTable, row: number): number {
  return table.get(row, 'readBytes') + table.get(row, 'writtenBytes') + table.get(row, 'copiedBytes');
}
