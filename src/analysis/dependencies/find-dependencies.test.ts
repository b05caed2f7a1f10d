import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { traceOfCalls, type TimedCall } from '../../../test/support/timed-calls.ts';
import { NONE } from '../../trace/events.ts';
import { MessageTable, type Message } from '../../trace/messages.ts';
import type { Trace } from '../../trace/trace.ts';
import { FILE_EFFECT } from './file-effects.ts';
import { findDependencies, type Dependencies } from './find-dependencies.ts';

const all = (): boolean => true;

/** `cause: 1 after 3 -> 2 before 0` for each synchronisation. */
function told({ synchronisations }: Dependencies): string[] {
  return synchronisations.map(({ cause, operation, signals, waits }) => {
    if (signals.length > 1) return `${operation} ${signals.map(({ stream, calls }) => `${stream}:${calls}`).join(' ')}`;
    return `${cause} ${signals[0]!.stream}:${signals[0]!.calls} -> ${waits[0]!.stream}:${waits[0]!.calls}`;
  });
}

const MESSAGE: Message = {
  kind: 'collective',
  stream: 0,
  start: 0,
  end: 0,
  peer: NONE,
  communicator: 0,
  tag: NONE,
  sentBytes: 0,
  receivedBytes: 0,
  operation: '',
};

function withMessages(trace: Trace, made: readonly Partial<Message>[]): Trace {
  const messages = new MessageTable();
  for (const message of made) messages.add({ ...MESSAGE, ...message });
  return { ...trace, messages };
}

const US = 1000;
const barrier = (at: number, ...streams: number[]): Partial<Message>[] =>
  streams.map((stream) => ({ stream, start: at * US, end: (at + 1) * US, operation: 'barrier' }));

/** Two processes that write files of their own at 0, 100, 200, … µs. */
function writers(pids: readonly number[], times: readonly number[]): Promise<Trace> {
  return traceOfCalls(
    times.flatMap((at, i) =>
      pids.map((pid): TimedCall => [pid, at, 10, `pwrite64(3</w/own.${pid}>, "x"..., 10, ${i * 10}) = 10`]),
    ),
  );
}

describe('messages', () => {
  test('a barrier stands between the calls before and behind it, and of two without calls between them one is left', async () => {
    const trace = withMessages(await writers([7, 8], [0, 100, 200]), [
      ...barrier(50, 0, 1),
      ...barrier(60, 0, 1),
      ...barrier(150, 0, 1),
      ...barrier(160, 0, 1),
    ]);
    const dependencies = findDependencies(trace, all);
    expect(told(dependencies)).toEqual(['barrier 0:1 1:1', 'barrier 0:2 1:2']);
    expect(dependencies.found).toBe(4);
  });

  test('what stands before all calls, or behind all, orders nothing', async () => {
    const trace = withMessages(await writers([7, 8], [100]), [...barrier(0, 0, 1), ...barrier(200, 0, 1)]);
    expect(told(findDependencies(trace, all))).toEqual([]);
  });

  test('sends and receives are matched by tag and order; what orders no calls passes through who makes none', async () => {
    const send = (stream: number, peer: number, at: number, tag = 1): Partial<Message> => ({
      kind: 'send',
      stream,
      peer,
      start: at * US,
      end: at * US + 1,
      tag,
    });
    const receive = (stream: number, peer: number, at: number, tag = 1): Partial<Message> => ({
      kind: 'receive',
      stream,
      peer,
      start: at * US - 1,
      end: at * US,
      tag,
    });
    const calls = await traceOfCalls([
      [7, 0, 10, 'pwrite64(3</w/a>, "x"..., 10, 0) = 10'],
      [8, 5, 1, 'getpid() = 8'],
      [9, 300, 10, 'pwrite64(3</w/b>, "x"..., 10, 0) = 10'],
      [9, 400, 10, 'pwrite64(3</w/b>, "x"..., 10, 10) = 10'],
    ]);
    const trace = withMessages(calls, [
      send(0, 1, 20, 5),
      send(0, 1, 30, 6),
      receive(1, 0, 40, 6),
      receive(1, 0, 50, 5),
      send(1, 2, 60),
      receive(2, 1, 70),
      receive(2, 1, 350),
      send(2, 0, 500),
    ]);
    const dependencies = findDependencies(trace, all);
    expect(told(dependencies)).toEqual(['message 0:1 -> 1:0', 'message 1:0 -> 2:0']);
    expect(dependencies.notes).toEqual(['2 recorded messages have no other end: they order nothing']);
  });

  test('a broadcast makes all wait for its root, a gather the root for all', async () => {
    const rooted = (operation: string, at: number): Partial<Message>[] =>
      barrier(at, 0, 1, 2).map((message) => ({ ...message, operation, peer: 1 }));
    const trace = withMessages(await writers([7, 8, 9], [0, 100, 200]), [
      ...rooted('broadcast', 50),
      ...rooted('gather', 150),
    ]);
    expect(told(findDependencies(trace, all))).toEqual([
      'collective 1:1 -> 0:1',
      'collective 1:1 -> 2:1',
      'collective 0:2 -> 1:2',
      'collective 2:2 -> 1:2',
    ]);
  });

  test('what cannot have happened is given up, with a word, and the rest is kept', async () => {
    const wait = (stream: number, peer: number, sends: number, receives: number): Partial<Message>[] => [
      { kind: 'receive', stream, peer, tag: 1, start: receives * US, end: receives * US },
      { kind: 'send', stream, peer, tag: 1, start: sends * US, end: sends * US },
    ];
    // Each receives before it sends: a circle.
    const trace = withMessages(await writers([7, 8], [0, 100]), [...wait(0, 1, 60, 50), ...wait(1, 0, 65, 55)]);
    const dependencies = findDependencies(trace, all);
    expect(dependencies.order).toHaveLength(4);
    expect(told(dependencies)).toEqual(['message 0:1 -> 1:1']);
    expect(dependencies.notes).toEqual(['1 recorded synchronisations contradict each other and were left out']);
  });
});

describe('files that are handed over', () => {
  test('a chain of readers waits for the writer before it, once', async () => {
    const hand = (pid: number, at: number): TimedCall[] => [
      ...(pid === 7
        ? []
        : ([
            [pid, at, 5, `openat(AT_FDCWD</w>, "s${pid - 1}", O_RDONLY) = 3</w/s${pid - 1}>`],
            [pid, at + 10, 5, `read(3</w/s${pid - 1}>, "x"..., 100) = 100`],
            [pid, at + 20, 5, `read(3</w/s${pid - 1}>, "x"..., 100) = 100`],
          ] as const)),
      [pid, at + 30, 5, `openat(AT_FDCWD</w>, "s${pid}", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 4</w/s${pid}>`],
      [pid, at + 40, 5, `write(4</w/s${pid}>, "x"..., 200) = 200`],
      [pid, at + 50, 5, `close(4</w/s${pid}>) = 0`],
    ];
    const dependencies = findDependencies(
      await traceOfCalls([7, 8, 9, 10].flatMap((pid, i) => hand(pid, i * 100))),
      all,
    );
    expect(told(dependencies)).toEqual(['file 0:3 -> 1:0', 'file 1:6 -> 2:0', 'file 2:6 -> 3:0']);
    expect(dependencies.needed).toEqual([]);
  });

  test('own parts of a shared file depend on nothing; who overwrites waits for writer and reader', async () => {
    const trace = await traceOfCalls([
      [7, 0, 5, 'pwrite64(3</w/s>, "x"..., 100, 0) = 100'],
      [8, 10, 5, 'pwrite64(3</w/s>, "x"..., 100, 100) = 100'],
      [7, 20, 5, 'pread64(3</w/s>, "x"..., 100, 0) = 100'],
      [8, 30, 5, 'pread64(3</w/s>, "x"..., 100, 100) = 100'],
      [8, 40, 5, 'pwrite64(3</w/s>, "x"..., 50, 80) = 50'],
    ]);
    // The second waits once for the first, which made the file (its opening was not recorded).
    expect(told(findDependencies(trace, all))).toEqual(['file 0:1 -> 1:0', 'file 0:2 -> 1:2']);
  });

  test('calls that were under way together depend on nothing', async () => {
    const trace = await traceOfCalls([
      [7, 0, 50, 'pwrite64(3</w/s>, "x"..., 100, 0) = 100'],
      [8, 10, 5, 'pwrite64(3</w/s>, "x"..., 100, 0) = 100'],
    ]);
    expect(told(findDependencies(trace, all))).toEqual([]);
  });

  test('names: folder before file, writer before rename before open, readers before unlink', async () => {
    const trace = await traceOfCalls([
      [7, 0, 5, 'mkdir("/w/d", 0755) = 0'],
      [8, 10, 5, 'openat(AT_FDCWD</w>, "d/t", O_WRONLY|O_CREAT|O_EXCL, 0644) = 3</w/d/t>'],
      [8, 20, 5, 'write(3</w/d/t>, "x"..., 10) = 10'],
      [8, 30, 5, 'close(3</w/d/t>) = 0'],
      [7, 40, 5, 'rename("/w/d/t", "/w/d/f") = 0'],
      [9, 50, 5, 'openat(AT_FDCWD</w>, "d/f", O_RDONLY) = 3</w/d/f>'],
      [9, 60, 5, 'read(3</w/d/f>, "x"..., 10) = 10'],
      [8, 70, 5, 'unlink("/w/d/f") = 0'],
    ]);
    expect(told(findDependencies(trace, all))).toEqual([
      'file 0:1 -> 1:0',
      'file 1:3 -> 0:1',
      'file 0:2 -> 2:0',
      'file 2:2 -> 1:3',
    ]);
  });

  test('appends keep their order, also where their place is not known', async () => {
    const open = (pid: number, at: number): TimedCall => [
      pid,
      at,
      5,
      'openat(AT_FDCWD</w>, "log", O_WRONLY|O_CREAT|O_APPEND, 0644) = 3</w/log>',
    ];
    const append = (pid: number, at: number): TimedCall => [pid, at, 5, 'write(3</w/log>, "x"..., 10) = 10'];
    const trace = await traceOfCalls([open(7, 0), open(8, 10), append(7, 20), append(8, 30), append(7, 40)]);
    const dependencies = findDependencies(trace, all);
    expect(told(dependencies)).toEqual(['file 0:1 -> 1:0', 'file 0:2 -> 1:1', 'file 1:2 -> 0:2']);
    const { events, order } = dependencies;
    const places = Array.from(order)
      .filter((k) => events.effect[k] === FILE_EFFECT.write)
      .map((k) => events.offset[k]);
    expect(places).toEqual([0, 10, 20]);
  });

  test('what was read without having been written is needed, as far as it was read', async () => {
    const trace = await traceOfCalls([
      [7, 0, 5, 'openat(AT_FDCWD</w>, "in", O_RDONLY) = 3</w/in>'],
      [7, 10, 5, 'pread64(3</w/in>, "x"..., 100, 900) = 100'],
      [7, 20, 5, 'openat(AT_FDCWD</w>, "both", O_RDWR|O_CREAT, 0644) = 4</w/both>'],
      [7, 30, 5, 'pwrite64(4</w/both>, "x"..., 100, 100) = 100'],
      [7, 40, 5, 'pread64(4</w/both>, "x"..., 100, 50) = 100'],
      [7, 50, 5, 'openat(AT_FDCWD</w>, "new", O_RDWR|O_CREAT|O_TRUNC, 0644) = 5</w/new>'],
      [7, 60, 5, 'pwrite64(5</w/new>, "x"..., 10, 100) = 10'],
      [7, 70, 5, 'pread64(5</w/new>, "x"..., 110, 0) = 110'],
      [7, 80, 5, 'openat(AT_FDCWD</w>, "empty", O_RDONLY) = 6</w/empty>'],
    ]);
    const { needed } = findDependencies(trace, all);
    expect(needed.map(({ file, bytes }) => [trace.files.at(file).path, bytes])).toEqual([
      ['/w/in', 1000],
      ['/w/both', 100],
      ['/w/empty', 0],
    ]);
  });
});

/** Calls that must not change places: both on one file, at least one changes what the other sees. */
function conflicts({ events }: Dependencies, a: number, b: number): boolean {
  if (events.file[a] !== events.file[b] || events.stream[a] === events.stream[b]) return false;
  if (events.end[a]! > events.start[b]!) return false;
  const writes = events.effect[a] === FILE_EFFECT.write || events.effect[b] === FILE_EFFECT.write;
  const overlap =
    events.offset[a]! < events.offset[b]! + events.bytes[b]! &&
    events.offset[b]! < events.offset[a]! + events.bytes[a]!;
  return writes && overlap;
}

test('any calls at any times: every conflict is ordered, and nothing goes round in a circle', async () => {
  const below = randomNumbers(5);
  for (let round = 0; round < 30; round++) {
    const calls: TimedCall[] = [];
    const free = [0, 0, 0, 0];
    for (let i = 0; i < 60; i++) {
      const stream = below(4);
      const at = free[stream]! + 1 + below(20);
      const duration = 1 + below(15);
      free[stream] = at + duration;
      const name = below(3) === 0 ? 'pread64' : 'pwrite64';
      const bytes = 1 + below(30);
      calls.push([stream + 7, at, duration, `${name}(3</w/${below(2)}>, "x"..., ${bytes}, ${below(60)}) = ${bytes}`]);
    }
    const plain = await traceOfCalls(calls);
    const barriers = Array.from({ length: 6 }, () => ({ at: below(300), communicator: below(2) }));
    barriers.sort((one, other) => one.at - other.at);
    const made = barriers.flatMap(({ at, communicator }) =>
      barrier(at, 0, 1, 2, 3).map((message) => ({ ...message, communicator })),
    );
    const trace = withMessages(plain, made);
    for (const of of [plain, trace]) {
      const dependencies = findDependencies(of, all);
      const { events, order } = dependencies;
      expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from(order, (_, i) => i));
      const known = knownBefore(dependencies);
      for (const a of order)
        for (const b of order)
          if (conflicts(dependencies, a, b))
            expect(known[b]![events.stream[a]!]).toBeGreaterThan(a - events.first[events.stream[a]!]!);
    }
  }
});

/** How many calls of each stream are certain to be over before each call, by nothing but the synchronisations. */
function knownBefore({ events, synchronisations }: Dependencies): number[][] {
  const streams = events.first.length - 1;
  const nothing = (): number[] => new Array<number>(streams).fill(0);
  const known = Array.from({ length: events.length }, nothing);
  const now = Array.from({ length: streams }, nothing);
  const made = nothing();
  const learn = (to: number[], from: readonly number[]): void =>
    from.forEach((value, i) => (to[i] = Math.max(to[i]!, value)));
  /** What is known where a stream has made so many calls. */
  const goTo = (stream: number, calls: number): void => {
    for (; made[stream]! < calls; made[stream]!++) {
      now[stream]![stream] = made[stream]!;
      known[events.first[stream]! + made[stream]!] = now[stream]!.slice();
    }
  };
  for (const { signals, waits } of synchronisations) {
    const told = nothing();
    for (const { stream, calls } of signals) {
      const before = made[stream]! > calls ? known[events.first[stream]! + calls]! : now[stream]!;
      learn(told, before);
      told[stream] = Math.max(told[stream]!, calls);
    }
    for (const { stream, calls } of waits) {
      goTo(stream, calls);
      learn(now[stream]!, told);
    }
  }
  for (let stream = 0; stream < streams; stream++) goTo(stream, events.count(stream));
  return known;
}
