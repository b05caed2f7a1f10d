import type { Communicator } from '../../trace/definitions.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import { FunctionCallTable } from '../../trace/function-calls.ts';
import { MESSAGE_KIND, MessageTable, type MessageKind } from '../../trace/messages.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import type { Stream } from '../../trace/trace.ts';
import { roleOfMpi } from '../mpi-functions.ts';
import type { CallArguments } from './call-arguments.ts';
import type { HostClocks } from './host-clocks.ts';
import type { Occurrence } from './occurrence.ts';

/** How often a process sends or receives the share that a call names. */
type Times = 'never' | 'once' | 'each' | 'root' | 'others' | 'root each';

interface Collective {
  readonly operation: string;
  readonly sent: Times;
  readonly received: Times;
}

/** By the name of the call, without MPI_, the I of those that only begin, and the _c of those with large counts. */
const COLLECTIVES: Readonly<Record<string, Collective>> = {
  barrier: { operation: 'barrier', sent: 'never', received: 'never' },
  bcast: { operation: 'broadcast', sent: 'root', received: 'others' },
  gather: { operation: 'gather', sent: 'once', received: 'root each' },
  gatherv: { operation: 'gatherv', sent: 'once', received: 'root each' },
  scatter: { operation: 'scatter', sent: 'root each', received: 'once' },
  scatterv: { operation: 'scatterv', sent: 'root each', received: 'once' },
  allgather: { operation: 'allgather', sent: 'once', received: 'each' },
  allgatherv: { operation: 'allgatherv', sent: 'once', received: 'each' },
  alltoall: { operation: 'alltoall', sent: 'each', received: 'each' },
  alltoallv: { operation: 'alltoallv', sent: 'each', received: 'each' },
  alltoallw: { operation: 'alltoallw', sent: 'each', received: 'each' },
  reduce: { operation: 'reduce', sent: 'once', received: 'root' },
  allreduce: { operation: 'allreduce', sent: 'once', received: 'once' },
  scan: { operation: 'scan', sent: 'once', received: 'once' },
  exscan: { operation: 'exscan', sent: 'once', received: 'once' },
  reduce_scatter: { operation: 'reduce_scatter', sent: 'each', received: 'once' },
  reduce_scatter_block: { operation: 'reduce_scatter', sent: 'each', received: 'once' },
  comm_dup: { operation: 'create handle', sent: 'never', received: 'never' },
  comm_split: { operation: 'create handle', sent: 'never', received: 'never' },
  comm_split_type: { operation: 'create handle', sent: 'never', received: 'never' },
  comm_create: { operation: 'create handle', sent: 'never', received: 'never' },
  cart_create: { operation: 'create handle', sent: 'never', received: 'never' },
};

/** `MPI_Igather_c` is a gather. */
function collectiveOf(name: string): Collective | undefined {
  const plain = name.replace(/^MPI_/, '').replace(/_c$/, '');
  return COLLECTIVES[plain.toLowerCase()] ?? (plain.startsWith('I') ? COLLECTIVES[plain.slice(1)] : undefined);
}

const BY_OPERATION: ReadonlyMap<string, Collective> = new Map(
  Object.values(COLLECTIVES).map((collective) => [collective.operation, collective]),
);

/** What calls of the layer MPI say: functions that take time, and messages and collective operations in them. */
export class CaptureMessages {
  private readonly functions = new FunctionCallTable();
  readonly messages = new MessageTable();
  private readonly functionOf = new Map<string, number>();

  /**
   * @param communicator its index in the trace, or NONE.
   * @returns rows of messages whose end another event says.
   */
  add(event: Occurrence, communicator: number): number[] {
    const { called, given, start, end, stream } = event;
    const { name } = called;
    const row = this.functions.enter(start, stream, this.functionNamed(name));
    this.functions.duration.values[row] = end - start;
    if (given.code !== 0) return [];
    const rows: number[] = [];
    const collective = collectiveOf(name);
    if (collective !== undefined) {
      const { peer, messageBytes } = given;
      const at = { event, communicator, peer, tag: NONE, bytes: messageBytes };
      rows.push(this.addRow('collective', at, collective.operation));
    }
    const at = { event, communicator };
    if (given.peer >= 0 && collective === undefined)
      rows.push(this.addRow('send', { ...at, peer: given.peer, tag: given.tag, bytes: given.messageBytes }));
    if (given.otherPeer >= 0 || isAnySource(given))
      rows.push(
        this.addRow('receive', {
          ...at,
          peer: given.otherPeer,
          tag: given.otherTag,
          bytes: given.otherMessageBytes,
        }),
      );
    return given.request === 0 ? [] : rows;
  }

  /** A request is complete: its message was sent, or is here; then its status says more, where the program asked for one. */
  complete(row: number, end: number, { otherPeer, otherTag, otherMessageBytes }: CallArguments): void {
    const { messages } = this;
    messages.end.values[row] = Math.max(messages.start.at(row), end);
    if (messages.kind.at(row) !== MESSAGE_KIND.receive) return;
    messages.receivedBytes.values[row] = otherMessageBytes >= 0 ? otherMessageBytes : NaN;
    if (otherPeer >= 0) messages.peer.values[row] = otherPeer;
    if (otherTag >= 0) messages.tag.values[row] = otherTag;
  }

  /** Everything was read: ranks within communicators become streams. */
  resolve(communicators: readonly Communicator[], streams: readonly Stream[]): void {
    const { messages } = this;
    for (let row = 0; row < messages.length; row++)
      messages.peer.values[row] = memberOf(communicators, messages.communicator.at(row), messages.peer.at(row));
    const collectives = messages.operations.names.map((operation) => BY_OPERATION.get(operation));
    for (let row = 0; row < messages.length; row++) {
      const collective = collectives[messages.operation.at(row)];
      if (collective !== undefined) this.shareOut(row, collective, communicators, streams);
    }
  }

  /** Moves the times of hosts. */
  shift(clocks: HostClocks): void {
    const { functions, messages } = this;
    const shift = (values: Float64Array, row: number, stream: number): void => {
      values[row]! += clocks.of(stream, values[row]!);
    };
    for (let row = 0; row < functions.length; row++) shift(functions.start.values, row, functions.stream.at(row));
    for (let row = 0; row < messages.length; row++) {
      shift(messages.start.values, row, messages.stream.at(row));
      shift(messages.end.values, row, messages.stream.at(row));
    }
  }

  /** The tables, with times from the trace's origin; none where nothing was recorded. */
  tables(origin: number): { functions?: FunctionCallTable; messages?: MessageTable } {
    const { functions, messages } = this;
    if (functions.length === 0) return {};
    for (let row = 0; row < functions.length; row++) functions.start.values[row]! -= origin;
    for (let row = 0; row < messages.length; row++) {
      messages.start.values[row]! -= origin;
      messages.end.values[row]! -= origin;
    }
    return { functions, messages };
  }

  private shareOut(
    row: number,
    collective: Collective,
    communicators: readonly Communicator[],
    streams: readonly Stream[],
  ): void {
    const { messages } = this;
    const share = messages.sentBytes.at(row);
    const of = communicators[messages.communicator.at(row)];
    const root = streams[messages.peer.at(row)]?.rank;
    const isRoot = of?.isSelf === true || (root !== undefined && root === streams[messages.stream.at(row)]?.rank);
    const processes = of === undefined ? NaN : of.isSelf ? 1 : of.members.length;
    messages.sentBytes.values[row] = timesOf(collective.sent, isRoot, processes, share);
    messages.receivedBytes.values[row] = timesOf(collective.received, isRoot, processes, share);
  }

  private functionNamed(name: string): number {
    let index = this.functionOf.get(name);
    if (index === undefined) {
      const definition = { name, role: roleOfMpi(name), paradigm: 'MPI', sourceFile: '', sourceLine: 0 };
      index = this.functions.functions.push(definition) - 1;
      this.functionOf.set(name, index);
    }
    return index;
  }

  private addRow(kind: MessageKind, { event, communicator, peer, tag, bytes }: MessageEnd, operation = ''): number {
    const known = bytes >= 0 ? bytes : NaN;
    return this.messages.add({
      kind,
      stream: event.stream,
      start: event.start,
      // Of what only begins another event says when it is complete.
      end: (event.called.flags & EVENT_FLAGS.nonBlocking) === 0 ? event.end : NaN,
      // A rank within the communicator until all are known.
      peer: peer >= 0 ? peer : NONE,
      communicator,
      tag: tag >= 0 ? tag : NONE,
      // Of a collective operation the share of one process until the members of its communicator are known.
      sentBytes: kind === 'receive' ? 0 : known,
      receivedBytes: kind === 'receive' ? known : 0,
      operation,
    });
  }
}

interface MessageEnd {
  readonly event: Occurrence;
  readonly communicator: number;
  readonly peer: number;
  readonly tag: number;
  readonly bytes: number;
}

/** A call that has begun to receive from any process: which it was is not recorded. */
function isAnySource({ otherPeer, request }: CallArguments): boolean {
  return otherPeer === -1 && request !== 0;
}

function memberOf(communicators: readonly Communicator[], communicator: number, rank: number): StreamIndex {
  if (rank === NONE || communicator === NONE) return NONE;
  return communicators[communicator]?.members[rank] ?? NONE;
}

function timesOf(times: Times, isRoot: boolean, processes: number, share: number): number {
  switch (times) {
    case 'never':
      return 0;
    case 'once':
      return share;
    case 'each':
      return share * processes;
    case 'root':
      return isRoot ? share : 0;
    case 'others':
      return isRoot ? 0 : share;
    case 'root each':
      return isRoot ? share * processes : 0;
  }
}
