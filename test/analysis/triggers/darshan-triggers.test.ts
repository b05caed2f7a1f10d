import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { COUNTER_CATALOGUE } from '../../../src/analysis/triggers/counters/counter-catalogue.ts';
import { findCounterInsights } from '../../../src/analysis/triggers/counters/find-counter-insights.ts';
import type { Insight } from '../../../src/analysis/triggers/insight.ts';
import { DEFAULT_THRESHOLDS } from '../../../src/analysis/triggers/thresholds.ts';
import { readDarshan } from '../../../src/readers/darshan/darshan-reader.ts';
import { LocalRecordingFile } from '../../../src/session/reading/recording-files.ts';
import { absent, corpus } from '../../support/corpus.ts';
import { withSlots } from '../../support/sentences.ts';

/** What Drishti (commit 4493988) says of a log. */
interface Expected {
  readonly drishti: {
    readonly codes: readonly string[];
    readonly messages: readonly (readonly [code: string, text: string])[];
    readonly critical: number;
    readonly warnings: number;
  };
}

const OFFSETS =
  'Drishti compares the highest offset of any one file with the bytes of all, the wrong way round; no file has more bytes moved than there are';
const MOVED_AGAIN =
  'a file has far more bytes moved than there are in it, which Drishti, comparing the wrong way round, does not see';

const FLUSHED =
  'its STDIO module counts 3,915 flushes of two streams, each of 63 bytes, for which Drishti has no trigger; writing to them takes 12 % of the I/O time';

const SIEVED =
  'below its collective writes MPI-IO makes 1,602 reads, each between two writes (3,198 changes), for which Drishti has no trigger';

/** Where we do not say what Drishti says, with the reason (docs/triggers.md). A difference that is not here is an error. */
const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'bzip2_obfuscated_ior-HDF5': { '-P10': OFFSETS },
  drishti_8a_benchmark_write_parallel: { '+L22': SIEVED, '-P09': OFFSETS },
  dxt_v2_pthread_badio: { '+P09': MOVED_AGAIN, '-P10': OFFSETS },
  'ior-HDF5': { '-P10': OFFSETS },
  'ior-PNETCDF': { '-P10': OFFSETS },
  ior_hdf5_example: { '-P10': OFFSETS },
  macsio: { '+P10': MOVED_AGAIN },
  'mpi-io-test-ppc64-3.0.0': {
    '-P19':
      'darshan-util 3.5.0 does not swap POSIX_F_META_TIME of old big-endian logs: Drishti sees 0, and so a larger share',
  },
  nonmpi_dxt_anonymized: { '+L04': FLUSHED },
  partial_data_dxt: { '+P09': MOVED_AGAIN },
  pydarshan_example: { '-P10': OFFSETS },
  'skew-app': {
    '-P17': 'the 35,283 s are those of 65,536 processes together, half a second each; Drishti takes them for one',
  },
  'uncompressed_killed_3.5.0': { '-P09': OFFSETS, '-P10': OFFSETS },
};

const percent = (share: number): string => (share * 100).toFixed(2);

/** The numbers in Drishti's words, from our evidence. */
const NUMBERS: Readonly<Record<string, (evidence: Readonly<Record<string, number>>) => string[]>> = {
  S01: ({ share }) => [percent(share!)],
  P01: ({ share }) => [percent(share!), percent(1 - share!)],
  P02: ({ share }) => [percent(1 - share!), percent(share!)],
  P03: ({ share }) => [percent(share!), percent(1 - share!)],
  P04: ({ share }) => [percent(1 - share!), percent(share!)],
  P05: ({ count, share }) => [String(count), percent(share!)],
  P06: ({ count, share }) => [String(count), percent(share!)],
  P07: ({ share }) => [percent(share!)],
  P08: ({ share }) => [percent(share!)],
  // Drishti counts first accesses too.
  P11: ({ notSequential, calls }) => [String(notSequential), percent(notSequential! / calls!)],
  P12: ({ consecutive, sequential }) => [percent(consecutive!), percent(sequential!)],
  P13: ({ notSequential, calls }) => [String(notSequential), percent(notSequential! / calls!)],
  P14: ({ consecutive, sequential }) => [percent(consecutive!), percent(sequential!)],
  P15: ({ count, share }) => [String(count), percent(share!)],
  P16: ({ count, share }) => [String(count), percent(share!)],
  P18: ({ files }) => [String(files)],
  P19: ({ files }) => [String(files)],
  P21: ({ files }) => [String(files)],
  P22: ({ files }) => [String(files)],
  M02: ({ count, share }) => [String(count), percent(share!)],
  M03: ({ count, share }) => [String(count), percent(share!)],
  M04: ({ count, share }) => [String(count), percent(share!)],
  M05: ({ count, share }) => [String(count), percent(share!)],
};

function numbersIn(text: string): string[] {
  // The bound of "small" is no number of the log, nor are the units behind a percentage.
  return (
    text
      .replace(/\(i\.e\., < 1MB\)/, '')
      .replace(/\([\d.]+ (?:bytes|[KMGTP]B)\)/, '')
      .match(/\d+(?:\.\d+)?/g) ?? []
  );
}

async function insightsOf(file: string): Promise<Insight[]> {
  const trace = await readDarshan([new LocalRecordingFile(file)], {});
  return withSlots(findCounterInsights(trace, trace.counters!, DEFAULT_THRESHOLDS));
}

const folder = corpus('darshan');
const logs = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.darshan'));

describe.skipIf(folder === undefined)(
  `Drishti's codes (${folder === undefined ? absent('darshan') : 'all logs'})`,
  () => {
    test.each(logs.map((log) => log.replace('.darshan', '')))('%s', async (name) => {
      const { drishti } = JSON.parse(readFileSync(path.join(folder!, `${name}.expected.json`), 'utf8')) as Expected;
      const insights = await insightsOf(path.join(folder!, `${name}.darshan`));
      const ours = new Set(insights.map(({ code }) => code));
      const theirs = new Set(drishti.codes);
      const different = [
        ...[...ours].filter((code) => !theirs.has(code)).map((code) => `+${code}`),
        ...[...theirs].filter((code) => !ours.has(code)).map((code) => `-${code}`),
      ];
      expect(different.sort()).toEqual(Object.keys(DIFFERENCES[name] ?? {}).sort());

      for (const [code, text] of drishti.messages) {
        const insight = insights.find((each) => each.code === code);
        const numbers = NUMBERS[code];
        if (insight !== undefined && numbers !== undefined) {
          expect([code, numbers(insight.evidence)]).toEqual([code, numbersIn(text)]);
        }
      }
    });

    test('the levels are Drishti’s', () => {
      const level = new Map(COUNTER_CATALOGUE.map(({ code, severity }) => [code, severity]));
      for (const log of logs) {
        const file = path.join(folder!, log.replace('.darshan', '.expected.json'));
        const { drishti } = JSON.parse(readFileSync(file, 'utf8')) as Expected;
        const count = (severity: string): number => drishti.codes.filter((code) => level.get(code) === severity).length;
        expect([log, count('high')]).toEqual([log, drishti.critical]);
        // Drishti counts P10 twice.
        expect([log, count('warn') + Number(drishti.codes.includes('P10'))]).toEqual([log, drishti.warnings]);
      }
    });

    test('no difference is listed for a log that there is not', () =>
      expect(Object.keys(DIFFERENCES).filter((name) => !logs.includes(`${name}.darshan`))).toEqual([]));
  },
);
