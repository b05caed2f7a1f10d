import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { CopiedLog } from '../support/copied-logs.ts';
import { corpus } from '../support/corpus.ts';
import { memoryFile } from '../support/memory-file.ts';

const here = corpus('darshan') ?? corpus('darshan-stack')!;
/** The large ones are like these. */
const MOST_BYTES = 100_000;
const logs = readdirSync(here).filter(
  (name) => name.endsWith('.darshan') && statSync(path.join(here, name)).size < MOST_BYTES,
);

function read(name: string, bytes: Buffer): Promise<Trace> {
  return readDarshan([memoryFile(name, bytes)], { sharedPaths: [] });
}

describe('a log copied under another job number', () =>
  test.each(logs)('%s is the same log but for number and times', async (name) => {
    const bytes = readFileSync(path.join(here, name));
    const copy = (await CopiedLog.of(bytes)).as({ jobId: 987_654_321n, later: 3600 });
    const [before, after] = [await read(name, bytes), await read(name, copy)];
    expect(after.damage).toEqual(before.damage);
    const { job, regions, ...counters } = after.counters!;
    const { job: jobBefore, regions: regionsBefore, ...countersBefore } = before.counters!;
    const others = (list: typeof regions): typeof regions => list.filter((region) => region.name !== 'job data');
    expect(others(regions)).toEqual(others(regionsBefore));
    expect(job).toEqual({
      ...jobBefore,
      jobId: '987654321',
      startTime: jobBefore.startTime + 3600,
      endTime: jobBefore.endTime > 0 ? jobBefore.endTime + 3600 : jobBefore.endTime,
    });
    expect(counters).toEqual(countersBefore);
  }));
