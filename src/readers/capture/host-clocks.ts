import { getOrCreate } from '../../base/grouping.ts';
import { NONE } from '../../trace/events.ts';
import { MESSAGE_KIND, type MessageTable } from '../../trace/messages.ts';
import type { Stream } from '../../trace/trace.ts';

/**
 * What a message says of two clocks: nothing arrives before it was sent. In nanoseconds: what has to be added to the times of
 * `to` is at least `least` more than what has to be added to those of `from`.
 */
interface Bound {
  readonly time: number;
  /** Indices of hosts. */
  readonly from: number;
  readonly to: number;
  readonly least: number;
}

/** Stretches of the run in which clocks are compared: between their middles they are taken to drift evenly. */
const MOST_STRETCHES = 16;
const LEAST_BOUNDS = 64;
/** Of more messages every so many counts. */
const MOST_MESSAGES = 1 << 18;
const stepOf = (messages: MessageTable): number => Math.ceil(messages.length / MOST_MESSAGES);

/**
 * Collective operations in which something goes from all processes to all; from the root to all; from all to the root. Only
 * where each moves something: of nothing, as of lists whose lengths differ, processes need not wait for each other.
 */
const ALL_TO_ALL = new Set(['barrier', 'allgather', 'alltoall', 'allreduce']);
const FROM_ROOT = new Set(['broadcast', 'scatter']);
const TO_ROOT = new Set(['gather', 'reduce']);

/** What has to be added to the times of hosts so that no message arrives before it was sent. */
export class HostClocks {
  private constructor(
    readonly hosts: readonly string[],
    private readonly hostOf: Int32Array,
    /** Middles of the stretches. */
    private readonly times: readonly number[],
    /** By stretch and host. */
    private readonly offsets: readonly Float64Array[],
    /** Nanoseconds by which an offset may be wrong; Infinity where messages went one way only. */
    readonly uncertainty: number,
  ) {}

  /**
   * Compares the clocks of hosts by the messages between them (the dates of hosts differ by what their time servers leave):
   * both ways bound the difference, and its middle is taken, as NTP does (RFC 5905, section 8).
   * @param messages peers are streams, times on one axis by the hosts' dates.
   * @param twins communicators that cannot be told from others of the same processes: in which order they are used may differ.
   * @returns undefined where there is one host, or nothing goes between them.
   */
  static from(messages: MessageTable, streams: readonly Stream[], twins: ReadonlySet<number>): HostClocks | undefined {
    const hosts = [...new Set(streams.map(({ host }) => host))];
    if (hosts.length < 2 || messages.length === 0) return undefined;
    const hostOf = Int32Array.from(streams, ({ host }) => hosts.indexOf(host));
    const bounds = [
      ...boundsOfMessages(messages, streams, hostOf),
      ...boundsOfCollectives(messages, streams, hostOf, twins),
    ];
    if (bounds.length === 0) return undefined;
    bounds.sort((a, b) => a.time - b.time);
    const stretches = Math.max(1, Math.min(MOST_STRETCHES, Math.floor(bounds.length / (LEAST_BOUNDS * hosts.length))));
    const times: number[] = [];
    const offsets: Float64Array[] = [];
    let uncertainty = 0;
    for (let i = 0; i < stretches; i++) {
      const part = bounds.slice((i * bounds.length) / stretches, ((i + 1) * bounds.length) / stretches);
      const compared = compare(part, hosts.length, offsets.at(-1));
      times.push((part[0]!.time + part.at(-1)!.time) / 2);
      offsets.push(compared.offsets);
      uncertainty = Math.max(uncertainty, compared.uncertainty);
    }
    return new HostClocks(hosts, hostOf, times, offsets, uncertainty);
  }

  /** Nanoseconds to be added to a time of a stream. */
  of(stream: number, time: number): number {
    return this.at(this.hostOf[stream]!, time);
  }

  ofHost(host: string, time: number): number {
    const index = this.hosts.indexOf(host);
    return index < 0 ? 0 : this.at(index, time);
  }

  /** The largest of all, whichever its sign. */
  get most(): number {
    return this.offsets.reduce((most, each) => each.reduce((all, it) => Math.max(all, Math.abs(it)), most), 0);
  }

  private at(host: number, time: number): number {
    const { times, offsets } = this;
    const next = times.findIndex((middle) => middle > time);
    if (next === 0) return offsets[0]![host]!;
    if (next < 0) return offsets.at(-1)![host]!;
    const before = offsets[next - 1]![host]!;
    const share = (time - times[next - 1]!) / (times[next]! - times[next - 1]!);
    return before + (offsets[next]![host]! - before) * share;
  }
}

const processOf = ({ host, processId }: Stream): string => `${host} ${processId}`;

/** Sends and receives of the same communicator, processes and tag are in the same order on both sides (MPI 4.0, section 3.5). */
function* boundsOfMessages(messages: MessageTable, streams: readonly Stream[], hostOf: Int32Array): Generator<Bound> {
  const ways = new Map<string, { from: number; to: number; sent: number[]; received: number[] }>();
  for (let row = 0; row < messages.length; row++) {
    const kind = messages.kind.at(row);
    const [stream, peer] = [messages.stream.at(row), messages.peer.at(row)];
    if (kind === MESSAGE_KIND.collective || peer === NONE || hostOf[stream] === hostOf[peer]) continue;
    const [from, to] = kind === MESSAGE_KIND.send ? [stream, peer] : [peer, stream];
    const key = [
      messages.communicator.at(row),
      messages.tag.at(row),
      processOf(streams[from]!),
      processOf(streams[to]!),
    ];
    const way = getOrCreate(ways, key.join('\n'), () => ({ from, to, sent: [], received: [] }));
    if (kind === MESSAGE_KIND.send) way.sent.push(messages.start.at(row));
    else way.received.push(messages.end.at(row));
  }
  for (const { from, to, sent, received } of ways.values()) {
    // Where some were received from anybody, or lost, it is not known which belong together.
    if (sent.length !== received.length || received.some(Number.isNaN)) continue;
    // Communicators of the same processes may pass for one: the earliest that arrived was still sent no later than the earliest
    // that was sent, and so on.
    sent.sort((a, b) => a - b);
    received.sort((a, b) => a - b);
    for (let i = 0; i < sent.length; i += stepOf(messages))
      yield { time: received[i]!, from: hostOf[from]!, to: hostOf[to]!, least: sent[i]! - received[i]! };
  }
}

interface Part {
  readonly stream: number;
  readonly start: number;
  readonly end: number;
  readonly isRoot: boolean;
  /** It sends or receives something. */
  readonly moves: boolean;
}

/** Processes make the collective operations of a communicator in the same order (MPI 4.0, section 6.14). */
function* boundsOfCollectives(
  messages: MessageTable,
  streams: readonly Stream[],
  hostOf: Int32Array,
  twins: ReadonlySet<number>,
): Generator<Bound> {
  const orders = new Map<number, Map<string, number[]>>();
  for (let row = 0; row < messages.length; row++) {
    const communicator = messages.communicator.at(row);
    if (messages.kind.at(row) !== MESSAGE_KIND.collective || communicator === NONE || twins.has(communicator)) continue;
    const order = getOrCreate(orders, communicator, () => new Map<string, number[]>());
    getOrCreate(order, processOf(streams[messages.stream.at(row)]!), () => []).push(row);
  }
  for (const order of orders.values()) {
    const processes = [...order.values()];
    if (processes.length < 2) continue;
    for (let i = 0; processes.every((rows) => i < rows.length); i += stepOf(messages)) {
      const operation = messages.operation.at(processes[0]![i]!);
      // What was lost of one makes the others' order another.
      if (!processes.every((rows) => messages.operation.at(rows[i]!) === operation)) break;
      const parts = processes.map((rows) => partOf(messages, streams, rows[i]!));
      const operationName = messages.operations.at(operation);
      if (operationName !== 'barrier' && !parts.every(({ moves }) => moves)) continue;
      if (parts.some(({ end }) => Number.isNaN(end))) continue;
      yield* boundsBetween(parts, operationName, hostOf);
    }
  }
}

function partOf(messages: MessageTable, streams: readonly Stream[], row: number): Part {
  const [stream, root] = [messages.stream.at(row), messages.peer.at(row)];
  const isRoot = root !== NONE && processOf(streams[root]!) === processOf(streams[stream]!);
  const moves = messages.sentBytes.at(row) + messages.receivedBytes.at(row) > 0;
  return { stream, start: messages.start.at(row), end: messages.end.at(row), isRoot, moves };
}

function* boundsBetween(parts: readonly Part[], operation: string, hostOf: Int32Array): Generator<Bound> {
  const isAll = ALL_TO_ALL.has(operation);
  const sources = parts.filter(({ isRoot }) => isAll || TO_ROOT.has(operation) || (FROM_ROOT.has(operation) && isRoot));
  const sinks = parts.filter(({ isRoot }) => isAll || FROM_ROOT.has(operation) || (TO_ROOT.has(operation) && isRoot));
  const latest = new Map<number, number>();
  const earliest = new Map<number, number>();
  for (const { stream, start } of sources)
    latest.set(hostOf[stream]!, Math.max(latest.get(hostOf[stream]!) ?? -Infinity, start));
  for (const { stream, end } of sinks)
    earliest.set(hostOf[stream]!, Math.min(earliest.get(hostOf[stream]!) ?? Infinity, end));
  // Each host is compared with one of them only: a thousand have a million pairs.
  const reference = isAll ? Math.min(...latest.keys()) : undefined;
  for (const [from, start] of latest)
    for (const [to, end] of earliest)
      if (from !== to && (reference === undefined || from === reference || to === reference))
        yield { time: end, from, to, least: start - end };
}

/** How two hosts' clocks differ: `offset` is added to the second's times, if none is to the first's. */
interface Difference {
  readonly offset: number;
  readonly uncertainty: number;
}

/**
 * Offsets of all hosts to the first that is compared with any, along the surest differences.
 * @param before what is taken for hosts that nothing here compares.
 */
function compare(
  bounds: readonly Bound[],
  hosts: number,
  before: Float64Array | undefined,
): { offsets: Float64Array; uncertainty: number } {
  const least = new Map<number, number>();
  for (const { from, to, least: value } of bounds) {
    const key = from * hosts + to;
    least.set(key, Math.max(least.get(key) ?? -Infinity, value));
  }
  const neighbours = new Map<number, Map<number, Difference>>();
  for (const [key, lower] of least) {
    const [from, to] = [Math.floor(key / hosts), key % hosts];
    const upper = -(least.get(to * hosts + from) ?? -Infinity);
    const difference = differenceOf(lower, upper);
    getOrCreate(neighbours, from, () => new Map()).set(to, difference);
    if (upper === Infinity)
      getOrCreate(neighbours, to, () => new Map()).set(from, { ...difference, offset: -difference.offset });
  }
  const offsets = before?.slice() ?? new Float64Array(hosts);
  const isDone = new Uint8Array(hosts);
  // Of each host the surest way from those that are done (Prim's algorithm).
  const ways = new Map<number, { from: number; difference: Difference }>();
  let uncertainty = 0;
  const take = (host: number): void => {
    isDone[host] = 1;
    ways.delete(host);
    for (const [to, difference] of neighbours.get(host) ?? []) {
      const known = ways.get(to);
      if (isDone[to] === 0 && (known === undefined || difference.uncertainty < known.difference.uncertainty))
        ways.set(to, { from: host, difference });
    }
  };
  for (let root = 0; root < hosts; root++) {
    if (isDone[root] === 1 || !neighbours.has(root)) continue;
    take(root);
    while (ways.size > 0) {
      const [next, { from, difference }] = [...ways].reduce((least, way) =>
        way[1].difference.uncertainty < least[1].difference.uncertainty ? way : least,
      );
      offsets[next] = offsets[from]! + difference.offset;
      if (difference.offset !== 0) uncertainty = Math.max(uncertainty, difference.uncertainty);
      take(next);
    }
  }
  return { offsets, uncertainty };
}

/** How well the dates of hosts agree where a time server keeps them; nanoseconds. */
const DATES_AGREE = 100_000;

/**
 * Where messages went one way only the clocks are moved no farther than these make necessary; and not at all where messages
 * allow that the dates are right and tell no more than these.
 */
function differenceOf(lower: number, upper: number): Difference {
  if (upper === Infinity) return { offset: Math.max(0, lower), uncertainty: Infinity };
  const uncertainty = Math.abs(upper - lower) / 2;
  const mayAgree = lower <= 0 && upper >= 0 && uncertainty > DATES_AGREE;
  return { offset: mayAgree ? 0 : (lower + upper) / 2, uncertainty };
}
