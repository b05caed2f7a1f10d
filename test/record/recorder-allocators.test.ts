import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, has, run } from '../support/programs.ts';
import { callsOf, soundRecording } from '../support/recorder/recorder-chunks.ts';
import { canRecord, compileRecorder, plainRun, recordedRun } from '../support/recorder/recorder-runs.ts';
import { rounds } from '../support/rounds.ts';

/**
 * Memory allocators call functions that the recorder stands in front of, with their own locks held, and before anything
 * else in the process has begun: whatever allocates in such a call waits for ever.
 */
const sources = path.resolve(import.meta.dirname, '../programs/safety');
const folder = freshFolder('recorder-allocators');
const place = path.join(folder, 'run');
let library = '';

/** Seconds for what takes one. */
const LIMIT = 40;

const built = (name: string): string => path.join(folder, name);

function compile(name: string, ...options: string[]): void {
  run(sources, 'cc', '-g', '-pthread', '-o', built(name), ...options, '-lutil');
}

beforeAll(() => {
  if (!canRecord) return;
  chmodSync(folder, 0o755);
  library = compileRecorder(folder);
  for (const name of ['forks', 'signals']) compile(name, `${name}.c`);
  compile('early.so', '-shared', '-fPIC', 'early.c');
  compile('allocator', 'allocator.c', '-Wl,--no-as-needed', built('early.so'));
  compile('allocator.so', '-DONLY_ALLOCATOR', '-shared', '-fPIC', '-ftls-model=initial-exec', 'allocator.c');
}, 240_000);

interface Preloaded {
  depth: number;
  /** Another library that is preloaded, before the recorder's or behind it. */
  other?: string;
  isFirst?: boolean;
}

interface Outcome {
  /** Writes of one byte. */
  made: number;
  recorded: number;
  lost: number;
}

/** Runs it without and with the recorder, and expects the same. */
function compared(command: string[], { depth, other, isFirst }: Preloaded): Outcome {
  const libraries = other === undefined ? [library] : isFirst === true ? [other, library] : [library, other];
  const plain = plainRun(place, command, {
    limit: LIMIT,
    environment: other === undefined ? {} : { LD_PRELOAD: other },
  });
  const environment = { LD_PRELOAD: libraries.join(':') };
  const recorded = recordedRun(library, place, command, { depth, limit: LIMIT, environment });
  expect({ ...recorded, recording: '' }).toEqual({ ...plain, recording: '' });
  const recording = soundRecording(recorded.recording);
  expect(recording.torn).toEqual([]);
  const made = Number.parseInt(recorded.files['made'] ?? '', 10);
  return { made, recorded: callsOf(recording, 'write', 1), lost: recording.lost };
}

/** Where the compiler finds a library; '': nowhere. */
function libraryFile(name: string): string {
  if (!canRecord) return '';
  const file = run('/', 'cc', `-print-file-name=${name}`).trim();
  return path.isAbsolute(file) && existsSync(file) ? file : '';
}

const CASES = [
  ['forks', 'beside-threads'],
  ['forks', 'exec'],
  ['signals', 'many-threads'],
] as const;

/** With stacks more can go wrong; without them as well in the full run. */
const DEPTHS = rounds(10) > 1 ? [0, 64] : [64];

describe.runIf(canRecord).each(['jemalloc', 'tcmalloc', 'mimalloc'])('%s', (name) => {
  const file = libraryFile(`lib${name}.so`);
  const needed = file === '' ? ` (skipped: lib${name} is not installed)` : '';
  describe.skipIf(file === '').each(DEPTHS)(`with stacks of up to %i${needed}`, (depth) => {
    test.each(CASES)('linked: %s %s', (program, what) => {
      const linked = `${program}-${name}`;
      compile(linked, `${program}.c`, '-Wl,--no-as-needed', `-l${name}`);
      const { made, recorded, lost } = compared([built(linked), what], { depth });
      expect(recorded).toBeGreaterThanOrEqual(made);
      expect(lost).toBe(0);
    });

    test.each([true, false])('preloaded, before the recorder: %s', (isFirst) => {
      for (const [program, what] of CASES) {
        const { made, recorded, lost } = compared([built(program), what], { depth, other: file, isFirst });
        expect(recorded).toBeGreaterThanOrEqual(made);
        expect(lost).toBe(0);
      }
    });
  });
});

describe.runIf(canRecord).each(DEPTHS)(
  'an allocator that calls all that is recorded, with stacks of up to %i',
  (depth) => {
    test('in the program, from a constructor on that runs before the recorder’s', () => {
      const { made, recorded, lost } = compared([built('allocator')], { depth });
      expect(made).toBeGreaterThan(50);
      expect(recorded).toBe(made);
      expect(lost).toBe(0);
    });

    test.each([true, false])('preloaded, before the recorder: %s', (isFirst) => {
      for (const command of [
        ['ls', '/'],
        [built('signals'), 'destructors'],
      ]) {
        const { recorded, lost } = compared(command, { depth, other: built('allocator.so'), isFirst });
        expect(recorded).toBeGreaterThan(20);
        expect(lost).toBe(0);
      }
    });
  },
);

/** Not called by the allocator: what ends the process, starts threads, writes all files of the machine or unloads. */
const NOT_CALLED = /^(?:abort|quick_exit|__assert_fail|daemon|thrd_create|aio_\w+|lio_\w+|sync|dlclose)$/;
/** Of other libraries (libaio, liburing, another C library), and no functions at all. */
const NOT_HERE =
  /^(?:__isoc23_\w+|openat2|io_(?:submit|p?getevents)|(?:__)?io_uring_\w+|__asan_default_options|__(?:start|stop)_iolens_functions)$/;
const ABOVE_C_LIBRARY = /^(?:P?MPI|p?mpi|H5|nc|__iolens)/;

test.runIf(canRecord && has('nm'))('that allocator calls every function of the C library that is recorded', () => {
  const source = ['allocator.c', 'calls.h'].map((name) => readFileSync(path.join(sources, name), 'utf8')).join('\n');
  const words = new Set(source.match(/\w+/g));
  const symbols = run(folder, 'nm', '-D', '--defined-only', '--format=posix', library).trim().split('\n');
  const names = symbols.map((line) => line.split(/[ @]/)[0]!).filter((name) => !ABOVE_C_LIBRARY.test(name));
  expect(names.length).toBeGreaterThan(250);
  expect(names.filter((name) => !words.has(name) && !NOT_CALLED.test(name) && !NOT_HERE.test(name))).toEqual([]);
});
