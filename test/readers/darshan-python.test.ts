import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { countedIo } from '../../src/analysis/gain/counted-io.ts';
import { ignoredFiles } from '../../src/analysis/metrics/ignored-files.ts';
import {
  findCounterInsights,
  reportedCounterInsights,
} from '../../src/analysis/triggers/counters/find-counter-insights.ts';
import { DEFAULT_THRESHOLDS } from '../../src/analysis/triggers/thresholds.ts';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import { LocalRecordingFile } from '../../src/session/reading/recording-files.ts';
import { absent, corpus } from '../support/corpus.ts';

const folder = corpus('darshan-more');

/** Three processes of Python that import h5py and open one file each: 942 of 951 reads and writes are of imports. */
describe.skipIf(folder === undefined)(
  `a log of a Python program (${folder === undefined ? absent('darshan-more') : 'hdf5_file_opens_only'})`,
  () => {
    test('its imports are no finding, and none of its I/O', async () => {
      const file = path.join(folder!, 'hdf5_file_opens_only.darshan');
      const trace = await readDarshan([new LocalRecordingFile(file)], {});
      const counters = trace.counters!;
      const ignored = ignoredFiles(trace.files);
      const drishtis = findCounterInsights(trace, counters, DEFAULT_THRESHOLDS).map(({ code }) => code);
      expect(drishtis).toEqual(expect.arrayContaining(['P07', 'P08', 'P10']));

      const reported = reportedCounterInsights(trace, counters, DEFAULT_THRESHOLDS, ignored);
      const codes = reported.map(({ code }) => code);
      // P10: 576 B of three headers.
      for (const code of ['P07', 'P08', 'P10', 'P02', 'P04', 'P12']) expect(codes).not.toContain(code);
      for (const { files } of reported)
        for (const each of files) expect(trace.files.at(each.file).path).not.toMatch(/\.pyc$|__pycache__/);

      const total = ({ transferNs, metadataNs }: { transferNs: number; metadataNs: number }): number =>
        transferNs + metadataNs;
      const all = total(countedIo(trace, new Uint8Array(trace.files.length)).io);
      expect(all / trace.durationNs).toBeGreaterThan(0.05);
      expect(total(countedIo(trace, ignored).io) / all).toBeLessThan(0.1);
    });
  },
);
