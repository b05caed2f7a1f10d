import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LAST_ROW, lines, row } from '../../../test/support/darshan/darshan-samples.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { UnreadableRecordingError, type Trace } from '../../trace/trace.ts';
import { readColumn, readDecimal } from './numbers.ts';
import { OutputLines } from './output-lines.ts';
import { findStart, withoutLeftovers } from './stack-ends.ts';
import { readDarshanText } from './text-reader.ts';
import { TextRecording } from './text-recording.ts';
import { rounds } from '../../../test/support/rounds.ts';

const encoder = new TextEncoder();

/** Pieces that a damaged text is made of, whole and cut. */
const PIECES = [
  '# darshan log version: 3.41\n',
  '# nprocs: 4\n',
  '# POSIX module: 207 bytes (compressed), ver=4\n',
  '# mount entry:\t/\text4\n',
  '# DXT_POSIX module data\n',
  '# DXT, file_id: 7, file_name: /a\n',
  '# DXT, rank: 0, hostname: n\n',
  '# DXT, write_count: 2, read_count: 1\n',
  '# DXT, Lustre OST obdidx: 12 17\n',
  '#\t[Component 1] stripe_ext: 0 - EOF, stripe_size: 1048576, stripe_count: 4, OSTs: 12 17\n',
  '# DXT-POSIX address to line mapping\n',
  '0x4012f2, /a.c:19\n',
  ' X_POSIX       0  write        0               0              40      0.0054      0.0054    [0x7f00, 0x4012f2]\n',
  ' X_MPIIO       0   read        0              -1              40      0.0054      0.0054  [ 12]\n',
  `${row('POSIX_OPENS', 3)}\n`,
  `${LAST_ROW}\n`,
  `${row('LUSTRE_COMP1_OST_ID_0', 12, { module: 'LUSTRE' })}\n`,
  `${row('HEATMAP_READ_BIN_1', 12, { module: 'HEATMAP' })}\n`,
  'total_POSIX_OPENS: 3\n',
  '\r\n',
];
const piece = fc.oneof(
  fc.constantFrom(...PIECES).map((text) => encoder.encode(text)),
  fc.tuple(fc.constantFrom(...PIECES), fc.nat(100)).map(([text, end]) => encoder.encode(text.slice(0, end))),
  fc.uint8Array({ maxLength: 40 }),
);
const damaged = fc
  .array(piece, { maxLength: 30 })
  .map((pieces) => Uint8Array.from(pieces.flatMap((bytes) => [...bytes])));

async function read(bytes: Uint8Array, chunkBytes = 1 << 16): Promise<Trace | undefined> {
  try {
    return await readDarshanText([memoryFile('t.txt', bytes)], {}, { chunkBytes });
  } catch (error) {
    if (error instanceof UnreadableRecordingError) return undefined;
    throw error;
  }
}

describe('any bytes', () => {
  test('the line parser ends behind the last byte and never throws', () =>
    fc.assert(
      fc.property(damaged, (bytes) => {
        const output = new OutputLines(new TextRecording([{ name: 't', path: 't' }], {}));
        output.beginFile('t', 0);
        output.read(bytes, 0, bytes.length);
        output.finishOutput();
      }),
      { numRuns: rounds(500) },
    ));

  test('become a trace whose parts fit each other, however they are cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(damaged, fc.integer({ min: 16, max: 300 }), async (bytes, chunkBytes) => {
        const trace = await read(bytes);
        const again = await read(bytes, chunkBytes);
        expect(again?.events.length).toBe(trace?.events.length);
        expect(again?.damage).toEqual(trace?.damage);
        if (trace === undefined) return;
        for (let event = 0; event < trace.events.length; event++) {
          expect(trace.events.value('stack', event)).toBeLessThan(trace.stacks.nodes);
          expect(trace.events.value('file', event)).toBeLessThan(trace.files.length);
        }
        for (const table of trace.counters!.modules) {
          for (let record = 0; record < table.length; record++)
            expect(table.file(record)).toBeLessThan(trace.files.length);
        }
      }),
      { numRuns: rounds(200) },
    );
  });
});

describe('numbers', () => {
  const cursor = { at: 0, decimals: 0 };
  const printed = fc
    .tuple(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }), fc.constantFrom(0, 4, 6))
    .map(([value, digits]) => value.toFixed(digits));

  test('are read as JavaScript reads their text', () =>
    fc.assert(
      fc.property(printed, fc.constantFrom('', '\t', ' ', '\n', '\r\n'), (text, behind) => {
        const bytes = encoder.encode(`  ${text}${behind}`);
        expect(readDecimal(bytes, 2, bytes.length, cursor)).toBe(Number(text));
        expect(cursor.at).toBe(2 + text.length);
        expect(readColumn(bytes, 0, bytes.length, cursor)).toBe(behind === '\t' ? NaN : Number(text));
        expect(cursor.at).toBe(2 + text.length);
      }),
      { numRuns: rounds(1000) },
    ));

  test('nothing behind the end is read', () => {
    const bytes = encoder.encode('12345.678');
    for (let end = 1; end <= bytes.length; end++) {
      expect(readDecimal(bytes, 0, end, cursor)).toBe(Number('12345.678'.slice(0, end)));
      expect(readColumn(bytes, 0, end, cursor)).toBe(Number('12345.678'.slice(0, end)));
    }
  });
});

test('lines that are too long are passed over and said to be', async () => {
  const long = encoder.encode(lines(`POSIX\t0\t7\tPOSIX_${'X'.repeat(5000)}`, row('POSIX_OPENS', 3), LAST_ROW));
  const trace = await readDarshanText([memoryFile('t.txt', long)], {}, { chunkBytes: 1024, longestRecord: 2048 });
  expect(trace.counters!.modules[0]!.get(0, 'POSIX_OPENS')).toBe(3);
  expect(trace.damage).toEqual([
    { where: 't.txt, line 1', what: 'a line of 5017 bytes is too long', lost: 'this line' },
  ]);
});

test('more segments than are kept: the rest is said to be lost', async () => {
  const text = lines(
    '# DXT, file_id: 7, file_name: /a',
    ...Array.from({ length: 2000 }, () => PIECES.find((text) => text.includes('X_MPIIO'))!.trimEnd()),
  );
  const trace = await readDarshanText([memoryFile('t.txt', text)], {}, { chunkBytes: 4096, mostEvents: 100 });
  expect(trace.events.length).toBeLessThan(200);
  expect(trace.damage[0]).toMatchObject({ what: expect.stringContaining('more segments than are kept') as string });
});

test('stacks of any addresses end', () =>
  fc.assert(
    fc.property(fc.array(fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 8 }), { maxLength: 8 }), (stacks) => {
      const start = findStart(stacks);
      for (const stack of stacks) expect(withoutLeftovers(stack, start).length).toBeGreaterThan(0);
    }),
  ));
