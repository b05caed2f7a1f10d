import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readStrace } from '../../src/readers/strace/strace-reader.ts';
import { UnreadableRecordingError, type Trace } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';
import { memoryFile } from '../support/memory-file.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { rounds } from '../support/rounds.ts';
import { callRows } from '../support/trace-rows.ts';

/**
 * Every recording of the corpus, cut and with changed bytes: what is sound is kept, and what is lost is said. Of long ones
 * the beginning is taken, and it is read less often: it is one of many builds of one program.
 */
const MOST_BYTES = 20_000;
const TIMES = { cuts: rounds(100), changes: rounds(300) };
const TIMES_IF_LONG = { cuts: rounds(50), changes: rounds(100) };
const NEWLINE = 10;

function samplesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => /\.(strace|st)(\.gz)?$|\/trace\.\d+$/.test(file) && statSync(file).size > 0)
    .sort();
}

function beginningOf(file: string): { bytes: Uint8Array; cuts: number; changes: number } {
  const stored = readFileSync(file);
  const bytes = file.endsWith('.gz') ? gunzipSync(stored) : stored;
  if (bytes.length <= MOST_BYTES) return { bytes, ...TIMES };
  return { bytes: bytes.subarray(0, bytes.lastIndexOf(NEWLINE, MOST_BYTES) + 1), ...TIMES_IF_LONG };
}

/** A trace, or undefined when nothing of it could be read. */
async function read(bytes: Uint8Array): Promise<Trace | undefined> {
  try {
    return await readStrace([memoryFile('t.strace', bytes)], {}, { chunkBytes: 1 << 15 });
  } catch (error) {
    if (error instanceof UnreadableRecordingError) return undefined;
    throw error;
  }
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === NEWLINE) lines++;
  return lines;
}

const nameOf = (trace: Trace, row: number): string => trace.calls.names[trace.events.value('call', row)]!;

const folders = ['strace', 'strace-programs'].map(corpus).filter((folder) => folder !== undefined);
describe.skipIf(folders.length === 0)(folders.length === 0 ? absent('strace') : 'every recording', () => {
  for (const folder of folders) {
    for (const file of samplesIn(folder)) {
      const title = path.relative(path.dirname(folder), file);
      test(`${title}, cut`, async () => {
        const { bytes, cuts } = beginningOf(file);
        const whole = await read(bytes);
        if (whole === undefined) return;
        const rows = callRows(whole);
        const random = randomNumbers(bytes.length + 1);
        for (let i = 0; i < cuts; i++) {
          const cut = bytes.subarray(0, random(bytes.length));
          const lines = linesIn(cut);
          // Calls that began on a line that is still whole.
          const sound = rows.filter((row) => whole.events.value('line', row) <= lines);
          const trace = await read(cut);
          const found = trace === undefined ? [] : callRows(trace);
          const where = `cut at ${cut.length}`;
          expect([sound.length, sound.length + 1], where).toContain(found.length);
          const names = found.slice(0, sound.length).map((row) => nameOf(trace!, row));
          expect(names, where).toEqual(sound.map((row) => nameOf(whole, row)));
        }
      });

      test(`${title}, changed`, async () => {
        const { bytes, changes } = beginningOf(file);
        const whole = await read(bytes);
        if (whole === undefined) return;
        const calls = callRows(whole).length;
        const random = randomNumbers(bytes.length + 2);
        for (let i = 0; i < changes; i++) {
          const changed = Uint8Array.from(bytes);
          const at = random(bytes.length);
          changed[at] = random(256);
          const trace = await read(changed);
          const found = trace === undefined ? 0 : callRows(trace).length;
          const what = `byte ${at} from ${bytes[at]!} to ${changed[at]}: ${found} of ${calls} calls`;
          expect(Math.abs(found - calls), what).toBeLessThanOrEqual(2);
        }
      });
    }
  }

  test('a cut inside a line is reported', async () => {
    const file = corpus('strace/formats/f-ttt-T-yy.strace')!;
    const bytes = readFileSync(file);
    for (let start = bytes.indexOf(NEWLINE) + 1; start < bytes.length;) {
      const end = bytes.indexOf(NEWLINE, start);
      // Of a signal nothing is kept that could be lost.
      const isCall = !/---|\+\+\+/.test(bytes.toString('latin1', start, end));
      for (const length of isCall ? [1, 6, 12, 25, end - start - 12] : []) {
        const trace = await read(bytes.subarray(0, start + length));
        expect(trace!.damage.at(-1)?.what, `line at ${start}, ${length} bytes of it`).toMatch(
          /ends inside this line|never returns/,
        );
      }
      start = end + 1;
    }
  });
});
