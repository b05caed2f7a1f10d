/** Damaged logs: whatever the reader keeps of them, the job document stays plain data within its bounds. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { jobDocument } from '../../src/export/report/job-documents.ts';
import { jobHtml } from '../../src/export/report/report-job-html.ts';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import { UnreadableRecordingError, type Trace } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';
import { unbounded } from '../support/job-bounds.ts';
import { memoryFile } from '../support/memory-file.ts';

const folder = corpus('darshan');
/** Both byte orders, compressed and not, heatmaps, Lustre, HDF5, DXT: numbers of uncompressed ones reach the figures. */
const names = [
  'mpi-io-test-ppc64-3.1.3',
  'mpi-io-test-x86_64-3.4.6',
  'ior_hdf5_example',
  'ior-DFS',
  'sample-dxt-simple',
];

async function kept(bytes: Uint8Array): Promise<Trace | undefined> {
  return readDarshan([memoryFile('log.darshan', bytes)]).catch((error: unknown) => {
    if (error instanceof UnreadableRecordingError) return undefined;
    throw error;
  });
}

/** @returns what breaks the bounds. */
async function brokenBounds(bytes: Uint8Array): Promise<string[]> {
  const trace = await kept(bytes);
  if (trace === undefined) return [];
  const document = jobDocument(trace, 'damaged')!;
  return [...unbounded(document, 'job'), ...(jobHtml(document).includes('NaN') ? ['NaN in the report'] : [])];
}

describe.skipIf(folder === undefined)(`jobs of damaged logs (${folder ?? absent('darshan')})`, () => {
  test.each(names)('%s', { timeout: 120_000 }, async (name) => {
    const bytes = readFileSync(path.join(folder!, `${name}.darshan`));
    const broken: string[] = [];
    for (let i = 1; i < 30; i++) {
      broken.push(...(await brokenBounds(bytes.subarray(0, Math.floor((bytes.length * i) / 30)))));
    }
    for (let i = 0; i < 60; i++) {
      const damaged = Buffer.from(bytes);
      const at = (i * 7919) % bytes.length;
      damaged[at] = damaged[at]! ^ (1 + ((i * 31) % 255));
      broken.push(...(await brokenBounds(damaged)));
    }
    expect(broken).toEqual([]);
  });

  test('numbers changed in a log that is not compressed', { timeout: 120_000 }, async () => {
    const bytes = readFileSync(path.join(folder!, 'uncompressed_killed_3.5.0.darshan'));
    const broken: string[] = [];
    for (let i = 0; i < 12; i++) {
      const damaged = Buffer.from(bytes);
      // A byte in every 97: records, heatmap and segments all get wrong exponents, ranks and lengths.
      for (let at = 1400 + i; at < damaged.length; at += 97) damaged[at] = damaged[at]! ^ (1 + ((at + i) % 255));
      broken.push(...(await brokenBounds(damaged)));
    }
    expect(broken).toEqual([]);
  });
});
