import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../../src/analysis/triggers/catalogue.ts';
import { at, codes, find, insightsOf, KiB, MiB, type Direction } from '../../support/analysed-text.ts';
import { frame, line, StraceText } from '../../support/strace-text.ts';

// Every trigger on a recording that fires it and on one that must not, made by hand where no program of the corpus does.

/** Something of another kind and of most of the time, so that shares can be small. */
function elsewhere(text: StraceText, microseconds: number): StraceText {
  return text.call(1, `fsync(9</w/other>) = 0`, microseconds, [line(900)]);
}

/** Accesses of one process, one behind the other. */
function sequential(direction: Direction, count: number, bytes: number, stack: readonly string[]): StraceText {
  const text = new StraceText();
  return text.times(count, (i) => text.call(1, at(direction, '/w/a', i * bytes, bytes), 10, stack));
}

describe('summaries', () => {
  const bounds = { summary_operations: 100 };

  test.each([
    ['write', ['P01', 'P03', 'P14']],
    ['read', ['P02', 'P04', 'P12']],
  ] as const)('of a run that mostly %ss', async (direction, expected) => {
    const insights = await insightsOf(sequential(direction, 101, MiB, [line(1)]), bounds);
    expect(insights.map(({ code }) => code).sort()).toEqual(expected);
    for (const { sites, files, severity } of insights) {
      expect([sites, files]).toEqual([[], []]);
      expect(['info', 'ok']).toContain(severity);
    }
  });

  test('are not made of few calls, and say nothing of as many reads as writes', async () => {
    expect(await codes(sequential('read', 100, MiB, [line(1)]), bounds)).toEqual([]);
    const text = new StraceText();
    text.times(200, (i) => text.call(1, at(i % 2 === 0 ? 'read' : 'write', '/w/a', i * MiB, MiB), 10, [line(1)]));
    expect((await codes(text, bounds)).filter((code) => /P0[1-4]/.test(code))).toEqual([]);
  });

  test('difference of exactly the bound is none: comparisons are strict', async () => {
    const run = (reads: number): StraceText => {
      const text = new StraceText();
      text.times(reads, (i) => text.call(1, at('read', '/w/a', i * MiB, MiB), 10, [line(1)]));
      return text.times(45, (i) => text.call(1, at('write', '/w/b', i * MiB, MiB), 10, [line(2)]));
    };
    expect(await codes(run(55), { summary_operations: 10 })).not.toContain('P02');
    expect(await codes(run(56), { summary_operations: 10 })).toContain('P02');
  });

  test('reads at random are not praised', async () => {
    const text = new StraceText();
    text.times(200, (i) => text.call(1, at('read', '/w/a', ((i * 7919) % 200) * MiB, MiB), 10, [line(1)]));
    expect(await codes(text, bounds)).not.toContain('P12');
  });
});

describe('P05 and P06: small requests', () => {
  test.each([
    ['read', 'P05'],
    ['write', 'P06'],
  ] as const)(
    'what saves next to nothing of the run is no more than info, whatever Drishti counts: %s',
    async (direction, code) => {
      const severity = async (count: number): Promise<string> => {
        const text = elsewhere(sequential(direction, count, 100, [line(7)]), 150_000);
        return (await find(code, text)).severity;
      };
      expect(await severity(1000)).toBe('info');
      expect(await severity(1001)).toBe('info');
    },
  );

  test('evidence says how many calls a buffer would make', async () => {
    const { evidence, recommendations } = await find('P06', sequential('write', 3000, 1000, [line(7)]));
    // 1,048 writes of 1,000 B fill a buffer of 1 MiB.
    expect(evidence['coalescedCalls']).toBe(3);
    expect(recommendations[0]!.text).toContain('A buffer of 1 MiB makes 3 calls of these 3,000.');
    const gaps = new StraceText();
    gaps.times(200, (i) => gaps.call(1, at('write', '/w/a', i * i * KiB, 100), 10, [line(7)]));
    const other = await insightsOf(gaps);
    expect(other.map(({ code }) => code)).not.toContain('P06');
  });

  test('a buffer joins nothing where each file gets one write, where bytes are written again, or polled', async () => {
    const files = new StraceText();
    const loop = new StraceText();
    files.times(200, (i) => files.call(1, at('write', `/w/part${i}`, 0, 100), 10, [line(7)]));
    loop.times(200, (i) => loop.call(1, at('write', '/w/status', i % 2, 100), 10, [line(7)]));
    const polled = new StraceText();
    polled.times(200, () => {
      polled.call(1, at('read', '/w/counter', 0, 8), 10, [line(7)]);
      polled.call(2, at('write', '/w/counter', 0, 8), 1, [line(8)]);
    });
    expect(await codes(files)).toEqual([]);
    expect(await codes(loop)).not.toContain('P06');
    expect(await codes(polled)).not.toContain('P05');
  });
});

test('L07: a window that glides over the file leaves no gaps', async () => {
  const reads = (step: number): StraceText => {
    const text = new StraceText();
    return text.times(200, (i) => text.call(1, at('read', '/w/a', i * step, 100), 10, [line(7)]));
  };
  expect(await codes(reads(150))).toContain('L07');
  expect(await codes(reads(50))).not.toContain('L07');
});

test('L01: a file that is written and synchronised once is a checkpoint', async () => {
  const text = new StraceText();
  text.times(20, (i) => {
    text.call(1, `pwrite64(3</w/part${i}>, ""..., 4194304, 0) = 4194304`, 10, [line(3)]);
    text.call(1, `fsync(3</w/part${i}>) = 0`, 1000, [line(4)]);
  });
  expect(await codes(text)).toEqual([]);
});

describe('P15 and P16: small requests on shared files', () => {
  const shared = (direction: Direction, count: number, processes: number): StraceText => {
    const text = new StraceText();
    return text.times(count, (i) =>
      text.call(1 + (i % processes), at(direction, '/w/shared', i * 8 * KiB, 8 * KiB), 10, [line(5)]),
    );
  };
  test.each([
    ['read', 'P15'],
    ['write', 'P16'],
  ] as const)('%ss by two processes', async (direction, code) => {
    const { sites, evidence, severity } = await find(code, shared(direction, 1001, 2));
    expect([sites.length, evidence['processes'], severity]).toEqual([1, 2, 'high']);
    expect(await codes(shared(direction, 1000, 2))).not.toContain(code);
    expect(await codes(shared(direction, 2000, 1))).not.toContain(code);
    // Processes of a script, one after the other.
    const inTurn = new StraceText();
    inTurn.times(2000, (i) =>
      inTurn.call(i < 1000 ? 1 : 2, at(direction, '/w/shared', i * 8 * KiB, 8 * KiB), 10, [line(5)]),
    );
    expect(await codes(inTurn)).not.toContain(code);
  });

  test('one process writes what another one reads: nobody could collect a part, or take one, for others', async () => {
    const text = new StraceText();
    text.times(2000, (i) => {
      text.call(1 + (i % 3), at('write', `/w/part${i}`, 0, 46), 10, [line(5)]);
      text.call(4, at('read', `/w/part${i}`, 0, 46), 10, [line(9)]);
    });
    for (const code of ['P15', 'P16']) expect(await codes(text)).not.toContain(code);
  });

  test('what a shell reads before the programs that it starts do, one after the other, is not read together', async () => {
    const text = new StraceText();
    const reads = (pid: number, count: number): StraceText =>
      text.times(count, (i) => text.call(pid, at('read', '/w/list', i * 100, 100), 10, [line(5)]));
    reads(1, 1500);
    for (let program = 2; program < 60; program++) reads(program, 40);
    text.call(1, at('write', '/w/result', 0, 100), 10, [line(7)]);
    expect(await codes(text)).not.toContain('P15');
  });
});

describe('strides', () => {
  const strided = (direction: Direction, gap: number, processes = 1): StraceText => {
    const text = new StraceText();
    return text.times(200, (i) =>
      text.call(1 + (i % processes), at(direction, '/w/a', i * (8 + gap), 8), 10, [line(8)]),
    );
  };
  test.each([
    ['write', 'L06', 'P06'],
    ['read', 'L07', 'P05'],
  ] as const)('of small %ss', async (direction, code, consequence) => {
    const insights = await insightsOf(strided(direction, 120));
    const mine = insights.find((insight) => insight.code === code)!;
    expect(mine.sites[0]!.explainedBy).toBeUndefined();
    // The same line, the same cause: the small requests get no mark of their own.
    expect(insights.find((insight) => insight.code === consequence)!.sites[0]!.explainedBy).toBe(code);
    expect(await codes(strided(direction, 0))).not.toContain(code);
  });
  test('the gaps of writes to a shared file are the parts of the others', async () => {
    expect(await codes(strided('write', 120, 2))).not.toContain('L06');
  });
});

test('L05: backward reads, and not those at random', async () => {
  const text = new StraceText();
  text.times(100, (i) => text.call(1, at('read', '/w/a', (100 - i) * MiB, 8 * KiB), 10, [line(6)]));
  const found = await codes(text);
  expect(found).toContain('L05');
  expect(found).not.toContain('P11');
  const random = new StraceText();
  random.times(100, (i) => random.call(1, at('read', '/w/a', ((i * 37) % 100) * MiB, 8 * KiB), 10, [line(6)]));
  const other = await codes(random);
  expect(other).toContain('P11');
  expect(other).not.toContain('L05');
});

describe('P10: bytes written again', () => {
  const rewriting = (syncs: boolean): StraceText => {
    const text = new StraceText();
    return text.times(100, () => {
      text.call(1, at('write', '/w/a', 0, 8 * KiB), 10, [line(3)]);
      if (syncs) text.call(1, 'fsync(3</w/a>) = 0', 10, [line(4)]);
    });
  };
  test('speaks of overwriting, and not of making each version safe', async () => {
    expect(await codes(rewriting(false))).toContain('P10');
    expect(await codes(rewriting(true))).toEqual(['L01']);
  });
});

describe('libraries, as stacks show them', () => {
  const through = (frames: readonly string[], bytes: number, count = 200, processes = 1): StraceText => {
    const text = new StraceText();
    return text.times(count, (i) =>
      text.call(1 + (i % processes), at('write', '/w/a', i * bytes, bytes), 10, [...frames, line(31)]),
    );
  };
  const stdio = frame('libc.so.6', '_IO_file_write');

  test.each([
    ['fflush', [stdio, frame('libc.so.6', 'fflush')]],
    ['std::endl', [frame('libstdc++.so.6.0.30', 'std::ostream::flush()')]],
    ['libc++', [frame('libc++.so.1', 'std::__1::basic_ostream<char, std::__1::char_traits<char> >::flush()')]],
    ['gfortran', [frame('libgfortran.so.5.0.0', '_gfortran_st_flush')]],
    ['Intel Fortran', [frame('libifcore.so.5', 'for_flush')]],
    ['HDF5', [frame('libhdf5.so.103', 'H5Fflush')]],
  ])('L04: flush by %s explains the small writes', async (_name, frames) => {
    const insights = await insightsOf(through(frames, 20));
    const flush = insights.find(({ code }) => code === 'L04')!;
    expect([flush.severity, flush.sites.length, flush.evidence['coalescedCalls']]).toEqual(['high', 1, 1]);
    expect(insights.find(({ code }) => code === 'P06')!.sites[0]!.explainedBy).toBe('L04');
  });
  test('L04: what fills a buffer, and a flush of much, are none', async () => {
    expect(await codes(through([stdio, frame('libc.so.6', 'fwrite')], 4 * KiB))).toEqual([]);
    expect(await codes(through([stdio, frame('libc.so.6', 'fflush')], 64 * KiB))).toEqual([]);
  });

  describe('S01: much data through stdio', () => {
    /** Reads of a stream, each of which takes so long, on a machine whose other calls are quick. */
    const refills = (count: number, microseconds: number, frames: readonly string[], seeks = false): StraceText => {
      const text = new StraceText();
      text.times(10, () => text.call(1, 'fstat(3</w/a>, {...}) = 0', 10, [line(1)]));
      return text.times(count, (i) => {
        if (seeks) text.call(1, `lseek(3</w/a>, ${i * 4096}, SEEK_SET) = ${i * 4096}`, 10, [...frames, line(31)]);
        text.call(1, 'read(3</w/a>, ""..., 4096) = 4096', microseconds, [...frames, line(31)]);
      });
    };

    test('in more than a thousand slow calls', async () => {
      const { sites, severity } = await find('S01', refills(1001, 200, [stdio]));
      expect([sites.length, severity]).toEqual([1, 'high']);
      expect(await codes(refills(1000, 200, [stdio]))).not.toContain('S01');
      expect(await codes(refills(1001, 200, []))).not.toContain('S01');
    });

    test('not what the page cache gives at once: fewer calls save nothing there', async () => {
      expect(await codes(refills(3000, 40, [stdio]))).not.toContain('S01');
    });

    test('not where seeks empty the buffer: a larger one is read for nothing', async () => {
      expect(await codes(refills(3000, 200, [stdio], true))).not.toContain('S01');
      const jumps = new StraceText();
      jumps.times(10, () => jumps.call(1, 'fstat(3</w/a>, {...}) = 0', 10, [line(1)]));
      jumps.times(2000, (i) => jumps.call(1, at('read', '/w/a', i * i * KiB, 4 * KiB), 200, [stdio, line(31)]));
      expect(await codes(jumps)).not.toContain('S01');
    });

    test('not what a flush writes, whatever else goes through the stream', async () => {
      const text = refills(400, 10, [stdio]);
      text.times(5000, () =>
        text.call(1, 'write(4</w/log>, ""..., 19) = 19', 200, [stdio, frame('libc.so.6', 'fflush'), line(41)]),
      );
      const found = await codes(text);
      expect(found).toContain('L04');
      expect(found).not.toContain('S01');
    });

    test('examples are for the stream of the language', async () => {
      const cpp = '/w/app(work+0x1f) [0x1f] /w/app.cpp:31';
      const text = new StraceText();
      text.times(10, () => text.call(1, 'fstat(3</w/a>, {...}) = 0', 10, [cpp]));
      text.times(1500, () => text.call(1, 'read(3</w/a>, ""..., 8191) = 8191', 200, [stdio, cpp]));
      const [first] = (await find('S01', text)).recommendations;
      expect(first!.snippet!.code).toContain('pubsetbuf');
      expect(first!.text).not.toContain('use write');
    });
  });

  test('L14: small writes of HDF5, and not large ones', async () => {
    const frames = [frame('libhdf5_serial.so.103', 'H5FD_write'), frame('libhdf5_serial.so.103', 'H5Dwrite')];
    const insights = await insightsOf(through(frames, 200));
    expect(insights.map(({ code }) => code)).toContain('L14');
    expect(insights.find(({ code }) => code === 'P06')!.sites[0]!.explainedBy).toBe('L14');
    expect(await codes(through(frames, 64 * KiB))).toEqual([]);
  });

  const mpi = (call: string): readonly string[] => [
    frame('libmca_common_ompio.so', 'x'),
    frame('libmpi.so.40', `PMPI_File_${call}`),
  ];
  test('M03: independent MPI-IO writes to a shared file', async () => {
    const insights = await insightsOf(through(mpi('write_at'), 1000, 200, 4));
    expect(insights.map(({ code }) => code)).toContain('M03');
    expect(insights.find(({ code }) => code === 'P06')!.sites[0]!.explainedBy).toBe('M03');
    expect(await codes(through(mpi('write_at_all'), 1000, 200, 4))).not.toContain('M03');
    expect(await codes(through(mpi('write_at'), 1000, 200, 1))).not.toContain('M03');
    expect(await codes(through(mpi('write_at'), 2 * MiB, 200, 4))).not.toContain('M03');
  });
  test('M03: Drishti’s condition counts large ones too', async () => {
    expect((await find('M03', through(mpi('write_at'), 2 * MiB, 1001, 4))).severity).toBe('high');
    expect(await codes(through(mpi('write_at'), 2 * MiB, 1000, 4))).not.toContain('M03');
  });
  test('M02: independent MPI-IO reads', async () => {
    const reading = (call: string): StraceText => {
      const text = new StraceText();
      return text.times(200, (i) =>
        text.call(1 + (i % 4), at('read', '/w/a', i * 1000, 1000), 10, [...mpi(call), line(12)]),
      );
    };
    expect(await codes(reading('read_at'))).toContain('M02');
    expect(await codes(reading('read_at_all'))).not.toContain('M02');
  });
  test('M01: ranks that share a file by system calls alone', async () => {
    const ranks = (viaMpiIo: boolean, callsMpi = true): StraceText => {
      const text = new StraceText();
      const barrier = callsMpi ? [frame('libmpi.so.40', 'PMPI_Barrier')] : [];
      return text.times(80, (i) => {
        text.call(1 + (i % 4), 'poll([], 0, 0) = 0', 1, [...barrier, line(2)]);
        text.call(1 + (i % 4), at('write', '/w/a', i * MiB, MiB), 10, [...(viaMpiIo ? mpi('write_at') : []), line(3)]);
      });
    };
    const { files, sites, evidence } = await find('M01', ranks(false));
    expect([files.length, sites.length, evidence['processes']]).toEqual([1, 0, 4]);
    expect(await codes(ranks(true))).not.toContain('M01');
    expect(await codes(ranks(false, false))).not.toContain('M01');
  });
});

describe('calls that move nothing', () => {
  const NOTHING_THERE = '-1 ENOENT (No such file or directory)';

  test('L10: many small files', async () => {
    const creating = (files: number, bytes: number): StraceText => {
      const text = new StraceText();
      return text.times(files, (i) => {
        text.call(1, `openat(AT_FDCWD</w>, "f${i}", O_WRONLY|O_CREAT, 0644) = 3</w/f${i}>`, 20, [line(4)]);
        text.call(1, `write(3</w/f${i}>, ""..., ${bytes}) = ${bytes}`, 10, [line(5)]);
        text.call(1, `close(3</w/f${i}>) = 0`, 10, [line(6)]);
      });
    };
    const insights = await insightsOf(creating(1001, 8 * KiB));
    const mine = insights.find(({ code }) => code === 'L10')!;
    expect([mine.sites.length, mine.evidence['count']]).toEqual([1, 1001]);
    const metadata = insights.find(({ code }) => code === 'P17')!.sites;
    expect(metadata.map(({ explainedBy }) => explainedBy)).toEqual([undefined, 'L10']);
    expect(await codes(creating(301, 8 * KiB))).toContain('L10');
    expect(await codes(creating(300, 8 * KiB))).not.toContain('L10');
    expect(await codes(creating(1001, 128 * KiB))).not.toContain('L10');
  });

  test('L11: searches for what is not there', async () => {
    const searching = (count: number): StraceText => {
      const text = sequential('write', 10, MiB, [line(1)]);
      return text.times(count, (i) =>
        text.call(1, `openat(AT_FDCWD</w>, "/p${i % 7}/lib.dat", O_RDONLY) = ${NOTHING_THERE}`, 10, [line(9)]),
      );
    };
    expect((await find('L11', searching(100))).sites).toHaveLength(1);
    expect(await codes(searching(99))).not.toContain('L11');
  });

  test('L12: the same question again, unless the answer can be another', async () => {
    const asking = (changes: boolean): StraceText => {
      const text = new StraceText();
      return text.times(150, (i) => {
        text.call(1, 'newfstatat(AT_FDCWD</w>, "a", {st_mode=S_IFREG|0644, st_size=1, ...}, 0) = 0', 10, [line(9)]);
        if (changes) text.call(1, at('write', '/w/a', i * 8 * KiB, 8 * KiB), 10, [line(10)]);
      });
    };
    const insights = await insightsOf(asking(false));
    expect(insights.find(({ code }) => code === 'L12')!.evidence['count']).toBe(149);
    expect(insights.find(({ code }) => code === 'P17')!.sites[0]!.explainedBy).toBe('L12');
    expect(await codes(asking(true))).not.toContain('L12');
    // To open a file, and to ask it when it is open, changes nothing.
    const reading = (asking: number): StraceText => {
      const text = new StraceText();
      const call = (what: string, at: number): StraceText => text.call(1, what, 10, [line(at)]);
      return text.times(150, () => {
        call('newfstatat(AT_FDCWD</w>, "a", {st_mode=S_IFREG|0644, st_size=1, ...}, 0) = 0', asking);
        call('openat(AT_FDCWD</w>, "a", O_RDONLY) = 3</w/a>', 10);
        call('fstat(3</w/a>, {st_mode=S_IFREG|0644, st_size=1, ...}) = 0', 10);
        call('close(3</w/a>) = 0', 11);
      });
    };
    expect((await find('L12', reading(9))).evidence['count']).toBe(149);
    // What belongs to each opening goes with it.
    expect(await codes(reading(10))).not.toContain('L12');
  });
});

test('without stacks the libraries are unknown, and files take the place of lines', async () => {
  const text = new StraceText();
  text.times(200, (i) => text.call(1, at('write', '/w/a', i * 128, 8), 10));
  const insights = await insightsOf(text);
  // The cause alone: there is no line on which two marks could be told apart.
  expect(insights.map(({ code, sites, files }) => [code, sites.length, files.length])).toEqual([['L06', 0, 1]]);
});

test('codes and names are each other’s', () => {
  // One may speak of lines, and sum up the run where there is nothing to mark: under one code and one name.
  const pairs = new Set(CATALOGUE.map(({ code, name, kind }) => `${kind} ${code} ${name}`));
  expect(pairs.size).toBe(CATALOGUE.length);
  const both = new Set(CATALOGUE.map(({ code, name }) => `${code} ${name}`)).size;
  expect(new Set(CATALOGUE.map(({ code }) => code)).size).toBe(both);
  expect(new Set(CATALOGUE.map(({ name }) => name)).size).toBe(both);
  const earlier = new Set<string>();
  for (const trigger of CATALOGUE) {
    // A cause is evaluated before what it explains.
    if (trigger.kind === 'site')
      for (const name of [...(trigger.explainedBy ?? []), ...(trigger.unless ?? [])]) expect(earlier).toContain(name);
    earlier.add(trigger.name);
  }
});
