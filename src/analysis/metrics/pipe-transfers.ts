import type { SiteIndex } from '../sites/call-sites.ts';
import { OPERATION } from '../../trace/calls.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { TRAIT } from '../sites/stack-traits.ts';
import { METRIC, MetricTable } from './metric-table.ts';

/** Transfers through pipes and sockets that move next to nothing, one directly after the other. */
export interface PipeMetrics {
  /** One row for each site and pipe; only `tinyReads`, `tinyWrites` and their bytes and times are filled. */
  readonly cells: MetricTable;
  readonly siteOfCell: readonly SiteIndex[];
  readonly fileOfCell: readonly FileIndex[];
  /** All calls that move bytes through pipes and sockets, whatever their size; the message-passing library's not. */
  readonly transfers: number;
}

/**
 * Counts what is moved through pipes and sockets byte by byte. Only a call whose predecessor in the same thread was the
 * same call on the same pipe counts: a single byte after other work is a signal to somebody, no stream of data. What the
 * message-passing library sends is not the program's doing.
 */
export class PipeCounter implements PipeMetrics {
  readonly cells = new MetricTable();
  readonly siteOfCell: SiteIndex[] = [];
  readonly fileOfCell: FileIndex[] = [];
  transfers = 0;
  private readonly cellOfKey = new Map<number, number>();
  private readonly lastHandle: Int32Array;
  private readonly lastCall: Int32Array;
  private readonly isPipe: Uint8Array;
  private readonly reads: Uint8Array;

  /** @param mostBytes transfers up to this many bytes count. */
  constructor(
    private readonly trace: Trace,
    private readonly mostBytes: number,
  ) {
    this.lastHandle = new Int32Array(trace.streams.length).fill(NONE);
    this.lastCall = new Int32Array(trace.streams.length).fill(NONE);
    this.isPipe = Uint8Array.from(trace.files.files, ({ kind }) => (kind === 'pipe' || kind === 'socket' ? 1 : 0));
    this.reads = Uint8Array.from(trace.calls.names, (name) => (/^(read|recv)/.test(name) ? 1 : 0));
  }

  /** Every event goes through here, so that one knows what came before. */
  see(chunk: EventChunk, i: number, site: SiteIndex, traits: number, time: number): void {
    const stream = chunk.stream[i]!;
    const handle = chunk.handle[i]!;
    const call = chunk.call[i]!;
    const goesOn = handle !== NONE && this.lastHandle[stream] === handle && this.lastCall[stream] === call;
    this.lastHandle[stream] = handle;
    this.lastCall[stream] = call;
    const file = chunk.file[i]!;
    if (file === NONE || this.isPipe[file] === 0 || traits & TRAIT.mpi || !this.moves(call)) return;
    this.transfers++;
    const bytes = chunk.bytes[i]!;
    if (!goesOn || bytes === 0 || bytes > this.mostBytes) return;
    const cell = this.cellOf(site, file);
    const first = this.reads[call] === 1 ? METRIC.tinyReads : METRIC.tinyWrites;
    this.cells.add(cell, first, 1);
    this.cells.add(cell, first + 1, bytes);
    this.cells.add(cell, first + 2, time);
  }

  private moves(call: number): boolean {
    const operation = this.trace.calls.operation[call]!;
    return operation === OPERATION.read || operation === OPERATION.write || operation === OPERATION.message;
  }

  private cellOf(site: SiteIndex, file: FileIndex): number {
    const key = (site + 1) * 0x80000000 + file;
    let cell = this.cellOfKey.get(key);
    if (cell === undefined) {
      cell = this.cells.addRow();
      this.siteOfCell.push(site);
      this.fileOfCell.push(file);
      this.cellOfKey.set(key, cell);
    }
    return cell;
  }
}
