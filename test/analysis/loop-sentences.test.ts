import { describe, expect, test } from 'vitest';
import { loopAccess, type LoopAccess } from '../../src/analysis/loops/loop-access.ts';
import type { Pattern } from '../../src/analysis/loops/pattern.ts';
import { findLoops } from '../../src/analysis/loops/find-loops.ts';
import { readStrace } from '../../src/readers/strace/strace-reader.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { at, codes, find } from '../support/analysed-text.ts';
import { memoryFile } from '../support/memory-file.ts';
import { line, StraceText } from '../support/strace-text.ts';

const OPEN = (file: string, flags = 'O_RDWR|O_CREAT|O_TRUNC'): string =>
  `openat(AT_FDCWD</w>, "${file}", ${flags}, 0644) = 3</w/${file}>`;
const CLOSE = (file: string): string => `close(3</w/${file}>) = 0`;
const READ = (file: string, asked: number, got = asked): string => `read(3</w/${file}>, ""..., ${asked}) = ${got}`;
const WRITE = (file: string, bytes: number): string => `write(3</w/${file}>, ""..., ${bytes}) = ${bytes}`;
/** To the beginning, by its distance from the end. */
const REWIND = 'lseek(3</w/a>, -100000, SEEK_END) = 0';
const SEEK = (file: string, to: number): string => `lseek(3</w/${file}>, ${to}, SEEK_SET) = ${to}`;

/** What a function at a line of the program calls, so many times. */
function repeated(times: number, calls: (i: number) => readonly string[], first: readonly string[] = []): StraceText {
  const text = new StraceText();
  for (const call of first) text.call(7, call, 10, [line(1)]);
  return text.times(times, (i) => calls(i).forEach((call) => text.call(7, call, 10, [line(5)])));
}

const loopSentence = /(?:At the costliest place a|A) loop.*/;

async function sentence(code: string, text: StraceText): Promise<string | undefined> {
  return loopSentence.exec((await find(code, text)).message)?.[0];
}

async function advice(code: string, text: StraceText): Promise<string> {
  return (await find(code, text)).recommendations.map((recommendation) => recommendation.text).join('\n');
}

describe('what a finding says of its loop', () => {
  test('the same offset of a file that is opened anew each time, and no larger call for it', async () => {
    const text = repeated(400, () => [OPEN('a', 'O_RDONLY'), READ('a', 512), CLOSE('a')]);
    expect(await sentence('P09', text)).toBe(
      'A loop makes them: 400 iterations of 1 read (512 B), each at the same offset.',
    );
    expect(await advice('P09', text)).not.toContain('side by side');
  });

  test('what calls move is not what they ask for: larger ones would find no more, nor would a buffer', async () => {
    const text = repeated(170, () => [READ('log', 4000, 34)], [OPEN('log')]);
    expect(await codes(text)).not.toContain('P05');
    const anew = repeated(170, () => [OPEN('a', 'O_RDONLY'), READ('a', 4000, 34), CLOSE('a')]);
    expect(await sentence('P09', anew)).toBe(
      'A loop makes them: 170 iterations of 1 read (34 B on average, of 3.91 KiB asked for), each at the same offset.',
    );
  });

  test('bytes of several calls of an iteration are told to be those of all of them', async () => {
    const text = repeated(170, () => [OPEN('a', 'O_RDONLY'), READ('a', 39, 38), READ('a', 1, 0), CLOSE('a')]);
    expect(await sentence('P09', text)).toContain('of 2 reads (together 38 B on average, of 40 B asked for)');
  });

  test('runs of different lengths are one loop', async () => {
    const lengths = [17, 5, 9, 31, 44, 17, 3, 71, 12, 8, 29, 17, 6];
    const text = repeated(
      lengths.length,
      (k) => [SEEK('a', k * k * 10_000), ...Array<string>(lengths[k]!).fill(WRITE('a', 100))],
      [OPEN('a')],
    );
    expect(await sentence('P06', text)).toBe(
      'A loop, run 13 times, makes them: 3 to 71 iterations of 1 write (100 B), each where the last one ended: contiguous.',
    );
    expect(await advice('P06', text)).toContain(
      'Make 1 call of 2.02 KiB instead of the 21 of each run of the loop (both on average)',
    );
  });

  test('calls of the place outside of the loop are counted, a loop of two calls is run once', async () => {
    const text = repeated(195, (i) => [WRITE('a', i % 2 === 0 ? 16 : 1000)], [OPEN('a')]);
    const { message } = await find('P06', text);
    expect(message).toContain('195 writes (98 of 16 B, 97 of 1,000 B) cost about ');
    expect(loopSentence.exec(message)?.[0]).toBe(
      'A loop makes 194 of the 195 writes of this place: 97 iterations of 2 writes (1,016 B), each where the last one ended: contiguous.',
    );
  });

  test('of several places it is the loop of the first, with what lies between its calls', async () => {
    const text = new StraceText().call(7, OPEN('a'), 10, [line(1)]);
    text.times(300, () => text.call(7, READ('a', 8), 20, [line(5)]).call(7, READ('a', 100), 10, [line(6)]));
    const { message, sites } = await find('P05', text);
    const loop = 'loop makes them: 300 iterations of 2 reads (108 B), each where the last one ended: contiguous.';
    expect(message).toContain(`600 reads (300 of 8 B, 300 of 100 B) from 2 places cost about`);
    expect(message).toContain(`At the costliest place a ${loop}`);
    for (const site of sites) expect(site.message).toContain(`A ${loop}`);
  });

  test('appended is at the end of the file, whoever else appends', async () => {
    const text = new StraceText();
    for (const pid of [7, 8]) text.call(pid, OPEN('log', 'O_WRONLY|O_APPEND'), 10, [line(1)]);
    text.times(600, (i) => text.call(7 + (i % 2), WRITE('log', 50), 10, [line(5)]));
    expect(await sentence('P06', text)).toBe(
      'A loop, run 2 times, makes them: 300 iterations of 1 write (50 B), each at the end of the file.',
    );
  });

  test('files that count are a loop of each', async () => {
    const name = (i: number): string => `part.${String(i).padStart(3, '0')}`;
    const text = repeated(60, (i) => [
      OPEN(name(i)),
      WRITE(name(i), 16),
      ...Array<string>(8).fill(WRITE(name(i), 200)),
      CLOSE(name(i)),
    ]);
    expect(await sentence('P06', text)).toBe(
      'A loop, run 60 times, makes 480 of the 540 writes of this place: 8 iterations of 1 write (200 B), each where the last one ended: contiguous.',
    );
  });
});

test('a buffer that larger writes fill too is written for the small ones as well', async () => {
  const text = repeated(200, () => [WRITE('a', 5000), ...Array<string>(12).fill(WRITE('a', 100))], [OPEN('a')]);
  expect(await advice('P06', text)).toContain('A buffer of 1 MiB makes 2 calls of these 2,400.');
});

test('seeks that several reads follow are not for one each', async () => {
  const text = repeated(
    100,
    (i) => [SEEK('a', ((i * 79) % 100) * 130), ...Array<string>(i % 10 < 3 ? 2 : 1).fill(READ('a', 64))],
    [OPEN('a')],
  );
  expect((await find('L03', text)).message).toContain(
    '100 seeks right before a read or write (30 of them for several) cost about ',
  );
});

/** How the innermost loops of a recording lie, the first calls' first. */
async function accesses(text: StraceText): Promise<(LoopAccess['kind'] | undefined)[]> {
  const trace = await readStrace([memoryFile('t', text.toString())]);
  const [{ patterns } = { patterns: [] }] = findLoops(trace);
  return kinds(trace, patterns, 0);
}

function kinds(trace: Trace, patterns: readonly Pattern[], depth: number): (LoopAccess['kind'] | undefined)[] {
  return patterns.flatMap((pattern) => {
    if (pattern.kind !== 'loop') return [];
    const inner = kinds(trace, pattern.body, depth + 1);
    return inner.length > 0 ? inner : [loopAccess(trace, pattern, depth, () => true)?.kind];
  });
}

describe('how the transfers of a loop lie', () => {
  const pread = (offset: number, bytes: number): string => at('read', '/w/a', offset, bytes);
  test.each<[name: string, calls: (i: number) => readonly string[], kind: LoopAccess['kind'] | undefined]>([
    ['a file opened anew', () => [OPEN('a'), READ('a', 512), CLOSE('a')], 'repeated'],
    ['a file opened anew, read on', () => [OPEN('a'), READ('a', 512), READ('a', 100), CLOSE('a')], 'repeated'],
    ['a file each', (i) => [OPEN(`f${i}`), READ(`f${i}`, 512), READ(`f${i}`, 512, 88), CLOSE(`f${i}`)], undefined],
    ['header and body', () => [READ('a', 8), READ('a', 100)], 'contiguous'],
    ['header and body that are named', (i) => [pread(i * 108, 8), pread(i * 108 + 8, 100)], 'contiguous'],
    ['windows that overlap', (i) => [pread(i * 50, 100)], 'repeated'],
    ['two columns by turns', (i) => [pread(i * 100, 100), pread(200_000 + i * 100, 100)], undefined],
    ['a record in two pieces', (i) => [pread(i * 640, 8), pread(i * 640 + 8, 100)], 'strided'],
    ['seeks to records', (i) => [SEEK('a', i * 640), READ('a', 100)], 'strided'],
    ['two places by turns', (i) => [REWIND, READ('a', 8), SEEK('a', i * 640), READ('a', 100)], undefined],
    ['the beginning after each record', (i) => [SEEK('a', i * 640), READ('a', 100), REWIND], 'strided'],
    ['backwards', (i) => [pread(100_000 - i * 100, 100)], 'backward'],
    ['what is skipped by writing over it', () => [READ('a', 100), WRITE('a', 28)], undefined],
  ])('%s', async (_, calls, kind) => {
    expect(await accesses(repeated(20, calls, [OPEN('a')]))).toEqual([kind]);
  });

  test('a pipe has no places', async () => {
    const text = repeated(20, () => ['read(0<pipe:[1]>, ""..., 10) = 10', WRITE('a', 10)], [OPEN('a')]);
    expect(await accesses(text)).toEqual([undefined]);
  });

  test('of the last iteration what the file still had', async () => {
    const text = repeated(20, (i) => [at('read', '/w/a', i * 100, i === 19 ? 7 : 100).replace('7, 1900', '100, 1900')]);
    expect(await accesses(text)).toEqual(['contiguous']);
  });
});
