/** Messages and collective operations as the arguments of MPI calls tell them. */
import { NONE } from '../../trace/events.ts';
import { MessageTable, type Message } from '../../trace/messages.ts';
import type { Communicators } from './communicators.ts';
import { typeBytes } from './mpi-types.ts';

/** Where the arguments of one end of a message stand. */
interface End {
  readonly kind: 'send' | 'receive';
  /** Its count; the type, the other rank and the tag follow. */
  readonly count: number;
  readonly communicator: number;
}

/** What a rank puts in or gets out: where the count stands, the type behind it. */
interface Share {
  readonly count: number;
  /** The root alone has it, or all but the root. */
  readonly of?: 'root' | 'others';
  /** So much for each member. */
  readonly each?: true;
}

interface Collective {
  readonly operation: string;
  readonly communicator: number;
  readonly root?: number;
  readonly sent?: Share;
  readonly received?: Share;
}

const SEND: readonly End[] = [{ kind: 'send', count: 1, communicator: 5 }];
const RECEIVE: readonly End[] = [{ kind: 'receive', count: 1, communicator: 5 }];

const ENDS: Readonly<Record<string, readonly End[]>> = {
  MPI_Send: SEND,
  MPI_Ssend: SEND,
  MPI_Bsend: SEND,
  MPI_Rsend: SEND,
  MPI_Isend: SEND,
  MPI_Issend: SEND,
  MPI_Recv: RECEIVE,
  MPI_Irecv: RECEIVE,
  MPI_Sendrecv: [
    { kind: 'send', count: 1, communicator: 10 },
    { kind: 'receive', count: 6, communicator: 10 },
  ],
};

const BROADCAST: Collective = {
  operation: 'broadcast',
  communicator: 4,
  root: 3,
  sent: { count: 1, of: 'root' },
  received: { count: 1, of: 'others' },
};
const GATHER: Collective = {
  operation: 'gather',
  communicator: 7,
  root: 6,
  sent: { count: 1 },
  received: { count: 4, of: 'root', each: true },
};
const SCATTER: Collective = {
  operation: 'scatter',
  communicator: 7,
  root: 6,
  sent: { count: 1, of: 'root', each: true },
  received: { count: 4 },
};
const REDUCE: Collective = {
  operation: 'reduce',
  communicator: 6,
  root: 5,
  sent: { count: 2 },
  received: { count: 2, of: 'root' },
};
const ALL_TO_ALL: Collective = {
  operation: 'alltoall',
  communicator: 6,
  sent: { count: 1, each: true },
  received: { count: 4, each: true },
};

const COLLECTIVES: Readonly<Record<string, Collective>> = {
  MPI_Barrier: { operation: 'barrier', communicator: 0 },
  MPI_Ibarrier: { operation: 'barrier', communicator: 0 },
  MPI_Bcast: BROADCAST,
  MPI_Ibcast: BROADCAST,
  MPI_Gather: GATHER,
  MPI_Igather: GATHER,
  MPI_Gatherv: { operation: 'gatherv', communicator: 8, root: 7, sent: { count: 1 } },
  MPI_Scatter: SCATTER,
  MPI_Iscatter: SCATTER,
  MPI_Scatterv: { operation: 'scatterv', communicator: 8, root: 7, received: { count: 5 } },
  MPI_Allgather: { operation: 'allgather', communicator: 6, sent: { count: 1 }, received: { count: 4, each: true } },
  MPI_Allgatherv: { operation: 'allgatherv', communicator: 7, sent: { count: 1 } },
  MPI_Alltoall: ALL_TO_ALL,
  MPI_Ialltoall: ALL_TO_ALL,
  MPI_Reduce: REDUCE,
  MPI_Ireduce: REDUCE,
  MPI_Allreduce: { operation: 'allreduce', communicator: 5, sent: { count: 2 }, received: { count: 2 } },
  MPI_Reduce_scatter: { operation: 'reduce_scatter', communicator: 5 },
  MPI_Scan: { operation: 'scan', communicator: 5, sent: { count: 2 }, received: { count: 2 } },
};

/** Calls that make a communicator: where the old one, the new one, and the rank in that stand. */
const NEW_COMMUNICATORS: Readonly<Record<string, readonly [parent: number, made: number, rank: number]>> = {
  MPI_Comm_split: [0, 3, 4],
  MPI_Comm_create: [0, 2, 3],
  MPI_Comm_dup: [0, 1, 2],
  MPI_Comm_split_type: [0, 4, 5],
  MPI_Cart_create: [0, 5, 6],
  MPI_Cart_sub: [0, 2, 3],
};

/** They synchronise, at most. */
const MOVE_NOTHING: ReadonlySet<string> = new Set(['barrier', 'create handle']);

/** A call that a rank made, in nanoseconds. */
interface MpiCall {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly stream: number;
  readonly start: number;
  readonly end: number;
}

export class MpiMessages {
  readonly table = new MessageTable();
  /** Rows whose bytes are those of each member, by direction: how many there are is known in the end. */
  private readonly sentToEach: number[] = [];
  private readonly receivedFromEach: number[] = [];

  constructor(private readonly communicators: Communicators) {}

  /** Adds what a call says of messages, if it says anything. */
  add(call: MpiCall): void {
    const made = NEW_COMMUNICATORS[call.name];
    if (made !== undefined) {
      const [parent, name, rank] = made.map((at) => call.arguments[at] ?? '') as [string, string, string];
      this.communicators.join(name, parent, call.stream, rank === '' ? NaN : Number(rank));
      this.addCollective(call, { operation: 'create handle', communicator: made[0] });
    }
    for (const end of ENDS[call.name] ?? []) this.table.add(this.message(call, end));
    const collective = COLLECTIVES[call.name];
    if (collective !== undefined) this.addCollective(call, collective);
  }

  private message({ arguments: texts, stream, start, end }: MpiCall, at: End): Message {
    const bytes = Number(texts[at.count]) * typeBytes(texts[at.count + 1] ?? '');
    const isSend = at.kind === 'send';
    const [peer, tag] = isSend ? endOf(texts, at.count + 2) : receivedFrom(texts, at);
    return {
      kind: at.kind,
      stream,
      start,
      end,
      // The rank within the communicator; `finish` makes a stream of it.
      peer,
      communicator: this.communicators.intern(texts[at.communicator] ?? ''),
      tag,
      sentBytes: isSend ? bytes : 0,
      receivedBytes: isSend ? 0 : bytes,
      operation: '',
    };
  }

  private addCollective({ arguments: texts, stream, start, end }: MpiCall, at: Collective): void {
    const communicator = this.communicators.intern(texts[at.communicator] ?? '');
    const root = at.root === undefined ? NONE : wholeNumber(texts[at.root]);
    const isRoot = root !== NONE && this.isRank(communicator, root, stream);
    const bytesOf = (share: Share | undefined): number => {
      if (share === undefined) return MOVE_NOTHING.has(at.operation) ? 0 : NaN;
      if (share.of !== undefined && (share.of === 'root') !== isRoot) return 0;
      return Number(texts[share.count]) * typeBytes(texts[share.count + 1] ?? '');
    };
    const row = this.table.add({
      kind: 'collective',
      stream,
      start,
      end,
      peer: root,
      communicator,
      tag: NONE,
      sentBytes: bytesOf(at.sent),
      receivedBytes: bytesOf(at.received),
      operation: at.operation,
    });
    if (at.sent?.each === true) this.sentToEach.push(row);
    if (at.received?.each === true) this.receivedFromEach.push(row);
  }

  /** Whether a stream is the one of a rank; only of the communicator of all is that known while ranks are read. */
  private isRank(communicator: number, rank: number, stream: number): boolean {
    return this.communicators.member(communicator, rank) === stream;
  }

  /** Everything was read: ranks within communicators become streams. */
  finish(): MessageTable {
    const { table, communicators } = this;
    for (let row = 0; row < table.length; row++) {
      const rank = table.peer.at(row);
      if (rank !== NONE) table.peer.values[row] = communicators.member(table.communicator.at(row), rank);
    }
    for (const row of this.sentToEach) table.sentBytes.values[row]! *= communicators.size(table.communicator.at(row));
    for (const row of this.receivedFromEach) {
      table.receivedBytes.values[row]! *= communicators.size(table.communicator.at(row));
    }
    return table;
  }
}

/** The rank at the other end, and the tag behind it. */
function endOf(texts: readonly string[], at: number): [peer: number, tag: number] {
  return [wholeNumber(texts[at]), wholeNumber(texts[at + 1])];
}

/** Who may send anything is told by the status, where it was recorded: `[1 7]` or `[1_7]`. */
function receivedFrom(texts: readonly string[], at: End): [peer: number, tag: number] {
  const [peer, tag] = endOf(texts, at.count + 2);
  const status = /^\[(\d+)[ _](\d+)/.exec(texts[at.communicator + 1] ?? '');
  if (status === null) return [peer, tag];
  return [peer === NONE ? Number(status[1]) : peer, tag === NONE ? Number(status[2]) : tag];
}

/** NONE for anything that is no number from 0 on: any source, any tag, no process. */
function wholeNumber(text: string | undefined): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : NONE;
}
