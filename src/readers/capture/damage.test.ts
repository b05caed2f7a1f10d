import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CaptureFile, RecordBytes } from '../../../test/support/recorder/capture-writer.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { expectSound } from '../../../test/support/sound-trace.ts';
import { UnreadableRecordingError, type Trace } from '../../trace/trace.ts';
import { readCapture } from './capture-reader.ts';
import { chunkSum, sumOf } from './chunks.ts';
import { rounds } from '../../../test/support/rounds.ts';

const readBytes = (...files: Uint8Array[]): Promise<Trace> =>
  readCapture(files.map((bytes, i) => memoryFile(`p-${i}.iorec`, bytes)));

/** Chunks of ten writes each, of two threads. */
function sample(chunks = 6): Uint8Array {
  const file = new CaptureFile();
  const node = file.node(file.node(0, file.module('/bin/app'), 0x1200), 1, 0x1400);
  file.call('POSIX', 'open', 'plr', ['data', 0o1102, 3], [0, 5]);
  file.call('STDIO', 'fopen', 'plhFr', ['text', 0, 64, 4, 0], [6, 7]);
  for (let chunk = 0; chunk < chunks; chunk++) {
    for (let i = 0; i < 10; i++) {
      const start = 100 * (chunk * 10 + i + 1);
      const more = { thread: 100 + (chunk % 2), stack: node };
      file.call('POSIX', 'write', 'fnr', [3, 8, 8], [start, start + 50], more);
      file.call('HDF5', 'H5Dwrite', 'hbgx', [(5n << 56n) + 3n, 8, 0, 0], [start, start + 60], more);
    }
    file.flush();
  }
  return file.bytes();
}

const CHUNK = [0x43, 0x48, 0x4e, 0x4b];

/** Positions of the chunks. */
function chunksIn(bytes: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = 16; at < bytes.length; at += 8) if (CHUNK.every((byte, i) => bytes[at + i] === byte)) found.push(at);
  return found;
}

describe('damage', () => {
  test('a chunk that is not as it was written is left out, and told', async () => {
    const bytes = sample();
    const whole = await readBytes(bytes);
    expect(whole.damage).toEqual([]);
    const place = chunksIn(bytes)[3]!;
    bytes[place + 60]! ^= 4;
    const trace = await readBytes(bytes);
    expectSound(trace);
    expect(whole.events.length - trace.events.length).toBe(20);
    expect(trace.damage).toEqual([
      {
        where: `p-0.iorec, byte ${place}`,
        what: expect.stringMatching(/^no sound chunk is there/) as string,
        lost: 'the calls in it',
      },
    ]);
  });

  test.each([
    [16, 'it names 16 calls, and holds more'],
    [24, 'it holds 20 calls, where 24 are named'],
  ])('a header that names %i of 20 calls is told', async (named, what) => {
    const bytes = sample();
    const place = chunksIn(bytes)[3]!;
    const header = new DataView(bytes.buffer, bytes.byteOffset + place);
    header.setUint32(28, named, true);
    header.setUint32(
      12,
      chunkSum(header, sumOf(new DataView(header.buffer, header.byteOffset + 40, header.getUint32(8, true)))),
      true,
    );
    expect((await readBytes(bytes)).damage.map((each) => each.what)).toEqual([what]);
  });

  test('no bit of a header changes without a word', async () => {
    const bytes = sample();
    const whole = (await readBytes(bytes)).events.length;
    for (const place of chunksIn(bytes).slice(2, 4))
      for (let bit = 0; bit < 40 * 8; bit++) {
        const damaged = bytes.slice();
        damaged[place + (bit >> 3)]! ^= 1 << (bit & 7);
        const trace = await readBytes(damaged);
        expect(trace.damage, `bit ${bit}`).toHaveLength(1);
        expect(trace.events.length).toBe(whole - 20);
      }
  });

  test('a file that ends within a chunk keeps what stands in front of it', async () => {
    const bytes = sample();
    const last = chunksIn(bytes).at(-1)!;
    for (const length of [last + 1, last + 39, last + 41, bytes.length - 1]) {
      const trace = await readBytes(bytes.slice(0, length));
      expectSound(trace);
      expect(trace.events.length).toBe(2 + 5 * 20);
      expect(trace.damage).toMatchObject([{ what: `the file ends within a chunk (${length - last} bytes)` }]);
    }
  });

  test('bytes between chunks are passed over', async () => {
    const bytes = sample();
    const place = chunksIn(bytes)[2]!;
    const holed = new Uint8Array([...bytes.subarray(0, place), ...new Uint8Array(4096), ...bytes.subarray(place)]);
    const trace = await readBytes(holed);
    expect(trace.events.length).toBe(2 + 6 * 20);
    expect(trace.damage).toMatchObject([{ what: 'no sound chunk is there (4096 bytes)' }]);
  });

  test('calls that the recorder lost are told', async () => {
    const file = new CaptureFile().call('POSIX', 'sync', '', [], [0, 1]).flush(7);
    expect((await readBytes(file.bytes())).damage).toMatchObject([
      { what: 'the recorder lost 7 calls in front of it', lost: 'these calls' },
    ]);
  });

  test('functions that are not defined, or that nobody knows how to read, end their chunk', async () => {
    const file = new CaptureFile();
    const unknown = file.functionNumber('POSIX', 'later', 'fZ');
    const known = file.functionNumber('POSIX', 'sync', '');
    file.flush();
    const event = (called: number): number[] => new RecordBytes().varint(called).varint(1).varint(1).signed(0).bytes;
    file.raw(2, [...event(known), ...event(unknown)], 3).raw(2, [...event(known), ...event(77)], 2);
    const trace = await readBytes(file.bytes());
    expect(trace.events.length).toBe(2);
    expect(trace.damage.map(({ what, lost }) => `${what}: ${lost}`)).toEqual([
      `function ${unknown} is not defined, or in a way that is not known: 2 calls`,
      'function 77 is not defined, or in a way that is not known: 1 calls',
    ]);
  });

  test('numbers of calls that are not so many are told', async () => {
    const file = new CaptureFile();
    const known = file.functionNumber('POSIX', 'sync', '');
    file.flush().raw(2, new RecordBytes().varint(known).varint(1).varint(1).signed(0).bytes, 4_000_000_000);
    const trace = await readBytes(file.bytes());
    expect(trace.events.length).toBe(1);
    expect(trace.damage).toMatchObject([{ what: 'it holds 1 calls, where 4000000000 are named' }]);
  });

  test('definitions that cannot be right', async () => {
    const file = new CaptureFile();
    file.define(
      5,
      new RecordBytes()
        .varint(2 ** 40)
        .varint(0)
        .varint(1)
        .varint(1),
    );
    file.define(5, new RecordBytes().varint(5).varint(5).varint(1).varint(1));
    file.define(2, new RecordBytes().varint(1).varint(2 ** 50));
    file.define(
      7,
      new RecordBytes()
        .varint(1)
        .varint(2)
        .text('x')
        .varint(2 ** 60),
    );
    file.define(
      7,
      new RecordBytes()
        .varint(2)
        .varint(2 ** 50)
        .text('y')
        .varint(1)
        .signed(0)
        .signed(1)
        .varint(2 ** 50),
    );
    file.define(99, new RecordBytes().text('of a later release'));
    file.call('POSIX', 'sync', '', [], [0, 1], { stack: 5 });
    file.call('MPI-IO', 'MPI_File_open', 'cplhx', [2, '/a', 0, 1, 0], [2, 3]);
    const trace = await readBytes(file.bytes());
    expectSound(trace);
    expect(trace.damage).toHaveLength(4);
  });
});

describe('what cannot be read', () => {
  test.each([
    [new Uint8Array(8), /the file ends within its header/],
    [new Uint8Array(64), /this is no file of the recorder library/],
    [sample().slice(0, 40), /it does not say whose calls it holds/],
    [sample().fill(9, 8, 9), /version 9 of the recording format, which is not known here: update I\/O Lens/],
  ])('%#', async (bytes, message) => {
    await expect(readBytes(bytes)).rejects.toThrow(UnreadableRecordingError);
    await expect(readBytes(bytes)).rejects.toThrow(message);
  });

  test('is told beside what can', async () => {
    const trace = await readBytes(sample(), new Uint8Array(64));
    expect(trace.damage).toMatchObject([{ where: 'p-1.iorec', lost: 'the whole file' }]);
  });
});

describe('anything', () => {
  const bytes = sample();

  test('with a changed byte, or cut anywhere, is a trace or a clear refusal', async () => {
    const damaged = fc.record({
      at: fc.nat(bytes.length - 1),
      value: fc.nat(255),
      length: fc.oneof(fc.constant(bytes.length), fc.nat(bytes.length)),
    });
    await fc.assert(
      fc.asyncProperty(damaged, async ({ at, value, length }) => {
        const copy = bytes.slice(0, length);
        if (at < length) copy[at] = value;
        await expectReadable(copy);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('with nonsense in sound chunks is a trace', async () => {
    const nonsense = fc.array(fc.oneof(fc.nat(255), fc.nat(9), fc.constant(0xff)), { maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), nonsense), { maxLength: 4 }),
        async (chunks) => {
          const file = new CaptureFile();
          for (const roles of [
            'plr',
            'fnr',
            'hHNx',
            'foFOnr',
            'qb',
            'fpol',
            'htex',
            'hnqx',
            'dDpPsvkwcgr',
            'hF',
            'NPr',
          ])
            file.functionNumber(
              roles === 'qb' || roles === 'fpol' || roles === 'hF' ? 'recorder' : 'POSIX',
              namesOf(roles),
              roles,
            );
          file.flush();
          for (const [kind, payload] of chunks) file.raw(kind, payload, payload.length);
          const trace = await readBytes(file.bytes());
          expectSound(trace);
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  test('that holds many false chunks is passed over', async () => {
    const random = randomNumbers(7);
    const claims = new Uint8Array(1 << 22);
    const view = new DataView(claims.buffer);
    for (let at = 0; at + 40 < claims.length; at += 40) {
      view.setUint32(at, 0x4b4e4843, true);
      view.setUint32(at + 4, 2, true);
      view.setUint32(at + 8, random(1 << 18) * 8, true);
    }
    const whole = new Uint8Array([...sample(1), ...claims]);
    const trace = await readBytes(whole);
    expect(trace.events.length).toBe(2 + 20);
    expect(trace.damage).toHaveLength(1);
  });
});

function namesOf(roles: string): string {
  const names: Record<string, string> = {
    plr: 'open',
    fnr: 'write',
    foFOnr: 'splice',
    qb: 'complete',
    hF: 'stream',
    fpol: 'descriptor',
  };
  return names[roles] ?? `f${roles}`;
}

async function expectReadable(bytes: Uint8Array): Promise<void> {
  try {
    expectSound(await readBytes(bytes));
  } catch (error) {
    if (!(error instanceof UnreadableRecordingError)) throw error;
  }
}
