import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readDarshanText } from '../../src/readers/darshan-text/text-reader.ts';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import { LocalRecordingFile } from '../../src/session/reading/recording-files.ts';
import { UnreadableRecordingError, type Trace } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';
import { printCounters, printSegments } from '../support/darshan/darshan-printer.ts';
import { memoryFile } from '../support/memory-file.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { rounds } from '../support/rounds.ts';

/** Texts of darshan-parser and darshan-dxt-parser, cut and with changed bytes: what is sound is kept, what is lost is said. */
const MOST_BYTES = 60_000;
const CUTS = rounds(100);
const CHANGES = rounds(400);
const NEWLINE = 10;
const LOGS = ['mpi-io-test-x86_64-3.4.6', 'partial_data_stdio', 'ior-PNETCDF', 'sample-dxt-simple'];

/** A trace, or undefined when nothing of it could be read. */
async function read(bytes: Uint8Array): Promise<Trace | undefined> {
  try {
    return await readDarshanText([memoryFile('t.txt', bytes)], {}, { chunkBytes: 1 << 15 });
  } catch (error) {
    if (error instanceof UnreadableRecordingError) return undefined;
    throw error;
  }
}

/** Segments by their line: everything but what depends on the others, the stack and whether durations mean something. */
function segmentsOf(trace: Trace | undefined): Map<number, string> {
  const segments = new Map<number, string>();
  for (let row = 0; row < (trace?.events.length ?? 0); row++) {
    const { events } = trace!;
    const columns = (['call', 'offset', 'bytes', 'start'] as const).map((name) => events.value(name, row));
    segments.set(events.value('line', row), columns.join());
  }
  return segments;
}

/** Records as text, module by module. */
function recordsOf(trace: Trace | undefined): string[] {
  return (trace?.counters?.modules ?? []).flatMap((table) =>
    Array.from({ length: table.length }, (_, record) => {
      // A record lacks what only records of another kind have; how many columns these make depends on where the text ends.
      const values = table.counters
        .map((name, column) => ({ name, value: table.value(record, column) }))
        .filter(({ value }) => !Number.isNaN(value))
        .map(({ name, value }) => `${name}=${value}`)
        .sort();
      return `${table.module} ${table.rank(record)} ${table.recordId(record)} ${values.join()}`;
    }),
  );
}

function linesIn(bytes: Uint8Array): number {
  return bytes.reduce((lines, byte) => (byte === NEWLINE ? lines + 1 : lines), 0);
}

async function textsOf(folder: string): Promise<Map<string, Uint8Array>> {
  const texts = new Map<string, Uint8Array>();
  for (const name of LOGS) {
    const file = path.join(folder, `${name}.darshan`);
    const log = await readDarshan([new LocalRecordingFile(file, statSync(file).size)]);
    texts.set(`${name}, counters`, new TextEncoder().encode(printCounters(log)));
    if (log.events.length > 0) texts.set(`${name}, segments`, new TextEncoder().encode(printSegments(log)));
  }
  const stacks = corpus('darshan-stack');
  for (const name of stacks === undefined ? [] : readdirSync(stacks).filter((file) => file.includes('.dxt.txt'))) {
    const stored = readFileSync(path.join(stacks!, name));
    texts.set(name, name.endsWith('.gz') ? gunzipSync(stored) : stored);
  }
  for (const [name, bytes] of texts) {
    if (bytes.length > MOST_BYTES) texts.set(name, bytes.subarray(0, bytes.lastIndexOf(NEWLINE, MOST_BYTES) + 1));
  }
  return texts;
}

const folder = corpus('darshan');
const texts = folder === undefined ? new Map<string, Uint8Array>() : await textsOf(folder);
describe.skipIf(folder === undefined)(folder === undefined ? absent('darshan') : 'damaged text', () => {
  test.each([...texts])('%s, cut', async (_, bytes) => {
    const whole = await read(bytes);
    const [segments, records] = [segmentsOf(whole), recordsOf(whole)];
    const random = randomNumbers(bytes.length + 1);
    for (let i = 0; i < CUTS; i++) {
      const cut = bytes.subarray(0, random(bytes.length));
      const trace = await read(cut);
      const found = segmentsOf(trace);
      const lines = linesIn(cut);
      for (const [line, segment] of segments) if (line <= lines) expect(found.get(line), `line ${line}`).toBe(segment);
      for (const [line, segment] of found) expect(segments.get(line), `line ${line}`).toBe(segment);
      const kept = recordsOf(trace);
      const sound = kept.filter((record) => records.includes(record)).length;
      // The record that the cut goes through is kept too, and said to lack something.
      expect(kept.length - sound, `cut at ${cut.length}`).toBeLessThanOrEqual(1);
      if (kept.length > sound) expect(trace!.damage.map(({ lost }) => lost).join()).toMatch(/of this record/);
    }
  });

  test.each([...texts])('%s, changed', async (_, bytes) => {
    const whole = await read(bytes);
    const [segments, records] = [segmentsOf(whole).size, recordsOf(whole).length];
    const random = randomNumbers(bytes.length + 2);
    for (let i = 0; i < CHANGES; i++) {
      const changed = Uint8Array.from(bytes);
      const at = random(bytes.length);
      changed[at] = random(256);
      const trace = await read(changed);
      const where = `byte ${at} from ${bytes[at]!} to ${changed[at]}`;
      // A row that cannot be read may split its record in three.
      expect(Math.abs(segmentsOf(trace).size - segments), where).toBeLessThanOrEqual(2);
      expect(Math.abs(recordsOf(trace).length - records), where).toBeLessThanOrEqual(2);
    }
  });
});
