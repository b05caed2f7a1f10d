import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { memoryFile, streamedFile } from '../../../test/support/memory-file.ts';
import { callRows } from '../../../test/support/trace-rows.ts';
import { EVENT_FLAGS } from '../../trace/events.ts';
import { UnreadableRecordingError, type Trace } from '../../trace/trace.ts';
import { readStrace } from './strace-reader.ts';
import { rounds } from '../../../test/support/rounds.ts';

const read = (content: string | Uint8Array, chunkBytes?: number): Promise<Trace> =>
  readStrace([memoryFile('t.strace', content)], {}, chunkBytes === undefined ? {} : { chunkBytes });

const call = (n: number, seconds = 1795252180 + n): string =>
  `7 ${seconds}.000000 write(3</tmp/x>, "abc"..., ${n}) = ${n} <0.000010>\n`;

/** Everything that a trace holds of its events, for comparing two readings of the same text. */
function rowsOf(trace: Trace): unknown[] {
  return Array.from({ length: trace.events.length }, (_, row) => {
    const value = (column: Parameters<Trace['events']['value']>[0]): number => trace.events.value(column, row);
    const file = value('file');
    return [
      trace.calls.names[value('call')],
      trace.streams[value('stream')]!.pid,
      file < 0 ? '' : trace.files.at(file).path,
      ...(['start', 'duration', 'offset', 'bytes', 'requested', 'line', 'flags', 'error'] as const).map(value),
      trace.stacks.framesOf(value('stack')).map((frame) => trace.stacks.frame(frame).value),
    ];
  });
}

describe('what is no recording is refused in words', () =>
  test.each([
    ['an empty file', ''],
    ['text of something else', 'Dear reader,\nthis is a letter (of sorts) = not a trace.\n'],
    ['an ELF file', readFileSync(process.execPath).subarray(0, 200_000)],
    [
      'only the table of strace -c',
      '% time     seconds  usecs/call     calls    errors syscall\n------ ----\n  1.00 0.1 1 1 read\n',
    ],
  ])('%s', async (_name, content) => {
    await expect(read(content)).rejects.toThrow(UnreadableRecordingError);
    await expect(read(content)).rejects.toThrow('t.strace');
  }));

test('a child that ends before the call that made it returns has ended', async () => {
  const trace = await read(
    [
      '7 1795252180.000000 execve("/tmp/app", ["/tmp/app"], 0x7ffd /* 9 vars */) = 0 <0.000300>',
      '7 1795252180.100000 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD <unfinished ...>',
      '8 1795252180.100200 write(1</tmp/out>, "abc", 3) = 3 <0.000010>',
      '8 1795252180.100300 exit_group(0) = ?',
      '8 1795252180.100400 +++ exited with 0 +++',
      '7 1795252180.100500 <... clone resumed>, child_tidptr=0x7f50) = 8 <0.000500>',
      '7 1795252180.100600 exit_group(0) = ?',
      '7 1795252180.100700 +++ exited with 0 +++',
      '',
    ].join('\n'),
  );
  expect(trace.earlyEnds ?? []).toEqual([]);
  expect(trace.streams.map(({ pid }) => pid)).toEqual([7, 8]);
});

describe('damage is reported and what is sound is kept', () => {
  test('a file cut at any byte', async () => {
    const text =
      call(1) +
      '7 1795252182.000000 openat(AT_FDCWD</tmp>, "a, b) = 3 <", O_RDONLY) = 4</tmp/a, b) = 3 \\74> <0.1>\n' +
      call(3);
    for (let length = call(1).length; length < text.length; length++) {
      const trace = await read(text.slice(0, length));
      const whole = text.slice(0, length).split('\n').length - 1;
      expect(trace.events.length, `cut at ${length}`).toBeGreaterThanOrEqual(whole);
      expect(trace.events.value('bytes', 0)).toBe(1);
    }
  });

  test('a line of 2 GB', async () => {
    const piece = new Uint8Array(1 << 24).fill(97);
    const encoder = new TextEncoder();
    function* pieces(): Generator<Uint8Array> {
      yield encoder.encode(call(1));
      for (let i = 0; i < 128; i++) yield piece;
      yield encoder.encode(`\n${call(2)}`);
    }
    const before = process.memoryUsage().rss;
    const trace = await readStrace([streamedFile('huge.strace', 2 ** 31, pieces())]);
    expect(trace.events.length).toBe(2);
    expect(trace.events.value('bytes', 1)).toBe(2);
    expect(trace.events.value('line', 1)).toBe(3);
    expect(trace.damage).toHaveLength(1);
    expect(trace.damage[0]!.what).toMatch(/^a line of 2147483649 bytes is too long/);
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
  });

  test('a clock that is set back keeps the order of the lines', async () => {
    const trace = await read(call(1, 1795252200) + call(2, 1795252100) + call(3, 1795252101));
    const starts = [0, 1, 2].map((row) => trace.events.value('start', row));
    expect(starts).toEqual([0, 0, 1e9]);
    expect(trace.damage[0]!.what).toBe('the clock was set back by 100.000000 s');
  });

  test('a resumed call without its beginning keeps its name, result and time', async () => {
    const trace = await read(`7 1795252180.5 <... read resumed>"x", 4096) = 17 <0.25>\n${call(2)}`);
    expect(trace.calls.names[trace.events.value('call', 0)]).toBe('read');
    expect(trace.events.value('duration', 0)).toBe(0.25e9);
    expect(trace.events.value('flags', 0) & EVENT_FLAGS.beginningLost).not.toBe(0);
    expect(trace.damage[0]!.what).toBe('read returns, but its beginning is missing');
  });

  test('a pid that comes back is another process', async () => {
    const open = '7 1795252180.0 openat(AT_FDCWD</tmp>, "/tmp/a", O_WRONLY) = 3 <0.1>\n';
    const write = '7 1795252181.0 write(3, "x", 10) = 10 <0.1>\n';
    const trace = await read(`${open}${write}7 1795252182.0 +++ exited with 0 +++\n${write.replace('81.0', '83.0')}`);
    expect(trace.streams).toHaveLength(2);
    expect(trace.events.value('offset', 1)).toBe(0);
    // The descriptor was the first process's: of the second nothing is known.
    expect(trace.events.value('file', 2)).toBe(-1);
    expect(trace.events.value('offset', 2)).toBeNaN();
  });

  test('an exec whose thread is not readable changes no process', async () => {
    const open = '1795252180.0 openat(AT_FDCWD</tmp>, "/tmp/a", O_WRONLY) = 3 <0.1>\n';
    const write = '1795252182.0 write(3, "x", 10) = 10 <0.1>\n';
    const trace = await read(`${open}1795252181.0 +++ superseded by execve in pid ? +++\n${write}`);
    expect(trace.streams).toHaveLength(1);
    expect(trace.files.at(trace.events.value('file', 1)).path).toBe('/tmp/a');
    expect(trace.damage).toEqual([
      expect.objectContaining({ what: 'the line is no system call, signal or exit', lost: 'this line' }),
    ]);
  });

  test('hostile names stay text', async () => {
    const path = '/tmp/<img src=x onerror=alert(1)>/$(touch pwned)/`id`/../../etc/passwd';
    const escaped = path.replaceAll('<', '\\74').replaceAll('>', '\\76');
    const trace = await read(`7 1795252180.0 write(3<${escaped}>, "x", 1) = 1 <0.1>\n`);
    expect(trace.files.at(0).path).toBe(path);
  });

  test('Windows line ends, a byte order mark, bytes that are no UTF-8', async () => {
    const latin = Buffer.from(call(1).replace('/tmp/x', '/tmp/caf\u00e9'), 'latin1');
    const trace = await read(Buffer.concat([Buffer.from('\ufeff'), latin, Buffer.from(call(2).replace('\n', '\r\n'))]));
    expect(trace.files.files.map((file) => file.path)).toEqual(['/tmp/caf\\351', '/tmp/x']);
    expect(trace.events.value('duration', 1)).toBe(10_000);
  });
});

describe('properties', () => {
  const sample = corpus('strace/formats/k.strace');

  test('arbitrary bytes never hang or crash the reader', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4000 }), async (bytes) => {
        const trace = await read(bytes, 256).catch((error: unknown) => error);
        expect(trace instanceof UnreadableRecordingError || (trace as Trace).events.length >= 0).toBe(true);
      }),
      { numRuns: rounds(200) },
    );
  });

  test('text from the pieces of strace lines never hangs or crashes the reader', async () => {
    const pieces = [
      '7 ',
      '1795252180.5 ',
      'write(',
      '3',
      '</tmp/x>',
      ', ',
      '"a\\"b"',
      '...',
      ')',
      ' = ',
      '5',
      '-1 ENOENT (x)',
      ' <0.1>',
      '\n',
    ];
    const rare = [
      ' > /bin/x(f+0x1) [0x2]\n',
      '<unfinished ...>\n',
      '<... write resumed>',
      '+++ exited with 0 +++\n',
      '--- SIGALRM {} ---\n',
    ];
    const odd = [
      '[pid 8] ',
      '(+ 0.1) ',
      '[0x',
      '{',
      '}',
      '[',
      ']',
      '<',
      '>',
      '"',
      '\\',
      '\0',
      '?',
      'clone(',
      '=> ',
      '9<pipe:[1]>',
      '\u001b[31m',
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces, ...rare, ...odd), { maxLength: 300 }), async (parts) => {
        const trace = await read(parts.join(''), 512).catch((error: unknown) => error);
        expect(trace instanceof UnreadableRecordingError || (trace as Trace).events.length >= 0).toBe(true);
      }),
      { numRuns: rounds(500) },
    );
  });

  test.skipIf(sample === undefined)(
    sample === undefined ? absent('strace/formats') : 'the size of the chunks is no matter',
    async () => {
      for (const name of [
        'k.strace',
        'v7.2-kk-source.strace',
        'v7.2-color.strace',
        'stderr-pid.strace',
        'thread-exec.strace',
      ]) {
        const bytes = readFileSync(path.join(path.dirname(sample!), name));
        const whole = rowsOf(await read(bytes));
        for (const chunkBytes of [64, 100, 1000, 4096, 65_537]) {
          expect(rowsOf(await read(bytes, chunkBytes)), `${name} in chunks of ${chunkBytes}`).toEqual(whole);
        }
      }
    },
  );

  test.skipIf(sample === undefined)(
    sample === undefined ? absent('strace/formats') : 'a changed byte costs a call or two, no more',
    async () => {
      const bytes = readFileSync(path.join(path.dirname(sample!), 'f-ttt-T-yy.strace'));
      const whole = callRows(await read(bytes)).length;
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
          const changed = Uint8Array.from(bytes);
          changed[at] = value;
          expect(Math.abs(callRows(await read(changed)).length - whole)).toBeLessThanOrEqual(2);
        }),
        { numRuns: rounds(200) },
      );
    },
  );

  test('reading can be cancelled', async () => {
    const controller = new AbortController();
    const reading = readStrace(
      [memoryFile('t.strace', call(1).repeat(5000))],
      {
        signal: controller.signal,
        progress: () => controller.abort(),
      },
      { chunkBytes: 4096 },
    );
    await expect(reading).rejects.toThrow('aborted');
  });
});

test('what the program itself printed between the lines moves no clock', async () => {
  const calls = (from: number): string => [0, 1, 2].map((n) => call(10, 1795252180 + from + n)).join('');
  const text = `${calls(0)}2147483648 cells done\n12:30:05 INFO step 50\n${calls(3)}`;
  const trace = await readStrace([memoryFile('mixed', text)]);
  expect(trace.events.length).toBe(6);
  expect(trace.durationNs / 1e9).toBeCloseTo(5, 3);
  expect(trace.damage.map(({ what }) => what)).toContain('the line is no system call, signal or exit');
});

test('a program name that strace cut is completed from its path, a cut argument is marked', async () => {
  const line =
    '7 1795252180.000000 execve("/opt/python/3.11.7/bin/python3.11", ["/opt/python/3.11.7/bin/pytho"..., "x.py", "averylongargument"..., "9"], 0x7ffc /* 35 vars */) = 0 <0.1>\n';
  const trace = await readStrace([memoryFile('t', line + call(10))]);
  expect(trace.program).toBe('/opt/python/3.11.7/bin/python3.11 x.py averylongargument… 9');
});

test('threads in files of their own: whose write came first is not guessed', async () => {
  const time = (n: number): string => `1795252180.00000${n} `;
  const leader = [
    `${time(0)}openat(AT_FDCWD, "/tmp/x", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</tmp/x> <0.000001>`,
    `${time(1)}clone(child_stack=0x7f, flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD, parent_tid=[8]) = 8 <0.000001>`,
    `${time(3)}write(3</tmp/x>, "a"..., 100) = 100 <0.000001>`,
    '',
  ].join('\n');
  const thread = `${time(2)}write(3</tmp/x>, "b"..., 100) = 100 <0.000001>\n`;
  const trace = await readStrace([memoryFile('t.7', leader), memoryFile('t.8', thread)]);
  const writes = [2, 3].map((row) => trace.events.value('offset', row));
  expect(writes).toEqual([NaN, NaN]);
  expect(new Set(trace.streams.map(({ processId }) => processId))).toEqual(new Set([7]));
});
