import type { SiteIndex } from '../../sites/call-sites.ts';
import { IntegerColumn, NumberColumn } from '../../../trace/columns.ts';
import type { EventChunk } from '../../../trace/events.ts';
import type { FileIndex, HandleIndex, StreamIndex } from '../../../trace/indices.ts';

/** Calls of one kind, picked out of the event table because a pattern has to put them into another order. */
export class CallRows {
  /** Row of the event table. */
  readonly row = new IntegerColumn();
  readonly stream = new IntegerColumn<StreamIndex>();
  readonly file = new IntegerColumn<FileIndex>();
  readonly handle = new IntegerColumn<HandleIndex>();
  readonly call = new IntegerColumn();
  /** Index into `CallSites.sites`, or NONE. */
  readonly site = new IntegerColumn<SiteIndex>();
  readonly start = new NumberColumn();
  /** 0 when unknown. */
  readonly duration = new NumberColumn();
  readonly bytes = new NumberColumn();
  readonly argument = new NumberColumn();

  get length(): number {
    return this.row.length;
  }

  add(chunk: EventChunk, i: number, row: number, site: SiteIndex): void {
    const duration = chunk.duration[i]!;
    this.row.push(row);
    this.stream.push(chunk.stream[i]!);
    this.file.push(chunk.file[i]!);
    this.handle.push(chunk.handle[i]!);
    this.call.push(chunk.call[i]!);
    this.site.push(site);
    this.start.push(chunk.start[i]!);
    this.duration.push(duration > 0 ? duration : 0);
    this.bytes.push(chunk.bytes[i]!);
    this.argument.push(chunk.argument[i]!);
  }

  end(index: number): number {
    return this.start.at(index) + this.duration.at(index);
  }

  /** All indices in the order of the starts. */
  byStart(): Int32Array {
    const { values } = this.start;
    return Int32Array.from({ length: this.length }, (_, index) => index).sort((a, b) => values[a]! - values[b]!);
  }
}
