import { OPERATION } from '../../trace/calls.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import { HANDLE_FLAGS } from '../../trace/files.ts';
import type { FileIndex, HandleIndex, StreamIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import { METRIC, type MetricTable } from './metric-table.ts';

/** Terminals, and what wakes another thread. */
const TELLS = /^\/dev\/(pts\/|tty|console)|eventfd/;

/**
 * Tells synchronisations that something waits for: after which the thread tells somebody (through a pipe, a socket, an
 * eventfd, a terminal, or what the program was started with, such as standard output in a file), or writes and synchronises another file, as data are written behind their journal.
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
  private readonly hears: Uint8Array;
  /** By stream, who was told last, and 1 where somebody asked again since. */
  private readonly told: Int32Array;
  private readonly asked: Uint8Array;
  /** Who synchronises a file; NONE where several do: they may have records to be made safe at the same time. */
  private readonly alone = new Map<FileIndex, StreamIndex>();

  constructor(
    private readonly trace: Trace,
    private readonly cells: MetricTable,
  ) {
    const streams = trace.streams.length;
    this.cell = new Int32Array(streams).fill(NONE);
    this.file = new Int32Array(streams).fill(NONE);
    this.other = new Int32Array(streams).fill(NONE);
    this.told = new Int32Array(streams).fill(NONE);
    this.asked = new Uint8Array(streams);
    this.tells = Uint8Array.from(trace.files.files, ({ path, kind }) =>
      kind === 'pipe' || kind === 'socket' || TELLS.test(path) ? 1 : 0,
    );
    const are = (moves: number, messages: RegExp): Uint8Array =>
      Uint8Array.from(trace.calls.names, (name, call) => {
        const operation = trace.calls.operation[call];
        return operation === moves || (operation === OPERATION.message && messages.test(name)) ? 1 : 0;
      });
    this.sends = are(OPERATION.write, /^send/);
    this.hears = are(OPERATION.read, /^recv/);
  }

  /** Every event goes through here. */
  see(chunk: EventChunk, i: number): void {
    const stream = chunk.stream[i]!;
    const file = chunk.file[i]!;
    if (file === NONE) return;
    if (this.tells[file] === 1 && this.hears[chunk.call[i]!] === 1) this.asked[stream] = 1;
    if (this.cell[stream] === NONE || this.sends[chunk.call[i]!] === 0) return;
    if (this.tells[file] === 1 || this.wasThere(chunk.handle[i]!)) this.acknowledged(stream, file);
    else if (file === this.file[stream]) this.cell[stream] = NONE;
    else this.other[stream] = file;
  }

  /** Of standard input, output and error others know what is in them, also where they are files. */
  private wasThere(handle: HandleIndex): boolean {
    return handle !== NONE && (this.trace.handles.flags.at(handle) & HANDLE_FLAGS.preCreated) !== 0;
  }

  /** @param cell of a synchronisation with writes before it. */
  synchronised(stream: StreamIndex, cell: number, file: FileIndex): void {
    if (this.cell[stream] !== NONE && this.other[stream] === file) this.count(stream, METRIC.orderedSyncs);
    if ((this.alone.get(file) ?? stream) !== stream) this.alone.set(file, NONE);
    else this.alone.set(file, stream);
    this.cell[stream] = cell;
    this.file[stream] = file;
    this.other[stream] = NONE;
  }

  private acknowledged(stream: StreamIndex, file: FileIndex): void {
    const isAlone = this.alone.get(this.file[stream]!) === stream;
    if (isAlone && this.told[stream] === file && this.asked[stream] === 1)
      this.cells.add(this.cell[stream]!, METRIC.awaitedSyncs, 1);
    this.told[stream] = file;
    this.asked[stream] = 0;
    this.count(stream, METRIC.acknowledgedSyncs);
  }

  private count(stream: StreamIndex, metric: number): void {
    this.cells.add(this.cell[stream]!, metric, 1);
    this.cell[stream] = NONE;
  }
}
