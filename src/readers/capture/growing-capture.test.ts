import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CaptureFile, MONOTONIC, RecordBytes, WALL } from '../../../test/support/recorder/capture-writer.ts';
import { GrowingBytes } from '../../../test/support/growing-bytes.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { expectSound } from '../../../test/support/sound-trace.ts';
import { contentOf } from '../../../test/support/trace-content.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { readCapture } from './capture-reader.ts';
import { GrowingCapture } from './growing-capture.ts';
import { rounds } from '../../../test/support/rounds.ts';

/** Reads a file that grows to each of the lengths in turn, and then to its end. `look` sees the reader behind each step. */
async function readInPieces(
  bytes: Uint8Array,
  lengths: readonly number[],
  look: (reader: GrowingCapture) => void = () => undefined,
): Promise<GrowingCapture> {
  const file = new GrowingBytes('p.iorec', bytes);
  const reader = new GrowingCapture();
  reader.add([file]);
  for (const length of [...lengths, bytes.length]) {
    file.grow(length);
    await reader.read();
    look(reader);
  }
  return reader;
}

const wholly = (bytes: Uint8Array): Promise<Trace> => readCapture([memoryFile('p.iorec', bytes)]);

/** Reads on until nothing waits for other threads any more. */
async function settled(reader: GrowingCapture): Promise<Trace> {
  for (let look = 0; look < 5; look++) await reader.read();
  const trace = reader.snapshot();
  expectSound(trace);
  return trace;
}

/** One thread: calls within calls, a stack, a duplicate, a transfer that is begun and complete later; eight chunks. */
function nested(pid = 100): Uint8Array {
  const file = new CaptureFile({ pid });
  const node = file.node(file.node(0, file.module('/bin/app'), 0x1200), 1, 0x1400);
  file.call('POSIX', 'open', 'plr', ['data', 0o1102, 3], [0, 5]);
  for (let chunk = 0; chunk < 8; chunk++) {
    const at = (chunk + 1) * 1000;
    file.call('POSIX', 'open', 'plr', [`part-${chunk}`, 0, 4], [at + 10, at + 20], { stack: node });
    file.call('POSIX', 'read', 'fnr', [4, 64, 64], [at + 30, at + 40]);
    file.call('HDF5', 'H5Fopen', 'plr', [`part-${chunk}`, 0, 77 + chunk], [at, at + 50], { stack: node });
    file.call('POSIX', 'write', 'fnr', [3, 8, 8], [at + 60, at + 70]);
    file.call('MPI-IO', 'MPI_File_iwrite_at', 'honqx', [9, 0, 100, chunk + 1, 0], [at + 80, at + 90]);
    if (chunk > 0) file.call('recorder', 'complete', 'qb', [chunk, 100], [at + 95, at + 95]);
    file.flush();
  }
  return file.bytes();
}

describe('a file of one thread', () => {
  test('cut anywhere gives what reading it whole gives', async () => {
    const bytes = nested();
    const whole = { ...contentOf(await wholly(bytes)), damage: [] };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const ordered = cuts.sort((a, b) => a - b);
        const reader = await readInPieces(bytes, ordered);
        expect(contentOf(reader.snapshot())).toEqual(whole);
      }),
      { numRuns: rounds(60) },
    );
  });

  test('cut at each place in turn, it is at its end the same', async () => {
    const bytes = nested();
    const whole = contentOf(await wholly(bytes));
    for (let at = 0; at <= bytes.length; at += 3) {
      const trace = await (await readInPieces(bytes, [at])).finish();
      expect(contentOf(trace), `cut at ${at}`).toEqual(whole);
    }
  });

  test('gives snapshots that stay as they are, without damage', async () => {
    const bytes = nested();
    const snapshots: { trace: Trace; before: object }[] = [];
    const cuts = [0.4, 0.6, 0.8].map((share) => Math.floor(share * bytes.length));
    await readInPieces(bytes, cuts, (reader) => {
      const trace = reader.snapshot();
      expectSound(trace);
      expect(trace.damage).toEqual([]);
      snapshots.push({ trace, before: contentOf(trace) });
    });
    const lengths = snapshots.map(({ trace }) => trace.events.length);
    expect(lengths[0]).toBeGreaterThan(0);
    expect(new Set(lengths).size).toBe(4);
    for (const { trace, before } of snapshots) expect(contentOf(trace)).toEqual(before);
  });

  test('is not read again but for what was half of a chunk', async () => {
    const bytes = nested();
    const file = new GrowingBytes('p.iorec', bytes);
    const reader = new GrowingCapture();
    reader.add([file]);
    file.grow(bytes.length - 10);
    await reader.read();
    const read = file.handedOut;
    file.grow(bytes.length);
    await reader.read();
    expect(file.handedOut - read).toBeLessThan(500);
    await reader.read();
    expect(file.handedOut - read).toBeLessThan(500);
  });

  test('that is damaged is read on behind the damage, which is told once', async () => {
    const bytes = nested();
    bytes[900]! ^= 1;
    const whole = contentOf(await wholly(bytes));
    const reader = await readInPieces(bytes, [800, 950, 1000, 2000]);
    const now = reader.snapshot();
    expect(now.damage).toMatchObject([{ what: expect.stringMatching(/^no sound chunk is there/) as string }]);
    expect(now.damage.length).toBe(1);
    expect(contentOf(await reader.finish())).toEqual({ ...whole });
  });

  test('says in the end that transfers are not complete', async () => {
    const reader = await readInPieces(nested(), [500]);
    expect(reader.snapshot().damage).toEqual([]);
    expect((await reader.finish()).damage).toMatchObject([
      { what: '1 transfers are begun and not seen to be complete' },
    ]);
  });

  test('is given up when the user cancels, and can be read on', async () => {
    const bytes = nested();
    const file = new GrowingBytes('p.iorec', bytes);
    const reader = new GrowingCapture();
    reader.add([file]);
    file.grow(bytes.length);
    let looks = 0;
    const signal = { throwIfAborted: () => looks++ > 3 && expect.fail('cancelled') } as unknown as AbortSignal;
    await expect(reader.read({ signal })).rejects.toThrow('cancelled');
    await reader.read();
    expect(contentOf(await reader.finish())).toEqual(contentOf(await wholly(bytes)));
  });

  test('learns its rank from MPI after its first calls', async () => {
    const file = new CaptureFile().call('POSIX', 'sync', '', [], [0, 1]).flush();
    const first = file.bytes().length;
    const bytes = file.world(3, 4).call('POSIX', 'sync', '', [], [2, 3]).bytes();
    const ranks: unknown[] = [];
    await readInPieces(bytes, [first], (reader) => ranks.push(reader.snapshot().streams.map(({ rank }) => rank)));
    expect(ranks).toEqual([[undefined], [3]]);
  });
});

const SECOND = 1e9;

describe('a file of several threads', () => {
  /** Two threads take turns with one descriptor. A chunk of the first, which has it again, stands in front of the second's. */
  function turns(): Uint8Array {
    const file = new CaptureFile();
    const useBy = (thread: number, begin: number): void => {
      const more = { thread };
      const at = (share: number): [number, number] => [begin + share * SECOND, begin + share * SECOND + 10];
      file.call('POSIX', 'open', 'plr', [`${thread}-${begin}`, 0, 5], at(0), more);
      file.call('POSIX', 'read', 'fnr', [5, 8, 8], at(0.1), more);
      if (thread === 100) file.flush();
      file.call('POSIX', 'read', 'fnr', [5, 8, 8], at(0.2), more);
      file.call('POSIX', 'close', 'fr', [5, 0], at(0.3), more);
    };
    file.call('POSIX', 'sync', '', [], [0, 1], { thread: 101 });
    for (let step = 0; step < 12; step++) {
      useBy(100, step * SECOND);
      useBy(101, (step + 0.5) * SECOND);
    }
    return file.bytes();
  }

  const CHUNK = [0x43, 0x48, 0x4e, 0x4b];
  const chunksIn = (bytes: Uint8Array): number[] =>
    Array.from({ length: bytes.length / 8 }, (_, at) => 8 * at).filter((at) =>
      CHUNK.every((byte, i) => bytes[at + i] === byte),
    );

  const read = ({ events, calls, files }: Trace): string[] =>
    Array.from({ length: events.length }, (_, row) => {
      const file = events.value('file', row);
      return `${events.value('start', row)} ${calls.names[events.value('call', row)]!} ${file === NONE ? '' : files.at(file).path}`;
    });

  test('waits for calls of the others, so that descriptors lead to their files', async () => {
    const bytes = turns();
    const whole = read(await wholly(bytes));
    const lengths: number[] = [];
    const reader = await readInPieces(bytes, chunksIn(bytes), (now) => lengths.push(now.understood));
    // They wait for each other, not for the end.
    expect(lengths.at(-1)).toBeLessThan(whole.length);
    expect(lengths.at(-1)).toBeGreaterThan(whole.length - 10);
    expect(read(await settled(reader))).toEqual(whole);
  });

  test('waits no longer when nothing comes', async () => {
    const bytes = turns();
    const file = new GrowingBytes('p.iorec', bytes);
    const reader = new GrowingCapture();
    reader.add([file]);
    file.grow(bytes.length);
    await reader.read();
    expect(reader.understood).toBeLessThan(97);
    for (let look = 0; look < 5; look++) await reader.read();
    expect(reader.understood).toBe(97);
  });

  test('does not wait for one that is quiet', async () => {
    const file = new CaptureFile().call('POSIX', 'sync', '', [], [0, 1], { thread: 101 }).flush();
    for (let i = 1; i < 8; i++) {
      const at = i * SECOND;
      file.call('POSIX', 'sync', '', [], [at, at + 1]).flush();
    }
    const reader = await readInPieces(file.bytes(), []);
    expect(reader.understood).toBe(8);
  });
});

describe('files of several processes', () => {
  const child = { pid: 200, parentPid: 100, origin: 1, wallClock: WALL + 40n, monotonicClock: MONOTONIC + 40n };
  const parent = (): CaptureFile =>
    new CaptureFile()
      .call('POSIX', 'open', 'plr', ['data', 0, 3], [0, 1])
      .call('recorder', 'fork', 'r', [200], [10, 10])
      .flush();
  const first = parent().bytes().length;
  const files = [
    parent().call('POSIX', 'read', 'fnr', [3, 10, 10], [100, 101]).bytes(),
    new CaptureFile(child).call('POSIX', 'read', 'fnr', [3, 7, 7], [50, 51]).bytes(),
  ];

  test('join when they appear, with what they inherit; a position that both move is worked out', async () => {
    const growing = files.map((bytes, i) => new GrowingBytes(`p-${i}.iorec`, bytes));
    const reader = new GrowingCapture();
    reader.add([growing[0]!]);
    growing[0]!.grow(first);
    await reader.read();
    expect(reader.snapshot().streams.length).toBe(1);
    // A file that has no byte yet, and then half of its first chunk.
    reader.add([growing[1]!]);
    for (const length of [0, 10, 60, 1000]) {
      growing[1]!.grow(length);
      await reader.read();
    }
    growing[0]!.grow(1e6);
    await reader.read();
    const trace = reader.snapshot();
    expectSound(trace);
    expect(trace.streams.map(({ processId }) => processId)).toEqual([100, 200]);
    const whole = await readCapture(files.map((bytes, i) => memoryFile(`p-${i}.iorec`, bytes)));
    const rows = ({ events, streams }: Trace): unknown[] =>
      Array.from({ length: events.length }, (_, row) => [
        ...(['start', 'offset', 'file', 'handle'] as const).map((column) => events.value(column, row)),
        streams[events.value('stream', row)]!.processId,
      ]).sort();
    expect(rows(trace)).toEqual(rows(whole));
    expect(rows(trace)).toContainEqual([100, 7, 0, 0, 100]);
  });

  test('one that began earlier moves the origin; older snapshots stay', async () => {
    const late = new GrowingBytes('late.iorec', new CaptureFile().call('POSIX', 'sync', '', [], [500, 501]).bytes());
    const facts = { pid: 300, wallClock: WALL - 1000n, monotonicClock: MONOTONIC - 1000n };
    const earlier = new CaptureFile(facts).call('POSIX', 'sync', '', [], [100, 101]).bytes();
    const early = new GrowingBytes('early.iorec', earlier);
    const starts = ({ events }: Trace): number[] =>
      Array.from({ length: events.length }, (_, row) => events.value('start', row));
    const reader = new GrowingCapture();
    reader.add([late]);
    late.grow(1e6);
    await reader.read();
    const before = reader.snapshot();
    reader.add([early]);
    early.grow(1e6);
    await reader.read();
    const after = reader.snapshot();
    expect(starts(before)).toEqual([0]);
    expect(starts(after)).toEqual([400, 0]);
    expect(after.durationNs).toBe(401);
  });

  test('of which one is of a later version: the others are read', async () => {
    const later = new CaptureFile().bytes();
    later[8] = 9;
    const growing = [new GrowingBytes('a.iorec', later), new GrowingBytes('b.iorec', files[0]!)];
    const reader = new GrowingCapture();
    reader.add(growing);
    for (const file of growing) file.grow(1e6);
    expect(await reader.read()).toBe(true);
    expect(await reader.read()).toBe(false);
    const { damage, events } = reader.snapshot();
    expect(damage).toMatchObject([{ where: 'a.iorec', what: expect.stringMatching(/version 9/) as string }]);
    expect(events.length).toBe(2);
  });

  test('of which none says whose calls it holds are refused', async () => {
    const file = new GrowingBytes('a.iorec', files[0]!);
    const reader = new GrowingCapture();
    reader.add([file]);
    file.grow(40);
    expect(await reader.read()).toBe(false);
    await expect(reader.finish()).rejects.toThrow('no recording of the recorder library could be read');
  });

  test('of which there are very many let go of what they defined, and go on all the same', async () => {
    const many = Array.from({ length: 300 }, (_, i) => nested(100 + 2 * i));
    const growing = many.map((bytes, i) => new GrowingBytes(`p-${i}.iorec`, bytes));
    const reader = new GrowingCapture();
    reader.add(growing);
    const cut = Math.floor(many[0]!.length * 0.6);
    for (const file of growing) file.grow(cut);
    for (let look = 0; look < 6; look++) await reader.read();
    const before = reader.understood;
    const read = growing[7]!.handedOut;
    for (const file of growing) file.grow(1e6);
    await reader.read();
    expect(reader.understood).toBeGreaterThan(before);
    // It was read again, for its definitions.
    expect(growing[7]!.handedOut - read).toBeGreaterThan(many[7]!.length);
    const whole = await readCapture(many.map((bytes, i) => memoryFile(`p-${i}.iorec`, bytes)));
    const rows = ({ events, calls, files, streams, stacks }: Trace): string[] =>
      Array.from({ length: events.length }, (_, row) => {
        const file = events.value('file', row);
        const frames = stacks.framesOf(events.value('stack', row)).map((frame) => stacks.frame(frame).value);
        const { processId } = streams[events.value('stream', row)]!;
        const path = file === NONE ? '' : files.at(file).path;
        return `${processId} ${events.value('start', row)} ${calls.names[events.value('call', row)]!} ${path} ${frames.join()}`;
      }).sort();
    expect(rows(reader.snapshot())).toEqual(rows(whole));
  });

  test('with a chunk of nonsense after it are traces', async () => {
    const file = new CaptureFile().call('POSIX', 'sync', '', [], [0, 1]).flush();
    file.raw(2, new RecordBytes().varint(99).varint(1).varint(1).signed(0).bytes, 3, 101);
    const reader = await readInPieces(file.bytes(), [200, 220]);
    const trace = await settled(reader);
    expect(trace.events.length).toBe(1);
    expect(trace.damage.length).toBe(1);
  });
});
