import { IntegerColumn, NumberColumn } from '../../../trace/columns.ts';
import type { SiteIndex } from '../../sites/call-sites.ts';
import { OPERATION } from '../../../trace/calls.ts';
import { NONE, type EventChunk } from '../../../trace/events.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { FileIndex } from '../../../trace/indices.ts';
import { TRAIT } from '../../sites/stack-traits.ts';
import { METRIC, MetricTable } from '../metric-table.ts';
import { namedPipes } from './named-pipes.ts';
import { WaitCounter, type Waits } from '../waits.ts';

/** Transfers through pipes and sockets that move next to nothing, one directly after the other. */
export interface PipeMetrics {
  /** One row for each site and pipe; only `tinyReads`, `tinyWrites` and their bytes and times are filled. */
  readonly cells: MetricTable;
  readonly siteOfCell: readonly SiteIndex[];
  readonly fileOfCell: readonly FileIndex[];
  /** All calls that move bytes through pipes and sockets, whatever their size; the message-passing library's not. */
  readonly transfers: number;
  /** What they take. */
  readonly waits: Waits;
}

const KIND = { other: 0, pipe: 1, socket: 2 } as const;

/** What goes through one pipe, by the starts of the calls. */
class PipeFlow {
  readonly written = new NumberColumn();
  readonly writtenBytes = new NumberColumn();
  readonly read = new NumberColumn();
  readonly readBytes = new NumberColumn();
  /** Cell of reads that move next to nothing one directly after the other, else NONE. */
  readonly readCell = new IntegerColumn();
  readonly readTime = new NumberColumn();
}

/**
 * Counts what is moved through pipes and sockets byte by byte. Only a call whose predecessor in the same thread was the
 * same call on the same pipe counts: a single byte after other work is a signal to somebody, no stream of data. Nor does a
 * read that took all that had been written until then: whoever waits for one acknowledgement after the other finds no
 * more there, however large the buffer. What the message-passing library sends is not the program's doing.
 */
export class PipeCounter implements PipeMetrics {
  readonly cells = new MetricTable();
  readonly siteOfCell: SiteIndex[] = [];
  readonly fileOfCell: FileIndex[] = [];
  transfers = 0;
  private readonly waiting = new WaitCounter();
  private readonly cellOfKey = new Map<number, number>();
  private readonly flows = new Map<FileIndex, PipeFlow>();
  private readonly lastHandle: Int32Array;
  private readonly lastCall: Int32Array;
  private readonly kindOfFile: Uint8Array;
  private readonly reads: Uint8Array;

  /** @param mostBytes transfers up to this many bytes count. */
  constructor(
    private readonly trace: Trace,
    private readonly mostBytes: number,
  ) {
    this.lastHandle = new Int32Array(trace.streams.length).fill(NONE);
    this.lastCall = new Int32Array(trace.streams.length).fill(NONE);
    const named = namedPipes(trace);
    this.kindOfFile = Uint8Array.from(trace.files.files, ({ kind }, file) => {
      if (kind === 'pipe' || named.has(file)) return KIND.pipe;
      return kind === 'socket' ? KIND.socket : KIND.other;
    });
    this.reads = Uint8Array.from(trace.calls.names, (name) => (/^(read|recv)/.test(name) ? 1 : 0));
  }

  get waits(): Waits {
    return this.waiting.bySite;
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
    if (file === NONE || this.kindOfFile[file] === KIND.other || traits & TRAIT.mpi || !this.moves(call)) return;
    this.transfers++;
    this.waiting.add(site, stream, chunk.bytes[i]!, time, chunk.error[i]! !== 0);
    const bytes = chunk.bytes[i]!;
    const isRead = this.reads[call] === 1;
    const isTiny = goesOn && bytes > 0 && bytes <= this.mostBytes && !this.isMessage(chunk, i, isRead);
    const cell = isTiny ? this.cellOf(site, file) : NONE;
    // What the other end of a socket writes is under another name, if it was recorded at all.
    const hasFlow = this.kindOfFile[file] === KIND.pipe;
    if (cell !== NONE && !(isRead && hasFlow))
      this.cells.addThree(cell, isRead ? METRIC.tinyReads : METRIC.tinyWrites, 1, bytes, time);
    if (hasFlow) this.addToFlow(chunk, i, isRead, cell, time);
  }

  private addToFlow(chunk: EventChunk, i: number, isRead: boolean, cell: number, time: number): void {
    const file = chunk.file[i]!;
    let flow = this.flows.get(file);
    if (flow === undefined) this.flows.set(file, (flow = new PipeFlow()));
    if (!isRead) {
      flow.written.push(chunk.start[i]!);
      flow.writtenBytes.push(chunk.bytes[i]!);
      return;
    }
    flow.read.push(chunk.start[i]!);
    flow.readBytes.push(chunk.bytes[i]!);
    flow.readCell.push(cell);
    flow.readTime.push(time);
  }

  /** Counts the reads, when all writes are known: their order across recording files is that of time. */
  finish(): PipeMetrics {
    for (const flow of this.flows.values()) this.countReads(flow);
    return this;
  }

  private countReads({ written, writtenBytes, read, readBytes, readCell, readTime }: PipeFlow): void {
    const writes = inOrder(written);
    let next = 0;
    let there = 0;
    for (const index of inOrder(read)) {
      // A read that finds nothing waits for the next write.
      for (; next < writes.length && (there === 0 || !(written.at(writes[next]!) > read.at(index))); next++)
        there += writtenBytes.at(writes[next]!);
      const bytes = readBytes.at(index);
      const cell = readCell.at(index);
      // More than was written: somebody wrote who was not recorded, and nobody knows what was there.
      if (cell !== NONE && there !== bytes) this.cells.addThree(cell, METRIC.tinyReads, 1, bytes, readTime.at(index));
      there = Math.max(0, there - bytes);
    }
  }

  /** One who sends messages says where each ends; what asks a socket for more than it gets finds no more there. */
  private isMessage(chunk: EventChunk, i: number, isRead: boolean): boolean {
    if (!isRead) return this.trace.calls.operation[chunk.call[i]!] === OPERATION.message;
    return this.kindOfFile[chunk.file[i]!] === KIND.socket && chunk.requested[i]! > chunk.bytes[i]!;
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

/** Indices of times, the earliest first. */
function inOrder(times: NumberColumn): Int32Array {
  return Int32Array.from({ length: times.length }, (_, index) => index).sort((a, b) => times.at(a) - times.at(b));
}
