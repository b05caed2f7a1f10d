import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { readStrace } from './strace-reader.ts';

/** Forms that the recordings of the corpus do not show: older versions of strace, and rare lines. */
const read = (...lines: string[]): Promise<Trace> => readStrace([memoryFile('t.strace', lines.join('\n') + '\n')]);

function row(trace: Trace, at: number): Record<string, unknown> {
  const value = (column: Parameters<Trace['events']['value']>[0]): number => trace.events.value(column, at);
  return {
    call: trace.calls.names[value('call')],
    file: value('file') === NONE ? '' : trace.files.at(value('file')).path,
    pid: trace.streams[value('stream')]!.pid,
    bytes: value('bytes'),
    requested: value('requested'),
    start: value('start'),
    duration: value('duration'),
    error: trace.errors.at(value('error')),
  };
}

describe('the prefix', () => {
  test.each([
    ['epoch seconds without a point', '7 1795252180 ', 7, 0],
    ['nanoseconds', '7 1795252180.123456789 ', 7, 123_456_789],
    ['milliseconds', '7 1795252180.123 ', 7, 123_000_000],
    ['time of day', '7 09:12:46 ', 7, 0],
    ['time of day with nanoseconds', '7 09:12:46.000000001 ', 7, 1],
    ['a pid of seven digits', '4194303 1795252180.5 ', 4194303, 5e8],
    ['on standard error', '[pid 19691] 1795252180.5 ', 19691, 5e8],
    ['on standard error, a short pid', '[pid     7] ', 7, NaN],
    ['with its command (-Y), which holds anything', '123<a> b] [c> 1795252180.5 ', 123, 5e8],
    ['with its command on standard error', '[pid   123<sh -c>] ', 123, NaN],
    ['absolute and relative', '7 1795252180.5 (+     0.000403) ', 7, 5e8],
    ['only relative, padded', '7      0.000000 ', 7, 0],
    ['the number of the call', '7 1795252180.5 [  59] ', 7, 5e8],
    ['the instruction pointer', '7 1795252180.5 [00007f18feed8ca3] ', 7, 5e8],
    ['an unknown instruction pointer', '7 [????????????????] ', 7, NaN],
    ['a 32-bit instruction pointer and the number', '7 [   3] [f7f2a549] ', 7, NaN],
  ])('%s', async (_name, prefix, pid, start) => {
    // The first call is the origin: one of the whole second stands in front.
    const wholeSecond = prefix.replace(/(\d{10}|:\d\d)\.\d+/, '$1');
    const trace = await read(`${wholeSecond}sync() = 0 <0>`, `${prefix}write(3</tmp/x>, "abc", 3) = 3 <0.000010>`);
    expect(row(trace, 1)).toMatchObject({ call: 'write', file: '/tmp/x', pid, bytes: 3, start, duration: 10_000 });
    expect(trace.damage).toEqual([]);
  });

  test('times count from the first call of all files, in whatever order they are read', async () => {
    const file = (pid: number, ...times: number[]): ReturnType<typeof memoryFile> =>
      memoryFile(`t.${pid}`, times.map((time) => `${time.toFixed(6)} sync() = 0 <0.000010>\n`).join(''));
    const trace = await readStrace([file(7, 1795252180.75, 1795252181.75), file(8, 1795252179.5, 1795252182)]);
    const starts = [0, 1, 2, 3].map((at) => row(trace, at)['start']);
    expect(starts).toEqual([1.25e9, 2.25e9, 0, 2.5e9]);
    expect(trace).toMatchObject({ startTime: 1795252179.5, durationNs: 2.5e9 + 10_000 });
  });

  test('relative times add up over every line, also over those that are no call', async () => {
    const trace = await read(
      '     0.000000 write(3</x>, "a", 1) = 1',
      '     0.000400 --- SIGALRM {si_signo=SIGALRM} ---',
      '     0.001000 write(3</x>, "b", 1) = 1',
    );
    expect(row(trace, 1)).toMatchObject({ start: 1_400_000 });
  });

  test('relative times in nanoseconds', async () => {
    const trace = await read('     0.000000000 sync() = 0', '     0.000000007 sync() = 0');
    expect(row(trace, 1)).toMatchObject({ start: 7 });
  });
});

describe('strace before 5.0', () => {
  test('resumed lines with a blank, and padded', async () => {
    const trace = await read(
      '7 1795252180.5 read(3</x>,  <unfinished ...>',
      '8 1795252180.6 futex(0x7f, FUTEX_WAIT, 2, NULL <unfinished ...>',
      '7 1795252180.7 <... read resumed> "ab"..., 405) = 404 <0.2>',
      '8 1795252180.8 <... futex resumed> )       = 0 <0.2>',
    );
    expect(row(trace, 0)).toMatchObject({ call: 'read', file: '/x', bytes: 404, requested: 405, duration: 0.2e9 });
    expect(row(trace, 1)).toMatchObject({ call: 'futex', duration: 0.2e9 });
    expect(trace.damage).toEqual([]);
  });

  test('brackets in paths as they are (before 4.22)', async () => {
    const trace = await read(
      '7 write(4</tmp/a <b> c>, "x", 1) = 1',
      '7 read(4</tmp/x->y>, "x", 1) = 1',
      '7 fsync(4</tmp/a>b>) = 0',
      '7 openat(AT_FDCWD, "/tmp/a <b> c", O_RDONLY) = 5</tmp/a <b> c>',
    );
    expect([0, 1, 2, 3].map((at) => row(trace, at)['file'])).toEqual([
      '/tmp/a <b> c',
      '/tmp/x->y',
      '/tmp/a>b',
      '/tmp/a <b> c',
    ]);
  });

  test('files that were deleted, inside the brackets (before 5.19) and behind them', async () => {
    const trace = await read(
      '7 write(3</tmp/x (deleted)>, "x", 1) = 1',
      '7 write(3</tmp/x>(deleted), "x", 1) = 1',
      '7 write(4</memfd:a b (deleted)>, "x", 1) = 1',
    );
    expect([0, 1, 2].map((at) => row(trace, at)['file'])).toEqual(['/tmp/x', '/tmp/x', '/memfd:a b']);
  });

  test('a 32-bit program: _llseek, pread64 with its offset, readv', async () => {
    const trace = await read(
      '7 _llseek(3</x>, 0, [4294967296], SEEK_SET) = 0',
      '7 read(3</x>, "ab", 2) = 2',
      '7 readv(3</x>, [{"a"..., 10}, {"b", 5}], 2) = 12',
    );
    expect([0, 1, 2].map((at) => trace.events.value('offset', at))).toEqual([2 ** 32, 2 ** 32, 2 ** 32 + 2]);
    // Before 4.14 the lengths of buffers have no name.
    expect(row(trace, 2)).toMatchObject({ bytes: 12 });
  });
});

describe('calls that move bytes', () => {
  test('vectors: lengths are summed, also where strace shows only some of them', async () => {
    const trace = await read(
      '7 writev(3</x>, [{iov_base="a", iov_len=10}, {iov_base="b, iov_len=7}"..., iov_len=5}], 2) = 15',
      '7 pwritev2(3</x>, [{iov_base="a", iov_len=8}], 1, 4096, RWF_DSYNC) = 8',
      '7 preadv2(3</x>, [{iov_base="a", iov_len=8}], 1, -1, 0) = 6',
      '7 writev(3</x>, [{iov_base="a", iov_len=1}, ...], 64) = 64',
      '7 writev(3</x>, 0x7ffe, 3) = -1 EFAULT (Bad address)',
    );
    expect([0, 1, 2, 3, 4].map((at) => [row(trace, at)['requested'], row(trace, at)['bytes']])).toEqual([
      [15, 15],
      [8, 8],
      [8, 6],
      [64, 64],
      [NaN, 0],
    ]);
    expect(trace.events.value('offset', 1)).toBe(4096);
  });

  test('a fault that was injected is an error like any other', async () => {
    const trace = await read(
      '7 write(3</x>, "a", 1) = -1 ENOSPC (No space left on device) (INJECTED) <0.000010>',
      '7 read(3</x>, "", 8) = 0 (INJECTED) <0.000010>',
      '7 write(3</x>, "a", 1) = 1 (DELAYED) <0.5>',
    );
    expect(row(trace, 0)).toMatchObject({ error: 'ENOSPC', bytes: 0, duration: 10_000 });
    expect(row(trace, 1)).toMatchObject({ error: '', bytes: 0, requested: 8 });
    expect(row(trace, 2)).toMatchObject({ bytes: 1, duration: 5e8 });
  });

  test('calls that the kernel repeats are marked', async () => {
    const trace = await read(
      '7 read(3</x>, 0x7ffe, 10) = ? ERESTARTSYS (To be restarted if SA_RESTART is set) <0.1>',
      '7 --- SIGALRM {si_signo=SIGALRM} ---',
      '7 restart_syscall(<... resuming interrupted nanosleep ...>) = 0 <0.2>',
    );
    expect(trace.events.value('flags', 0) & EVENT_FLAGS.restarted).not.toBe(0);
    expect(row(trace, 1)).toMatchObject({ call: 'restart_syscall', duration: 2e8 });
    expect(trace.damage).toEqual([]);
  });

  test('sockets and devices of -yy', async () => {
    const trace = await read(
      '7 read(3<TCP:[127.0.0.1:57002->127.0.0.1:41545]>, "x", 1) = 1',
      '7 write(4<UNIX-STREAM:[208772->208773,"/run/x"]>, "x", 1) = 1',
      '7 write(1</dev/pts/1<char 136:1>>, "x", 1) = 1',
      '7 write(5<TCPv6:[[::1]:1->[::1]:2]>, "x", 1) = 1',
    );
    expect(trace.files.files.map(({ kind }) => kind)).toEqual(['socket', 'socket', 'regular', 'socket']);
    expect(row(trace, 2)['file']).toBe('/dev/pts/1');
  });

  test('hexadecimal strings (-xx), also in the brackets', async () => {
    const trace = await read('7 write(3<\\x2f\\x74\\x6d\\x70\\x2f\\x78>, "\\x61\\x22", 2) = 2');
    expect(row(trace, 0)).toMatchObject({ file: '/tmp/x', bytes: 2 });
  });
});

test('the table of strace -C behind the calls is no call', async () => {
  const trace = await read(
    '7 write(3</x>, "a", 1) = 1',
    '% time     seconds  usecs/call     calls    errors syscall',
    '------ ----------- ----------- --------- --------- ----------------',
    '100.00    0.000010          10         1           write',
    '------ ----------- ----------- --------- --------- ----------------',
    '100.00    0.000010          10         1           total',
  );
  expect([trace.events.length, trace.damage]).toEqual([1, []]);
});

test('behind the table of strace -C the recording goes on (-A), and what only looks like its titles is reported', async () => {
  const table = [
    '% time     seconds  usecs/call     calls    errors syscall',
    '------ ----------- ----------- --------- --------- ----------------',
    '100.00    0.000010          10         1           write',
    '------ ----------- ----------- --------- --------- ----------------',
    '100.00    0.000010          10         1           total',
  ];
  const call = '7 write(3</x>, "a", 1) = 1';
  const trace = await read(call, ...table, call, call, ...table.slice(0, 3), call, '% time is money', call);
  expect(trace.events.length).toBe(5);
  expect(trace.damage.map(({ where, what }) => [where, what])).toEqual([
    ['t.strace, line 13', 'the line is no system call, signal or exit'],
  ]);
});

test('a path that ends in "-" keeps its calls', async () => {
  const trace = await read(
    '7 openat(AT_FDCWD</tmp/d->, "/tmp/x/state-", O_WRONLY) = 3</tmp/x/state->',
    '7 write(3</tmp/x/state->, "a", 1) = 1 <0.1>',
    '7 dup2(3</tmp/x/state->, 4</tmp/->) = 4</tmp/x/state->',
    '7 read(5<TCP:[127.0.0.1:57002->127.0.0.1:41545]>, "x", 1) = 1',
  );
  expect([0, 1, 2].map((at) => row(trace, at)['file'])).toEqual(Array(3).fill('/tmp/x/state-'));
  expect(row(trace, 3)['file']).toBe('TCP:[127.0.0.1:57002->127.0.0.1:41545]');
  expect(trace.damage).toEqual([]);
});

test.each([
  ['dup2', '7 dup2(10, 1) = 1'],
  ['F_DUPFD', '7 fcntl(10, F_DUPFD, 1) = 1'],
])('without paths a copy (%s) of an unknown descriptor is unknown', async (_name, copy) => {
  const trace = await read(
    '7 openat(AT_FDCWD, "/f", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3',
    '7 dup2(3, 1) = 1',
    '7 write(1, "a", 1) = 1',
    copy,
    '7 write(1, "b", 1) = 1',
  );
  expect(row(trace, 2)['file']).toBe('/f');
  expect(row(trace, trace.events.length - 1)['file']).toBe('');
});

test('files without dates: a process that was made after midnight begins after it', async () => {
  const parent = [
    '23:59:58.000000 write(3</x>, "a", 1) = 1',
    '00:00:01.000000 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD) = 8',
    '00:00:05.000000 write(3</x>, "a", 1) = 1',
  ];
  const later = ['13:00:00.000000 clone(child_stack=NULL, flags=SIGCHLD) = 9'];
  const file = (name: string, lines: readonly string[]): ReturnType<typeof memoryFile> =>
    memoryFile(name, `${lines.join('\n')}\n`);
  const write = (time: string): string[] => [`${time} write(3</x>, "a", 1) = 1`];
  const trace = await readStrace([
    file('t.7', [...parent, ...later]),
    file('t.8', write('00:00:02.000000')),
    file('t.9', write('13:00:01.000000')),
    file('u.7', write('00:00:01.500000')),
  ]);
  const starts = [0, 1, 2, 3, 4, 5, 6].map((at) => trace.events.value('start', at) / 1e9);
  expect(starts).toEqual(
    [0, 3, 7, 46_802, 4, 46_803, 3.5].map((second) => expect.closeTo(second + starts[0]!, 3) as number),
  );
});

test('colours around every field (--color)', async () => {
  const colour = (text: string): string => `\u001b[35m${text}\u001b[0m`;
  const trace = await read(
    `${colour('7')} ${colour('write')}(${colour('3')}<${colour('/tmp/x')}>, ${colour('"abc"')}, ${colour('3')}) = ${colour('3')} <0.1>`,
  );
  expect(row(trace, 0)).toMatchObject({ file: '/tmp/x', bytes: 3 });
});

test('a stack with source lines (-kk), with brackets in file and symbol, after a note of strace', async () => {
  const trace = await read(
    '7 write(3</x>, "a", 1) = 1',
    ' > /usr/lib/libc.so.6(__write+0x10) [0xf8350]',
    ' > /opt/my app (1)/run(Logger<int>::line(std::string const&)+0x12) [0x24f8] src/logger (old).cpp:9',
    ' > /opt/my app (1)/run() [0x120f]',
    ' > too many stack frames',
  );
  const frames = trace.stacks.framesOf(trace.events.value('stack', 0)).map((frame) => trace.stacks.frame(frame));
  expect(
    frames.map(({ module, symbol, value, sourceFile, sourceLine }) => [module, symbol, value, sourceFile, sourceLine]),
  ).toEqual([
    ['/usr/lib/libc.so.6', '__write', 0xf8350, '', 0],
    ['/opt/my app (1)/run', 'Logger<int>::line(std::string const&)', 0x24f8, 'src/logger (old).cpp', 9],
    ['/opt/my app (1)/run', '', 0x120f, '', 0],
  ]);
});

test('the stack of a place that a signal interrupted is of no call', async () => {
  const trace = await read(
    '7 write(3</x>, "a", 1) = 1',
    ' > /bin/run(main+0x10) [0x1010]',
    '7 --- SIGALRM {si_signo=SIGALRM} ---',
    ' > /bin/run(main+0x22) [0x1022]',
    '7 write(3</x>, "a", 1) = 1',
    ' > /bin/run(main+0x10) [0x1010]',
  );
  expect(trace.stacks.frames).toBe(1);
  expect([0, 1].map((at) => trace.events.value('stack', at))).toEqual([0, 0]);
});
