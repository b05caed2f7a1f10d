import { IntegerColumn, NumberColumn } from './columns.ts';
import { NONE } from './events.ts';
import { NameTable } from './names.ts';
import type { StreamIndex } from './indices.ts';

export const MESSAGE_KINDS = ['send', 'receive', 'collective'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];
export const MESSAGE_KIND = Object.fromEntries(MESSAGE_KINDS.map((name, index) => [name, index])) as Record<
  MessageKind,
  number
>;

/** One end of a message, or one stream's part in a collective operation. */
export interface Message {
  readonly kind: MessageKind;
  /** Index into `Trace.streams`. */
  readonly stream: StreamIndex;
  /** Nanoseconds from the trace's origin of begin and end of the call (of the request and its completion). */
  readonly start: number;
  readonly end: number;
  /** Index into `Trace.streams` of the other end, or of a collective's root; NONE when unknown or without one. */
  readonly peer: StreamIndex;
  /** Index into `Trace.definitions.communicators`, or NONE. */
  readonly communicator: number;
  /** NONE for collectives. */
  readonly tag: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** `barrier`, `broadcast`, …: '' for messages. */
  readonly operation: string;
}

/** Messages between streams as recorded (MPI records of OTF2, MPI calls of Recorder): the order of a stream is that of its rows. */
export class MessageTable {
  readonly operations = new NameTable(['']);
  readonly kind = new IntegerColumn();
  readonly stream = new IntegerColumn<StreamIndex>();
  readonly start = new NumberColumn();
  readonly end = new NumberColumn();
  readonly peer = new IntegerColumn<StreamIndex>();
  readonly communicator = new IntegerColumn();
  readonly tag = new IntegerColumn();
  readonly sentBytes = new NumberColumn();
  readonly receivedBytes = new NumberColumn();
  /** Index into `operations`. */
  readonly operation = new IntegerColumn();
  private readonly columns = [
    this.kind,
    this.stream,
    this.start,
    this.end,
    this.peer,
    this.communicator,
    this.tag,
    this.sentBytes,
    this.receivedBytes,
    this.operation,
  ];

  get length(): number {
    return this.kind.length;
  }

  /**
   * Adds a message of which nothing more is known: the rest is set column by column. Numbers instead of an object, each
   * column written by its own kind: there can be as many messages as events.
   */
  begin(kind: number, stream: StreamIndex, start: number): number {
    const row = this.kind.length;
    if (row === this.kind.values.length) for (const column of this.columns) column.makeRoom();
    this.kind.values[row] = kind;
    this.stream.values[row] = stream;
    this.start.values[row] = start;
    this.end.values[row] = NaN;
    this.peer.values[row] = NONE;
    this.communicator.values[row] = NONE;
    this.tag.values[row] = NONE;
    this.sentBytes.values[row] = 0;
    this.receivedBytes.values[row] = 0;
    this.operation.values[row] = 0;
    const length = row + 1;
    this.kind.length = length;
    this.stream.length = length;
    this.start.length = length;
    this.end.length = length;
    this.peer.length = length;
    this.communicator.length = length;
    this.tag.length = length;
    this.sentBytes.length = length;
    this.receivedBytes.length = length;
    this.operation.length = length;
    return row;
  }

  add(message: Message): number {
    this.stream.push(message.stream);
    this.start.push(message.start);
    this.end.push(message.end);
    this.peer.push(message.peer);
    this.communicator.push(message.communicator);
    this.tag.push(message.kind === 'collective' ? NONE : message.tag);
    this.sentBytes.push(message.sentBytes);
    this.receivedBytes.push(message.receivedBytes);
    this.operation.push(this.operations.intern(message.operation));
    return this.kind.push(MESSAGE_KIND[message.kind]);
  }

  at(row: number): Message {
    return {
      kind: MESSAGE_KINDS[this.kind.at(row)]!,
      stream: this.stream.at(row),
      start: this.start.at(row),
      end: this.end.at(row),
      peer: this.peer.at(row),
      communicator: this.communicator.at(row),
      tag: this.tag.at(row),
      sentBytes: this.sentBytes.at(row),
      receivedBytes: this.receivedBytes.at(row),
      operation: this.operations.at(this.operation.at(row)),
    };
  }
}
