import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCapture } from '../../src/readers/capture/capture-reader.ts';
import { readStrace } from '../../src/readers/strace/strace-reader.ts';
import { isTracedCall, straceAbilities, straceOptions } from '../../src/record/strace-command.ts';
import { NONE } from '../../src/trace/events.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { memoryFile } from '../support/memory-file.ts';
import { freshFolder, has, run } from '../support/programs.ts';
import { sharedRecorder } from '../support/recorder/recorder-runs.ts';

/**
 * The recorder library's layers POSIX and STDIO. Programs that call each function of theirs, with success and without,
 * must say the same of it whether they are recorded or not; and strace must have seen what the library recorded.
 */
const recorder = path.resolve(import.meta.dirname, '../../native/recorder');
const sources = path.resolve(import.meta.dirname, '../programs/c-library');
const folder = freshFolder('recorder-posix');
let library = '';
const canCompile = process.platform === 'linux' && has('cc', 'nm');
const canTrace = canCompile && spawnSync('strace', ['-f', 'true']).status === 0;

const PROGRAMS = ['descriptors', 'transfers', 'names', 'walks', 'streams', 'standard-streams', 'requests'];
const INPUT = '1 two 3 four 5six seven\n';
/** As written, and as distributions compile programs: other names stand behind the same functions. */
const BUILDS = { plain: ['-O0', '-fno-builtin'], fortified: ['-O2', '-D_FORTIFY_SOURCE=2'] };
type Build = keyof typeof BUILDS;

function program(name: string, build: Build = 'plain'): string {
  return path.join(folder, `${name}.${build}`);
}

beforeAll(async () => {
  if (!canCompile) return;
  library = await sharedRecorder();
  for (const name of PROGRAMS)
    for (const [build, flags] of Object.entries(BUILDS))
      run(sources, 'cc', '-w', ...flags, '-o', program(name, build as Build), `${name}.c`, '-pthread');
}, 300_000);

let runs = 0;

interface Run {
  place: string;
  status: number | null;
  output: string;
  errors: string;
  files: string[];
}

/** Runs a command in a folder of its own. */
function runFresh(command: readonly string[], environment: Record<string, string> = {}): Run {
  const place = path.join(folder, 'runs', String(runs++));
  const working = path.join(place, 'working');
  mkdirSync(working, { recursive: true });
  const { status, stdout, stderr } = spawnSync(command[0]!, command.slice(1), {
    cwd: working,
    input: INPUT,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { place, status, output: stdout, errors: stderr, files: filesIn(working) };
}

/** Every file with its mode and content; names that were chosen by chance end alike. */
function filesIn(working: string): string[] {
  const names = readdirSync(working, { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => {
      const file = path.join(working, name);
      const status = statSync(file);
      const content = status.isFile() ? readFileSync(file, 'latin1') : '';
      return `${name.replace(/\.\w{6}(?=\.tmp$|$)/, '.chance')} ${status.mode.toString(8)} ${status.nlink} ${content}`;
    })
    .sort();
}

function record(name: string, build: Build = 'plain'): Run {
  const recording = path.join(folder, `recording-${runs}`);
  const environment = { LD_PRELOAD: library, IOLENS_RECORDING: recording, IOLENS_STACK_DEPTH: '0' };
  return { ...runFresh([program(name, build)], environment), place: recording };
}

describe.runIf(canCompile)('what programs see of functions that are recorded', () => {
  test.each(PROGRAMS.flatMap((name) => [[name, 'plain'] as const, [name, 'fortified'] as const]))(
    '%s, %s: results, errno, output and files are the same',
    (name, build) => {
      const alone = runFresh([program(name, build)]);
      const recorded = record(name, build);
      expect(alone.status).toBe(0);
      expect(recorded).toEqual({ ...alone, place: recorded.place });
      expect(readdirSync(recorded.place).length).toBeGreaterThan(0);
    },
  );

  /** Functions that this C library may not have: nothing can call them here. */
  const NEWER = /^(openat2|__isoc23_\w+)$/;

  test('the programs call every function that there is', () => {
    const files = readdirSync(recorder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /^(posix|stdio)\/.*\.c$/.test(name) && !OTHERS.has(name),
    );
    const objects = files.map((name) => {
      const object = path.join(folder, name.replace('/', '-').replace('.c', '.o'));
      run(recorder, 'cc', '-std=gnu11', '-fPIC', '-fvisibility=hidden', '-c', '-o', object, name);
      return object;
    });
    const called = new Set(PROGRAMS.flatMap((name) => symbolsOf('-u', program(name))));
    const missing = objects
      .flatMap((object) => symbolsOf('--defined-only', '--extern-only', object))
      .filter((name) => !called.has(name) && !NEWER.test(name));
    expect(missing).toEqual([]);
  });

  test('what strace is told to trace is recorded, as far as functions of the C library make it', () => {
    const exported = new Set(symbolsOf('-D', '--defined-only', library));
    const trace = straceOptions({ output: 'x', abilities: straceAbilities(''), filePerProcess: false });
    const traced = trace
      .find((option) => option.startsWith('trace='))!
      .slice('trace='.length)
      .split(',');
    const missing = traced
      .map((call) => call.replace('?', ''))
      .filter((call) => !exported.has(FUNCTION_OF[call] ?? call) && NO_FUNCTIONS[call] === undefined);
    expect(missing).toEqual([]);
  });
});

/** They stand around what makes processes, and are tested with that. */
const OTHERS = new Set(['posix/process.c', 'posix/exec.c', 'posix/linux-aio.c', 'posix/io-uring.c']);

function symbolsOf(...options: string[]): string[] {
  return run(folder, 'nm', ...options)
    .split('\n')
    .map((line) => line.split(' ').at(-1)!.replace(/@.*/, ''))
    .filter((name) => name !== '');
}

/** Functions whose system call has another name. */
const FUNCTION_OF: Readonly<Record<string, string>> = {
  _llseek: 'lseek',
  mmap2: 'mmap',
  fadvise64: 'posix_fadvise',
  newfstatat: 'fstatat',
  faccessat2: 'faccessat',
};

const NO_FUNCTIONS: Readonly<Record<string, string>> = {
  clone3: 'below clone, fork and pthread_create',
  exit_group: 'the end of the recording says it',
  io_submit: 'not in the C library',
  io_getevents: 'not in the C library',
  io_uring_enter: 'not in the C library',
  ...Object.fromEntries(
    'nanosleep clock_nanosleep poll ppoll select pselect6 epoll_wait epoll_pwait wait4 waitid pause rt_sigtimedwait'
      .split(' ')
      .map((name) => [name, 'waiting: the library knows how long the process ran and worked']),
  ),
};

// ---- compared with strace ----

interface Row {
  call: string;
  file: string;
  offset: number;
  bytes: number;
  requested: number;
  argument: string;
  error: string;
}

/** One name for what the library and the kernel call differently. */
function plainName(call: string): string {
  // The C library's closefrom is close_range up to the last number.
  if (call === 'closefrom') return 'close_range';
  if (/^(new)?[fl]?stat(at)?$/.test(call)) return 'stat';
  const plain = call
    .replace(/64$/, '')
    .replace(/^posix_/, '')
    .replace(/^fcntl\(.*/, 'fcntl');
  return { open: 'openat', faccessat2: 'faccessat', fadvise: 'fadvise' }[plain] ?? plain;
}

function rowsOf(trace: Trace, working: string): Row[] {
  const { events, calls, files, errors } = trace;
  const pathOf = (file: number): string =>
    file === NONE
      ? ''
      : files
          .at(file)
          .path.replace(working, '.')
          .replace(/\[\d+\]/, '');
  return Array.from({ length: events.length }, (_, row) => {
    const call = plainName(calls.names[events.value('call', row)]!);
    const argument = events.value('argument', row);
    return {
      call,
      file: pathOf(events.value('file', row)),
      offset: events.value('offset', row),
      bytes: events.value('bytes', row),
      requested: events.value('requested', row),
      argument: call.startsWith('rename') && argument >= 0 ? pathOf(argument) : String(argument),
      error: errors.names[events.value('error', row)]!,
    };
  });
}

/** The rows between the program's marks, in pieces: their names, and `[name, rows]` in the order of the program. */
function sectionsOf(rows: readonly Row[]): [name: string, rows: Row[]][] {
  const sections: [string, Row[]][] = [];
  for (const row of rows) {
    const mark = /^\/section(?:\/(.*))?$/.exec(row.file);
    if (row.call === 'access' && mark !== null) sections.push([mark[1] ?? '', []]);
    else sections.at(-1)?.[1].push(row);
  }
  return sections.filter(([name]) => name !== 'end');
}

/** What the library does not say, or says otherwise, and why. */
const EXPLAINED: readonly { field: keyof Row; calls: RegExp; when?: (traced: Row) => boolean; why: string }[] = [
  { field: 'requested', calls: /^p?(read|write)v2?$/, when: failed, why: 'a vector that was refused is not looked at' },
  { field: 'offset', calls: /^p(read|write)v?$/, when: (row) => row.offset < 0, why: 'no offset of a file' },
  { field: 'offset', calls: /^(preadv2|pwritev2|splice)$/, when: failed, why: 'kept or dropped for calls that failed' },
  { field: 'requested', calls: /^f?truncate$/, why: 'strace: the new length' },
  { field: 'argument', calls: /^creat$/, why: 'strace: a mode, no flags' },
  { field: 'file', calls: /^(openat|close)$/, when: (row) => row.file.includes('#'), why: 'a file without a name' },
  { field: 'file', calls: /^openat$/, when: failed, why: 'relative to a folder that is none' },
  { field: 'file', calls: /^stat$/, when: failed, why: 'EFAULT: which of the addresses was none is not said' },
  { field: 'file', calls: /^symlink(at)?$/, why: 'strace: the text in the link' },
  { field: 'file', calls: /^close_range$/, why: 'the library: that of the first number, where it is open' },
  { field: 'requested', calls: /^fcntl$/, why: 'the length of a lock' },
  { field: 'argument', calls: /^flock$/, when: failed, why: 'of a call that failed' },
  { field: 'argument', calls: /^fcntl$/, when: failed, why: 'strace: also of a lock that was not given' },
];

function failed({ error }: Row): boolean {
  return error !== '';
}

function differences(recorded: Row, traced: Row): string[] {
  const fields = Object.keys(traced) as (keyof Row)[];
  return fields
    .filter((field) => !Object.is(recorded[field], traced[field]))
    .filter(
      (field) =>
        !EXPLAINED.some(
          ({ field: of, calls, when }) => of === field && calls.test(traced.call) && (when?.(traced) ?? true),
        ),
    )
    .map((field) => `${traced.call} ${traced.file}: ${field} is ${recorded[field]}, strace: ${traced[field]}`);
}

/** Parts of the programs in which functions are not one to one the kernel's: the bytes and the files must agree there. */
const SECTIONS: Readonly<Record<string, string>> = {
  lockf: 'lockf makes calls of fcntl',
  temporary: 'mkstemp and its like open files of names that they choose',
  dprintf: 'dprintf asks what the descriptor is, and writes',
  'refused by the C library': 'an offset that is no page: the kernel is not asked',
  statvfs: 'statvfs makes calls of statfs',
  eaccess: 'eaccess makes calls of stat and access',
  realpath: 'realpath reads links one by one',
  remove: 'remove tries unlink and rmdir',
  folders: 'readdir asks the kernel for many entries at once',
  messages: 'send and recv are sendto and recvfrom to the kernel',
};
const NOT_COMPARED = new Set(['lockf', 'statvfs', 'eaccess', 'realpath', 'messages']);

async function recordedRows(name: string): Promise<Row[]> {
  const { place, status } = record(name);
  expect(status).toBe(0);
  const files = readdirSync(place).map((file) => memoryFile(file, readFileSync(path.join(place, file))));
  const working = path.join(folder, 'runs', String(runs - 1), 'working');
  return rowsOf(await readCapture(files), working);
}

async function tracedRows(name: string): Promise<Row[]> {
  const text = path.join(folder, `${name}-${runs}.strace`);
  const version = spawnSync('strace', ['-V'], { encoding: 'utf8' }).stdout;
  const options = straceOptions({
    output: text,
    abilities: { ...straceAbilities(version), stacks: false },
    filePerProcess: false,
  });
  // strace as the parent: the test waits for it.
  const { status } = runFresh(['strace', ...options.filter((option) => option !== '-D'), program(name)]);
  expect(status).toBe(0);
  const working = path.join(folder, 'runs', String(runs - 1), 'working');
  return rowsOf(await readStrace([memoryFile(text, readFileSync(text))]), working);
}

/** Files that were opened, and the bytes written, by file. */
function outline(rows: readonly Row[]): string[] {
  const found = rows.flatMap(({ call, file, bytes, error }) => {
    const name = file.replace(/\.\w{6}(?=\.tmp$|$)/, '.chance');
    if (error !== '') return [];
    if (/^(openat|mko?stemps?|opendir|scandir(at)?)$/.test(call)) return [`${name} is opened`];
    if (/^(mkdir|mkdtemp)$/.test(call)) return [`${name} is made`];
    if (/^(remove|unlink|rmdir)$/.test(call)) return [`${name} is removed`];
    return /write|dprintf/.test(call) ? [`${bytes} bytes to ${name}`] : [];
  });
  return found.sort();
}

test.runIf(canCompile)('functions that go through folders are a call for each entry', async () => {
  const rows = await recordedRows('walks');
  const [first] = sectionsOf(rows);
  const walk = first![1].slice(first![1].findIndex(({ call }) => call === 'nftw')).slice(0, 10);
  const entry = (call: string, file: string): string[] => [call, file];
  const visited = (file: string): string[][] => [
    entry('nftw', file),
    entry('openat', './tree/inside/file'),
    entry('close', './tree/inside/file'),
  ];
  expect(walk.map(({ call, file }) => [call, file])).toEqual([
    ...visited('./tree'),
    ...visited('./tree/inside'),
    ...visited('./tree/inside/file'),
    entry('nftw', './tree'),
  ]);
  const filesOf = (call: string): string[] => rows.filter((row) => row.call === call).map(({ file }) => file);
  expect(filesOf('fts_read').slice(0, 4)).toEqual(['./missing', './tree', './tree/inside', './tree/inside/file']);
  expect(filesOf('glob')).toEqual(['./tree', '/', '.', '.']);
  expect(rows.filter(({ call, error }) => call === 'nftw' && error !== '').map(({ file }) => file)).toEqual([
    './missing',
  ]);
});

describe.runIf(canTrace)('the library and strace', () => {
  test.each(['descriptors', 'transfers', 'names'])('record the same calls of %s', async (name) => {
    const recorded = sectionsOf(await recordedRows(name));
    const traced = sectionsOf(await tracedRows(name));
    expect(recorded.map(([section]) => section)).toEqual(traced.map(([section]) => section));
    let compared = 0;
    for (const [i, [section, all]] of traced.entries()) {
      // Memory that is no file is none of the library's business.
      const wanted = all.filter(({ call, file, error }) => call !== 'mmap' || file !== '' || error !== '');
      const found = recorded[i]![1].filter(({ call }) => section !== '' || isTraced(call));
      if (section === '') {
        expect(found.map(({ call }) => call)).toEqual(wanted.map(({ call }) => call));
        expect(wanted.flatMap((row, at) => differences(found[at]!, row))).toEqual([]);
        compared += wanted.length;
      } else {
        expect(Object.keys(SECTIONS)).toContain(section);
        if (!NOT_COMPARED.has(section)) expect(outline(found)).toEqual(outline(wanted));
      }
    }
    expect(compared).toBeGreaterThan(50);
  });

  test('record the same bytes of messages', async () => {
    const rowsOf = (rows: Row[]): Row[] => sectionsOf(rows).find(([section]) => section === 'messages')![1];
    const messages = (rows: Row[]): string[] =>
      rowsOf(rows).flatMap(({ call, bytes, error }) =>
        /^(send|recv)/.test(call)
          ? [`${call.replace(/^(send)$/, 'sendto').replace(/^recv$/, 'recvfrom')} ${bytes} ${error}`]
          : [],
      );
    const recorded = messages(await recordedRows('transfers'));
    expect(recorded).toEqual(messages(await tracedRows('transfers')));
    expect(recorded.length).toBe(13);
  });

  /** Files of which the program reads another number of bytes than the kernel, and why. */
  const READ_OTHERWISE: Readonly<Record<string, string>> = {
    './elements': 'a part of an element is not counted',
    './characters': 'a character is put back and read again',
    './lines': 'the position is set: the buffer is filled again',
    './text': 'fields are read after a rewind, the buffer is filled',
  };

  test.each(['streams', 'standard-streams', 'requests'])('record the same files and bytes of %s', async (name) => {
    const recorded = totalsOf(await recordedRows(name));
    const traced = totalsOf(await tracedRows(name));
    expect([...recorded.keys()].sort()).toEqual([...traced.keys()].sort());
    for (const [file, { read, ...rest }] of traced) {
      const { read: taken, ...others } = recorded.get(file)!;
      expect({ file, ...others }).toEqual({ file, ...rest });
      if (READ_OTHERWISE[file] === undefined) expect({ file, read: taken }).toEqual({ file, read });
      else expect(taken).toBeGreaterThan(0);
    }
    expect(traced.size).toBeGreaterThan(0);
  });
});

function isTraced(call: string): boolean {
  const [name] = call.split(' ');
  return ['', '64', '2'].some((more) => isTracedCall(`${name}${more}`));
}

const READS = /^(aio_)?(pread|read|fread|fget|get|fscanf|scanf|vfscanf|vscanf)/;
const WRITES = /^(aio_)?(pwrite|write|fwrite|fput|put|fprintf|printf|vfprintf|vprintf)/;

/** What was opened, closed, read and written, for each file in the working folder. */
function totalsOf(rows: readonly Row[]): Map<string, { opened: number; read: number; written: number }> {
  const totals = new Map<string, { opened: number; read: number; written: number }>();
  for (const { call, file, bytes, error } of rows) {
    if (!file.startsWith('./') || file.includes('#') || error !== '') continue;
    const total = totals.get(file) ?? { opened: 0, read: 0, written: 0 };
    totals.set(file, total);
    if (/^(openat|fopen|freopen)$/.test(call)) total.opened++;
    if (READS.test(call)) total.read += bytes;
    if (WRITES.test(call)) total.written += bytes;
  }
  return totals;
}
