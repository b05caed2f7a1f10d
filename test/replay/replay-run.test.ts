import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { LoggedCall } from '../../src/replay/backends/event-log.ts';
import { fillContent, fileKey } from '../../src/replay/run/content.ts';
import { literalPath } from '../../src/replay/expressions/path-template.ts';
import type { ReplayNode } from '../../src/replay/program.ts';
import { OPEN_MODE } from '../../src/trace/events.ts';
import { newFolder, programOf, run, tasksOf } from '../support/replay-programs.ts';

const WRITE = 1 | OPEN_MODE.create;
const open = (path: string, mode = WRITE, slot = 0): ReplayNode => ({ operation: 'open', slot, path, mode });
const close: ReplayNode = { operation: 'close', slot: 0 };

/** What a task writes into a file from its begin. */
function content(name: string, length: number, writer: number): Buffer {
  const bytes = Buffer.alloc(length);
  fillContent(bytes, length, fileKey(name), writer, 0);
  return bytes;
}

describe('order', () => {
  test('of five dependent tasks is kept: each reads what the one before it wrote', async () => {
    const body: ReplayNode[] = [
      {
        operation: 'series',
        count: 20,
        variable: 'i',
        body: [
          { operation: 'recv_sync', peer: '(RANK + SIZE - 1) % SIZE' },
          open('shared', 2 | OPEN_MODE.create),
          { operation: 'pread', slot: 0, bytes: 8, offset: '8 * ((RANK + SIZE - 1) % SIZE)' },
          { operation: 'pwrite', slot: 0, bytes: 8, offset: '8 * RANK' },
          close,
          { operation: 'send_sync', peer: '(RANK + 1) % SIZE' },
        ],
      },
    ];
    const program = tasksOf([
      { ranks: 'SIZE - 1', body: [{ operation: 'send_sync', peer: 0 }] },
      { ranks: 'all', body },
    ]);
    const { backends, content: checked } = await run(program, 5, { backends: ['EventLog'], checkContent: true });
    const calls = backends[0]!.values['calls'] as LoggedCall[];
    const files = calls.filter(({ operation }) => ['open', 'pread', 'pwrite', 'close'].includes(operation));
    expect(files).toHaveLength(400);
    files.forEach((call, i) => {
      expect(call.task).toBe(Math.floor(i / 4) % 5);
      if (i > 0) expect(call.begin).toBeGreaterThan(files[i - 1]!.end);
    });
    // The very first read found no file's bytes.
    expect(checked).toMatchObject({ right: 99 * 8, wrong: 0, unwritten: 0 });
  });

  test('of barriers, of all and of some', async () => {
    const step = (name: string): ReplayNode => ({ operation: 'mkdir', path: `${name}{RANK}` });
    const program = tasksOf([
      { ranks: 'all', body: [step('a'), { operation: 'barrier' }, step('b')] },
      { ranks: '0, 2', body: [{ operation: 'barrier', tasks: [2, 0] }, step('c')] },
    ]);
    const { backends } = await run(program, 4, { backends: ['EventLog'] });
    const made = (backends[0]!.values['calls'] as LoggedCall[]).filter(({ operation }) => operation === 'mkdir');
    const of = (from: number, to: number): number[] => made.slice(from, to).map(({ task }) => task);
    expect(of(0, 4).toSorted()).toEqual([0, 1, 2, 3]);
    expect(made).toHaveLength(10);
  });

  test('a deadlock is named by who waits for whom', async () => {
    const program = programOf([{ operation: 'recv_sync', peer: '(RANK + 1) % SIZE' }]);
    await expect(run(program, 3)).rejects.toThrow(
      'deadlock: task 0 waits for a token of task 1; task 1 waits for a token of task 2; task 2 waits for a token of task 0',
    );
    const ended = tasksOf([{ ranks: '1', body: [{ operation: 'barrier' }] }]);
    await expect(run(ended, 2)).rejects.toThrow('task 1 waits in a barrier for task 0, which has ended');
    const locks: ReplayNode[] = [0, 1].flatMap((slot) => [
      open(`{(RANK + ${slot}) % 2}`, WRITE, slot),
      { operation: 'lock', slot } satisfies ReplayNode,
      { operation: 'barrier' } satisfies ReplayNode,
    ]);
    await expect(run(programOf(locks), 2)).rejects.toThrow(/task 0 waits for a lock that task 1 holds/);
  });

  test('locks let one task in at a time', async () => {
    const body: ReplayNode[] = [
      open('counter', 2 | OPEN_MODE.create),
      {
        operation: 'series',
        count: 50,
        variable: '',
        body: [
          { operation: 'lock', slot: 0 },
          { operation: 'pwrite', slot: 0, bytes: 1, offset: 0 },
          { operation: 'unlock', slot: 0 },
        ],
      },
    ];
    const { backends } = await run(programOf(body), 4, { backends: ['EventLog'] });
    const calls = (backends[0]!.values['calls'] as LoggedCall[]).filter(({ operation }) => operation !== 'open');
    const writes = calls.filter(({ operation }) => operation === 'pwrite');
    expect(writes).toHaveLength(200);
    for (let i = 1; i < writes.length; i++) expect(writes[i]!.begin).toBeGreaterThan(writes[i - 1]!.end);
  });
});

describe('files', () => {
  test('hold what each task wrote at its place, and reads are checked', async () => {
    const body: ReplayNode[] = [
      open('shared', 2 | OPEN_MODE.create),
      { operation: 'pwrite', slot: 0, bytes: 'BLOCK', offset: 'RANK * BLOCK' },
      { operation: 'barrier' },
      { operation: 'seek', slot: 0, offset: '((RANK + 1) % SIZE) * BLOCK', whence: 0 },
      { operation: 'read', slot: 0, bytes: 'BLOCK' },
      close,
    ];
    // The same program at two values of SIZE.
    for (const size of [2, 5]) {
      const { directory, content: checked } = await run(programOf(body), size, {
        checkContent: true,
        variables: { BLOCK: '10000' },
      });
      const written = readFileSync(path.join(directory, 'shared'));
      expect(written).toHaveLength(size * 10_000);
      for (let rank = 0; rank < size; rank++) {
        const whole = content('shared', size * 10_000, rank);
        const range = [rank * 10_000, (rank + 1) * 10_000] as const;
        expect(written.subarray(...range).equals(whole.subarray(...range))).toBe(true);
      }
      expect(checked).toEqual({ right: size * 10_000, unwritten: 0, wrong: 0, unchecked: 0, wrongPlaces: [] });
    }
  });

  test('that are not what was written are told, with file, place and number of bytes', async () => {
    const directory = newFolder();
    const bytes = content('data', 8192, 0);
    // Another number than any of these places holds: 0 would be a hole.
    for (let i = 5000; i < 5010; i++) bytes[i] = Math.max(1, (bytes[i]! + 1) % 256);
    bytes.fill(0, 6000, 6100);
    writeFileSync(path.join(directory, 'data'), bytes);
    const body: ReplayNode[] = [open('data', 0), { operation: 'read', slot: 0, bytes: 8192 }, close];
    const { content: checked } = await run(programOf(body), 1, { checkContent: true, directory, existing: true });
    expect(checked!.wrong).toBeGreaterThan(5);
    expect(checked!.unwritten).toBe(100);
    expect(checked!.right + checked!.wrong).toBe(8092);
    expect(checked!.wrongPlaces).toEqual([{ path: 'data', offset: 5000, place: 'task 1, 2 read' }]);
  });

  test('keep their content when they are renamed, and are not checked when they were appended to', async () => {
    const write: ReplayNode = { operation: 'write', slot: 0, bytes: 100 };
    const read: ReplayNode = { operation: 'read', slot: 0, bytes: 100 };
    const body: ReplayNode[] = [
      { operation: 'mkdir', path: 'old' },
      open('old/a.tmp'),
      write,
      close,
      { operation: 'rename', path: 'old/a.tmp', to: 'old/a' },
      { operation: 'rename', path: 'old', to: 'new' },
      open('new/a', 0),
      read,
      close,
      open('log', 1 | OPEN_MODE.create | OPEN_MODE.append),
      write,
      close,
      open('log', 0),
      read,
      close,
    ];
    const { content: checked } = await run(programOf(body), 1, { checkContent: true });
    expect(checked).toEqual({ right: 100, unwritten: 0, wrong: 0, unchecked: 100, wrongPlaces: [] });
  });

  test('that a program reads without having written them are there, and folders that it needs', async () => {
    const body: ReplayNode[] = [
      open('in/put', 0),
      { operation: 'read', slot: 0, bytes: 5000 },
      close,
      open(literalPath('a{b}/c/{d')),
      { operation: 'truncate', slot: 0, length: 70 },
      { operation: 'sync', slot: 0, dataOnly: true },
      close,
      { operation: 'stat', path: 'in/put' },
      { operation: 'unlink', path: 'in/put' },
      { operation: 'rmdir', path: 'in' },
    ];
    const program = programOf(body, { inputs: [{ path: 'in/put', bytes: 5000 }] });
    const { directory, content: checked } = await run(program, 1, { checkContent: true });
    expect(checked!.right).toBe(5000);
    expect(readdirSync(directory)).toEqual(['a{b}']);
    expect(statSync(path.join(directory, 'a{b}/c/{d')).size).toBe(70);
  });

  test('of C streams are written and read in blocks, whatever the calls ask for', async () => {
    const body: ReplayNode[] = [
      { operation: 'fopen', slot: 0, path: 'stream', mode: 'w+' },
      { operation: 'series', count: 1000, variable: '', body: [{ operation: 'buf_write', slot: 0, bytes: 7 }] },
      { operation: 'buf_write', slot: 0, bytes: 10_001 },
      { operation: 'buf_seek', slot: 0, offset: 3, whence: 0 },
      { operation: 'series', count: 100, variable: '', body: [{ operation: 'buf_read', slot: 0, bytes: 11 }] },
      { operation: 'buf_seek', slot: 0, offset: -50, whence: 1 },
      { operation: 'buf_read', slot: 0, bytes: 9000 },
      { operation: 'buf_seek', slot: 0, offset: -1, whence: 2 },
      { operation: 'buf_read', slot: 0, bytes: 10 },
      { operation: 'buf_write', slot: 0, bytes: 5 },
      { operation: 'buf_read_random', slot: 0, bytes: 1000 },
      { operation: 'fclose', slot: 0 },
    ];
    const { directory, content: checked, operations } = await run(programOf(body), 1, { checkContent: true });
    const length = 7000 + 10_001 + 5;
    expect(readFileSync(path.join(directory, 'stream')).equals(content('stream', length, 0))).toBe(true);
    expect(checked).toMatchObject({ right: 1100 + 9000 + 1 + 1000, wrong: 0, unwritten: 0 });
    expect(operations).toBe(1 + 1000 + 1 + 1 + 100 + 1 + 1 + 1 + 1 + 1 + 1 + 1);
  });

  test('of pools are made, opened in turn or at random, and removed', async () => {
    const pool = {
      name: 'many',
      path: 'pool',
      files: 20,
      filesPerFolder: 8,
      create: true,
      leastBytes: 10,
      mostBytes: 50,
    };
    const program = programOf(
      [
        {
          operation: 'series',
          count: '20 / SIZE',
          variable: '',
          body: [
            { operation: 'poolopen', slot: 0, pool: 'many', mode: 0 },
            { operation: 'read', slot: 0, bytes: 50 },
            close,
          ],
        },
        { operation: 'poolrandom', slot: 0, pool: 'many', mode: 0 },
        close,
        { operation: 'barrier' },
        { operation: 'series', count: '16 / SIZE', variable: '', body: [{ operation: 'poolunlink', pool: 'many' }] },
      ],
      { pools: [pool] },
    );
    const {
      directory,
      content: checked,
      backends,
    } = await run(program, 4, {
      checkContent: true,
      backends: ['CreateUnlink', 'ReadBandwidth'],
    });
    expect(readdirSync(path.join(directory, 'pool'))).toEqual(['0000', '0001', '0002']);
    const left = ['0000', '0001', '0002'].flatMap((folder) => readdirSync(path.join(directory, 'pool', folder)));
    expect(left).toEqual(['00000016', '00000017', '00000018', '00000019']);
    expect(checked!.wrong + checked!.unwritten).toBe(0);
    expect(backends[0]!.values).toMatchObject({ create: { calls: 0 }, unlink: { calls: 16 } });
    const sizes = left.map((name) => statSync(path.join(directory, 'pool/0002', name)).size);
    expect(sizes.every((size) => size >= 10 && size <= 50)).toBe(true);
    expect(backends[1]!.values['bytes']).toBeGreaterThanOrEqual(200);
  });

  test('create and unlink of a pool that is not made beforehand, for each task its own', async () => {
    const pool = {
      name: 'own',
      path: 'p{RANK}',
      files: 10,
      filesPerFolder: 100,
      create: false,
      leastBytes: 0,
      mostBytes: 0,
    };
    const body: ReplayNode[] = [
      {
        operation: 'series',
        count: 10,
        variable: '',
        body: [{ operation: 'poolopen', slot: 0, pool: 'own', mode: WRITE }, close],
      },
      { operation: 'series', count: 10, variable: '', body: [{ operation: 'poolunlink', pool: 'own' }] },
    ];
    const { directory, backends } = await run(programOf(body, { pools: [pool] }), 2, { backends: ['CreateUnlink'] });
    expect(backends[0]!.values).toMatchObject({ create: { calls: 20 }, unlink: { calls: 20 } });
    expect(readdirSync(path.join(directory, 'p1/0000'))).toEqual([]);
  });
});

describe('what is refused', () => {
  test.each([
    ['../outside', 'leaves the folder of the replay by ".."'],
    ['a/../../outside', 'leaves the folder'],
    ['/etc/passwd', 'is absolute'],
    ['a\0b', 'has a character 0'],
    ['.', 'names no file'],
    ['x'.repeat(300), 'is too long'],
    ['{RANK', 'has a single "{"'],
    ['{RANK:99}', '{EXPRESSION:DIGITS} is expected'],
  ])('the path %j', async (name, words) => {
    await expect(run(programOf([open(name)]), 1)).rejects.toThrow(words);
  });

  test('symbolic links, as a file and as a folder', async () => {
    const directory = newFolder();
    const outside = newFolder();
    writeFileSync(path.join(outside, 'precious'), 'kept');
    symlinkSync(path.join(outside, 'precious'), path.join(directory, 'file'));
    symlinkSync(outside, path.join(directory, 'folder'));
    const truncating = WRITE | OPEN_MODE.truncate;
    const options = { directory, existing: true };
    await expect(run(programOf([open('file', truncating)]), 1, options)).rejects.toThrow('ELOOP');
    await expect(run(programOf([open('folder/precious', truncating)]), 1, options)).rejects.toThrow('symbolic link');
    await expect(run(programOf([open('folder/new/one')]), 1, options)).rejects.toThrow('symbolic link');
    await expect(run(programOf([{ operation: 'unlink', path: 'folder/precious' }]), 1, options)).rejects.toThrow(
      'link',
    );
    expect(readFileSync(path.join(outside, 'precious'), 'utf8')).toBe('kept');
    expect(readdirSync(outside)).toEqual(['precious']);
  });

  test('a folder that holds files, unless it is said to be for the replay', async () => {
    const directory = newFolder();
    writeFileSync(path.join(directory, 'mine'), '');
    await expect(run(programOf([close]), 1, { directory })).rejects.toThrow('is not empty');
    mkdirSync(path.join(directory, 'empty'));
    await run(programOf([open('a')]), 1, { directory: path.join(directory, 'empty') });
    await run(programOf([open('a')]), 1, { directory: path.join(directory, 'new/one') });
    expect(existsSync(path.join(directory, 'new/one/a'))).toBe(true);
  });

  test.each<[string, ReplayNode, string]>([
    ['a negative size', { operation: 'pwrite', slot: 0, bytes: 'RANK - 1', offset: 0 }, 'bytes is -1'],
    ['a negative offset', { operation: 'pwrite', slot: 0, bytes: 1, offset: '-5' }, 'the offset -5 is before'],
    ['an end beyond all files', { operation: 'pwrite', slot: 0, bytes: 9, offset: 2 ** 53 - 2 }, 'end beyond'],
    [
      'an unknown variable',
      { operation: 'write', slot: 0, bytes: 'N * 2' },
      'task 1, 2 write: "N * 2": N is not known',
    ],
    ['a slot without a file', { operation: 'read', slot: 7, bytes: 1 }, 'task 1, 2 read: no file is open as 7'],
    ['a peer that is no other', { operation: 'send_sync', peer: 5 }, '5 is no other task of 2'],
    ['a barrier of strangers', { operation: 'barrier', tasks: [0, 9] }, 'task 9 of 2 tasks'],
    ['a pool that is not there', { operation: 'poolopen', slot: 1, pool: 'p', mode: 0 }, 'no pool "p"'],
    ['a huge count', { operation: 'series', count: '1000000000 * 1000000000', variable: '', body: [] }, 'beyond 2^53'],
    ['a loop without end', { operation: 'series', count: 1e15, variable: '', body: [] }, 'more than 5000 operations'],
    ['an open file opened again', open('b'), 'a file is open as 0 already: a'],
  ])('%s', async (_, operation, words) => {
    await expect(run(programOf([open('a'), operation]), 2, { mostOperations: 5000 })).rejects.toThrow(words);
  });

  test('by the system: the replay ends, or goes on and counts', async () => {
    const body: ReplayNode[] = [
      { operation: 'stat', path: 'missing' },
      { operation: 'barrier' },
      { operation: 'mkdir', path: 'd{RANK}' },
    ];
    await expect(run(programOf(body), 2)).rejects.toThrow(/rank \d, task 1, 1 stat: ENOENT/);
    const { failures, failed, directory } = await run(programOf(body), 2, { keepGoing: true });
    expect(failures).toBe(2);
    expect(failed[0]!.message).toContain('ENOENT');
    expect(readdirSync(directory)).toEqual(['d0', 'd1']);
  });

  test('a replay is cancelled while tasks wait and write', async () => {
    const cancel = new AbortController();
    const body: ReplayNode[] = [
      open('a{RANK}'),
      { operation: 'series', count: 1e9, variable: '', body: [{ operation: 'pwrite', slot: 0, bytes: 1, offset: 0 }] },
    ];
    const program = tasksOf([
      { ranks: '0', body },
      { ranks: '1', body: [{ operation: 'recv_sync', peer: 0 }] },
      { ranks: '2', body: [{ operation: 'sleep', seconds: 1e6 }] },
    ]);
    const directory = newFolder();
    const replay = run(program, 3, { directory, signal: cancel.signal });
    await vi.waitUntil(() => existsSync(path.join(directory, 'a0')), { timeout: 60_000 });
    cancel.abort();
    await expect(replay).rejects.toThrow('cancelled');
  });
});
