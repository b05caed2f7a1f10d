import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReplayNode } from '../../src/replay/program.ts';
import type { ReplayReport } from '../../src/session/replay/run-program.ts';
import { OPEN_MODE } from '../../src/trace/events.ts';
import { newFolder, programOf, run, tasksOf } from '../support/replay-programs.ts';
import { rounds } from '../support/rounds.ts';

const hasCompiler = spawnSync('cc', ['--version']).status === 0;
if (!hasCompiler) console.warn('no C compiler (cc): replays by processes without MPI are not tested'); // eslint-disable-line no-console

const BOTH = 2 | OPEN_MODE.create;
const open = (file: string, mode = BOTH, slot = 0): ReplayNode => ({ operation: 'open', slot, path: file, mode });
const close: ReplayNode = { operation: 'close', slot: 0 };
const barrier: ReplayNode = { operation: 'barrier' };
const BACKENDS = ['ChunkBandwidth', 'CreateUnlink', 'ReadBandwidth', 'WriteBandwidth'];

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Names and bytes of all files below a folder. */
function filesIn(folder: string): [name: string, bytes: string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const file = path.join(folder, name);
      return [name, statSync(file).isDirectory() ? 'folder' : readFileSync(file, 'hex')];
    });
}

/** What of a report does not depend on how long calls took. */
function countsOf({ operations, size, failures, backends, content }: ReplayReport): unknown {
  const isOfTime = /second|rate|bandwidth|min|max|mean|median|mib/i;
  const withoutTimes = (key: string, value: unknown): unknown => (isOfTime.test(key) ? 0 : value);
  const timeless = backends.map(({ backend, values }) => `${backend} ${JSON.stringify(values, withoutTimes)}`);
  return { operations, size, failures, timeless, content };
}

/** What a task does to a file of its own, and to one that all of them share at places of their own. */
const step: fc.Arbitrary<ReplayNode> = fc.oneof(
  fc.record({
    operation: fc.constantFrom('read' as const, 'write' as const),
    slot: fc.constant(0),
    bytes: fc.constantFrom(0, 1, 100, 5000),
  }),
  fc.record({
    operation: fc.constantFrom('pread' as const, 'pwrite' as const),
    slot: fc.constantFrom(0, 1),
    bytes: fc.constantFrom('10', '3 * i + 1'),
    offset: fc.constantFrom('1000 * RANK + 20 * i', '1000 * RANK'),
  }),
  fc.record({
    operation: fc.constant('seek' as const),
    slot: fc.constant(0),
    offset: fc.nat(9000),
    whence: fc.constantFrom(0 as const, 1 as const),
  }),
  fc.record({ operation: fc.constant('truncate' as const), slot: fc.constant(0), length: fc.nat(6000) }),
  fc.record({ operation: fc.constant('sync' as const), slot: fc.constantFrom(0, 1), dataOnly: fc.boolean() }),
  fc.record({ operation: fc.constant('stat' as const), path: fc.constant('shared') }),
  fc.record({ operation: fc.constantFrom('lock' as const, 'unlock' as const), slot: fc.constant(1) }),
);

describe.skipIf(!hasCompiler)('a replay by processes without MPI', { timeout: 120_000 }, () => {
  const cache = mkdtempSync(path.join(tmpdir(), 'iolens-replayer-'));
  beforeEach(() => {
    vi.stubEnv('XDG_CACHE_HOME', cache);
  });
  afterAll(() => rmSync(cache, { recursive: true, force: true }));

  test('leaves the files and counts of one by threads', async () => {
    const series = (body: ReplayNode[], count: number): ReplayNode => ({
      operation: 'series',
      count,
      variable: 'i',
      body,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        async (steps, count, size, checkContent) => {
          // A task lets go of the lock before others are waited for.
          const unlock: ReplayNode = { operation: 'unlock', slot: 1 };
          const once = steps.filter(({ operation }) => operation !== 'lock' && operation !== 'unlock');
          const body = [
            open('own/{RANK}'),
            open('shared', BOTH, 1),
            barrier,
            series(once, count),
            ...steps.filter(({ operation }) => operation === 'lock').slice(0, 1),
            unlock,
            close,
            barrier,
          ];
          const program = programOf(body);
          const [threads, native] = [
            await run(program, size, { backends: BACKENDS, checkContent }),
            await run(program, size, { backends: BACKENDS, checkContent, engine: 'native' }),
          ];
          expect(countsOf(native)).toEqual(countsOf(threads));
          // Without contents that are checked, what is written is nobody's business.
          const bytes = ([name, hex]: [string, string]): unknown => (checkContent ? [name, hex] : [name, hex.length]);
          expect(filesIn(native.directory).map(bytes)).toEqual(filesIn(threads.directory).map(bytes));
        },
      ),
      { numRuns: rounds(60) },
    );
  });

  test('keeps the order of tokens and barriers', async () => {
    const turn: ReplayNode = {
      operation: 'series',
      count: 20,
      variable: 'i',
      body: [
        { operation: 'recv_sync', peer: '(RANK + SIZE - 1) % SIZE' },
        open('shared'),
        { operation: 'pread', slot: 0, bytes: 8, offset: '8 * ((RANK + SIZE - 1) % SIZE)' },
        { operation: 'pwrite', slot: 0, bytes: 8, offset: '8 * RANK' },
        close,
        { operation: 'send_sync', peer: '(RANK + 1) % SIZE' },
      ],
    };
    const made = (name: string): ReplayNode => ({ operation: 'mkdir', path: name });
    const program = tasksOf([
      { ranks: 'SIZE - 1', body: [{ operation: 'send_sync', peer: 0 }] },
      { ranks: 'all', body: [turn] },
      {
        ranks: '1, 3',
        body: [made('a{RANK}'), { operation: 'barrier', tasks: [3, 1] }, { operation: 'rmdir', path: 'a{4 - RANK}' }],
      },
    ]);
    const { content, directory } = await run(program, 5, { checkContent: true, engine: 'native' });
    // The very first read found no file's bytes.
    expect(content).toMatchObject({ right: 99 * 8, wrong: 0, unwritten: 0 });
    expect(readdirSync(directory)).toEqual(['shared']);
  });

  test.each<[string, ReplayNode, string]>([
    ['a file that is missing', open('missing', 0, 1), 'rank 0, task 1, 2 open: missing: No such file'],
    ['a link to elsewhere', open('link/x', BOTH, 1), 'leads through a symbolic link'],
    ['a task that there is not', { operation: 'send_sync', peer: 7 }, '7 is no other task of 2'],
    ['a pool', { operation: 'poolunlink', pool: 'p' }, 'poolunlink is not possible where ranks are processes'],
  ])('%s ends all tasks, with its place', async (_, operation, words) => {
    const directory = newFolder();
    const outside = newFolder();
    symlinkSync(outside, path.join(directory, 'link'));
    const program = tasksOf([
      { ranks: '0', body: [open('file'), operation] },
      { ranks: '1', body: [{ operation: 'recv_sync', peer: 0 }] },
    ]);
    await expect(run(program, 2, { directory, existing: true, engine: 'native' })).rejects.toThrow(words);
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('is cancelled, and no task goes on', async () => {
    const cancel = new AbortController();
    const directory = newFolder();
    const body: ReplayNode[] = [open('file'), { operation: 'sleep', seconds: 1000 }];
    const replay = run(programOf(body), 2, { directory, signal: cancel.signal, engine: 'native' });
    await vi.waitUntil(() => readdirSync(directory).includes('file'), { timeout: 60_000 });
    cancel.abort();
    await expect(replay).rejects.toThrow('cancelled');
    const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(stdout).not.toContain(directory);
  });
});

test('without a C compiler the quickest engine is threads, and the native one says what is missing', async () => {
  vi.stubEnv('PATH', '');
  vi.stubEnv('XDG_CACHE_HOME', newFolder());
  const { directory } = await run(programOf([open('a')]), 1, { engine: 'quickest' });
  expect(readdirSync(directory)).toEqual(['a']);
  await expect(run(programOf([open('a')]), 1, { engine: 'native' })).rejects.toThrow('there is no compiler for C');
});
