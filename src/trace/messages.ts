import { IntegerColumn, NumberColumn } from './columns.ts';
import { NONE } from './events.ts';
import { NameTable } from './names.ts';

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
  readonly stream: number;
  /** Nanoseconds from the trace's origin of begin and end of the call (of the request and its completion). */
  readonly start: number;
  readonly end: number;
  /** Index into `Trace.streams` of the other end, or of a collective's root; NONE when unknown or without one. */
  readonly peer: number;
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
  readonly stream = new IntegerColumn();
  readonly start = new NumberColumn();
  readonly end = new NumberColumn();
  readonly peer = new IntegerColumn();
  readonly communicator = new IntegerColumn();
  readonly tag = new IntegerColumn();
  readonly sentBytes = new NumberColumn();
  readonly receivedBytes = new NumberColumn();
  /** Index into `operations`. */
  readonly operation = new IntegerColumn();

  get length(): number {
    return this.kind.length;
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
