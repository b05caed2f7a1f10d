import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import type { RecordingFile } from '../../trace/byte-source.ts';
import type { Trace } from '../../trace/trace.ts';
import { recogniseRecording } from './recognise-recording.ts';
import { LocalRecordingFile } from './recording-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const call = (n = 1): string => `7 1795252180.5 write(3</tmp/x>, "a", ${n}) = ${n} <0.1>\n`;

async function open(...paths: string[]): Promise<Trace> {
  const { format, files, notes, damage } = await recogniseRecording(paths);
  const trace = await format.read(files, {});
  return { ...trace, notes: [...trace.notes, ...notes], damage: [...damage, ...trace.damage] };
}

describe('a folder', () => {
  test('holds other files as well: they are left out, and that is said', async () => {
    writeFileSync(at('trace.7'), call());
    writeFileSync(at('trace.8'), call().replace('7 ', '8 '));
    writeFileSync(at('main.c'), 'int main(void) { return 0; }\n');
    writeFileSync(at('a\u001b]0;out'), Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0));
    writeFileSync(at('trace.9'), '');
    const trace = await open(folder);
    expect(trace.events.length).toBe(2);
    expect(trace.notes).toEqual(['a\ufffd]0;out, main.c: left out: no strace recording', 'trace.9: left out: empty']);
    expect(trace.damage).toEqual([]);
  });

  test('names five of many', async () => {
    writeFileSync(at('trace.7'), call());
    for (let i = 0; i < 9; i++) writeFileSync(at(`note${i}.txt`), 'hello\n');
    expect((await open(folder)).notes).toEqual([
      'note0.txt, note1.txt, note2.txt, note3.txt, note4.txt and 4 more: left out: no strace recording',
    ]);
  });

  test('folders in it are recordings of their own; links that lead in circles, pipes and devices are left out', async () => {
    writeFileSync(at('trace.7'), call());
    mkdirSync(at('run2'));
    writeFileSync(at('run2/trace.7'), call());
    symlinkSync('..', at('up'));
    symlinkSync('loop', at('loop'));
    symlinkSync('nowhere', at('broken'));
    symlinkSync('/dev/zero', at('zero'));
    execFileSync('mkfifo', [at('pipe')]);
    const trace = await open(folder);
    expect(trace.events.length).toBe(1);
    expect(trace.notes).toEqual([
      'broken (there is no such file or folder), loop (its symbolic links lead in a circle), pipe (a pipe or a device), zero (a pipe or a device): left out',
      'run2, up: left out: what lies in a folder of the folder is a recording of its own',
    ]);
  });

  test('without a recording names the folders in it', async () => {
    mkdirSync(at('run2'));
    await expect(open(folder)).rejects.toThrow(
      `${folder}: the folder holds no files; open a folder in it by itself: run2`,
    );
    writeFileSync(at('main.c'), 'int main;\n');
    await expect(open(folder)).rejects.toThrow(
      /this is no recording of a known format \(iolens, darshan, darshan-parser text, .*strace.*\); open a folder/,
    );
    writeFileSync(at('other.c'), 'int main;\n');
    await expect(open(folder)).rejects.toThrow('none of the 2 files is a recording of a known format');
  });

  test('with files that are empty, all of them', async () => {
    writeFileSync(at('trace.7'), '');
    await expect(open(at('trace.7'))).rejects.toThrow(`${at('trace.7')}: the file is empty`);
    writeFileSync(at('trace.8'), '');
    await expect(open(folder)).rejects.toThrow(`${folder}: all 2 files are empty`);
  });

  test('with files that cannot be read: what may belong to the recording is damage', async () => {
    writeFileSync(at('trace.7'), call());
    writeFileSync(at('trace.8.gz'), Buffer.concat([gzipSync(call()).subarray(0, 12), Buffer.alloc(100, 0xff)]));
    // The file of the kernel's that says "input/output error" to everyone.
    symlinkSync('/proc/self/mem', at('trace.9'));
    const trace = await open(folder);
    expect(trace.events.length).toBe(1);
    expect(trace.damage).toHaveLength(2);
    expect(trace.damage[0]).toMatchObject({ where: at('trace.8.gz'), lost: 'the whole file' });
    expect(trace.damage[0]!.what).toMatch(/^cannot be read: the gzip data/);
    expect(trace.damage[1]).toMatchObject({
      where: at('trace.9'),
      what: 'cannot be opened: the device reports an error',
    });
  });

  test('of two thousand files is open a few at a time and gives every call, compressed or not', async () => {
    for (let rank = 0; rank < 2000; rank++) {
      const text = call(rank + 1).repeat(3);
      writeFileSync(at(`run_host_${rank}.st`), rank % 10 === 0 ? gzipSync(text) : text);
    }
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, readdirSync('/proc/self/fd').length);
    }, 1);
    const before = readdirSync('/proc/self/fd').length;
    const trace = await open(folder);
    clearInterval(timer);
    expect(trace.events.length).toBe(6000);
    expect(trace.parts).toHaveLength(2000);
    expect(trace.damage).toEqual([]);
    expect(most).toBeLessThan(before + 40);
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before);
  });

  test('is given up when the user cancels', async () => {
    writeFileSync(at('trace.7'), call());
    await expect(recogniseRecording([folder], AbortSignal.abort())).rejects.toThrow('aborted');
  });
});

describe('what is given by itself', () => {
  test('is no pipe and no device: nobody waits for a writer', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    await expect(open(at('pipe'))).rejects.toThrow('a pipe or a device is no recording; give "-"');
    await expect(open('/dev/zero')).rejects.toThrow('a pipe or a device is no recording');
    await expect(open(at('missing'))).rejects.toThrow('there is no such file or folder');
  });

  test('a file that became a pipe, a folder, or nothing since it was listed', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    mkdirSync(at('folder'));
    const opening = (name: string): Promise<unknown> => new LocalRecordingFile(at(name)).open();
    await expect(opening('pipe')).rejects.toThrow('it is a pipe or a device, no file');
    await expect(opening('folder')).rejects.toThrow('it is a folder, no file');
    await expect(opening('missing')).rejects.toThrow('there is no such file or folder');
  });

  test('several files, one of them no recording', async () => {
    writeFileSync(at('a_h_1.st'), call());
    writeFileSync(at('a_h_2.st'), 'nothing\n');
    const trace = await open(at('a_h_1.st'), at('a_h_2.st'));
    expect(trace.notes).toEqual(['a_h_2.st: left out: no strace recording']);
  });
});

describe('a file that changes while it is read', () => {
  /** Reads a large recording and does something to the file when the first bytes have been read. */
  async function readWhile(change: (file: string) => void): Promise<Trace> {
    const file = at('large.strace');
    writeFileSync(file, call().repeat(5000));
    const local = new LocalRecordingFile(file);
    let done = false;
    const changing: RecordingFile = {
      name: local.name,
      path: local.path,
      size: undefined,
      openAt: () => local.openAt(),
      open: async () => {
        const stream = await local.open();
        return {
          get position() {
            return stream.position;
          },
          read: async (target) => {
            const length = await stream.read(target);
            if (!done) change(file);
            done = true;
            return length;
          },
          close: () => stream.close(),
        };
      },
    };
    return readStrace([changing], {}, { chunkBytes: 1 << 14 });
  }

  test('and shrinks: what was read is kept', async () => {
    const trace = await readWhile((file) => truncateSync(file, 100_000));
    expect(trace.events.length).toBe(Math.floor(100_000 / call().length));
    expect(trace.damage.map(({ what }) => what)).toContain(
      `cannot be read further: the file shrank while it was read, from ${call().length * 5000} to 100000 bytes`,
    );
  });

  test('and grows', async () => {
    const trace = await readWhile((file) => appendFileSync(file, call()));
    expect(trace.events.length).toBeGreaterThanOrEqual(5000);
    expect(trace.damage[0]!.what).toMatch(/^cannot be read further: the file grew while it was read/);
  });
});

test('more calls than are kept are cut off with a word', async () => {
  const files = ['a', 'b'].map((name): RecordingFile => {
    writeFileSync(at(name), call().repeat(1000));
    return new LocalRecordingFile(at(name));
  });
  const trace = await readStrace(files, {}, { chunkBytes: 4096, mostEvents: 500 });
  expect(trace.events.length).toBeLessThan(700);
  expect(trace.damage.map(({ what }) => what)).toEqual([
    'cannot be read further: the recording holds more calls than are kept',
    'the recording holds more calls than are kept',
  ]);
});
