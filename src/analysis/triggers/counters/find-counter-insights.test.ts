import { describe, expect, test } from 'vitest';
import { codes, find, posix } from '../../../../test/support/darshan/counter-findings.ts';
import { counterTrace, type CounterLogParts } from '../../../../test/support/counter-trace.ts';
import { DEFAULT_THRESHOLDS } from '../thresholds.ts';
import { COUNTER_CATALOGUE } from './counter-catalogue.ts';
import { counterNotes, findCounterInsights } from './find-counter-insights.ts';

/** All files count. */
const NO_FILES = new Uint8Array();

function mpiIo(values: Readonly<Record<string, number>>): CounterLogParts {
  return { modules: { 'MPI-IO': [{ path: '/scratch/out.dat', values }] } };
}

test('the catalogue is Drishti’s: every code once, in its order, without a P20', () => {
  const numbered = (letter: string, from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_, i) => `${letter}${String(from + i).padStart(2, '0')}`);
  const all = ['S01', ...numbered('P', 1, 19), 'P21', 'P22', ...numbered('M', 1, 10)];
  const of = COUNTER_CATALOGUE.map(({ code }) => code);
  expect([...of].sort()).toEqual([...all].sort());
  expect(of.slice(0, 3)).toEqual(['S01', 'M01', 'P01']);
  expect(new Set(COUNTER_CATALOGUE.map(({ name }) => name)).size).toBe(all.length);
});

test('a log without modules has no MPI-IO, and nothing else is said of it', () =>
  expect(codes({ modules: {} })).toEqual(['M01']));

describe('S01: stdio', () => {
  const stdio = (bytes: number): CounterLogParts => ({
    modules: {
      STDIO: [{ path: '/s', values: { STDIO_BYTES_WRITTEN: bytes, STDIO_WRITES: 7, STDIO_F_WRITE_TIME: 2 } }],
      POSIX: [{ path: '/p', values: { POSIX_BYTES_READ: 900 } }],
      'MPI-IO': [{ path: '/p', values: { MPIIO_BYTES_READ: 450 } }],
    },
  });
  test('its share is that of the bytes of all interfaces, MPI-IO’s counted once', () => {
    const insight = find('S01', stdio(101));
    expect(insight.evidence['share']).toBeCloseTo(101 / 1001);
    expect(insight.files).toEqual([{ file: 0, events: 7, bytes: 101, timeNs: 2e9 }]);
    expect(insight.severity).toBe('high');
  });
  test('a tenth is not above the bound', () => expect(codes(stdio(100))).not.toContain('S01'));
});

describe('P01 to P04', () => {
  test.each([
    ['P01', { POSIX_WRITES: 1223, POSIX_READS: 1000 }],
    ['P02', { POSIX_WRITES: 1000, POSIX_READS: 1223 }],
    ['P03', { POSIX_BYTES_WRITTEN: 1223, POSIX_BYTES_READ: 1000 }],
    ['P04', { POSIX_BYTES_WRITTEN: 1000, POSIX_BYTES_READ: 1223 }],
  ])('%s: one kind exceeds the other by more than a tenth of both', (code, values) => {
    const insight = find(code, posix(values));
    expect(insight.severity).toBe('info');
    expect(insight.evidence['share']).toBeCloseTo(1223 / 2223);
    expect(codes(posix({ POSIX_WRITES: 1222, POSIX_READS: 1000 }))).not.toContain('P01');
  });
  test('what was not measured is no number', () => {
    const parts: CounterLogParts = {
      modules: {
        POSIX: [
          { path: '/a', values: { POSIX_WRITES: -1, POSIX_READS: 1 } },
          { path: '/b', values: { POSIX_WRITES: 1, POSIX_READS: 0 } },
        ],
      },
    };
    expect(codes(parts)).not.toContain('P02');
  });
});

describe('P05, P06, P15, P16: small requests', () => {
  const reads = (small: number, large: number): Record<string, number> => ({
    POSIX_READS: small + large,
    POSIX_SIZE_READ_100K_1M: small - 1,
    POSIX_SIZE_READ_0_100: 1,
    POSIX_SIZE_READ_1M_4M: large,
    POSIX_BYTES_READ: 5_000_000,
    POSIX_F_READ_TIME: 1.5,
    POSIX_SEQ_READS: small + large,
  });
  test('more than a thousand, and more than a tenth', () => {
    const insight = find('P05', posix(reads(1001, 8000)));
    expect(insight.evidence).toMatchObject({ count: 1001, calls: 9001, files: 1, timeNs: 1.5e9 });
    expect(insight.files).toEqual([{ file: 0, events: 1001, bytes: 5_000_000, timeNs: 1.5e9 }]);
    expect(insight.message).toContain('1,001 of 9,001 reads (11 %) move at most 1 MiB');
    expect(codes(posix(reads(1000, 0)))).not.toContain('P05');
    expect(codes(posix(reads(1001, 9009)))).not.toContain('P05');
  });
  test('what is just below the bound is small by name alone', () => {
    expect(find('P05', posix(reads(1001, 0))).message).toContain('Of all, < 0.1 % are of 100 KiB or less.');
    // Who asks for smaller ones means these.
    const tiny = posix({ POSIX_READS: 2000, POSIX_SIZE_READ_100_1K: 2000, POSIX_BYTES_READ: 2_000_000 });
    expect(find('P05', tiny).message).not.toContain('Of all');
    expect(find('P05', tiny, { small_bytes: 4096 }).message).not.toContain('Of all');
  });
  test('in shared files only records of all processes count', () => {
    expect(codes(posix(reads(1001, 0)))).toEqual(expect.arrayContaining(['P05', 'P15']));
    expect(codes(posix(reads(1001, 0), 3))).not.toContain('P15');
  });
  test('the bound of what is small moves by classes of sizes', () => {
    expect(codes(posix(reads(1001, 0)), { small_bytes: 1_048_575 })).not.toContain('P05');
    expect(codes(posix(reads(1, 1001)), { small_bytes: 4 * 1024 ** 2 })).toContain('P05');
  });
  test('writes have their own', () => {
    const writes = {
      POSIX_WRITES: 2000,
      POSIX_SIZE_WRITE_1K_10K: 2000,
      POSIX_BYTES_WRITTEN: 4_000_000,
      POSIX_SEQ_WRITES: 2000,
    };
    expect(codes(posix(writes))).toEqual(expect.arrayContaining(['P06', 'P16']));
    expect(find('P06', posix(writes)).severity).toBe('high');
    expect(codes(posix(writes))).not.toContain('P05');
  });
  test('a single process is not told of collective calls', () => {
    const alone = find('P05', { ...posix(reads(1001, 0)), job: { processes: 1 } });
    expect(alone.recommendations).toHaveLength(1);
    expect(find('P05', posix(reads(1001, 0))).recommendations).toHaveLength(2);
  });
});

describe('P07 and P08: alignment', () => {
  const values = {
    POSIX_READS: 100,
    POSIX_MEM_NOT_ALIGNED: 11,
    POSIX_FILE_NOT_ALIGNED: 11,
    POSIX_FILE_ALIGNMENT: 4096,
  };
  test('more than a tenth of the reads and writes', () => {
    expect(codes(posix(values))).toEqual(expect.arrayContaining(['P07', 'P08']));
    expect(codes(posix({ ...values, POSIX_WRITES: 10 }))).not.toContain('P08');
    expect(find('P08', posix(values)).evidence).toMatchObject({ count: 11, calls: 100, alignment: 4096 });
  });
  test('calls of records without the measure are not among those that are counted', () => {
    const parts: CounterLogParts = {
      modules: {
        POSIX: [
          { path: '/a', values: { ...values } },
          { path: '/b', values: { POSIX_READS: 900, POSIX_MEM_NOT_ALIGNED: -1, POSIX_FILE_NOT_ALIGNED: 0 } },
        ],
      },
    };
    expect(find('P07', parts).evidence).toMatchObject({ count: 11, calls: 100 });
    expect(codes(parts)).not.toContain('P08');
  });
  test('HDF5 is advised to align, by what the log says of the block', () => {
    const parts = { modules: { ...posix(values).modules, H5F: [{ path: '/x', values: { H5F_OPENS: 1 } }] } };
    const snippets = find('P08', parts).recommendations.map(({ snippet }) => snippet?.code ?? '');
    expect(snippets.join('\n')).toContain('H5Pset_alignment(access, 65536, 4096)');
    expect(find('P08', posix(values)).recommendations).toHaveLength(1);
  });
});

describe('P09 and P10: redundant traffic', () => {
  const read = (bytes: number): Record<string, number> => ({
    POSIX_BYTES_READ: bytes,
    POSIX_MAX_BYTE_READ: 999,
    POSIX_READS: 4,
  });
  test('one process reads more bytes than there are', () => {
    const insight = find('P09', posix(read(3000), 0));
    expect(insight.evidence).toMatchObject({ bytes: 2000, files: 1 });
    expect(insight.files[0]).toMatchObject({ bytes: 2000, events: 4 });
    expect(insight.severity).toBe('warn');
    expect(find('P09', posix(read(1100), 0)).severity).toBe('info');
    // A little is written or read again by everybody.
    expect(codes(posix(read(1052), 0))).not.toContain('P09');
  });
  test('each of four processes may have to read all of a shared file', () => {
    expect(codes(posix(read(4000)))).not.toContain('P09');
    expect(find('P09', posix(read(5000))).evidence['bytes']).toBe(1000);
  });
  test('written it needs to be once, whoever does it', () => {
    const written = { POSIX_BYTES_WRITTEN: 1500, POSIX_MAX_BYTE_WRITTEN: 999, POSIX_WRITES: 4 };
    expect(find('P10', posix(written)).evidence['bytes']).toBe(500);
  });
  test('a sparse file is not redundant, as Drishti has it, nor is one file the other’s', () => {
    const parts: CounterLogParts = {
      modules: {
        POSIX: [
          {
            path: '/sparse',
            rank: 0,
            values: { POSIX_BYTES_WRITTEN: 10, POSIX_MAX_BYTE_WRITTEN: 1_000_000, POSIX_WRITES: 1 },
          },
          { path: '/other', rank: 0, values: { POSIX_BYTES_WRITTEN: 10, POSIX_MAX_BYTE_WRITTEN: 9, POSIX_WRITES: 1 } },
        ],
      },
    };
    expect(codes(parts)).not.toContain('P10');
  });
});

describe('P11 to P14: order', () => {
  const reads = (calls: number, sequential: number): Record<string, number> => ({
    POSIX_READS: calls,
    POSIX_SEQ_READS: sequential,
    POSIX_CONSEC_READS: Math.floor(sequential / 2),
  });
  test('more than a thousand and a fifth: random, else in order', () => {
    expect(codes(posix(reads(2000, 995), 0))).toContain('P11');
    expect(codes(posix(reads(2000, 995), 0))).not.toContain('P12');
    expect(codes(posix(reads(2000, 999), 0))).toContain('P12');
    expect(codes(posix(reads(2000, 1999), 0))).not.toContain('P14');
  });
  test('the first read of each file and process is not random', () => {
    const firsts = Array.from({ length: 2000 }, (_, i) => ({ path: `/f${i}`, rank: i % 4, values: reads(1, 0) }));
    expect(codes({ modules: { POSIX: firsts } })).not.toContain('P11');
    expect(find('P11', posix(reads(1005, 0))).evidence).toMatchObject({ count: 1001, notSequential: 1005 });
    expect(codes(posix(reads(1004, 0)))).not.toContain('P11');
  });
  test('what is in no order, but little, is not praised', () => {
    expect(find('P12', posix(reads(10, 2), 0)).severity).toBe('info');
    expect(find('P12', posix(reads(10, 9), 0)).severity).toBe('ok');
  });
});

describe('P17: metadata', () => {
  const spends = (rank: number, seconds: number) => ({
    path: `/f${rank}`,
    rank,
    values: { POSIX_F_META_TIME: seconds, POSIX_OPENS: 3 },
  });
  test('one process with more than half a minute over all its files', () => {
    const parts = { modules: { POSIX: [spends(0, 1), spends(1, 20), { ...spends(1, 11), path: '/g' }] } };
    const insight = find('P17', parts);
    expect(insight.evidence).toMatchObject({ processes: 1, seconds: 31, count: 9 });
    expect(insight.message).toContain('rank 1 at least 31 s');
    expect(codes({ modules: { POSIX: [spends(0, 16), spends(1, 16)] } })).not.toContain('P17');
  });
  test('a shared record is the sum of all processes: each has its part of it', () => {
    expect(codes({ modules: { POSIX: [spends(-1, 119)] } })).not.toContain('P17');
    const insight = find('P17', { modules: { POSIX: [spends(-1, 121)] } });
    expect(insight.evidence).toMatchObject({ processes: 4, seconds: 30.25 });
    expect(insight.message).toContain('a process at least 30.3 s');
  });
});

describe('M01 to M07: MPI-IO', () => {
  test('no MPI-IO: a warning only where processes share files', () => {
    expect(find('M01', posix({ POSIX_READS: 5 })).severity).toBe('warn');
    expect(find('M01', posix({ POSIX_READS: 5 }, 0)).severity).toBe('info');
    expect(find('M01', { ...posix({ POSIX_READS: 5 }), job: { processes: 1 } }).severity).toBe('info');
    expect(codes(mpiIo({ MPIIO_INDEP_READS: 1 }))).not.toContain('M01');
  });
  test('a module that the log lists, but whose records are lost, is there', () => {
    const trace = counterTrace({ modules: {} });
    const regions = [{ name: 'MPI-IO', bytes: 9, version: 3, incomplete: true, known: true }];
    const insights = findCounterInsights(trace, { ...trace.counters, regions }, DEFAULT_THRESHOLDS);
    expect(insights.map(({ code }) => code)).not.toContain('M01');
  });
  test('independent reads without a collective one', () => {
    expect(codes(mpiIo({ MPIIO_INDEP_READS: 1001 }))).toContain('M02');
    expect(codes(mpiIo({ MPIIO_INDEP_READS: 1000 }))).not.toContain('M02');
    const mixed = codes(mpiIo({ MPIIO_INDEP_READS: 1001, MPIIO_COLL_READS: 1, MPIIO_INDEP_WRITES: 1001 }));
    expect(mixed).not.toContain('M02');
    expect(mixed).toEqual(expect.arrayContaining(['M04', 'M03']));
    expect(find('M04', mpiIo({ MPIIO_INDEP_READS: 3, MPIIO_COLL_READS: 1 })).evidence['share']).toBe(0.25);
  });
  test('blocking calls are a warning where there are any', () => {
    expect(find('M06', mpiIo({ MPIIO_COLL_READS: 5 })).severity).toBe('warn');
    expect(find('M06', mpiIo({ MPIIO_COLL_WRITES: 5 })).severity).toBe('info');
    expect(find('M06', mpiIo({ MPIIO_COLL_WRITES: 5 })).files).toEqual([]);
    expect(find('M06', { ...mpiIo({ MPIIO_COLL_READS: 5 }), job: { processes: 1 } }).severity).toBe('info');
    expect(codes(mpiIo({ MPIIO_NB_READS: 1, MPIIO_COLL_READS: 5 }))).not.toContain('M06');
    expect(codes(posix({ POSIX_READS: 5 }))).not.toContain('M06');
  });
});

describe('M08 to M10: aggregators', () => {
  const hinted = (cbNodes: string): CounterLogParts => ({
    ...mpiIo({ MPIIO_COLL_READS: 5 }),
    job: { metadata: [['h', `cb_nodes=${cbNodes};cb_buffer_size=1048576`]] },
  });
  const aggregators = (parts: CounterLogParts, nodes = 0): string[] =>
    codes(parts, { nodes }).filter((code) => ['M08', 'M09', 'M10'].includes(code));
  test('compared as numbers with the nodes that the user gives', () => {
    expect(aggregators(hinted('10'), 9)).toEqual(['M09']);
    expect(aggregators(hinted('9'), 10)).toEqual(['M08']);
    expect(aggregators(hinted('9'), 9)).toEqual(['M10']);
  });
  test.each(['romio_no_indep_rw=true;cb_nodes=4', 'cb_nodes=4;cb_buffer_size=1048576'])(
    'the hints %s are those of the log, not of the program: no praise, no blame, no advice',
    (h) => {
      const parts: CounterLogParts = {
        ...mpiIo({ MPIIO_COLL_READS: 5 }),
        job: { metadata: [['h', h]] },
        hosts: ['a', 'a', 'b', 'b'],
      };
      expect(aggregators(parts)).toEqual([]);
      for (const nodes of [2, 4, 8]) {
        const insight = find(aggregators(parts, nodes)[0]!, parts, { nodes });
        expect([insight.severity, insight.recommendations]).toEqual(['info', []]);
        expect(insight.message).toContain('the hints with which Darshan wrote the log');
      }
      const trace = counterTrace(parts);
      const note = expect.stringContaining('are those with which Darshan wrote the log itself') as unknown;
      expect(counterNotes(trace, trace.counters, DEFAULT_THRESHOLDS, NO_FILES)).toEqual([note]);
      expect(counterNotes(trace, trace.counters, { ...DEFAULT_THRESHOLDS, nodes: 4 }, NO_FILES)).toEqual([]);
      const independent = counterTrace({ ...parts, ...mpiIo({ MPIIO_INDEP_READS: 5 }) });
      expect(counterNotes(independent, independent.counters, DEFAULT_THRESHOLDS, NO_FILES)).toEqual([]);
    },
  );
  test.each(['no', 'cb_nodes=', 'cb_nodes=many', 'cb_nodes=$(id)', 'cb_nodes'])('hints %j are none', (h) => {
    const parts = { ...mpiIo({ MPIIO_COLL_READS: 5 }), job: { metadata: [['h', h]] as const } };
    expect(aggregators(parts, 4)).toEqual([]);
  });
});

describe('what every finding has', () => {
  const parts: CounterLogParts = {
    modules: {
      POSIX: [
        { rank: 0, values: { POSIX_READS: 3000, POSIX_SIZE_READ_0_100: 3000, POSIX_F_READ_TIME: 1 } },
        { rank: 0, values: { POSIX_READS: 2000, POSIX_SIZE_READ_0_100: 2000, POSIX_F_READ_TIME: 2 } },
        { path: '/named', rank: 0, values: { POSIX_READS: 10, POSIX_SIZE_READ_0_100: 10, POSIX_F_READ_TIME: 3 } },
      ],
    },
  };
  test('files whose names are lost are counted, not named', () => {
    const insight = find('P05', parts);
    expect(insight.evidence['files']).toBe(3);
    expect(insight.files).toEqual([{ file: 0, events: 10, bytes: 0, timeNs: 3e9 }]);
  });
  test('a module that ran out of memory is spoken of', () => {
    expect(find('P05', { ...parts, incomplete: ['POSIX'] }).message).toContain(
      'Darshan ran out of memory for its POSIX module',
    );
    expect(find('P05', parts).message).not.toContain('out of memory');
  });
  test('of very many files the first thousand are listed, and all are counted', () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({
      path: `/f${i}`,
      rank: 0,
      values: { POSIX_READS: 1, POSIX_SIZE_READ_0_100: 1, POSIX_F_READ_TIME: i },
    }));
    const insight = find('P05', { modules: { POSIX: many } });
    expect(insight.files).toHaveLength(1000);
    expect(insight.files[0]!.timeNs).toBe(2999e9);
    expect(insight.evidence['files']).toBe(3000);
  });
});
