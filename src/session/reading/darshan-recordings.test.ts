import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Words, writeLog } from '../../../test/support/darshan/darshan-writer.ts';
import { recogniseRecording } from './recognise-recording.ts';
import { groupRecordings } from './recording-groups.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-darshan-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => path.join(folder, name);

/** A log of so many records of STDIO, each with numbers of its own. */
function log(records: number): Buffer {
  const words = new Words();
  for (let i = 0; i < records; i++) {
    words.int(1, i, ...Array.from({ length: 14 }, (_, counter) => (i * 7919 * (counter + 1)) % 65_537));
    words.float(...Array.from({ length: 15 }, (_, counter) => i / (counter + 3)));
  }
  return writeLog({ names: [[1n, '/data/a']], modules: [{ slot: 9, version: 2, streams: [words.bytes] }] });
}

async function recordsOf(...paths: string[]): Promise<number[]> {
  const { format, files } = await recogniseRecording(paths);
  expect(format.name).toBe('darshan');
  const { counters } = await format.read(files, {});
  return counters!.modules.map(({ length }) => length);
}

// Small files are kept from the first look at them, large ones are opened again.
test.each([3, 3000])('a log of %i records, as it is and compressed as a whole', async (records) => {
  const bytes = log(records);
  writeFileSync(at('a.darshan'), bytes);
  writeFileSync(at('b.gz'), gzipSync(bytes));
  writeFileSync(at('c.bz2'), execFileSync('bzip2', ['-c'], { input: bytes }));
  for (const name of ['a.darshan', 'b.gz', 'c.bz2']) expect(await recordsOf(at(name)), name).toEqual([records]);
});

test('what was sound of a compressed log that is cut is read', async () => {
  const bytes = gzipSync(log(3000));
  writeFileSync(at('a.gz'), bytes.subarray(0, bytes.length - 3000));
  const { format, files } = await recogniseRecording([at('a.gz')]);
  const { counters, damage } = await format.read(files, {});
  expect(counters!.modules[0]!.length).toBeGreaterThan(2000);
  expect(damage).not.toEqual([]);
});

test('each log is a recording of its own', async () => {
  for (const name of ['a.darshan', 'b.darshan']) writeFileSync(at(name), log(1));
  expect(await groupRecordings([at('*.darshan')])).toEqual([[at('a.darshan')], [at('b.darshan')]]);
  await expect(recordsOf(folder)).rejects.toThrow('2 Darshan logs (a.darshan, b.darshan): each log is a recording');
});

test('a log that is cut off in its first bytes is called so', async () => {
  writeFileSync(at('a.darshan'), log(1).subarray(0, 200));
  await expect(recordsOf(at('a.darshan'))).rejects.toThrow('the file is cut off: a Darshan log ends in its header');
});

test('reading can be stopped', async () => {
  writeFileSync(at('a.darshan'), log(3000));
  const { format, files } = await recogniseRecording([at('a.darshan')]);
  const stop = new AbortController();
  const reading = format.read(files, {
    signal: stop.signal,
    progress: () => stop.abort(new Error('stopped')),
  });
  await expect(reading).rejects.toThrow('stopped');
});
