import { describe, expect, test } from 'vitest';
import { counterTrace, type CounterLogParts, type CounterRecord } from '../../../../test/support/counter-trace.ts';
import { ignoredFiles } from '../../metrics/ignored-files.ts';
import { DEFAULT_THRESHOLDS } from '../thresholds.ts';
import { withSlots } from '../../../../test/support/sentences.ts';
import type { Insight } from '../insight.ts';
import { counterNotes, findCounterInsights, reportedCounterInsights } from './find-counter-insights.ts';

/** Findings of a report. */
function reported(parts: CounterLogParts): Insight[] {
  const trace = counterTrace(parts);
  return withSlots(reportedCounterInsights(trace, trace.counters, DEFAULT_THRESHOLDS, ignoredFiles(trace.files)));
}

function has(code: string, parts: CounterLogParts): boolean {
  return reported(parts).some((insight) => insight.code === code);
}

/** Drishti's rule holds, whatever the report says. */
function holds(code: string, parts: CounterLogParts): boolean {
  const trace = counterTrace(parts);
  return findCounterInsights(trace, trace.counters, DEFAULT_THRESHOLDS).some((insight) => insight.code === code);
}

/** A job of 10 s with one record of a file of the program's own. */
function log(module: string, values: Readonly<Record<string, number>>, rank = -1): CounterLogParts {
  return { modules: { [module]: [{ path: '/scratch/out.dat', rank, values }] } };
}

describe('files that do not count', () => {
  const reads = (path: string, calls: number): CounterRecord => ({
    path,
    rank: 0,
    values: {
      POSIX_OPENS: 1,
      POSIX_READS: calls,
      POSIX_SIZE_READ_0_100: calls,
      POSIX_FILE_NOT_ALIGNED: calls,
      POSIX_MEM_NOT_ALIGNED: calls,
      POSIX_SEQ_READS: calls,
      POSIX_BYTES_READ: 50 * calls,
      POSIX_F_READ_TIME: calls / 1000,
    },
  });
  const IMPORTS = ['/home/u/env/lib/python3.12/site-packages/h5py/__pycache__/a.cpython-312.pyc', '/usr/lib/libc.so.6'];

  test('are left out of what counters count: of imports alone nothing is found', () => {
    const parts = { modules: { POSIX: IMPORTS.map((path) => reads(path, 4000)) } };
    expect(['P05', 'P07', 'P08'].filter((code) => holds(code, parts))).toEqual(['P05', 'P07', 'P08']);
    expect(reported(parts).filter(({ severity }) => severity !== 'info' && severity !== 'ok')).toEqual([]);
    expect(['P02', 'P05', 'P07', 'P08', 'P12'].filter((code) => has(code, parts))).toEqual([]);
  });

  test('of others beside them the numbers are those of the others, and the note says what is left out', () => {
    const parts = { modules: { POSIX: [...IMPORTS.map((path) => reads(path, 4000)), reads('/scratch/a', 1500)] } };
    const insight = reported(parts).find(({ code }) => code === 'P05')!;
    expect(insight.message).toContain('1,500 of 1,500 reads (100 %)');
    expect(insight.evidence).toMatchObject({ count: 1500, calls: 1500, files: 1, timeNs: 1.5e9 });
    expect(insight.files).toEqual([{ file: 2, events: 1500, bytes: 75_000, timeNs: 1.5e9 }]);
    const trace = counterTrace(parts);
    const notes = counterNotes(trace, trace.counters, DEFAULT_THRESHOLDS, ignoredFiles(trace.files));
    expect(notes).toEqual([
      expect.stringMatching(
        /^2 files .*: 8,002 calls, 8 s of all processes together\. For each process that is 20 % of the run on average: /,
      ),
    ]);
  });

  test('what is left out is a word more only where it takes much of the run', () => {
    const notesOf = (calls: number): string[] => {
      const trace = counterTrace({ job: { processes: 4 }, modules: { POSIX: [reads('/usr/lib/libc.so.6', calls)] } });
      return counterNotes(trace, trace.counters, DEFAULT_THRESHOLDS, ignoredFiles(trace.files));
    };
    expect(notesOf(3999)).toEqual([expect.stringMatching(/together\.$/)]);
    expect(notesOf(4000)).toEqual([expect.stringMatching(/that is 10 % of the run on average/)]);
  });

  test('a file whose name is lost counts, and so do the standard streams, of which no event tells', () => {
    const nameless = { modules: { POSIX: [{ ...reads('', 1500), path: undefined }] } } as unknown as CounterLogParts;
    expect(has('P05', nameless)).toBe(true);
    const values = { STDIO_WRITES: 4000, STDIO_BYTES_WRITTEN: 9e6, STDIO_F_WRITE_TIME: 1 };
    expect(has('S01', { modules: { STDIO: [{ path: '<STDOUT>', values }] } })).toBe(true);
  });
});

describe('a trifle is no finding of a report', () => {
  const again = (calls: number, bytes: number, seconds = 1): CounterLogParts =>
    log('POSIX', {
      POSIX_WRITES: calls,
      POSIX_BYTES_WRITTEN: bytes,
      POSIX_MAX_BYTE_WRITTEN: 0,
      POSIX_F_WRITE_TIME: seconds,
    });
  const MIB = 1 << 20;

  test.each([
    // The bytes again are one less than all that is written.
    ['576 B in 9 calls', again(9, 577), false],
    ['31 calls of 1 MiB in all', again(31, MIB + 1), false],
    ['32 calls of little', again(32, 577), true],
    ['9 calls of more than 1 MiB in all', again(9, MIB + 2), true],
    ['less than 0.01 % of the run', again(32, 577, 0.000_999), false],
    ['0.01 % of the run', again(32, 577, 0.001), true],
  ])('P10: %s', (_, parts, isSaid) => {
    expect([holds('P10', parts), has('P10', parts)]).toEqual([true, isSaid]);
  });

  test('where a log measured no times nothing is told by them', () => expect(has('P10', again(32, 577, 0))).toBe(true));

  const stragglers = (difference: number): CounterLogParts =>
    log('POSIX', {
      POSIX_READS: 100,
      POSIX_BYTES_READ: 9 * MIB,
      POSIX_F_READ_TIME: 2 * difference,
      POSIX_F_SLOWEST_RANK_TIME: difference,
      POSIX_F_FASTEST_RANK_TIME: 0,
    });
  test.each([
    [0.001_47, false],
    [0.499, false],
    [0.5, true],
  ])('P19: of a run of 10 s a process that takes %d s longer', (difference, isSaid) => {
    const parts = stragglers(difference);
    expect([holds('P19', parts), has('P19', parts)]).toEqual([true, isSaid]);
  });

  const uneven = (bytes: number): CounterLogParts =>
    log('POSIX', {
      POSIX_WRITES: 100,
      POSIX_BYTES_WRITTEN: bytes,
      POSIX_SLOWEST_RANK_BYTES: bytes,
      POSIX_FASTEST_RANK_BYTES: 0,
      POSIX_F_WRITE_TIME: 1,
    });
  test.each([
    [MIB - 1, false],
    [MIB, true],
  ])('P18: of a shared file of %d B', (bytes, isSaid) => {
    const parts = uneven(bytes);
    expect([holds('P18', parts), has('P18', parts)]).toEqual([true, isSaid]);
  });

  const own = (bytes: number): CounterLogParts => ({
    modules: {
      POSIX: [0, 1].map((rank) => ({
        path: '/scratch/own',
        rank,
        values: { POSIX_WRITES: 100, POSIX_BYTES_WRITTEN: rank * bytes, POSIX_F_WRITE_TIME: 1 },
      })),
    },
  });
  test.each([
    [MIB - 1, false],
    [MIB, true],
  ])('P21: where the most is %d B', (bytes, isSaid) => {
    const parts = own(bytes);
    expect([holds('P21', parts), has('P21', parts)]).toEqual([true, isSaid]);
  });

  test('S01: 495 B that are printed', () => {
    const values = { STDIO_WRITES: 12, STDIO_BYTES_WRITTEN: 495, STDIO_F_WRITE_TIME: 1 };
    const parts = log('STDIO', values);
    expect([holds('S01', parts), has('S01', parts)]).toEqual([true, false]);
  });
});
