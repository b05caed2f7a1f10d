import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, has, open, run } from '../support/programs.ts';
import { callsOf, soundRecording } from '../support/recorder/recorder-chunks.ts';
import { readFolder } from '../support/recorder/recorder-stacks.ts';
import {
  canRecord,
  compileRecorder,
  plainRun,
  recordedRun,
  type RecordedRunOptions,
} from '../support/recorder/recorder-runs.ts';
import { rounds } from '../support/rounds.ts';

/**
 * Programs that do what a recorder in other people's processes must stand. Each says, in the file `made`, how many writes
 * of one byte it made: the recording has them, or says how many it lost.
 */
const sources = path.resolve(import.meta.dirname, '../programs/safety');
const isRoot = process.getuid?.() === 0;
const folder = freshFolder('recorder-safety');
const place = path.join(folder, 'run');
let library = '';

function program(name: string): string {
  return path.join(folder, name);
}

function compile(compiler: string, name: string, ...options: string[]): void {
  run(sources, compiler, '-g', '-pthread', ...options, '-o', program(name));
}

beforeAll(() => {
  if (!canRecord) return;
  chmodSync(folder, 0o755);
  library = compileRecorder(folder);
  for (const name of ['forks', 'signals', 'endings', 'limits', 'descriptors'])
    compile('cc', name, `${name}.c`, '-lutil');
}, 240_000);

interface Outcome {
  made: number;
  recorded: number;
  lost: number;
  notes: string[];
  /** The folder. */
  recording: string;
}

/** Runs it without and with the library and expects the same; what the recording has. */
function compared(command: string[], options: RecordedRunOptions = {}): Outcome {
  const plain = plainRun(place, command);
  const recorded = recordedRun(library, place, command, options);
  const made = recorded.files['made'] ?? '';
  delete plain.files['made'];
  delete recorded.files['made'];
  expect({ ...recorded, recording: '' }).toEqual({ ...plain, recording: '' });
  const recording = soundRecording(recorded.recording);
  expect(recording.torn).toEqual([]);
  const { lost, notes } = recording;
  const calls = callsOf(recording, 'write', 1);
  return { made: Number.parseInt(made, 10), recorded: calls, lost, notes: [...notes], recording: recorded.recording };
}

/** Files of which only the lengths are the same each time, because signals and threads come when they come. */
function comparedButForLengths(command: string[], options: RecordedRunOptions = {}): Outcome {
  const plain = plainRun(place, command);
  const recorded = recordedRun(library, place, command, options);
  const { status, stdout, stderr } = plain;
  expect({ status: recorded.status, stdout: recorded.stdout, stderr: recorded.stderr }).toEqual({
    status,
    stdout,
    stderr,
  });
  expect(Object.keys(recorded.files)).toEqual(Object.keys(plain.files));
  const recording = soundRecording(recorded.recording);
  const made = Number.parseInt(recorded.files['made'] ?? '', 10);
  const recordedWrites = callsOf(recording, 'write', 1);
  const { lost, notes } = recording;
  return { made, recorded: recordedWrites, lost, notes: [...notes], recording: recorded.recording };
}

/** With stacks more can go wrong; without them as well in the full run. */
const DEPTHS = rounds(10) > 1 ? [0, 64] : [64];

describe.runIf(canRecord).each(DEPTHS)('with stacks of up to %i', (depth) => {
  describe('processes', () => {
    test.each(['beside-threads', 'raw', 'sharing', 'daemon', 'terminal'])('%s', (name) => {
      const { made, recorded, lost } = compared([program('forks'), name], { depth });
      expect(recorded).toBe(made);
      expect(lost).toBe(0);
    });

    // The leaves make three each.
    test.each([
      ['vfork', 20],
      ['exec', 10],
      ['spawn', 5],
    ])('%s', (name, leaves) => {
      const { made, recorded } = compared([program('forks'), name], { depth });
      expect(recorded).toBe(made + 3 * leaves);
    });

    test('a handler that forks, and a child that goes on where it interrupted', () => {
      const { made, recorded, lost } = comparedButForLengths([program('forks'), 'in-handler'], { depth });
      // Each of the 40 forks may fall between a write and its being counted, by either.
      expect(Math.abs(recorded + lost - made)).toBeLessThanOrEqual(40);
    });
  });

  describe('signals and threads', () => {
    test.each(['small-stacks', 'many-threads', 'coroutines', 'destructors'])('%s', (name) => {
      const { made, recorded, lost } = compared([program('signals'), name], { depth });
      expect(recorded).toBe(made);
      expect(lost).toBe(0);
    });

    test.each(['timer', 'other-stack'])('%s', (name) => {
      const { made, recorded, lost } = comparedButForLengths([program('signals'), name], { depth });
      expect(recorded + lost).toBe(made);
      expect(lost).toBeLessThan(made / 100);
    });

    // A write may have been made and not counted, because its thread was never there again.
    test.each(['leaving-handlers', 'cancelled'])('%s', (name) => {
      const { made, recorded, lost } = comparedButForLengths([program('signals'), name], { depth });
      expect(recorded + lost).toBeGreaterThanOrEqual(made - 200);
      expect(recorded).toBeLessThanOrEqual(made + 2000);
    });
  });

  describe('the end', () => {
    test.each([
      ['handlers', 0, 0],
      ['end-of-main', 0, 0],
      ['quick', 7, 0],
      ['abort', 'SIGABRT', 0],
      ['assertion', 'SIGABRT', 0],
      ['kill', 'SIGKILL', 9],
      ['raise', 'SIGTERM', 15],
      ['system-call', 11, 0],
      ['fault', 111, 0],
    ])('%s', async (name, status, signal) => {
      const { made, recorded, recording } = compared([program('endings'), name], { depth });
      expect(recorded).toBe(made);
      const { trace } = await open(recording, folder);
      if (signal === 0) expect(trace.earlyEnds).toBeUndefined();
      else expect(trace.earlyEnds).toEqual([expect.stringMatching(`: it ended itself by signal ${signal}$`)]);
      for (const { life } of trace.parts) {
        expect(life!.lastedNs).toBeLessThanOrEqual(trace.durationNs);
        // What the recorder took is a part of it.
        expect(life!.recorderNs).toBeGreaterThan(0);
        expect(life!.recorderNs).toBeLessThan(life!.lastedNs);
      }
      expect(plainRun(place, [program('endings'), name]).status).toBe(status);
    });

    test('beside threads that go on writing', () => {
      // What is added while the memory becomes private was once read as an event of zeros, in one run of fifty.
      for (let i = 0; i < rounds(50); i++) comparedButForLengths([program('endings'), 'beside-threads'], { depth });
    });

    test('a broken pipe', () => {
      compared([program('endings'), 'broken-pipe'], { depth });
    });
  });

  describe('limits', () => {
    test('memory', () => {
      const { made, recorded, lost } = compared([program('limits'), 'memory'], { depth });
      expect(recorded).toBe(made);
      expect(lost).toBe(0);
    });

    test.each(['no-descriptors', 'file-size', 'memory-of-threads'])('%s: what is lost is counted', (name) => {
      const { made, recorded, lost } = compared([program('limits'), name], { depth });
      expect(lost).toBeGreaterThan(0);
      expect(recorded + lost).toBeGreaterThanOrEqual(made);
    });

    test('the recording is deleted meanwhile', () => {
      const recording = freshFolder('deleted');
      const command = [program('limits'), 'deleted-folder'];
      const plain = plainRun(place, command);
      const recorded = recordedRun(library, place, command, { depth, recording });
      expect({ ...recorded, recording: '' }).toEqual({ ...plain, recording: '' });
    });

    test('the recording cannot be written', () => {
      const plain = plainRun(place, [program('forks'), 'spawn']);
      const environment = { LD_PRELOAD: library, IOLENS_RECORDING: '/proc/nowhere' };
      expect(plainRun(place, [program('forks'), 'spawn'], { environment })).toEqual(plain);
    });

    test('a folder with odd bytes in its name', () => {
      const recording = path.join(freshFolder('odd'), 'a b\n%s"ü');
      mkdirSync(recording);
      const { made, recorded } = compared([program('forks'), 'raw'], { depth, recording });
      expect(recorded).toBe(made);
    });

    test.each([
      ['strictly-confined', 10],
      ['confined-by-filter', 20],
    ])('%s: until then', (name, written) => {
      const { recorded, notes } = compared([program('limits'), name], { depth });
      expect(recorded).toBe(written);
      expect(notes).toEqual([expect.stringContaining('seccomp')]);
    });
  });

  describe('descriptors beside threads', () => {
    test.each(['close-all', 'lowest', 'lowest-later', 'lowest-c11', 'closing-children', 'own-descriptors'])(
      '%s',
      (name) => {
        const { made, recorded, lost } = compared([program('descriptors'), name], { depth });
        expect(recorded).toBe(made);
        expect(lost).toBe(0);
      },
    );

    // A thread's events that come while another one writes them are lost, and counted.
    test('copies to the number that the recorder has', () => {
      const { made, recorded, lost } = compared([program('descriptors'), 'copies'], { depth });
      expect(recorded).toBeLessThanOrEqual(made);
      expect(recorded + lost).toBeGreaterThanOrEqual(made);
    });

    test('closing under a filter of system calls', () => {
      const { made, recorded } = compared([program('descriptors'), 'closing-confined'], { depth });
      expect(recorded).toBe(made);
    });
  });

  describe.runIf(isRoot)('rights', () => {
    test('another user, who owns the recording then', () => {
      const { recorded, lost } = compared([program('limits'), 'other-user'], { depth });
      expect(recorded + lost).toBe(20_010);
    });

    test('files that are made for nobody', () => {
      const { recorded } = compared([program('limits'), 'closed-files'], { depth });
      expect(recorded).toBe(20_000);
    });

    test('another root folder: until then', () => {
      const { recorded } = compared([program('limits'), 'other-root'], { depth });
      expect(recorded).toBe(10);
    });

    test('another space of process numbers', () => {
      const { made, recorded } = compared([program('limits'), 'other-numbers'], { depth });
      expect(recorded).toBe(made);
    });
  });

  test.runIf(has('c++'))('before main and after it, and libraries that come and go', () => {
    compile('c++', 'startup', '-std=c++17', 'startup.cpp', '-ldl');
    compile('cc', 'plugin.so', '-shared', '-fPIC', 'plugin.c');
    const { made, recorded } = compared([program('startup'), program('plugin.so')], { depth });
    expect(recorded).toBe(made);
  });

  test.runIf(has('musl-gcc'))('a program with another C library', () => {
    compile('musl-gcc', 'endings-musl', 'endings.c');
    const { made, recorded } = compared([program('endings-musl'), 'handlers'], { depth });
    expect(recorded).toBe(made);
  });

  test('a program with the address sanitizer', () => {
    compile('cc', 'forks-checked', '-fsanitize=address', 'forks.c', '-lutil');
    const { made, recorded } = compared([program('forks-checked'), 'raw'], { depth });
    expect(recorded).toBe(made);
  });

  test('a program with the thread sanitizer', () => {
    compile('cc', 'signals-raced', '-fsanitize=thread', 'signals.c');
    const { made, recorded } = compared([program('signals-raced'), 'small-stacks'], { depth });
    expect(recorded).toBe(made);
  });

  test.runIf(has('valgrind'))('under valgrind', () => {
    const command = ['valgrind', '-q', '--error-exitcode=99', program('endings'), 'handlers'];
    expect(compared(command, { depth }).made).toBe(15);
  });
});

/** Paths of the modules that stacks of a recording lead through. */
function modulePaths(recording: string): string[] {
  const files = readFolder(recording);
  return files.flatMap(({ modules }) => [...modules.values()].map((module) => module.path));
}

describe.runIf(canRecord)('which file the executable is', () => {
  test('of a program that the loader is told to load', () => {
    const loader = /\S+ld\S*\.so\S*/.exec(run(folder, 'readelf', '-p', '.interp', program('endings')))![0];
    const command = [loader, program('endings'), 'handlers'];
    const plain = plainRun(place, command);
    const { recording, ...recorded } = recordedRun(library, place, command, { depth: 64 });
    expect(recorded).toEqual(plain);
    expect(modulePaths(recording)).toContain(program('endings'));
    expect([...soundRecording(recording).notes]).toEqual([]);
  });

  test('of one that was deleted', () => {
    const copy = path.join(place, 'copy');
    const script = `cp ${program('endings')} ${copy}; exec 9<${copy}; rm ${copy}; exec /proc/self/fd/9 handlers`;
    const { recording } = recordedRun(library, place, ['sh', '-c', script], { depth: 64 });
    expect(modulePaths(recording)).toContain(copy);
  });

  test('the loader is told from programs that are linked statically', () => {
    compile('cc', 'endings-static', '-static-pie', 'endings.c');
    const { notes } = compared(['env', program('endings-static'), 'handlers']);
    expect(notes).toEqual([expect.stringContaining('linked statically')]);
    // A shell executes in a child of vfork, which has no recording of its own.
    const shell = compared(['sh', '-c', `${program('endings-static')} handlers; true`]);
    expect(shell.notes).toEqual(notes);
  });
});

test.runIf(canRecord)('what signal handlers and small threads may call needs little stack', () => {
  const recorder = path.resolve(import.meta.dirname, '../../native/recorder');
  const files = readdirSync(recorder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.c') && !/^(mpi|hdf5|netcdf|pnetcdf)\//.test(name),
  );
  expect(files.length).toBeGreaterThan(30);
  const options = '-std=gnu11 -O2 -fPIC -fno-omit-frame-pointer -S -o /dev/null -Werror -Wframe-larger-than=2048';
  for (const name of files) run(recorder, 'cc', ...options.split(' '), name);
});

describe.runIf(canRecord && isRoot)('a full disk', () => {
  const disk = path.join(folder, 'disk');
  let isMounted = false;
  beforeAll(() => {
    mkdirSync(disk);
    isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300k', 'none', disk]).status === 0;
  });
  afterAll(() => {
    if (isMounted) run('/', 'umount', disk);
  });

  test.each(DEPTHS)('recording goes on when there is room again (stacks: %i)', async (depth) => {
    if (!isMounted) return;
    const recording = path.join(disk, String(depth));
    mkdirSync(recording);
    writeFileSync(path.join(recording, 'ballast'), Buffer.alloc(220_000));
    const command = [program('limits'), 'full-disk'];
    const plain = plainRun(place, command);
    const recorded = recordedRun(library, place, command, { depth, recording });
    expect({ ...recorded, recording: '' }).toEqual({ ...plain, recording: '' });
    const found = soundRecording(recording);
    const writes = callsOf(found, 'write', 1);
    // One of those lost is an `open`.
    expect(writes + found.lost).toBeGreaterThanOrEqual(120_000);
    expect(writes + found.lost).toBeLessThanOrEqual(120_010);
    expect(found.lost).toBeGreaterThan(50_000);
    expect(writes).toBeGreaterThan(15_000);
    const { trace } = await open(recording, folder);
    expect(trace.events.length).toBeGreaterThanOrEqual(writes);
    rmSync(recording, { recursive: true });
  });
});
