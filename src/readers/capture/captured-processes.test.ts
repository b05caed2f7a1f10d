import { describe, expect, test } from 'vitest';
import { CaptureFile, MONOTONIC, WALL } from '../../../test/support/recorder/capture-writer.ts';
import { CREATES, column, opened, paths, read } from '../../../test/support/recorder/captured-calls.ts';

describe('threads', () => {
  test('share what is open, and their calls are brought into order', async () => {
    const file = new CaptureFile();
    file.call('POSIX', 'write', 'fnr', [3, 10, 10], [50, 60], { thread: 101 });
    file.call('POSIX', 'write', 'fnr', [3, 10, 10], [90, 95], { thread: 101 });
    opened(3, [0, 40], file).call('POSIX', 'write', 'fnr', [3, 10, 10], [70, 80]);
    const trace = await read(file);
    expect(trace.streams.map(({ pid, processId }) => [pid, processId])).toEqual([
      [101, 100],
      [100, 100],
    ]);
    expect(column(trace, 'start')).toEqual([0, 50, 70, 90]);
    expect(column(trace, 'offset', /write/)).toEqual([0, 10, 20]);
  });

  test('a descriptor that is closed while another thread opens leads to the new file', async () => {
    const file = opened(3);
    file.call('POSIX', 'open', 'plr', ['new', CREATES, 3], [20, 60], { thread: 101 });
    file.call('POSIX', 'close', 'fr', [3, 0], [30, 70]);
    file.call('POSIX', 'write', 'fnr', [3, 10, 10], [80, 90]);
    expect(paths(await read(file), /write/)).toEqual(['/work/new']);
  });
});

describe('several processes', () => {
  test('a forked one has what its parent has open, and both move the position', async () => {
    const parent = opened(3, [0, 5])
      .call('POSIX', 'write', 'fnr', [3, 100, 100], [10, 20])
      .call('recorder', 'fork', 'r', [200], [30, 30])
      .call('POSIX', 'write', 'fnr', [3, 1, 1], [70, 80]);
    const child = new CaptureFile({
      pid: 200,
      parentPid: 100,
      origin: 1,
      monotonicClock: MONOTONIC - 1n,
      wallClock: WALL - 1n,
    })
      .call('recorder', 'descriptor', 'fpol', [3, '/work/data', 100, 2], [40, 40])
      .call('POSIX', 'write', 'fnr', [3, 50, 50], [45, 60]);
    const trace = await read(child, parent);
    expect(trace.streams.map(({ pid }) => pid)).toEqual([100, 200]);
    expect(column(trace, 'offset', /write/)).toEqual([0, 150, 100]);
    expect(new Set(column(trace, 'handle', /write/)).size).toBe(1);
  });

  test('a program that is executed has what is not closed by that', async () => {
    const before = new CaptureFile()
      .call('POSIX', 'open', 'plr', ['kept', 2, 3], [0, 1])
      .call('POSIX', 'open', 'plr', ['closed', 0o2000002, 4], [2, 3])
      .call('POSIX', 'execve', 'pr', ['/bin/next', [-1, 0]], [10, 10]);
    const after = new CaptureFile({ monotonicClock: MONOTONIC + 100n, wallClock: WALL + 100n, arguments: ['next'] })
      .call('POSIX', 'read', 'fnr', [3, 10, 10], [200, 210])
      .call('POSIX', 'read', 'fnr', [4, 10, [-1, 9]], [220, 230]);
    const trace = await read(after, before);
    expect(trace.program).toBe('app -v');
    expect(paths(trace, /read/)).toEqual(['/work/kept', '']);
    expect(trace.notes).toEqual([]);
  });

  test('a process lasts from its start to its end, whatever it does in between', async () => {
    const startedAt = MONOTONIC - 1000n;
    const ended = new CaptureFile({ startedAt })
      .call('POSIX', 'write', 'fnr', [3, 50, 50], [0, 10])
      .life(500, 7, 7)
      .life(4000, 3000, 40);
    const trace = await read(ended);
    expect(trace.durationNs).toBe(5000);
    expect(column(trace, 'start', /write/)).toEqual([1000]);
    expect(trace.parts.map(({ life }) => life)).toEqual([{ lastedNs: 5000, userNs: 3000, systemNs: 40 }]);
    expect(trace.earlyEnds).toBeUndefined();
    const [told] = (await read(ended.life(4500, 3000, 40, 0, 2000, 150))).parts;
    expect(told!.life).toMatchObject({ lastedNs: 5500, firstThreadNs: 2000, recorderNs: 150 });
    const [unknown] = (await read(ended.life(4600, 3000, 40, 0, 0, 150))).parts;
    expect(unknown!.life).toEqual({ lastedNs: 5600, userNs: 3000, systemNs: 40, recorderNs: 150 });
  });

  test('a process that ends itself by a signal is named', async () => {
    const startedAt = MONOTONIC - 1000n;
    const killed = new CaptureFile({ pid: 100, startedAt })
      .call('POSIX', 'write', 'fnr', [3, 50, 50], [0, 10])
      .life(500, 7, 7, 9);
    expect((await read(killed)).earlyEnds).toEqual(['process 100 on node1 (app): it ended itself by signal 9']);
    // It was none that ended it, or the program goes on after all.
    expect((await read(killed.life(900, 9, 9))).earlyEnds).toBeUndefined();
  });

  test('a process whose end was not seen is named', async () => {
    const startedAt = MONOTONIC - 1000n;
    const killed = (pid: number): CaptureFile =>
      new CaptureFile({ pid, startedAt }).call('POSIX', 'write', 'fnr', [3, 50, 50], [0, 10]);
    const trace = await read(killed(100));
    expect(trace.durationNs).toBe(1010);
    expect(trace.earlyEnds).toEqual([
      'process 100 on node1 (app): no end was recorded, so it was killed, or it runs still',
    ]);
    const many = await read(...Array.from({ length: 20 }, (_, pid) => killed(pid + 1)));
    expect(many.earlyEnds).toEqual(['20 processes: no end of them was recorded, so they were killed, or run still']);
  });

  test('appends of several go behind each other', async () => {
    const writer = (pid: number, at: readonly [number, number]): CaptureFile =>
      new CaptureFile({ pid })
        .call('POSIX', 'open', 'plr', ['/log', 0o2101, 3], [0, 1])
        .call('POSIX', 'write', 'fnr', [3, 10, 10], at);
    const first = new CaptureFile({ pid: 9 }).call('POSIX', 'open', 'plr', ['/log', 0o1101, 3], [-9, -8], {
      thread: 9,
    });
    const trace = await read(first, writer(1, [30, 40]), writer(2, [10, 20]));
    expect(column(trace, 'offset', /write/)).toEqual([10, 0]);
  });

  test('clocks of hosts are brought together by their dates', async () => {
    const one = new CaptureFile({ host: 'a' }).call('POSIX', 'sync', '', [], [0, 10]);
    const other = new CaptureFile({ host: 'b', wallClock: WALL + 1000n, monotonicClock: MONOTONIC + 400n });
    // Of the same host and boot: its date was set by half a second meanwhile.
    const later = new CaptureFile({
      host: 'b',
      pid: 5,
      wallClock: WALL + 500_001_000n,
      monotonicClock: MONOTONIC + 700n,
    });
    for (const file of [other, later]) file.call('POSIX', 'sync', '', [], [800, 810]);
    expect(column(await read(one, other, later), 'start').sort((a, b) => a - b)).toEqual([0, 1400, 1400]);
  });
});

describe('call stacks', () =>
  test('are nodes of modules and addresses in them', async () => {
    const file = opened(3);
    const [program, library] = [file.module('/bin/app', new Uint8Array([0xab, 1])), file.module('/lib/libc.so')];
    const outer = file.node(0, library, 0x29d90);
    const main = file.node(outer, program, 0x1234);
    const inner = file.node(main, program, 0x1300);
    file.call('POSIX', 'write', 'fnr', [3, 1, 1], [20, 21], { stack: inner });
    file.call('POSIX', 'write', 'fnr', [3, 1, 1], [22, 23], { stack: main });
    file.call('POSIX', 'write', 'fnr', [3, 1, 1], [24, 25]);
    const trace = await read(file);
    const { stacks } = trace;
    const shown = column(trace, 'stack', /write/).map((node) =>
      stacks.framesOf(node).map((frame) => `${stacks.frame(frame).module} ${stacks.frame(frame).value.toString(16)}`),
    );
    expect(shown).toEqual([
      ['/bin/app 1300', '/bin/app 1234', '/lib/libc.so 29d90'],
      ['/bin/app 1234', '/lib/libc.so 29d90'],
      [],
    ]);
    expect([...stacks.moduleForms.values()]).toEqual(['address', 'address']);
    expect(trace.capabilities.stacks).toBe(true);
  }));
