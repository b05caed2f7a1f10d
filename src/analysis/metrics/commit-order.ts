import { OPERATION } from '../../trace/calls.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import type { FileIndex, StreamIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import { METRIC, type MetricTable } from './metric-table.ts';

/** Terminals, and what wakes another thread. */
const TELLS = /^\/dev\/(pts\/|tty|console)|eventfd/;

/**
 * Tells synchronisations that something waits for: after which the thread tells somebody (through a pipe, a socket, an
 * eventfd or a terminal), or writes and synchronises another file, as data are written behind their journal.
 */
export class CommitOrder {
  /** By stream, the cell and the file of the last synchronisation, NONE where nothing waits for it any more. */
  private readonly cell: Int32Array;
  private readonly file: Int32Array;
  /** The other file that was written since. */
  private readonly other: Int32Array;
  /** 1 for what tells somebody. */
  private readonly tells: Uint8Array;
  private readonly sends: Uint8Array;

  constructor(
    trace: Trace,
    private readonly cells: MetricTable,
  ) {
    const streams = trace.streams.length;
    this.cell = new Int32Array(streams).fill(NONE);
    this.file = new Int32Array(streams).fill(NONE);
    this.other = new Int32Array(streams).fill(NONE);
    this.tells = Uint8Array.from(trace.files.files, ({ path, kind }) =>
      kind === 'pipe' || kind === 'socket' || TELLS.test(path) ? 1 : 0,
    );
    this.sends = Uint8Array.from(trace.calls.names, (name, call) => {
      const operation = trace.calls.operation[call];
      return operation === OPERATION.write || (operation === OPERATION.message && name.startsWith('send')) ? 1 : 0;
    });
  }

  /** Every event goes through here. */
  see(chunk: EventChunk, i: number): void {
    const stream = chunk.stream[i]!;
    const file = chunk.file[i]!;
    if (this.cell[stream] === NONE || file === NONE || this.sends[chunk.call[i]!] === 0) return;
    if (this.tells[file] === 1) this.count(stream, METRIC.acknowledgedSyncs);
    else if (file === this.file[stream]) this.cell[stream] = NONE;
    else this.other[stream] = file;
  }

  /** @param cell of a synchronisation with writes before it. */
  synchronised(stream: StreamIndex, cell: number, file: FileIndex): void {
    if (this.cell[stream] !== NONE && this.other[stream] === file) this.count(stream, METRIC.orderedSyncs);
    this.cell[stream] = cell;
    this.file[stream] = file;
    this.other[stream] = NONE;
  }

  private count(stream: StreamIndex, metric: number): void {
    this.cells.add(this.cell[stream]!, metric, 1);
    this.cell[stream] = NONE;
  }
}
