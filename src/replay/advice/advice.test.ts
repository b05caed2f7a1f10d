import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { asRecorded, simulated, type Simulated } from '../../../test/support/replay/simulated.ts';
import { traceOfCalls, type TimedCall } from '../../../test/support/timed-calls.ts';
import { OPEN_MODE } from '../../trace/events.ts';
import type { RecordedReplay } from '../from-recording/recorded-replay.ts';
import { replayOfRecording } from '../from-recording/replay-of-recording.ts';
import type { ReplayOperation } from '../program.ts';
import { advised, type Advice } from './advice.ts';

/** A replay of one task, with places as the operations have them. */
function replayOf(...operations: ReplayOperation[]): RecordedReplay {
  const positions = new Map<number, number>();
  const steps = operations.map((operation, i) => {
    let place = NaN;
    if (operation.operation === 'open') positions.set(operation.slot, 0);
    if (operation.operation === 'seek') positions.set(operation.slot, Number(operation.offset));
    if (operation.operation === 'read' || operation.operation === 'write') {
      place = positions.get(operation.slot)!;
      positions.set(operation.slot, place + Number(operation.bytes));
    }
    if (operation.operation === 'pread' || operation.operation === 'pwrite') place = Number(operation.offset);
    return { operation, startNs: i, place };
  });
  const inputs = [{ path: 'in', bytes: 1_000_000 }];
  return { tasks: [{ stream: 0, steps }], inputs, synchronisations: { found: 0, kept: 0 }, notes: [] };
}

/** `write 0+640`, `pread 100+10`: operation, place, bytes. */
function requests(replay: RecordedReplay): string[] {
  return replay.tasks[0]!.steps.map(({ operation, place }) =>
    'bytes' in operation
      ? `${operation.operation} ${operation.slot}: ${place}+${operation.bytes}`
      : operation.operation,
  );
}

const open = (slot: number, path: string, mode = 2 | OPEN_MODE.create): ReplayOperation => ({
  operation: 'open',
  slot,
  path,
  mode,
});
const times = (count: number, make: (i: number) => ReplayOperation): ReplayOperation[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('coalesce', () => {
  test('what goes on where the last ended is joined, up to the size; reads early, writes late', () => {
    const copy = times(8, (i) =>
      i % 2 === 0 ? { operation: 'read', slot: 0, bytes: 100 } : { operation: 'write', slot: 1, bytes: 100 },
    );
    const replay = replayOf(open(0, 'in', 0), open(1, 'out'), ...copy, { operation: 'close', slot: 1 });
    expect(requests(advised(replay, { coalesce: 200 }))).toEqual([
      'open',
      'open',
      'read 0: 0+200',
      'read 0: 200+200',
      'write 1: 0+200',
      'write 1: 200+200',
      'close',
    ]);
  });

  test('not past a synchronisation, a sync, a seek, a hole, another direction, nor another use of the file', () => {
    const write = (offset: number, slot = 0): ReplayOperation => ({ operation: 'pwrite', slot, bytes: 10, offset });
    const replay = replayOf(
      open(0, 'a'),
      open(1, 'a'),
      write(0),
      write(10),
      { operation: 'send_sync', peer: 1 },
      write(20),
      { operation: 'sync', slot: 0, dataOnly: false },
      write(30),
      write(50),
      { operation: 'sleep', seconds: 1 },
      write(60),
      write(70, 1),
      write(80),
      { operation: 'pread', slot: 0, bytes: 10, offset: 0 },
      { operation: 'stat', path: 'a' },
      write(90),
      { operation: 'unlink', path: 'a' },
    );
    expect(requests(advised(replay, { coalesce: 1 << 20 }))).toEqual([
      'open',
      'open',
      'pwrite 0: 0+20',
      'send_sync',
      'pwrite 0: 20+10',
      'sync',
      'pwrite 0: 30+10',
      'sleep',
      'pwrite 0: 50+20',
      'pwrite 1: 70+10',
      'pwrite 0: 80+10',
      'pread 0: 0+10',
      'stat',
      'pwrite 0: 90+10',
      'unlink',
    ]);
  });
});

describe('align', () => {
  test('writes are cut at boundaries, and what is over at both ends stays partial', () => {
    const replay = replayOf(
      open(0, 'a'),
      { operation: 'seek', slot: 0, offset: 640, whence: 0 },
      ...times(20, () => ({ operation: 'write', slot: 0, bytes: 640 })),
    );
    expect(requests(advised(replay, { align: 4096 }))).toEqual([
      'open',
      'seek',
      'write 0: 640+3456',
      'write 0: 4096+4096',
      'write 0: 8192+4096',
      'write 0: 12288+1152',
    ]);
  });

  test('reads fetch up to the boundary where their first byte is needed, and no byte more than was read', () => {
    const replay = replayOf(
      open(0, 'in', 0),
      ...times(10, (i) => ({ operation: 'pread', slot: 0, bytes: 1000, offset: 500 + 1000 * i })),
    );
    expect(requests(advised(replay, { align: 4096 }))).toEqual([
      'open',
      'pread 0: 500+3596',
      'pread 0: 4096+4096',
      'pread 0: 8192+2308',
    ]);
  });

  test('joined requests begin and end at boundaries', () => {
    const replay = replayOf(
      open(0, 'a'),
      ...times(5, (i) => ({ operation: 'pwrite', slot: 0, bytes: 10_000, offset: 100 + 10_000 * i })),
    );
    expect(requests(advised(replay, { coalesce: 20_000, align: 4096 }))).toEqual([
      'open',
      'pwrite 0: 100+3996',
      'pwrite 0: 4096+12288',
      'pwrite 0: 16384+20480',
      'pwrite 0: 36864+12288',
      'pwrite 0: 49152+948',
    ]);
  });
});

test('a file that is opened again and again is opened once; one that is removed meanwhile is not', () => {
  const rounds = times(3, () => open(0, 'a')).flatMap((opening, i): ReplayOperation[] => [
    opening,
    { operation: 'pwrite', slot: 0, bytes: 10, offset: 10 * i },
    { operation: 'close', slot: 0 },
    open(0, 'b'),
    { operation: 'write', slot: 0, bytes: 5 },
    { operation: 'close', slot: 0 },
    { operation: 'unlink', path: 'b' },
  ]);
  const replay = replayOf(...rounds);
  const kept = advised(replay, { openOnce: true });
  expect(
    kept.tasks[0]!.steps.map(({ operation }) =>
      'slot' in operation ? `${operation.operation} ${operation.slot}` : operation.operation,
    ),
  ).toEqual([
    'open 0',
    'pwrite 0',
    ...['open 1', 'write 1', 'close 1', 'unlink'],
    ...['seek 0', 'pwrite 0', 'open 1', 'write 1', 'close 1', 'unlink'],
    ...['seek 0', 'pwrite 0', 'close 0', 'open 0', 'write 0', 'close 0', 'unlink'],
  ]);
});

test('without synchronisation with the storage there are fewer calls, and the same bytes', () => {
  const replay = replayOf(
    open(0, 'a'),
    { operation: 'write', slot: 0, bytes: 9 },
    { operation: 'sync', slot: 0, dataOnly: true },
  );
  expect(requests(advised(replay, { dropSync: true }))).toEqual(['open', 'write 0: 0+9']);
});

const EVERY: readonly Advice[] = [
  {},
  { coalesce: 50 },
  { align: 16 },
  { coalesce: 100, align: 32 },
  { openOnce: true },
  { dropSync: true, openOnce: true, coalesce: 64, align: 8 },
];

/** Calls of some processes on a few files, one at a time, as a program that works would make them. */
function randomCalls(below: (bound: number) => number): TimedCall[] {
  const calls: TimedCall[] = [];
  const size = [0, 0, 0];
  const open = new Map<string, { position: number }>();
  let at = 0;
  const add = (pid: number, call: string): void => {
    calls.push([pid, (at += 20), 10, call]);
  };
  for (let i = 0; i < 150; i++) {
    const pid = 7 + below(4);
    const file = below(3);
    const fd = `${3 + file}</w/f${file}>`;
    const key = `${pid} ${file}`;
    const state = open.get(key);
    if (state === undefined) {
      add(pid, `openat(AT_FDCWD</w>, "f${file}", O_RDWR|O_CREAT, 0644) = ${fd}`);
      open.set(key, { position: 0 });
      continue;
    }
    for (let again = 1 + below(4); again > 0; again--) {
      const bytes = 1 + below(30);
      const offset = below(2) === 0 ? state.position : below(80);
      const kind = below(12);
      if (kind < 4) {
        add(pid, `write(${fd}, "x"..., ${bytes}) = ${bytes}`);
        state.position += bytes;
        size[file] = Math.max(size[file]!, state.position);
      } else if (kind < 6) {
        add(pid, `pwrite64(${fd}, "x"..., ${bytes}, ${offset}) = ${bytes}`);
        size[file] = Math.max(size[file]!, offset + bytes);
      } else if (kind < 8) {
        const got = Math.max(0, Math.min(bytes, size[file]! - state.position));
        add(pid, `read(${fd}, "x"..., ${bytes}) = ${got}`);
        state.position += got;
      } else if (kind < 10) {
        const got = Math.max(0, Math.min(bytes, size[file]! - offset));
        add(pid, `pread64(${fd}, "x"..., ${bytes}, ${offset}) = ${got}`);
      } else if (kind === 10) add(pid, `fsync(${fd}) = 0`);
      else {
        add(pid, `close(${fd}) = 0`);
        open.delete(key);
        break;
      }
    }
  }
  return calls;
}

test('files hold the same and reads see the same: as recorded, in any order that the tokens allow, with any advice', async () => {
  const below = randomNumbers(17);
  for (let round = 0; round < 25; round++) {
    const trace = await traceOfCalls(randomCalls(below));
    const ignored = new Uint8Array(trace.files.length);
    const replay = replayOfRecording(trace, { calls: 'requests', thinkTime: 0, ignored });
    const expected = asRecorded(replay);
    const essence = ({ files, reads }: Simulated): unknown => ({ files: Object.fromEntries(files), reads });
    for (const advice of EVERY)
      for (let again = 0; again < 3; again++) {
        const result = simulated(advised(replay, advice), below);
        expect(essence(result)).toEqual(essence(expected));
        expect(result.requests).toBeLessThanOrEqual(advice.align === undefined ? expected.requests : Infinity);
      }
  }
});
