import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import type { ChunkStore } from '../../trace/chunk-store.ts';
import type { Trace } from '../../trace/trace.ts';
import { MemoryBudget } from './memory-budget.ts';
import { readRecording, type ReadRecording } from './read-recording.ts';
import { recordingFilesAt } from './recording-files.ts';
import { encodeTrace } from './trace-encoding.ts';
import { TraceCache, type CacheOptions } from './trace-cache.ts';

let folder = '';
let readings = 0;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-cache-'));
  readings = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cacheAt = (): string => path.join(folder, 'cache');
const entries = (): string[] => readdirSync(cacheAt());
const STACK = ' > /opt/app/run(main+0x1c) [0x1234]\n > /lib/libc.so.6(__libc_start_main+0x85) [0x29d90]\n';

/** A recording with files, threads, errors, stacks and a damaged line; `variant` is a digit of the same width. */
function text(calls: number, variant = 1): string {
  const lines = [
    `7 1795252180.000001 openat(AT_FDCWD</w>, "/w/out${variant}", O_WRONLY|O_CREAT, 0644) = 3</w/out${variant}> <0.000010>`,
    '7 1795252180.000002 openat(AT_FDCWD</w>, "/w/none", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000009>',
    'this is no call',
  ];
  for (let i = 0; i < calls; i++) {
    const time = (1795252180.0001 + i / 1e4).toFixed(6);
    lines.push(`${7 + (i % 2)} ${time} write(3</w/out${variant}>, "x", 10) = 10 <0.000011>\n${STACK.trimEnd()}`);
  }
  return `${lines.join('\n')}\n`;
}

async function read(
  paths: readonly string[],
  options: CacheOptions = {},
  reader = 'r1',
  sharedPaths: readonly string[] = [],
): Promise<ReadRecording> {
  const files = (await Promise.all(paths.map(recordingFilesAt))).flat();
  const cache = new TraceCache(reader, { folder: cacheAt(), least: 1, stillChanging: 0, ...options });
  const parse = (chunkStore: ChunkStore): Promise<Trace> => {
    readings++;
    return readStrace(files, { chunkStore, sharedPaths });
  };
  const means = { budget: new MemoryBudget(0), cache };
  const recording = await readRecording(files, sharedPaths, parse, means);
  await recording.stored;
  return recording;
}

/** Everything that a trace holds, to be compared. */
function contents(trace: Trace): unknown {
  const rows: unknown[] = [];
  trace.events.chunks.forEach((chunk, number) => {
    const count = trace.events.rowsIn(number);
    rows.push(Object.values(chunk).map((column) => [...column.subarray(0, count)]));
  });
  return [
    encodeTrace(trace),
    rows,
    trace.stacks.framesOf(trace.events.value('stack', 2)).map((i) => trace.stacks.frame(i)),
  ];
}

describe('the cache of read recordings', () => {
  test('gives back what was read, without reading', async () => {
    const file = path.join(folder, 'a.strace');
    writeFileSync(file, text(200));
    const first = await read([file]);
    const second = await read([file]);
    expect(readings).toBe(1);
    expect(second.trace.events.length).toBe(202);
    expect(second.trace.damage).toHaveLength(1);
    expect(contents(second.trace)).toEqual(contents(first.trace));
    // Whatever a table holds besides must come back too.
    const { files, handles, calls, errors, stacks } = second.trace;
    const tables = { files, handles, calls, errors, stacks };
    expect(tables).toEqual(
      Object.fromEntries(Object.keys(tables).map((name) => [name, first.trace[name as keyof Trace]])),
    );
    await second.close();
    expect(statSync(cacheAt()).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(cacheAt(), entries()[0]!)).mode & 0o777).toBe(0o600);
  });

  test('more events than memory has room for', async () => {
    const file = path.join(folder, 'large.strace');
    const line = '7 1795252180.000002 write(3</w/out>, "x", 10) = 10 <0.000011>\n';
    writeFileSync(file, line.repeat(1_100_000));
    await read([file]);
    const recording = await read([file]);
    const { trace } = recording;
    expect(readings).toBe(1);
    expect(trace.events.length).toBe(1_100_000);
    expect(trace.events.value('line', 1_099_999)).toBe(1_100_000);
    // What is changed goes to the temporary file, never to the cache.
    trace.events.update((chunk) => chunk.stack.fill(-1));
    trace.events.update((chunk) => chunk.handle.fill(-1));
    expect(trace.events.value('handle', 900_000)).toBe(-1);
    await recording.close();
    const again = await read([file]);
    expect(readings).toBe(1);
    expect(again.trace.events.value('handle', 900_000)).toBe(0);
    await again.close();
  });

  test('many files are one entry, and a new one among them is noticed', async () => {
    for (let rank = 0; rank < 20; rank++) writeFileSync(path.join(folder, `app_host_${rank}.st`), text(5));
    const names = readdirSync(folder).map((name) => path.join(folder, name));
    await read(names);
    expect((await read(names)).trace.parts).toHaveLength(20);
    expect(readings).toBe(1);
    writeFileSync(path.join(folder, 'app_host_20.st'), text(5));
    expect((await read([...names, path.join(folder, 'app_host_20.st')])).trace.parts).toHaveLength(21);
    expect(readings).toBe(2);
  });

  test('a file that changed is read again: other content of the same size and with the same time of modification', async () => {
    const file = path.join(folder, 'a.strace');
    writeFileSync(file, text(200, 1));
    const { atime, mtime } = statSync(file);
    await read([file]);
    writeFileSync(file, text(200, 2));
    utimesSync(file, atime, mtime);
    const { trace } = await read([file]);
    expect(readings).toBe(2);
    expect(trace.files.files.map(({ path: name }) => name)).toContain('/w/out2');
    expect(entries()).toHaveLength(1);
  });

  test('a file that changed a moment ago is not stored', async () => {
    const file = path.join(folder, 'a.strace');
    writeFileSync(file, text(10));
    await read([file], { stillChanging: 2000 });
    await read([file], { stillChanging: 2000 });
    expect(readings).toBe(2);
  });

  test('another build of the reader and other options read for themselves', async () => {
    const file = path.join(folder, 'a.strace');
    writeFileSync(file, text(10));
    await read([file]);
    await read([file], {}, 'r2');
    await read([file], {}, 'r2', ['/w']);
    expect(readings).toBe(3);
  });

  test('whatever byte of a stored trace is wrong, it is read anew with a note', async () => {
    const file = path.join(folder, 'a.strace');
    writeFileSync(file, text(60));
    const right = contents((await read([file])).trace);
    const stored = path.join(cacheAt(), entries()[0]!);
    const sound = readFileSync(stored);
    for (let at = 0; at < sound.length; at += 97) {
      const broken = Buffer.from(sound);
      broken[at]! ^= 0x55;
      writeFileSync(stored, broken);
      readings = 0;
      const recording = await read([file]);
      expect([readings, recording.notes.length], `byte ${at}`).toEqual([1, 1]);
      expect(contents(recording.trace)).toEqual(right);
      await recording.close();
    }
    for (const length of [0, 5, 16, 200, sound.length - 1]) {
      writeFileSync(stored, sound.subarray(0, length));
      const { trace } = await read([file]);
      expect(contents(trace), `cut to ${length}`).toEqual(right);
    }
  });

  test('a link in the place of a stored trace is not followed', async () => {
    const file = path.join(folder, 'a.strace');
    writeFileSync(file, text(10));
    await read([file]);
    const stored = path.join(cacheAt(), entries()[0]!);
    const elsewhere = path.join(folder, 'elsewhere');
    writeFileSync(elsewhere, readFileSync(stored));
    rmSync(stored);
    symlinkSync(elsewhere, stored);
    await read([file]);
    expect(readings).toBe(2);
    expect(statSync(stored).ino).not.toBe(statSync(elsewhere).ino);
  });

  test('the oldest go when there is no room, and so does what killed processes left', async () => {
    const names = ['a', 'b', 'c'].map((name) => path.join(folder, `${name}.strace`));
    for (const name of names) writeFileSync(name, text(100));
    await read([names[0]!]);
    const bytes = statSync(path.join(cacheAt(), entries()[0]!)).size;
    const abandoned = path.join(cacheAt(), 'x.iolens-trace.0123.part');
    writeFileSync(abandoned, 'x');
    utimesSync(abandoned, 1, 1);
    const options = { most: bytes * 2.5 };
    utimesSync(
      path.join(
        cacheAt(),
        entries().find((name) => name.endsWith('-trace'))!,
      ),
      100,
      100,
    );
    await read([names[1]!], options);
    await read([names[2]!], options);
    expect(entries()).toHaveLength(2);
    readings = 0;
    await read([names[2]!], options);
    await read([names[1]!], options);
    expect(readings).toBe(0);
    await read([names[0]!], options);
    expect(readings).toBe(1);
  });

  test('two writers at once', async () => {
    const file = path.join(folder, 'a.strace');
    writeFileSync(file, text(300));
    const both = await Promise.all([read([file]), read([file])]);
    expect(readings).toBe(2);
    expect(entries()).toHaveLength(1);
    const third = await read([file]);
    expect(readings).toBe(2);
    expect(contents(third.trace)).toEqual(contents(both[0].trace));
  });

  test('a folder that cannot be written, a small recording and no room: read, not stored', async () => {
    const file = path.join(folder, 'a.strace');
    writeFileSync(file, text(50));
    await read([file], { least: 1 << 20 });
    await read([file], { most: 0 });
    await read([file], { most: 1000 });
    writeFileSync(cacheAt(), 'a file where the folder should be');
    expect((await read([file])).trace.events.length).toBe(52);
    expect(readings).toBe(4);
    rmSync(cacheAt());
    mkdirSync(cacheAt());
    expect(entries()).toEqual([]);
  });

  test('a trace with more than is stored is not stored', async () => {
    const file = path.join(folder, 'a.strace');
    writeFileSync(file, text(5));
    const { trace } = await read([file]);
    expect(encodeTrace({ ...trace, counters: {} } as Trace)).toBeUndefined();
  });
});
