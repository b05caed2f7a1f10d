import { NONE } from '../../trace/events.ts';
import { MESSAGE_KIND, type MessageKind } from '../../trace/messages.ts';
import type { Archive } from './archive.ts';
import { UNDEFINED_32 } from './byte-cursor.ts';

/** OTF2_CollectiveOp. */
const COLLECTIVES = [
  'barrier',
  'broadcast',
  'gather',
  'gatherv',
  'scatter',
  'scatterv',
  'allgather',
  'allgatherv',
  'alltoall',
  'alltoallv',
  'alltoallw',
  'allreduce',
  'reduce',
  'reduce_scatter',
  'scan',
  'exscan',
  'reduce_scatter_block',
  'create handle',
  'destroy handle',
  'allocate',
  'deallocate',
];
/** OTF2_COLLECTIVE_ROOT_SELF: this process; OTF2_COLLECTIVE_ROOT_THIS_GROUP: another one of its side. */
const ROOT_SELF = UNDEFINED_32 - 1;
/** Higher ranks are marks: any, none, undefined. */
const MOST_RANKS = 2 ** 31;

/** Between whom a message goes, and how long it is. */
export interface Envelope {
  /** A rank of the communicator. */
  readonly peer: number;
  /** Index into the archive's communicators, or NONE. */
  readonly communicator: number;
  readonly tag: number;
  readonly bytes: number;
}

/** What one process says of a collective operation. */
interface Collective {
  /** OTF2_CollectiveOp. */
  readonly operation: number;
  readonly communicator: number;
  readonly root: number;
  /** Bytes. */
  readonly sent: number;
  readonly received: number;
}

/** The messages of one location: a row for each, from the function that sends or receives, or the request, to its end. */
export class LocationMessages {
  /** Rows that end when the function does that they stand in, with its depth. */
  private readonly open: { row: number; depth: number }[] = [];
  private readonly requests = new Map<number, number>();
  private collectiveSince = NaN;
  /** Index of a collective operation's name by its number. */
  private readonly operations: number[] = [];

  constructor(
    private readonly archive: Archive,
    private readonly stream: number,
  ) {}

  /** @param since when the function was entered; @param depth of it, 0 in none. */
  send(envelope: Envelope, since: number, depth: number): void {
    this.open.push({ row: this.sent(envelope, since), depth });
  }

  receive(envelope: Envelope, since: number, depth: number): void {
    const row = this.begin('receive', since);
    this.setReceived(row, envelope);
    this.open.push({ row, depth });
  }

  /** A non-blocking send; it ends when its request is complete. */
  sendRequest(envelope: Envelope, request: number, since: number): void {
    this.requests.set(request, this.sent(envelope, since));
  }

  /** A non-blocking receive or collective operation is begun: what it receives is known in the end. */
  request(kind: 'receive' | 'collective', request: number, since: number): void {
    this.requests.set(request, this.begin(kind, since));
  }

  /** A request ended: complete, or cancelled. */
  requestEnds(request: number, now: number): void {
    const row = this.requests.get(request);
    if (row === undefined) return;
    this.archive.messages.end.values[row] = now;
    this.requests.delete(request);
  }

  received(envelope: Envelope, request: number, now: number): void {
    const row = this.requests.get(request) ?? this.begin('receive', now);
    this.requests.delete(request);
    this.setReceived(row, envelope);
    this.archive.messages.end.values[row] = now;
  }

  collectiveBegins(now: number): void {
    this.collectiveSince = now;
  }

  /** @param request of a non-blocking one, else NONE. */
  collective({ operation, communicator, root, sent, received }: Collective, now: number, request: number): void {
    const { messages } = this.archive;
    const since = Number.isNaN(this.collectiveSince) ? now : this.collectiveSince;
    const isBlocking = request === NONE;
    const begun = isBlocking ? undefined : this.requests.get(request);
    const row = begun ?? this.begin('collective', since);
    if (isBlocking) this.collectiveSince = NaN;
    else this.requests.delete(request);
    messages.peer.values[row] = root === ROOT_SELF ? this.stream : this.peer(root, communicator);
    messages.communicator.values[row] = communicator;
    messages.sentBytes.values[row] = sent;
    messages.receivedBytes.values[row] = received;
    messages.end.values[row] = now;
    messages.operation.values[row] = this.operationOf(operation);
  }

  private operationOf(operation: number): number {
    const known = this.operations[operation];
    if (known !== undefined) return known;
    const name = COLLECTIVES[operation] ?? `collective ${operation}`;
    return (this.operations[operation] = this.archive.messages.operations.intern(name));
  }

  /** A function is left: what was sent and received in it ends. @param depth of the function. */
  left(depth: number, now: number): void {
    const { open } = this;
    if (open.length === 0) return;
    while (open.length > 0 && open.at(-1)!.depth >= depth) this.archive.messages.end.values[open.pop()!.row] = now;
  }

  private sent(envelope: Envelope, since: number): number {
    const row = this.begin('send', since);
    this.setEnvelope(row, envelope);
    this.archive.messages.sentBytes.values[row] = envelope.bytes;
    return row;
  }

  private setReceived(row: number, envelope: Envelope): void {
    this.setEnvelope(row, envelope);
    this.archive.messages.receivedBytes.values[row] = envelope.bytes;
  }

  private setEnvelope(row: number, { peer, communicator, tag }: Envelope): void {
    const { messages } = this.archive;
    messages.peer.values[row] = this.peer(peer, communicator);
    messages.communicator.values[row] = communicator;
    messages.tag.values[row] = tag;
  }

  private begin(kind: MessageKind, start: number): number {
    return this.archive.messages.begin(MESSAGE_KIND[kind], this.stream, start);
  }

  /** The stream of a rank of a communicator; NONE when it is undefined, or any. */
  private peer(rank: number, communicator: number): number {
    if (communicator === NONE || rank >= MOST_RANKS) return NONE;
    const { members, isSelf } = this.archive.communicators[communicator]!;
    if (isSelf) return rank === 0 ? this.stream : NONE;
    const first = this.archive.firstSides.get(communicator);
    if (first === undefined) return members[rank] ?? NONE;
    // Ranks of an inter-communicator are those of the other side.
    const isFirst = members.indexOf(this.stream) < first;
    return (isFirst ? members[first + rank] : rank < first ? members[rank] : NONE) ?? NONE;
  }
}
