import { describe, expect, test } from 'vitest';
import { corpus } from '../../../test/support/corpus.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import {
  contentOfFolder,
  readFolder,
  recorderFiles,
  type FolderContent,
} from '../../../test/support/recorder/recorder-folder.ts';
import {
  grammarBytes,
  keyOf,
  Packed,
  wrapped,
  writePacked,
  writePeephole,
  writeSignatures,
  type Folder,
  type WrittenCall,
} from '../../../test/support/recorder/recorder-writer.ts';
import { expectSound } from '../../../test/support/sound-trace.ts';
import { UnreadableRecordingError, type Trace } from '../../trace/trace.ts';
import { readRecorder } from './recorder-reader.ts';
import { rounds } from '../../../test/support/rounds.ts';

const FUNCTIONS = ['open', 'close', 'write', 'MPI_Bcast'];
const calls: WrittenCall[] = [
  { name: 'open', arguments: ['/data/a', 577, 420], start: 0, end: 10 },
  ...Array.from({ length: 6 }, (_, i) => ({
    name: 'write',
    arguments: ['/data/a', '%p', 100 + i],
    start: 20 + 10 * i,
    end: 25 + 10 * i,
  })),
  { name: 'MPI_Bcast', arguments: ['%p', 1, 'MPI_INT', 0, 'MPI_COMM_WORLD'], start: 100, end: 110 },
  { name: 'close', arguments: ['/data/a'], start: 120, end: 130 },
];
const recording = { functions: FUNCTIONS, ranks: [calls, calls, calls] };

const written: [string, () => Folder][] = [
  ['2.2', () => writePeephole(recording, ['/data/a'])],
  ['2.3', () => writeSignatures(recording, '2.3.0')],
  ['2.5', () => writeSignatures(recording, '2.5.0')],
  ['3.0', () => writePacked(recording, { merged: true, timesPacked: true })],
  ['3.0, ranks apart', () => writePacked(recording, { merged: false, timesPacked: false })],
];

/** A trace, or undefined when the directory was refused; anything else that is thrown fails the test. */
async function readIfPossible(content: FolderContent): Promise<Trace | undefined> {
  try {
    const trace = await readFolder(content);
    expectSound(trace);
    return trace;
  } catch (error) {
    if (error instanceof UnreadableRecordingError) return undefined;
    throw error;
  }
}

const changed = (folder: Folder, name: string, bytes: Uint8Array): Folder => new Map([...folder, [name, bytes]]);

describe.each(written)('%s', (_, write) => {
  test('is sound, and holds all calls', async () => {
    const trace = await readFolder(write());
    expectSound(trace);
    expect(trace.damage).toEqual([]);
    expect(trace.events.length).toBe(24);
  });

  test('cut off at any byte of any file: what is sound is kept, and what is lost is said', async () => {
    const folder = write();
    for (const [name, bytes] of folder) {
      // The last rank stands for the others.
      if (name === 'VERSION' || /^[01]\./.test(name)) continue;
      // Most of the metadata are counters and reserve: there only some places, everywhere else all of them.
      const step = bytes.length > 1000 ? 13 : 1;
      for (let length = 0; length < bytes.length; length += step) {
        const trace = await readIfPossible(changed(folder, name, bytes.subarray(0, length)));
        if (trace === undefined) expect(name).toBe('recorder.mt');
        else if (trace.damage.length === 0) expect(trace.events.length, `${name} ${length}`).toBe(24);
        else if (name.startsWith('2.')) expect(trace.events.length).toBeGreaterThanOrEqual(16);
      }
    }
  });

  test('without any one of its files', async () => {
    const folder = write();
    for (const name of folder.keys()) {
      if (name === 'VERSION') continue;
      const rest = new Map(folder);
      rest.delete(name);
      const trace = await readIfPossible(rest);
      if (trace === undefined) expect(name).toBe('recorder.mt');
      else expect(trace.damage.map(({ where }) => where)).toContain(name);
    }
  });

  test('bytes that were flipped', async () => {
    const folder = write();
    const random = randomNumbers(7);
    const names = [...folder.keys()];
    for (let round = 0; round < rounds(200); round++) {
      const name = names[random(names.length)]!;
      const bytes = Uint8Array.from(folder.get(name)!);
      for (let flip = random(3); flip >= 0; flip--) bytes[random(bytes.length)] = random(256);
      await readIfPossible(changed(folder, name, bytes));
    }
  });
});

test('bytes flipped in a real recording', async () => {
  const random = randomNumbers(11);
  for (const name of ['meta', 'collective_write_ipc', 'hdf5_chunked']) {
    const folder = contentOfFolder(corpus(`recorder/${name}`)!);
    const names = [...folder.keys()];
    for (let round = 0; round < rounds(100); round++) {
      const file = names[random(names.length)]!;
      const bytes = Uint8Array.from(folder.get(file)!);
      for (let flip = random(4); flip >= 0; flip--) bytes[random(bytes.length)] = random(256);
      await readIfPossible(changed(folder, file, bytes));
    }
  }
});

describe('hostile grammars', () => {
  const read = async (grammar: Buffer, table?: Buffer): Promise<Trace> => {
    const folder = writeSignatures({ functions: FUNCTIONS, ranks: [calls] }, '2.5.0');
    folder.set('0.cfg', grammar);
    if (table !== undefined) folder.set('0.cst', table);
    const trace = await readFolder(folder);
    expectSound(trace);
    return trace;
  };
  const reports = ({ damage }: Trace): string => damage.map(({ what }) => what).join('\n');
  const LARGEST = 2 ** 31 - 1;

  test('an exponent beyond all times ends with the times', async () => {
    const trace = await read(grammarBytes([[-1, [[0, LARGEST]]]]));
    expect(trace.functions!.length).toBe(calls.length);
    expect(reports(trace)).toMatch(/fewer times than calls/);
  });

  test('exponents of exponents do', async () => {
    const rules = [...Array(20).keys()].map((depth): [number, [number, number][]] => [
      -1 - depth,
      [[depth === 19 ? 1 : -2 - depth, LARGEST]],
    ]);
    const trace = await read(grammarBytes(rules));
    expect(trace.functions!.length).toBe(calls.length);
  });

  test('a rule that contains itself is passed over', async () => {
    const trace = await read(
      grammarBytes([
        [
          -1,
          [
            [0, 1],
            [-2, 3],
            [1, 2],
          ],
        ],
        [
          -2,
          [
            [1, 1],
            [-1, LARGEST],
            [-2, LARGEST],
          ],
        ],
      ]),
    );
    expect(trace.functions!.length).toBe(6);
    expect(reports(trace)).toMatch(/contains itself/);
  });

  test('rules that lead to nothing are not gone through for ever', async () => {
    const trace = await read(
      grammarBytes([
        [
          -1,
          [
            [0, 1],
            [-2, LARGEST],
            [1, 1],
          ],
        ],
        [-2, [[-3, LARGEST]]],
        [-3, []],
      ]),
    );
    expect(trace.functions!.length).toBe(1);
    expect(reports(trace)).toMatch(/lead to no calls/);
  });

  test('undefined rules, undefined signatures, negative exponents and counts', async () => {
    const undefinedRule = await read(
      grammarBytes([
        [
          -1,
          [
            [0, 1],
            [-7, 2],
            [1, 1],
          ],
        ],
      ]),
    );
    expect(undefinedRule.functions!.length).toBe(2);
    expect(reports(undefinedRule)).toMatch(/the rule -7, which is not there/);
    const undefinedCall = await read(
      grammarBytes([
        [
          -1,
          [
            [0, 1],
            [77, 7],
            [1, 1],
          ],
        ],
      ]),
    );
    expect(undefinedCall.functions!.length).toBe(2);
    expect(reports(undefinedCall)).toMatch(/7 calls have a signature that no table holds/);
    const negative = await read(
      grammarBytes([
        [
          -1,
          [
            [0, -5],
            [1, 1],
          ],
        ],
      ]),
    );
    expect(reports(negative)).toMatch(/less than once/);
    for (const count of [-1, LARGEST, -LARGEST]) {
      expect(reports(await read(new Packed().int(count).bytes))).not.toBe('');
      expect(reports(await read(new Packed().int(1, -1, count).bytes))).not.toBe('');
      expect(reports(await read(grammarBytes([[-1, [[0, 1]]]]), new Packed().int(count).bytes))).not.toBe('');
      const key = keyOf(calls[0]!, FUNCTIONS);
      expect(
        reports(
          await read(grammarBytes([[-1, [[0, 1]]]]), new Packed().int(1, count, 0, key.length, 1).add(key).bytes),
        ),
      ).not.toBe('');
    }
  });
});

describe('numbers beyond all sense', () => {
  test('ranks that have no files cost nothing', async () => {
    const folder = writeSignatures(recording, '2.5.0');
    const metadata = Buffer.from(folder.get('recorder.mt')!);
    metadata.writeInt32LE(16_000_000, 0);
    const trace = await readFolder(changed(folder, 'recorder.mt', metadata));
    expect(trace.streams.length).toBeLessThan(2000);
    expect(trace.events.length).toBe(24);
    expect(trace.damage.map(({ what }) => what).join()).toMatch(/no files of them/);
  });

  test('a packed piece that says it is huge, or is, is not unpacked', async () => {
    const folder = writePacked(recording, { merged: true, timesPacked: true });
    const zeros = wrapped(Buffer.alloc(1 << 24));
    const lies = Buffer.from(zeros);
    lies.writeBigInt64LE(100n, 8);
    for (const table of [
      lies,
      new Packed().long(10, 2 ** 50).add('0123456789').bytes,
      new Packed().long(2 ** 50, 10).bytes,
    ]) {
      const trace = await readFolder(changed(folder, 'recorder.cst', table));
      expect(trace.events.length).toBe(0);
      expect(trace.damage.length).toBeGreaterThan(0);
    }
  });

  test('more calls than are kept', async () => {
    const files = await recorderFiles(writeSignatures(recording, '2.5.0'));
    const trace = await readRecorder(files, {}, { mostEvents: 10 });
    expect(trace.events.length).toBe(16);
    expect(trace.damage).toEqual([expect.objectContaining({ where: 'rank 2' })]);
  });

  test('reading can be broken off', async () => {
    const files = await recorderFiles(writeSignatures(recording, '2.5.0'));
    const reason = new Error('enough');
    await expect(readRecorder(files, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
