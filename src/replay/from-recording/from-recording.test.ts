import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { expanded } from '../../../test/support/replay/expanded.ts';
import { traceOfCalls, type TimedCall } from '../../../test/support/timed-calls.ts';
import { ignoredFiles } from '../../analysis/metrics/ignored-files.ts';
import { OPEN_MODE } from '../../trace/events.ts';
import { FileTable } from '../../trace/files.ts';
import type { ReplayOperation } from '../program.ts';
import { programOfReplay } from './program-of-replay.ts';
import type { RecordedReplay } from './recorded-replay.ts';
import { replayOfRecording, type ReplayOptions } from './replay-of-recording.ts';
import { ReplayPaths } from './replay-paths.ts';

async function replayOf(calls: readonly TimedCall[], options: Partial<ReplayOptions> = {}): Promise<RecordedReplay> {
  const trace = await traceOfCalls(calls);
  const ignored = ignoredFiles(trace.files);
  return replayOfRecording(trace, { calls: 'requests', thinkTime: 0, ignored, ...options });
}

const operationsOf = ({ tasks }: RecordedReplay): ReplayOperation[][] =>
  tasks.map(({ steps }) => steps.map(({ operation }) => operation));

/** The calls one after the other, each of the process that it names. */
function inTurn(...calls: readonly (readonly [pid: number, call: string])[]): TimedCall[] {
  return calls.map(([pid, call], i) => [pid, i * 100, 10, call]);
}

describe('calls become operations', () => {
  test('descriptors are slots, offsets stay where calls name them, and what was read before being written is an input', async () => {
    const replay = await replayOf(
      inTurn(
        [7, 'openat(AT_FDCWD</w>, "in", O_RDONLY|O_CLOEXEC) = 3</w/in>'],
        [7, 'openat(AT_FDCWD</w>, "out", O_RDWR|O_CREAT|O_TRUNC, 0644) = 4</w/out>'],
        [7, 'read(3</w/in>, "x"..., 4096) = 4096'],
        [7, 'write(4</w/out>, "x"..., 4096) = 4096'],
        [7, 'pwrite64(4</w/out>, "x"..., 10, 100) = 10'],
        [7, 'lseek(4</w/out>, 50, SEEK_SET) = 50'],
        [7, 'write(4</w/out>, "x"..., 10) = 10'],
        [7, 'read(3</w/in>, "x"..., 4096) = 100'],
        [7, 'read(3</w/in>, "", 4096) = 0'],
        [7, 'fdatasync(4</w/out>) = 0'],
        [7, 'ftruncate(4</w/out>, 5000) = 0'],
        [7, 'flock(4</w/out>, LOCK_SH) = 0'],
        [7, 'flock(4</w/out>, LOCK_UN) = 0'],
        [7, 'close(3</w/in>) = 0'],
        [7, 'openat(AT_FDCWD</w>, "log", O_WRONLY|O_CREAT|O_APPEND, 0644) = 3</w/log>'],
        [7, 'write(3</w/log>, "x"..., 7) = 7'],
        [7, 'newfstatat(AT_FDCWD</w>, "out", {st_mode=S_IFREG, st_size=5000}, 0) = 0'],
        [7, 'rename("/w/out", "/w/done") = 0'],
        [7, 'unlink("/w/log") = 0'],
        [7, 'mkdir("/w/d", 0755) = 0'],
        [7, 'rmdir("/w/d") = 0'],
      ),
    );
    expect(operationsOf(replay)).toEqual([
      [
        { operation: 'open', slot: 0, path: 'files/w/in', mode: 0 },
        { operation: 'open', slot: 1, path: 'files/w/out', mode: 2 | OPEN_MODE.create | OPEN_MODE.truncate },
        { operation: 'read', slot: 0, bytes: 4096 },
        { operation: 'write', slot: 1, bytes: 4096 },
        { operation: 'pwrite', slot: 1, bytes: 10, offset: 100 },
        { operation: 'seek', slot: 1, offset: 50, whence: 0 },
        { operation: 'write', slot: 1, bytes: 10 },
        { operation: 'read', slot: 0, bytes: 100 },
        { operation: 'read', slot: 0, bytes: 0 },
        { operation: 'sync', slot: 1, dataOnly: true },
        { operation: 'truncate', slot: 1, length: 5000 },
        { operation: 'lock', slot: 1, shared: true },
        { operation: 'unlock', slot: 1 },
        { operation: 'close', slot: 0 },
        { operation: 'open', slot: 0, path: 'files/w/log', mode: 1 | OPEN_MODE.create | OPEN_MODE.append },
        { operation: 'write', slot: 0, bytes: 7 },
        { operation: 'stat', path: 'files/w/out' },
        { operation: 'rename', path: 'files/w/out', to: 'files/w/done' },
        { operation: 'unlink', path: 'files/w/log' },
        { operation: 'mkdir', path: 'files/w/d' },
        { operation: 'rmdir', path: 'files/w/d' },
      ],
    ]);
    expect(replay.inputs).toEqual([{ path: 'files/w/in', bytes: 4196 }]);
  });

  test('what cannot be repeated is left out and counted', async () => {
    const replay = await replayOf(
      inTurn(
        [7, 'openat(AT_FDCWD</w>, "/etc/passwd", O_RDONLY) = 3</etc/passwd>'],
        [7, 'read(3</etc/passwd>, "x"..., 10) = 10'],
        [7, 'openat(AT_FDCWD</w>, "missing", O_RDONLY) = -1 ENOENT (No such file or directory)'],
        [7, 'write(1<pipe:[55]>, "x", 1) = 1'],
        [7, 'openat(AT_FDCWD</w>, "d", O_RDONLY|O_DIRECTORY) = 3</w/d>'],
        [7, 'getdents64(3</w/d>, [], 32768) = 0'],
        [7, 'fsync(3</w/d>) = 0'],
        [7, 'close(3</w/d>) = 0'],
        [7, 'openat(AT_FDCWD</w>, "d/a", O_WRONLY|O_CREAT, 0644) = 3</w/d/a>'],
        [7, 'mmap(NULL, 4096, PROT_READ, MAP_SHARED, 3</w/d/a>, 0) = 0x7f0000000000'],
        [7, 'chmod("/w/d/a", 0600) = 0'],
      ),
    );
    expect(operationsOf(replay)).toEqual([
      [{ operation: 'open', slot: 0, path: 'files/w/d/a', mode: 1 | OPEN_MODE.create }],
    ]);
    expect(replay.notes.toSorted()).toEqual([
      'left out: 1 calls on pipes',
      'left out: 1 calls that failed',
      'left out: 1 mappings of files into memory: what they read and write is not seen',
      'left out: 1 × chmod, which a replay cannot repeat',
      'left out: 1 × close, which a replay cannot repeat',
      'left out: 1 × fsync, which a replay cannot repeat',
      'left out: 1 × getdents64, which a replay cannot repeat',
      'left out: 1 × openat, which a replay cannot repeat',
      'left out: 2 calls on files of the system, the loader and libraries',
    ]);
  });

  test('locks that several processes take are left out: nobody waits for bytes that another locked', async () => {
    const take = (pid: number): (readonly [number, string])[] => [
      [pid, 'openat(AT_FDCWD</w>, "l", O_RDWR|O_CREAT, 0644) = 3</w/l>'],
      [pid, 'fcntl(3</w/l>, F_SETLKW, {l_type=F_WRLCK, l_whence=SEEK_SET, l_start=0, l_len=9}) = 0'],
    ];
    const replay = await replayOf(inTurn(...take(7), ...take(8)));
    expect(
      operationsOf(replay)
        .flat()
        .some(({ operation }) => operation === 'lock'),
    ).toBe(false);
    expect(replay.notes).toContain('left out: 2 × fcntl(F_SETLKW), which a replay cannot repeat');
  });

  test('a descriptor that was inherited is opened by who uses it, and used at its own offsets', async () => {
    const replay = await replayOf(
      inTurn(
        [7, 'openat(AT_FDCWD</w>, "s", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</w/s>'],
        [7, 'clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 8'],
        [7, 'write(3</w/s>, "x"..., 10) = 10'],
        [8, 'write(3</w/s>, "x"..., 10) = 10'],
        [7, 'write(3</w/s>, "x"..., 10) = 10'],
      ),
    );
    expect(operationsOf(replay)).toEqual([
      [
        { operation: 'open', slot: 0, path: 'files/w/s', mode: 1 | OPEN_MODE.create | OPEN_MODE.truncate },
        { operation: 'write', slot: 0, bytes: 10 },
        { operation: 'send_sync', peer: 1 },
        { operation: 'pwrite', slot: 0, bytes: 10, offset: 20 },
      ],
      [
        { operation: 'recv_sync', peer: 0 },
        { operation: 'open', slot: 0, path: 'files/w/s', mode: 2 | OPEN_MODE.create },
        { operation: 'pwrite', slot: 0, bytes: 10, offset: 10 },
      ],
    ]);
  });

  test('time between calls is kept, scaled or dropped; waiting for another is no thinking', async () => {
    const calls: TimedCall[] = [
      [7, 0, 10, 'openat(AT_FDCWD</w>, "s", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</w/s>'],
      [7, 1010, 10, 'write(3</w/s>, "x"..., 10) = 10'],
      [8, 3020, 10, 'openat(AT_FDCWD</w>, "s", O_RDONLY) = 3</w/s>'],
      [8, 3040, 10, 'read(3</w/s>, "x"..., 10) = 10'],
    ];
    const sleeps = async (thinkTime: number): Promise<unknown> =>
      operationsOf(await replayOf(calls, { thinkTime })).map((task) =>
        task.flatMap((operation) => (operation.operation === 'sleep' ? [operation.seconds] : [])),
      );
    expect(await sleeps(1)).toEqual([[0.001], [0.002, 0.00001]]);
    expect(await sleeps(0.5)).toEqual([[0.0005], [0.001, 0.000005]]);
    expect(await sleeps(0)).toEqual([[], []]);
  });

  test('without calls on files of its own there is nothing to replay', async () => {
    await expect(replayOf(inTurn([7, 'write(1<pipe:[5]>, "x", 1) = 1']))).rejects.toThrow('no calls on files');
  });
});

describe('paths stay below the folder of the replay', () => {
  const placesOf = (files: FileTable, isFolder = (): boolean => false): string[] => {
    const all = files.files.map((_, file) => file);
    const paths = new ReplayPaths(files, all, isFolder);
    return all.map((file) => paths.at(file));
  };

  test.each([
    ['/scratch/a', 'files/scratch/a'],
    ['/../../etc/x', 'files/etc/x'],
    ['../../x', 'files/%relative/x'],
    ['/a/./b//c/../d', 'files/a/b/d'],
    ['/a b\0c{i}%', 'files/a%20b%00c%7Bi%7D%25'],
    ['/ü', 'files/%C3%BC'],
    ['/', 'files/%root'],
  ])('%j', (path, place) => {
    const files = new FileTable();
    files.intern('', path);
    expect(placesOf(files)).toEqual([place]);
  });

  test('no two files stand at one place, and no file where a folder has to be', () => {
    const files = new FileTable();
    for (const path of ['/a', '/a/b', '//a', '/a/b/c', '/a/./b']) files.intern('', path);
    const places = placesOf(files);
    expect(new Set(places).size).toBe(5);
    for (const place of places) expect(places.some((other) => other.startsWith(`${place}/`))).toBe(false);
  });

  test('hosts have folders of their own when there are several; long names and paths are cut and stay different', () => {
    const files = new FileTable();
    files.intern('n1', '/tmp/x');
    files.intern('n2', '/tmp/x');
    files.intern('', '/shared');
    for (const end of ['1', '2']) {
      files.intern('', `/${'long'.repeat(100)}${end}`);
      files.intern('', `/${'d/'.repeat(3000)}${end}`);
    }
    const places = placesOf(files);
    expect(places.slice(0, 3)).toEqual(['hosts/n1/tmp/x', 'hosts/n2/tmp/x', 'files/shared']);
    expect(new Set(places).size).toBe(7);
    for (const place of places) {
      expect(place.length).toBeLessThanOrEqual(2000);
      for (const name of place.split('/')) expect(name.length).toBeLessThanOrEqual(200);
    }
  });
});

describe('programs', () => {
  const replayOfSteps = (...tasks: ReplayOperation[][]): RecordedReplay => ({
    tasks: tasks.map((operations, stream) => ({
      stream,
      steps: operations.map((operation) => ({ operation, startNs: 0, place: NaN })),
    })),
    inputs: [],
    synchronisations: { found: 0, kept: 0 },
    notes: [],
  });

  test('loops stay loops: offsets, peers and numbers in paths are expressions of the iteration', () => {
    const operations: ReplayOperation[] = [];
    for (let step = 1; step <= 12; step++) {
      operations.push({
        operation: 'open',
        slot: 0,
        path: `files/w/out.${String(step).padStart(4, '0')}.dat`,
        mode: 1,
      });
      for (let block = 0; block < 5; block++)
        operations.push({ operation: 'pwrite', slot: 0, bytes: 640, offset: 1000 * step + 640 * block });
      operations.push({ operation: 'send_sync', peer: step }, { operation: 'close', slot: 0 });
    }
    const program = programOfReplay(replayOfSteps(operations));
    expect(program.tasks[0]!.body).toEqual([
      {
        operation: 'series',
        count: 12,
        variable: 'i',
        body: [
          { operation: 'open', slot: 0, path: 'files/w/out.{1 + i:4}.dat', mode: 1 },
          {
            operation: 'series',
            count: 5,
            variable: 'j',
            body: [{ operation: 'pwrite', slot: 0, bytes: 640, offset: '1000 + 1000 * i + 640 * j' }],
          },
          { operation: 'send_sync', peer: '1 + i' },
          { operation: 'close', slot: 0 },
        ],
      },
    ]);
  });

  test('whatever is folded unfolds to the same operations', () => {
    const below = randomNumbers(11);
    for (let round = 0; round < 60; round++) {
      const operations: ReplayOperation[] = [];
      const kinds: ((i: number) => ReplayOperation)[] = [
        (i) => ({ operation: 'pwrite', slot: 0, bytes: 10 + below(2), offset: i * 64 }),
        () => ({ operation: 'read', slot: below(2), bytes: 640 }),
        (i) => ({ operation: 'open', slot: 0, path: `files/o${i}.d${below(3)}`, mode: 0 }),
        (i) => ({ operation: 'unlink', path: `files/x00${i % 20}y` }),
        (i) => ({ operation: 'rename', path: `files/a${i}`, to: `files/b${i}` }),
        (i) => ({ operation: 'recv_sync', peer: i % 4 }),
        (i) => ({ operation: 'truncate', slot: 1, length: 1000 - i * 10 }),
        () => ({ operation: 'barrier', tasks: [0, 1] }),
        () => ({ operation: 'sleep', seconds: below(2) / 2 }),
        (i) => ({ operation: 'seek', slot: 0, offset: i * 4096, whence: 0 }),
      ];
      while (operations.length < 150) {
        const body = Array.from({ length: 1 + below(4) }, () => kinds[below(kinds.length)]!);
        const count = 1 + below(12);
        for (let i = 0; i < count; i++) for (const make of body) operations.push(make(i));
      }
      expect(expanded(programOfReplay(replayOfSteps(operations, operations.toReversed())), 2)).toEqual([
        operations,
        operations.toReversed(),
      ]);
    }
  });

  test('tasks that do the same become one: offsets, peers and names are expressions of the rank', () => {
    const tasks = Array.from({ length: 12 }, (_, rank): ReplayOperation[] => [
      { operation: 'open', slot: 0, path: `files/w/out.${String(rank).padStart(2, '0')}`, mode: 1 },
      ...Array.from({ length: 9 }, (__, i): ReplayOperation => ({
        operation: 'pwrite',
        slot: 0,
        bytes: 64,
        offset: 100 * rank + 5000 * i,
      })),
      { operation: 'send_sync', peer: 20 - rank },
      { operation: 'close', slot: 0 },
    ]);
    const program = programOfReplay(replayOfSteps(...tasks));
    expect(program.tasks).toEqual([
      {
        ranks: 'all',
        body: [
          { operation: 'open', slot: 0, path: 'files/w/out.{RANK:2}', mode: 1 },
          {
            operation: 'series',
            count: 9,
            variable: 'i',
            body: [{ operation: 'pwrite', slot: 0, bytes: 64, offset: '100 * RANK + 5000 * i' }],
          },
          { operation: 'send_sync', peer: '20 - RANK' },
          { operation: 'close', slot: 0 },
        ],
      },
    ]);
    expect(expanded(program, 12)).toEqual(tasks);
    // At another SIZE it goes on the same way.
    expect(expanded(program, 14)[13]![1]).toMatchObject({ offset: 1300 });
  });

  test('whatever tasks are joined, each rank does what it did', () => {
    const below = randomNumbers(5);
    let joined = 0;
    for (let round = 0; round < 200; round++) {
      const kinds = Array.from({ length: 3 }, () => [below(4) * 500, below(5) * 10 - 20, below(3)] as const);
      const tasks = Array.from({ length: 2 + below(9) }, (_, rank): ReplayOperation[] => {
        const odd = below(6) === 0 ? 1 : 0;
        return kinds.flatMap(([base, step, times]): ReplayOperation[] => {
          const offset = base + 400 + step * rank + odd;
          const name = step > 0 ? `files/a${9 + rank}` : `files/a${String(rank + odd).padStart(1 + times, '0')}.x`;
          const write = (i: number): ReplayOperation => ({
            operation: 'pwrite',
            slot: 0,
            bytes: 10,
            offset: offset + i * 32,
          });
          return [{ operation: 'unlink', path: name }, ...Array.from({ length: 5 * times }, (__, i) => write(i))];
        });
      });
      const program = programOfReplay(replayOfSteps(...tasks));
      if (program.tasks.length < tasks.length) joined++;
      expect(expanded(program, tasks.length)).toEqual(tasks);
    }
    expect(joined).toBeGreaterThan(100);
  });
});
