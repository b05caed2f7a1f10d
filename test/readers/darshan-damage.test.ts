import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { infoDocument } from '../../src/export/analysis/info-document.ts';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import { UnreadableRecordingError, type Trace } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';
import { memoryFile } from '../support/memory-file.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { rounds } from '../support/rounds.ts';

const folders = ['darshan', 'darshan-stack'].flatMap((name) => corpus(name) ?? []);
const logs = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.darshan'))
    .map((name) => path.join(folder, name)),
);

async function readOrRefuse(bytes: Uint8Array): Promise<Trace | UnreadableRecordingError> {
  try {
    return await readDarshan([memoryFile('log.darshan', bytes)]);
  } catch (error) {
    if (error instanceof UnreadableRecordingError) return error;
    throw error;
  }
}

/** What a user sees of a log. */
function content(trace: Trace): string {
  const { counters, segments, files, events, startTime, program, layers } = infoDocument(trace, '', []);
  return JSON.stringify({ counters, segments, files, events, startTime, program, layers, job: trace.counters!.job });
}

/** How often each log is damaged: large ones take long to read. */
function times(bytes: number): { cuts: number; flips: number } {
  return bytes < 200_000 ? { cuts: rounds(100), flips: rounds(200) } : { cuts: rounds(40), flips: rounds(50) };
}

test.skipIf(logs.length > 0)(absent('darshan'), () => expect(logs).toEqual([]));

describe.skipIf(logs.length === 0).each(logs.map((log) => [path.basename(log), log]))('%s', (_, log) => {
  const bytes = readFileSync(log);
  const { cuts, flips } = times(bytes.length);

  test('cut anywhere: what is missing is reported', { timeout: 120_000 }, async () => {
    const whole = content((await readOrRefuse(bytes)) as Trace);
    const unreported: number[] = [];
    for (let i = 0; i < cuts; i++) {
      const length = Math.floor((bytes.length * i) / cuts);
      const result = await readOrRefuse(bytes.subarray(0, length));
      if (result instanceof Error || result.damage.length > 0) continue;
      if (content(result) !== whole) unreported.push(length);
    }
    expect(unreported).toEqual([]);
  });

  test('bytes changed anywhere: what is wrong behind the header is reported', { timeout: 120_000 }, async () => {
    const random = randomNumbers(bytes.length);
    const whole = (await readOrRefuse(bytes)) as Trace;
    const expected = content(whole);
    const unreported: number[] = [];
    for (let i = 0; i < flips; i++) {
      const damaged = Buffer.from(bytes);
      const at = random(bytes.length);
      damaged[at] = damaged[at]! ^ (1 + random(255));
      const result = await readOrRefuse(damaged);
      if (result instanceof Error || result.damage.length > 0) continue;
      // What a header says, and what is not compressed, carries no checksum.
      const isChecked = at >= (whole.counters!.lineTables === undefined ? 1328 : 9520);
      const isCompressed = whole.counters!.job.compression !== 'none';
      if (isChecked && isCompressed && content(result) !== expected) unreported.push(at);
    }
    expect(unreported).toEqual([]);
  });
});
