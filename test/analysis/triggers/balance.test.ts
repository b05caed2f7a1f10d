import { describe, expect, test } from 'vitest';
import { at, codes, find, KiB, MiB, type Direction } from '../../support/analysed-text.ts';
import { frame, line, StraceText } from '../../support/strace-text.ts';

describe('balance between processes', () => {
  interface Part {
    readonly pieces: number;
    readonly microseconds: number;
    readonly file?: string;
  }
  /** Processes that run side by side; each moves its pieces of 4 KiB × `size`. */
  const run = (direction: Direction, parts: readonly Part[], size = 4 * KiB): StraceText => {
    const text = new StraceText();
    const alive = (): void => parts.forEach((_, process) => text.call(1 + process, 'sched_yield() = 0', 1, [line(1)]));
    alive();
    parts.forEach(({ pieces, microseconds, file = '/w/shared' }, process) => {
      text.times(pieces, (i) =>
        text.call(1 + process, at(direction, file, (process * 1000 + i) * size, size), microseconds, [line(44)]),
      );
    });
    alive();
    return text;
  };

  test('P18: data on a shared file; a difference of exactly the bound is none', async () => {
    const parts = (slow: number, fast: number): Part[] => [
      { pieces: slow, microseconds: 100 },
      { pieces: fast, microseconds: 100 },
    ];
    const { evidence, severity, sites } = await find('P18', run('write', parts(580, 420)));
    expect([evidence['imbalance'], severity, sites.length]).toEqual([0.16, 'info', 1]);
    expect(await codes(run('write', parts(575, 425)))).not.toContain('P18');
    // Chance decides on the balance of a few bytes.
    expect(await codes(run('write', parts(58, 42), 100))).not.toContain('P18');
  });

  test('P18: processes one after the other are no team', async () => {
    const text = new StraceText();
    text.times(580, (i) => text.call(1, at('write', '/w/a', i * 4 * KiB, 4 * KiB), 100, [line(4)]));
    text.times(100, (i) => text.call(2, at('write', '/w/a', i * 4 * KiB, 4 * KiB), 100, [line(4)]));
    expect(await codes(text)).not.toContain('P18');
  });

  test('P18 and P19: one that writes and one that reads are no team', async () => {
    const text = new StraceText();
    text.times(300, (i) => {
      text.call(1, at('write', '/w/a', i * 8 * KiB, 8 * KiB), 100, [line(4)]);
      text.call(2, at('read', '/w/a', i * 8 * KiB, KiB), 10, [line(5)]);
    });
    expect((await codes(text)).filter((code) => /P1[89]/.test(code))).toEqual([]);
  });

  test('P19: time on a shared file', async () => {
    const parts = (slow: number): Part[] => [
      { pieces: 200, microseconds: slow },
      { pieces: 200, microseconds: 100 },
    ];
    const { evidence } = await find('P19', run('write', parts(200)));
    expect(evidence['timeDifferenceNs']).toBeCloseTo(200 * 100_000, -3);
    expect(await codes(run('write', parts(110)))).not.toContain('P19');
    // The same in a long run: nobody notices.
    expect(await codes(run('write', parts(200)).call(1, 'nanosleep({0}, NULL) = 0', 5_000_000))).not.toContain('P19');
  });

  test.each([
    ['write', 'P21'],
    ['read', 'P22'],
  ] as const)('%s imbalance of files of their own: %s', async (direction, code) => {
    const parts = (least: number): Part[] => [
      { pieces: 400, microseconds: 10, file: '/w/one' },
      { pieces: least, microseconds: 10, file: '/w/two' },
    ];
    const { evidence, sites } = await find(code, run(direction, parts(200)));
    expect([evidence['imbalance'], sites.length]).toEqual([0.5, 1]);
    expect(await codes(run(direction, parts(280)))).not.toContain(code);
    expect(await codes(run(direction, parts(200), 100))).not.toContain(code);
  });

  test('L08: a file that every process reads as a whole', async () => {
    const reading = (processes: number, part: number): StraceText => {
      const text = new StraceText();
      const alive = (): StraceText =>
        text.times(processes, (process) => text.call(1 + process, 'sched_yield() = 0', 1, [line(1)]));
      alive();
      text.times(processes, (process) => {
        const first = part === 1 ? 0 : process / processes;
        text.times(8, (i) =>
          text.call(1 + process, at('read', '/w/table', (first + (i * part) / 8) * MiB, (MiB * part) / 8), 10, [
            line(5),
          ]),
        );
      });
      return alive();
    };
    const { evidence, sites } = await find('L08', reading(4, 1));
    expect([evidence['processes'], evidence['bytes'], sites.length]).toEqual([4, 4 * MiB, 1]);
    expect(await codes(reading(3, 1))).not.toContain('L08');
    expect(await codes(reading(4, 0.25))).not.toContain('L08');
  });

  test('L09: one rank writes for all', async () => {
    const ranks = (writers: number, callsMpi = true): StraceText => {
      const text = new StraceText();
      return text.times(64, (i) => {
        const stack = [...(callsMpi ? [frame('libmpi.so.40', 'PMPI_Gather')] : []), line(2)];
        text.times(4, (rank) => text.call(1 + rank, 'poll([], 0, 0) = 0', 1, stack));
        text.call(1 + (i % writers), at('write', '/w/all', i * MiB, MiB), 500, [line(3)]);
      });
    };
    const { evidence, sites, message } = await find('L09', ranks(1));
    expect([evidence['processes'], evidence['shareOfBytes'], sites.length]).toEqual([4, 1, 1]);
    expect(message).toContain('the only one of 4 that does I/O');
    expect(await codes(ranks(4))).not.toContain('L09');
    expect(await codes(ranks(1, false))).not.toContain('L09');
  });

  test('L09: ranks that do no I/O and have no stacks are known by their launcher', async () => {
    const launched = (command: string): StraceText => {
      const text = new StraceText();
      text.call(9, `execve("/usr/bin/${command}", ["${command}", "-n", "4", "app"], 0x7ffc /* 9 vars */) = 0`, 100);
      text.times(4, (rank) => text.call(1 + rank, 'execve("/w/app", ["app"], 0x7ffc /* 9 vars */) = 0', 100));
      text.times(64, (i) => {
        text.times(4, (rank) => text.call(1 + rank, 'fcntl(0</dev/null>, F_GETFL) = 0', 1));
        text.call(1, at('write', '/w/all', i * MiB, MiB), 500);
      });
      return text;
    };
    expect((await find('L09', launched('mpirun'))).evidence['processes']).toBe(4);
    // A shell that starts four programs is no job of four ranks.
    expect(await codes(launched('sh'))).not.toContain('L09');
  });
});
