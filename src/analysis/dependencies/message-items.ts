import { addToGroup, getOrCreate } from '../../base/grouping.ts';
import type { Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';

/** What a stream does between its calls that orders them: it sends, receives, or comes to a collective operation. */
export interface MessageItem {
  readonly kind: 'send' | 'receive' | 'collective';
  readonly stream: StreamIndex;
  /** When it counts: a send from its beginning, the others from their end. Nanoseconds. */
  readonly time: number;
  /** The same object for a send and its receive, or for all streams of a collective operation. */
  readonly meeting: Meeting;
}

/** A message, or one collective operation of all its streams. */
export interface Meeting {
  readonly operation: string;
  readonly members: number[];
  /** The stream that all others wait for (a broadcast) or that waits for all (a gather); −1 for none. */
  root: number;
}

interface MessageItems {
  /** By stream, in its order. */
  readonly ofStream: ReadonlyMap<number, readonly MessageItem[]>;
  /** Messages that have no other end in the recording. */
  readonly unmatched: number;
}

const NO_ITEMS: MessageItems = { ofStream: new Map(), unmatched: 0 };

/** Matches sends and receives by communicator, both streams and tag, in order; collectives by communicator and order. */
export function messageItems(trace: Trace): MessageItems {
  const { messages } = trace;
  if (messages === undefined) return NO_ITEMS;
  const pending = new Map<string, Meeting[]>();
  const sent: (Meeting | undefined)[] = [];
  const collectives = new Map<string, Meeting>();
  const counted = new Map<string, number>();
  let unmatched = 0;
  const streams = trace.streams.length;
  // What a thread sends is for a process, whichever of its threads receives it.
  const processes = new Map<string, number>();
  const processOf = trace.streams.map(({ host, processId, part }) =>
    getOrCreate(processes, `${host} ${processId} ${trace.parts[part]?.run ?? ''}`, () => processes.size),
  );
  const isStream = (stream: StreamIndex): boolean => stream >= 0 && stream < streams;
  // All sends first: by damaged clocks a receive may stand before its send.
  for (let row = 0; row < messages.length; row++) {
    const { kind, stream, peer, communicator, tag } = messages.at(row);
    if (kind !== 'send' || !isStream(stream) || !isStream(peer) || stream === peer) continue;
    const meeting = { operation: '', members: [stream], root: stream };
    const key = `${communicator} ${processOf[stream]!} ${processOf[peer]!} ${tag}`;
    addToGroup(pending, key, meeting);
    sent[row] = meeting;
  }
  const taken = new Map<string, number>();
  const ofStream = new Map<number, MessageItem[]>();
  const add = (item: MessageItem): void => {
    addToGroup(ofStream, item.stream, item);
  };
  for (let row = 0; row < messages.length; row++) {
    const { kind, stream, peer, communicator, tag, start, end, operation } = messages.at(row);
    if (!isStream(stream)) continue;
    if (kind === 'send') {
      const meeting = sent[row];
      if (meeting !== undefined) add({ kind, stream, time: start, meeting });
    } else if (kind === 'receive') {
      // One that is never complete waits for nothing.
      const isOver = !Number.isNaN(end);
      const key = isStream(peer) && isOver ? `${communicator} ${processOf[peer]!} ${processOf[stream]!} ${tag}` : '';
      const place = taken.get(key) ?? 0;
      const meeting = pending.get(key)?.[place];
      if (meeting === undefined) {
        if (peer !== stream) unmatched++;
        continue;
      }
      taken.set(key, place + 1);
      meeting.members.push(stream);
      add({ kind, stream, time: end, meeting });
    } else {
      const member = `${communicator} ${processOf[stream]!}`;
      const number = counted.get(member) ?? 0;
      counted.set(member, number + 1);
      const key = `${communicator} ${number}`;
      const meeting = getOrCreate(collectives, key, () => ({ operation, members: [], root: peer }));
      if (meeting.operation !== operation) meeting.root = -1;
      meeting.members.push(stream);
      add({ kind, stream, time: Number.isNaN(end) ? start : end, meeting });
    }
  }
  for (const meeting of sent) if (meeting?.members.length === 1) unmatched++;
  return { ofStream, unmatched };
}

/** Streams that signal and that wait in a meeting: all, unless one gives to the others or takes from them. */
export function sidesOf({ operation, members, root }: Meeting): {
  signals: readonly number[];
  waits: readonly number[];
} {
  if (operation === '') return { signals: [members[0]!], waits: members.slice(1) };
  const others = members.filter((member) => member !== root);
  if (others.length === members.length) return { signals: members, waits: members };
  if (/^(MPI_)?I?(broadcast|bcast|scatterv?)$/i.test(operation)) return { signals: [root], waits: others };
  if (/^(MPI_)?I?(gatherv?|reduce)$/i.test(operation)) return { signals: others, waits: [root] };
  return { signals: members, waits: members };
}
