import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { GrowingStrace } from '../../src/readers/strace/growing-strace.ts';
import { readStrace, type ReadLimits } from '../../src/readers/strace/strace-reader.ts';
import { UnreadableRecordingError } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';
import { GrowingBytes } from '../support/growing-bytes.ts';
import { memoryFile } from '../support/memory-file.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { rounds } from '../support/rounds.ts';
import { contentOf } from '../support/trace-content.ts';

/** The compiled scanner and the line parser alone give the same trace of the same text, whatever the text is. */
const MOST_BYTES = 30_000;
const MUTANTS = 5000;
const GENERATED = 500;

const WITH = { withoutScanner: 0 };
const WITHOUT = { withoutScanner: Infinity };

/** What a trace holds, or why there is none. */
async function read(text: string | Uint8Array, limits: Partial<ReadLimits>): Promise<string> {
  try {
    return JSON.stringify(contentOf(await readStrace([memoryFile('t.strace', text)], {}, limits)));
  } catch (error) {
    if (error instanceof UnreadableRecordingError) return error.message;
    throw error;
  }
}

async function expectSame(text: string | Uint8Array, chunkBytes?: number): Promise<void> {
  const limits = chunkBytes === undefined ? {} : { chunkBytes };
  const [scanned, parsed] = [await read(text, { ...limits, ...WITH }), await read(text, { ...limits, ...WITHOUT })];
  if (scanned !== parsed) expect([scanned, String(text)]).toEqual([parsed, String(text)]);
}

const PREFIX = '7 1795252180.000001 ';
const PREFIXES = [
  PREFIX,
  '1795252180.000001 ',
  '',
  '8 ',
  '8  1795252179.999999 ',
  '8 1795252180.0000010 ',
  '[pid     7] 1795252180.000001 ',
  '[pid 7] ',
  '[pid 7<a] b>] 1795252180.000001 ',
  '12:00:60.000001 ',
  '7  12:00:00.000001 ',
  '[pid     8] 23:59:59.000001 ',
  '24:00:00.000001 ',
  '7 12:60:00.000001 ',
  '4194305 12:00:00.000001 ',
  '7 1:00:00.000001 ',
  '7      0.000012 ',
];

describe('a line that is nearly usual', () => {
  // Each stands between lines that make its call known and lines that go on behind it.
  const around = (line: string): string =>
    [
      `${PREFIX}openat(AT_FDCWD</w>, "a", O_RDWR|O_CREAT, 0644) = 3</w/a> <0.000010>`,
      `${PREFIX}lseek(3</w/a>, 5, SEEK_SET) = 5 <0.000010>`,
      `${PREFIX}read(3</w/a>, "x", 1) = 1 <0.000010>`,
      `${PREFIX}fcntl(3</w/a>, F_SETFD, FD_CLOEXEC) = 0 <0.000010>`,
      `${PREFIX}access("/n", R_OK) = -1 ENOENT (No such file or directory) <0.000010>`,
      line,
      `${PREFIX}<... read resumed>"x", 1) = 1 <0.000010>`,
      `${PREFIX}read(3</w/a>, "x", 1) = 1 <0.000010>`,
      ' > /x/p(main+0x1) [0x2]',
      '',
    ].join('\n');

  test.each([
    'read(3</w/a>,  <unfinished ...>',
    'read(3</w/a>, "x" <unfinished ...>',
    'read(3</w/a>, "x", 1 <unfinished ...>',
    'read( <unfinished ...>',
    'read(3</w/a <unfinished ...>',
    'read(3</w/a> <detached ...>',
    'read(3</w/a>, "x", 1) = 1 <unfinished ...>.>',
    'read(3</w/<b>>, "x", 1) = 1 <0.000010>',
    'read(3</w/<b>, ">", 1) = 1 <0.000010>',
    'read(3</w/\\74b>, "x", 1) = 1 <0.000010>',
    'read(3</w/a>b>, "x", 1) = 1 <0.000010>',
    'read(3<TCP:[1.2.3.4:5->6.7.8.9:1]>, "x", 1) = 1 <0.000010>',
    'read(3</dev/pts/1<char 136:1>>, "x", 1) = 1 <0.000010>',
    'read(3, "x", 1) = 1 <0.000010>',
    'read(-1, "x", 1) = -1 EBADF (Bad file descriptor) <0.000010>',
    'read(0x3, "x", 0x10) = 0x1 <0.000010>',
    'read(3</w/a>, "\\\\\\"x, 9) = 7 <", 99999999999999999999) = 1 <0.000010>',
    'read(3</w/a>, "unclosed, 1) = 1 <0.000010>',
    'read(fd=3</w/a>, buf="x", count=1) = 1 <0.000010>',
    'read(3</w/a>, {a="}", b=[1, (2)]}, 1) = 1 <0.000010>',
    'read(3</w/a>, "x", 1) = ? ERESTARTSYS (To be restarted if SA_RESTART is set) <0.000010>',
    'read(3</w/a>, "x", 1) = -1 ERESTARTSYS <0.000010>',
    'read(3</w/a>, "x", 1) = -0 EIO (x) <0.000010>',
    'read(3</w/a>, "x", 1) = -1 (x) <0.000010>',
    'read(3</w/a>, "x", 1) = 1 <10.000010>',
    'read(3</w/a>, "x", 1) = 1 <0.00010>',
    'read(3</w/a>, "x", 1) = 1',
    'read(3</w/a>, "x", 1)   =   1   <0.000010>',
    'read(3</w/a>, "x", 1, 2, 3, 4, 5, 6, 7, 8, 9) = 1 <0.000010>',
    'read(3</w/a>]"x", 1) = 1 <0.000010>',
    'read() = 1 <0.000010>',
    'read(,,) = 1 <0.000010>',
    'lseek(3</w/a>, -5, SEEK_END) = 0 <0.000010>',
    'lseek(3</w/a>, 5, SEEK_DATA) = 5 <0.000010>',
    'lseek(3</w/a>, 5, SEEK_CURX) = 5 <0.000010>',
    'fcntl(3</w/a>, F_DUPFD_CLOEXEC, 10) = 10</w/a> <0.000010>',
    'fcntl(3</w/a>, F_SETLKW, {l_type=F_WRLCK, l_start=0}) = 0 <0.000010>',
    'openat(AT_FDCWD, "b", O_RDONLY) = 4</w/b> <0.000010>',
    'openat(-100 /* AT_FDCWD */</w>, "b", O_RDONLY) = 4</w/b> <0.000010>',
    'newcall(3</w/a>) = 0 <0.000010>',
    'strace: Process 8 attached',
    'read(3</w/a>, strace: Process 8 attached',
    '--- SIGUSR1 {si_signo=SIGUSR1} ---',
    '+++ exited with 0 +++',
    '% time     seconds  usecs/call     calls    errors syscall',
    '<... read resumed>"x", 1) = 1 <0.000010>',
    '<... lseek resumed>) = 1 <0.000010>',
    '\0\0\0',
  ])('%s', async (text) => {
    for (const prefix of PREFIXES) await expectSame(around(prefix + text));
  });

  test('with other line ends, holes and lines of any length', async () => {
    const line = (length: number): string => `${PREFIX}read(3</w/a>, "${'x'.repeat(length)}", 1) = 1 <0.000010>`;
    const frames = (bytes: number): string => ` > /x/${'p'.repeat(1000)}(main+0x1) [0x2]\n`.repeat(bytes / 1000);
    for (const length of [1, 1000, (1 << 17) - 70, 1 << 17, 1 << 18])
      await expectSame(`${line(1)}\n${line(length)}\n\n${line(2)}\r\n${line(length)}\n${frames(length)}${line(1)}`);
  });

  test('with more names than the scanner keeps', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => {
      const file = `/w/${'d'.repeat(i % 200)}/${i}`;
      return `${PREFIX}read(3<${file}>, "x", 1) = -1 E${i % 3000} (x) <0.000010>\n > /x/p(f${i}+0x1) [0x${i.toString(16)}]\n`;
    });
    await expectSame(lines.join(''));
  });
});

/** Lines as strace prints them, of several processes, some cut in two. */
function generated(random: (below: number) => number): string {
  const lines: string[] = [];
  const pending = new Map<number, string>();
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)]!;
  let time = 1_795_252_180_000_000;
  const isDated = random(4) > 0;
  for (let i = random(200); i >= 0; i--) {
    time += random(30);
    const pid = 7 + random(4);
    const micros = String(time % 1e6).padStart(6, '0');
    const seconds = Math.floor(time / 1e6);
    const clock = [seconds / 3600, seconds / 60, seconds].map((part, i) => Math.floor(part) % (i === 0 ? 24 : 60));
    const at = isDated
      ? `${pid} ${seconds}.${micros} `
      : `[pid ${pid}] ${clock.map((part) => String(part).padStart(2, '0')).join(':')}.${micros} `;
    const took = ` <0.0000${10 + random(80)}>`;
    const rest = pending.get(pid);
    if (rest !== undefined && random(2) === 0) {
      lines.push(at + rest + took);
      pending.delete(pid);
      continue;
    }
    const fd = `${random(6)}</w/${random(5)}>`;
    const [name, first, second] = pick([
      ['read', `${fd}, `, `"a\\"\\0", ${random(99)}) = ${random(99)}`],
      ['pwrite64', `${fd}, "b", 9, ${random(1e6)}`, `) = 9`],
      ['lseek', `${fd}, ${random(1e6)}, ${pick(['SEEK_SET', 'SEEK_CUR', 'SEEK_END'])}`, `) = ${random(1e6)}`],
      ['openat', `AT_FDCWD</w>, "${random(5)}", O_RDWR|O_APPEND|O_CREAT`, `, 0644) = ${fd}`],
      ['openat', `AT_FDCWD</w>, "n", O_RDONLY`, `) = -1 ENOENT (No such file or directory)`],
      ['close', fd, ') = 0'],
      ['dup2', `${fd}, `, `${random(9)}) = ${fd}`],
      ['fstat', `${fd}, `, `{st_mode=S_IFREG|0644, st_size=${random(1e5)}, ...}) = 0`],
      ['writev', `${fd}, `, `[{iov_base="a", iov_len=5}, {iov_base="b", iov_len=6}], 2) = 11`],
      ['clone', '', `child_stack=NULL, flags=CLONE_FILES|SIGCHLD) = ${7 + random(6)}`],
      ['ppoll', '', `[{fd=${fd}, events=POLLIN}], 1, NULL, NULL, 8) = 1`],
    ] as const);
    if (random(3) > 0) lines.push(`${at}${name}(${first}${second}${took}`);
    else {
      lines.push(`${at}${name}(${first}${pick(['', ' '])}<unfinished ...>`);
      pending.set(pid, `<... ${pick([name, name, name, 'read'])} resumed>${second}`);
    }
    for (let depth = random(3); depth > 0; depth--) lines.push(` > /x/p(f${random(3)}+0x${depth}) [0x${random(9)}]`);
    if (random(30) === 0) lines.push(`${at}${pick(['+++ exited with 0 +++', '--- SIGCHLD {} ---', 'x'])}`);
  }
  return lines.join('\n') + pick(['', '\n']);
}

test('generated text', async () => {
  const random = randomNumbers(20_261);
  for (let i = rounds(GENERATED); i > 0; i--)
    await expectSame(generated(random), random(2) === 0 ? undefined : 512 + random(4000));
});

test('while it is being written', async () => {
  const random = randomNumbers(20_262);
  for (let i = rounds(GENERATED / 10); i > 0; i--) {
    const bytes = new TextEncoder().encode(generated(random));
    const readings = [WITH, WITHOUT].map((limits) => {
      const file = new GrowingBytes('t.strace', bytes);
      const reader = new GrowingStrace({}, limits);
      reader.add([file]);
      return { file, reader };
    });
    for (let at = 0; at < bytes.length;) {
      const next = Math.min(bytes.length, at + 1 + random(2000));
      const seen: string[] = [];
      for (const { file, reader } of readings) {
        file.grow(next);
        await reader.read();
        seen.push(JSON.stringify(contentOf(reader.snapshot())));
      }
      expect(seen[0]).toEqual(seen[1]);
      at = next;
    }
  }
});

const folders = ['strace', 'strace-programs'].map(corpus).filter((folder) => folder !== undefined);
describe.skipIf(folders.length === 0)(folders.length === 0 ? absent('strace') : 'recordings', () => {
  const all = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(strace|st)$|trace\.\d+$/.test(name))
      .toSorted()
      .map((name) => readFileSync(path.join(folder, name))),
  );

  test('as they are', async () => {
    for (const bytes of all) await expectSame(bytes);
  });

  test('with changed bytes, pieces and ends', async () => {
    const random = randomNumbers(20_263);
    const beginnings = all.filter((bytes) => bytes.length > 0).map((bytes) => bytes.subarray(0, MOST_BYTES));
    for (let i = rounds(MUTANTS); i > 0; i--) {
      const bytes = beginnings[random(beginnings.length)]!;
      await expectSame(mutant(bytes, random), random(3) === 0 ? 512 + random(3000) : undefined);
    }
  });
});

const PIECES = ['<', '>', '"', '\\', ' ', ',', ')', '(', ']', '\r', '\n', '\0', '->', '0x', '= ?', ' > ', '<0.000001>'];
const LONGER_PIECES = [
  '<unfinished ...>',
  '<detached ...>',
  '<... read resumed>',
  '= -1 EIO (x)',
  '3</a<b>',
  '% time ',
];

function mutant(bytes: Buffer, random: (below: number) => number): Buffer {
  let text = bytes;
  for (let changes = 1 + random(5); changes > 0; changes--) {
    const at = random(text.length + 1);
    const [before, behind] = [text.subarray(0, at), text.subarray(at)];
    const pieces = random(2) === 0 ? PIECES : LONGER_PIECES;
    const from = random(text.length + 1);
    const choices = [
      () => [before, Buffer.from([random(256)]), behind.subarray(1)],
      () => [before, behind.subarray(random(60))],
      () => [before, Buffer.from(pieces[random(pieces.length)]!), behind],
      () => [before, text.subarray(from, from + random(400)), behind],
      () => [before],
    ];
    text = Buffer.concat(choices[random(choices.length)]!());
  }
  return text;
}

function withoutSimd(): never {
  throw new Error('Wasm SIMD unsupported');
}

describe('where the module cannot be started', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('the text is read without it, and the reason can be told', async () => {
    vi.resetModules();
    vi.stubGlobal('WebAssembly', { Module: withoutSimd });
    const fresh = await import('../../src/readers/strace/strace-reader.ts');
    const { scannerCheck } = await import('../../src/session/machine/machine-tools.ts');
    const text = generated(randomNumbers(20_264));
    const found = contentOf(await fresh.readStrace([memoryFile('t.strace', text)], {}, WITH));
    expect(JSON.stringify(found)).toBe(await read(text, WITHOUT));
    expect(scannerCheck()).toMatchObject({
      status: 'warning',
      found: 'the compiled module cannot be started: Wasm SIMD unsupported',
    });
  });
});
