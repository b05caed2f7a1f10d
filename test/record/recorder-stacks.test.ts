import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, has, open, run } from '../support/programs.ts';
import { sharedRecorder } from '../support/recorder/recorder-runs.ts';
import { readFolder, type RecordedCall, type RecordedFile } from '../support/recorder/recorder-stacks.ts';

/**
 * Stacks of the recorder library, compared with those that the compiler's own unwinder finds at the same places: the
 * programs call `checkpoint`, which notes down a stack and writes 1000 bytes and its number.
 */
const sources = path.resolve(import.meta.dirname, '../data/recorder-stacks');
const canCompile = process.platform === 'linux' && has('cc') && (process.arch === 'x64' || process.arch === 'arm64');
const folder = freshFolder('recorder-stacks');
let library = '';

const DEEPEST = 64;
/** Of the instructions of `checkpoint`, in bytes: its own address differs between the two stacks. */
const OF_ONE_FUNCTION = 400n;

interface Recording {
  folder: string;
  files: RecordedFile[];
  /** Stacks by the compiler's unwinder, by number of the checkpoint, for each file. */
  wanted: bigint[][][];
}

function source(name: string): string {
  return path.join(sources, name);
}

/** Compiles a program against the checkpoint library, which is found beside it. */
function compile(name: string, compiler: string, files: string[], ...options: string[]): string {
  const link = ['-L.', '-Wl,--no-as-needed', '-lcheckpoint', '-Wl,-rpath,$ORIGIN', '-ldl', '-pthread'];
  run(folder, compiler, '-g', ...options, '-o', name, ...files.map(source), ...link);
  return path.join(folder, name);
}

let recordings = 0;

function record(command: string[], environment: Record<string, string> = {}, isReferenceWanted = true): Recording {
  const place = path.join(folder, `recording-${recordings++}`);
  const checkpoints = path.join(place, 'checkpoints');
  mkdirSync(checkpoints, { recursive: true });
  const { status, signal, stderr } = spawnSync(command[0]!, command.slice(1), {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      LD_PRELOAD: library,
      IOLENS_RECORDING: place,
      ...(isReferenceWanted ? { CHECKPOINTS: checkpoints } : {}),
      ...environment,
    },
  });
  if (status !== 0) throw new Error(`${command.join(' ')}: ${signal ?? status} ${stderr}`);
  const names = readdirSync(place)
    .filter((name) => name.endsWith('.iorec'))
    .sort();
  const printed = readdirSync(checkpoints);
  const wanted = names.map((name) => {
    const process = name.split('-').at(-2)!;
    return printed.includes(process) ? stacksIn(path.join(checkpoints, process)) : [];
  });
  return { folder: place, files: readFolder(place), wanted };
}

function stacksIn(file: string): bigint[][] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.map((line) =>
    line
      .split(' ')
      .filter(Boolean)
      .map((address) => BigInt(`0x${address}`)),
  );
}

/** The calls at checkpoints, with the checkpoints' numbers. */
function checkpointsOf(file: RecordedFile): [number, RecordedCall][] {
  return file.calls
    .map((call): [number, RecordedCall] => [Number(call.values.get('n') ?? 0n) - 1000, call])
    .filter(([number, call]) => call.functionName === 'write' && number >= 0);
}

function hex(addresses: bigint[]): string[] {
  return addresses.map((address) => address.toString(16));
}

/** All stacks equal the wanted ones but for the place within `checkpoint`; returns how many there were. */
function expectEqualStacks({ files, wanted }: Recording, deepest = DEEPEST): number {
  let count = 0;
  files.forEach((file, index) => {
    for (const [number, { stack }] of checkpointsOf(file)) {
      const reference = wanted[index]![number]!;
      expect(hex(stack.slice(1)), `checkpoint ${number}`).toEqual(hex(reference.slice(1, deepest)));
      const distance = stack[0]! - reference[0]!;
      expect(distance > -OF_ONE_FUNCTION && distance < OF_ONE_FUNCTION, `checkpoint ${number}`).toBe(true);
      count++;
    }
  });
  return count;
}

/** Interpreters on this machine: the usual one, and those that pyenv installed. */
function findPythons(): { path: string; version: string }[] {
  const versions = path.join(process.env['PYENV_ROOT'] ?? path.join(homedir(), '.pyenv'), 'versions');
  const installed = existsSync(versions)
    ? readdirSync(versions).map((name) => path.join(versions, name, 'bin/python3'))
    : [];
  const found = ['/usr/bin/python3', 'python3', ...installed].flatMap((name) => {
    const question = 'import sys; print(sys.executable, "%d.%d" % sys.version_info[:2])';
    const { status, stdout } = spawnSync(name, ['-c', question], { encoding: 'utf8' });
    const [executable, version] = status === 0 ? stdout.trim().split(' ') : [];
    return version?.startsWith('3.') ? [{ path: executable!, version }] : [];
  });
  return found.filter(({ path }, index) => found.findIndex((other) => other.path === path) === index);
}

const found = canCompile ? findPythons() : [];
const pythons = found.map(({ path }) => path);
/** Those whose frames the recorder can read. */
const withLines = found.filter(({ version }) => ['3.11', '3.12', '3.13'].includes(version)).map(({ path }) => path);

/** Files of two modules that know nothing of places themselves. */
const HANDED_ON = `import codecs
import tempfile
with tempfile.NamedTemporaryFile('wb', buffering=0) as file:
    for i in range(1000):
        file.seek(i * 100)
        file.seek(i * 100 + 10)
with codecs.open('text.txt', 'w+', 'utf-8') as file:
    file.write('x' * 5000)
    for i in range(1000):
        file.seek(i % 100)
        file.seek(i % 50)
`;

/** The module asks an archive for its place at every member. */
const ARCHIVE = `import zipfile
with zipfile.ZipFile('members.zip', 'w') as archive:
    for i in range(2000):
        archive.writestr(f'm{i}', b'x' * 200)
`;
const SMALL_WRITES = `import os


def emit(fd, text):
    for _ in range(300):
        os.write(fd, text)


fd = os.open('small.dat', os.O_CREAT | os.O_WRONLY)
emit(fd, b'0123456789')
os.close(fd)
`;

describe.skipIf(!canCompile)(
  canCompile ? 'stacks of the recorder library' : 'no C compiler for Linux here',
  { timeout: 120_000 },
  () => {
    beforeAll(async () => {
      library = await sharedRecorder();
      run(folder, 'cc', '-O2', '-fPIC', '-shared', '-fexceptions', '-o', 'libcheckpoint.so', source('checkpoint.c'));
    }, 120_000);

    const builds = [
      '-O0',
      '-O2',
      '-O2 -fomit-frame-pointer',
      '-O2 -fno-omit-frame-pointer',
      '-O3 -march=native',
      '-O2 -no-pie -fno-pie',
      '-Os -Wl,-z,now',
      '-O2 -s',
      '-O2 -fcf-protection=none -fno-plt',
    ].filter((build) => process.arch === 'x64' || !build.includes('cf-protection'));
    test.each(builds)('C with %s', (build) => {
      const program = compile('plain', 'cc', ['plain.c'], ...build.split(' '));
      expect(expectEqualStacks(record([program]))).toBe(5);
    });

    test('modules have the paths, places and build ids of what was loaded', () => {
      const program = compile('named', 'cc', ['plain.c'], '-O2', '-Wl,--build-id=0x0123456789abcdef');
      const [file] = record(['./named']).files;
      const [, call] = checkpointsOf(file!)[0]!;
      const modules = call.modules.map((number) => file!.modules.get(number)!);
      expect(modules.map((module) => path.basename(module.path))).toEqual(
        expect.arrayContaining(['libcheckpoint.so', 'named', 'libc.so.6']),
      );
      const own = modules.find((module) => module.path === program)!;
      expect(own.buildId).toBe('0123456789abcdef');
      call.stack.forEach((address, frame) => {
        const { first, bytes } = modules[frame]!;
        expect(address >= first && address < first + bytes).toBe(true);
      });
    });

    test('without unwind tables frame pointers lead on', () => {
      // The tables stand behind the code: without them functions lie where they lay.
      const options = ['-O2', '-no-pie', '-fno-pie', '-fno-omit-frame-pointer'];
      const [whole] = record([compile('with-tables', 'cc', ['plain.c'], ...options)]).files;
      const bare = compile(
        'without-tables',
        'cc',
        ['plain.c'],
        ...options,
        '-fno-asynchronous-unwind-tables',
        '-fno-unwind-tables',
      );
      const [file] = record([bare]).files;
      const own = (recorded: RecordedFile): string[][] =>
        checkpointsOf(recorded).map(([, { stack, modules }]) =>
          hex(stack.filter((_, frame) => recorded.modules.get(modules[frame]!)!.bias === 0n)),
        );
      expect(own(whole!)[0]).toHaveLength(7);
      expect(own(file!)).toEqual(own(whole!));
    });

    test('deeper than the limit the innermost frames are kept', () => {
      const program = compile('recursion', 'cc', ['recursion.c'], '-O1', '-fno-optimize-sibling-calls');
      expect(expectEqualStacks(record([program]))).toBe(43);
      expect(expectEqualStacks(record([program], { IOLENS_STACK_DEPTH: '5' }), 5)).toBe(43);
      expect(expectEqualStacks(record([program, '200'], { IOLENS_STACK_DEPTH: '1000' }), 1000)).toBe(29);
      const [none] = record([program], { IOLENS_STACK_DEPTH: '0' }).files;
      expect(none!.calls.filter(({ stack }) => stack.length > 0)).toEqual([]);
    });

    test('one of four calls has a stack, not always the same one', () => {
      const program = compile('sampled', 'cc', ['recursion.c'], '-O1', '-fno-optimize-sibling-calls');
      const [file] = record([program, '2800'], { IOLENS_STACK_SAMPLE: '4' }).files;
      const chosen = checkpointsOf(file!).flatMap(([number, { stack }]) => (stack.length > 0 ? [number] : []));
      // 401 calls: within six standard deviations of a quarter.
      expect(chosen.length).toBeGreaterThan(48);
      expect(chosen.length).toBeLessThan(153);
      expect(new Set(chosen.map((number) => number % 4)).size).toBe(4);
    });

    test('a plugin that lies where another one lay is another module', () => {
      for (const [name, longer] of [
        ['plugin-a.so', '0'],
        ['plugin-b.so', '1'],
      ]) {
        const options = ['-O2', '-g', '-fPIC', '-shared', `-DLONGER=${longer}`, '-fno-optimize-sibling-calls'];
        run(folder, 'cc', ...options, '-o', name!, source('plugin.c'), '-L.', '-lcheckpoint', '-Wl,-rpath,$ORIGIN');
      }
      const recording = record([compile('plugins', 'cc', ['plugins.c'], '-O2')]);
      expect(expectEqualStacks(recording)).toBe(6);
      const [file] = recording.files;
      const used = checkpointsOf(file!).map(([, { modules }]) => file!.modules.get(modules[1]!)!);
      expect(used.map((module) => module.path)).toEqual(
        [0, 1, 0, 1, 0, 1].map((other) => path.join(folder, other === 0 ? 'plugin-a.so' : 'plugin-b.so')),
      );
      expect(new Set(used.map((module) => module.bias)).size).toBe(1);
      expect(new Set(used).size).toBe(2);
    });

    test.skipIf(!has('c++'))('C++: exceptions on their way, templates, library functions', () => {
      for (const optimisation of ['-O0', '-O2']) {
        const program = compile('throwing', 'c++', ['throwing.cpp'], optimisation);
        expect(expectEqualStacks(record([program]))).toBeGreaterThan(12);
      }
    });

    test.skipIf(!has('gfortran'))(has('gfortran') ? 'Fortran' : 'Fortran: no gfortran here', () => {
      for (const optimisation of ['-O0', '-O3']) {
        const program = compile('fields', 'gfortran', ['fields.f90'], optimisation, '-J', folder);
        expect(expectEqualStacks(record([program]))).toBe(5);
      }
    });

    test.skipIf(pythons.length === 0)(pythons.length > 0 ? 'Python: the machine' : 'Python: none here', () => {
      const { files, wanted } = record([pythons[0]!, source('calls.py'), path.join(folder, 'libcheckpoint.so')]);
      const found = checkpointsOf(files[0]!);
      expect(found).toHaveLength(5);
      for (const [number, { stack, lines }] of found) {
        // The interpreter's loop is left out where its own frames are known.
        const reference = hex(wanted[0]![number]!);
        let at = 0;
        for (const address of hex(stack.slice(1))) {
          at = reference.indexOf(address, at) + 1;
          expect(at, `${address} in checkpoint ${number}`).toBeGreaterThan(0);
        }
        expect(stack.length).toBeGreaterThan(5);
        expect(reference.length - stack.length > 0).toBe(lines.length > 0);
      }
    });

    describe.skipIf(withLines.length === 0)(withLines.length > 0 ? 'lines' : 'no Python 3.11 to 3.13 here', () => {
      test.each(withLines)('of %s are those that it knows itself', (python) => {
        const [file] = record([python, source('lines.py'), 'expected.json']).files;
        const expected = JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) as string[][];
        const found = new Map(
          file!.calls
            .filter(({ functionName, values }) => functionName === 'read' && values.get('n')! >= 1048576n)
            .map(({ values, lines }) => [Number(values.get('n')! - 1048576n), lines]),
        );
        expect(expected.length).toBe(71);
        for (const [number, lines] of expected.entries())
          expect(found.get(number), `checkpoint ${number}`).toEqual(lines);
        expect(file!.notes).toEqual([]);
      });

      test('lead to call sites', async () => {
        writeFileSync(path.join(folder, 'small.py'), SMALL_WRITES);
        const recording = await open(record([withLines[0]!, 'small.py']).folder, folder);
        const sites = recording.callSites().sites.map(({ file, line }) => `${path.basename(file)}:${line}`);
        expect(sites).toContain('small.py:6');
        const insight = recording.insights.find(({ trigger }) => trigger === 'posix-small-writes')!;
        const { file, line, functionName } = recording.callSites().sites[insight.sites[0]!.site]!;
        expect([file, line, functionName]).toEqual([path.join(folder, 'small.py'), 6, 'emit']);
      });

      test('say which module of Python makes the calls of a line', async () => {
        writeFileSync(path.join(folder, 'archive.py'), ARCHIVE);
        const recording = await open(record([withLines[0]!, 'archive.py']).folder, folder);
        const insight = recording.insights.find(({ trigger }) => trigger === 'seeks-without-access')!;
        expect(recording.callSites().sites[insight.sites[0]!.site]!.line).toBe(4);
        expect(insight.recommendations.map(({ text }) => text.slice(0, 41))).toEqual([
          'The Python module zipfile makes these see',
        ]);
        // What only hands a seek on that the line asks for makes none.
        writeFileSync(path.join(folder, 'handed-on.py'), HANDED_ON);
        const handed = await open(record([withLines[0]!, 'handed-on.py']).folder, folder);
        const found = handed.insights.find(({ trigger }) => trigger === 'seeks-without-access')!;
        expect(found.sites).toHaveLength(4);
        for (const { text } of found.recommendations) expect(text).not.toContain('Python module');
      });
    });

    test('signal handlers, at any moment and on another stack', () => {
      const program = compile('handlers', 'cc', ['handlers.c'], '-O2');
      expect(expectEqualStacks(record([program]))).toBeGreaterThan(206);
    });

    test('coroutines', () =>
      expect(expectEqualStacks(record([compile('coroutines', 'cc', ['coroutines.c'], '-O2')]))).toBe(18));

    test('threads, and a forked child that numbers anew', () => {
      const recording = record([compile('threads', 'cc', ['threads.c'], '-O2')]);
      expect(recording.files.map((file) => checkpointsOf(file).length).sort((a, b) => a - b)).toEqual([41, 320]);
      expect(expectEqualStacks(recording)).toBe(361);
    });

    test('thousands of different stacks, by threads at once', () =>
      expect(expectEqualStacks(record([compile('branches', 'cc', ['branches.c'], '-O2')]))).toBe(8192));

    test.skipIf(process.arch !== 'x64')('code made at run time', () => {
      const { files, wanted } = record([compile('made-code', 'cc', ['made-code.c'], '-O2')]);
      const found = checkpointsOf(files[0]!);
      expect(found).toHaveLength(13);
      const main = wanted[0]![0]!.length;
      expect(main).toBeLessThan(5);
      for (const [number, { stack, modules }] of found) {
        expect(modules[1], `checkpoint ${number}`).toBe(0);
        if (number === 0) expect(stack.length).toBeGreaterThan(4);
        else expect(stack, `checkpoint ${number}`).toHaveLength(2);
      }
    });

    test('damaged unwind tables lead to no fault', () => {
      const program = compile('sound', 'cc', ['plain.c'], '-O2');
      const bytes = readFileSync(program);
      const sections = run(folder, 'readelf', '-SW', program).split('\n');
      const places = sections.flatMap((line) => {
        const [, offset, size] = /\.eh_frame(?:_hdr)? +PROGBITS +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)/.exec(line) ?? [];
        return offset === undefined ? [] : [[parseInt(offset, 16), parseInt(size!, 16)] as const];
      });
      expect(places).toHaveLength(2);
      let random = 12345;
      for (let round = 0; round < 60; round++) {
        const damaged = Buffer.from(bytes);
        for (let i = 0; i < 1 + round; i++) {
          random = (Math.imul(random, 1103515245) + 12345) >>> 0;
          const [offset, size] = places[(random >>> 8) % 2]!;
          damaged[offset + ((random >>> 9) % size)] = random >>> 24;
        }
        writeFileSync(path.join(folder, 'damaged'), damaged, { mode: 0o755 });
        const [file] = record(['./damaged'], {}, false).files;
        expect(checkpointsOf(file!).every(([, { stack }]) => stack.length >= 2)).toBe(true);
      }
    });
  },
);
