import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseNote } from '../../src/session/reading/recording-note.ts';
import { rounds } from '../support/rounds.ts';
import type { InfoDocument, SitesDocument } from '../../src/export/analysis/documents.ts';

/** `iolens record` and its script with the real strace, the real shell and the real MPI. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');

function works(command: string, ...options: string[]): boolean {
  return spawnSync(command, options, { stdio: 'ignore' }).status === 0;
}
const canTrace = works('strace', '-o', '/dev/null', 'true') && works('gcc', '--version');
const canMpi = canTrace && works('mpirun', '--version') && works('mpicc', '--version');
const canTerminal = canTrace && works('script', '--version');

/** Two lines that write; the run's files are in the working folder. */
const SOURCE = `#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
static void first(int file) { if (write(file, "0123456789", 10) < 0) _exit(9); }
static void second(int file) { if (write(file, "01234567890123456789", 20) < 0) _exit(9); }
int main(int count, char **values) {
  int calls = atoi(values[1]), pause = count > 2 ? atoi(values[2]) : 0;
  int file = open("data/out.bin", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  for (int i = 0; i < calls; i++) { first(file); if (i % 4 == 0) second(file); if (pause) usleep(pause); }
  close(file);
  int other = open("data/other.bin", O_CREAT | O_WRONLY, 0644);
  first(other);
  return count > 3 ? atoi(values[3]) : 3;
}
`;
const [FIRST_LINE, SECOND_LINE] = [5, 6];

let folder = '';
const environment = { ...process.env };
delete environment['SLURM_PROCID'];

function run(
  options: readonly string[],
  more: { env?: Record<string, string>; input?: string } = {},
): { status: number | null; signal: string | null; out: string; err: string } {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [cli, ...options], {
    cwd: folder,
    encoding: 'utf8',
    input: more.input ?? '',
    env: { ...environment, ...more.env },
  });
  return { status, signal, out: stdout, err: stderr };
}

/** Calls by line of the program. */
function writesByLine(recording: string): Record<number, number> {
  const { sites } = JSON.parse(run(['sites', '--json', recording]).out) as SitesDocument;
  return Object.fromEntries(
    sites.filter(({ calls }) => 'write' in calls).map(({ line, calls }) => [line, calls['write']!]),
  );
}

const info = (recording: string): InfoDocument => JSON.parse(run(['info', '--json', recording]).out) as InfoDocument;
const text = (name: string): string => readFileSync(path.join(folder, name), 'latin1');
const callsIn = (name: string): string[] =>
  text(name)
    .split('\n')
    .filter((line) => /^\d+ .*\) += /.test(line));

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-record-'));
  mkdirSync(path.join(folder, 'data'));
  writeFileSync(path.join(folder, 'writer.c'), SOURCE);
  if (canTrace) spawnSync('gcc', ['-g', '-O1', '-fno-inline', '-o', 'writer', 'writer.c'], { cwd: folder });
  writeFileSync(
    path.join(folder, 'waits.sh'),
    "#!/bin/sh\ntrap 'echo got TERM; exit 9' TERM\ntrap 'echo got INT; exit 8' INT\necho ready\nfor i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3; done\n",
    { mode: 0o755 },
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!canTrace)(canTrace ? 'a recorded program' : 'record: no strace, no gcc, or no leave to trace', () => {
  test('keeps its input, output and exit status', () => {
    const { status, out } = run(['record', '--quiet', '-o', 'a.strace', '--', 'sh', '-c', 'cat; exit 7'], {
      input: 'what stands in\n',
    });
    expect([status, out]).toEqual([7, 'what stands in\n']);
  });

  test.each(['SEGV', 'KILL', 'TERM'])('dies of SIG%s as it would alone', (name) => {
    const { signal } = run(['record', '--quiet', '-o', 'a.strace', '--', 'sh', '-c', `kill -${name} $$`]);
    expect(signal).toBe(`SIG${name}`);
    expect(text('a.strace')).toContain(`+++ killed by SIG${name}`);
  });

  test('gets a signal that is sent to the command, and its recording is complete', async () => {
    const child = spawn(process.execPath, [cli, 'record', '--quiet', '-o', 'term.strace', './waits.sh'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
      if (out === 'ready\n') child.kill('SIGTERM');
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect([status, out]).toEqual([9, 'ready\ngot TERM\n']);
    expect(text('term.strace')).toMatch(/\+\+\+ exited with 9 \+\+\+/);
  });

  test.skipIf(!canTerminal)('gets the terminal’s interrupt once', () => {
    const command = `(sleep 2; printf '\\003'; sleep 1) | script -qec "exec ${process.execPath} ${cli} record --quiet -o tty.strace ./waits.sh" /dev/null`;
    const { status, stdout } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8', env: environment });
    expect(stdout.match(/got INT/g)).toHaveLength(1);
    expect(status).toBe(8);
  });

  test('a program that is not there, and a folder that cannot be written: nothing is run', () => {
    expect(run(['record', './absent']).err).toContain('there is no such program');
    const { status, out, err } = run(['record', '-o', 'absent/a.strace', 'echo', 'hello']);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('cannot be written');
  });

  test('says what recording costs, before and after', () => {
    const { err } = run(['record', '-o', 'cost.strace', './writer', '40']);
    expect(err).toMatch(/a recorded call takes about [\d.]+ (µs|ms) longer .* with its call stack [\d.]+ (µs|ms)/);
    expect(err).toMatch(/recorded cost\.strace \(\d+ KiB\): \d+ calls, \d+ with stacks in /);
  });

  test('notes how long processors worked for the program', () => {
    const shell = 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo "$i" > counted';
    expect(run(['record', '--no-calibration', '-o', 'worked.strace', '--', 'sh', '-c', shell]).status).toBe(0);
    const life = parseNote(readFileSync(path.join(folder, 'worked.strace.iolens.json'), 'utf8'))!.life!;
    expect(life.userNs).toBeGreaterThan(0);
    expect(life.userNs).toBeLessThanOrEqual(life.lastedNs);
  });

  test('without stacks', () => {
    run(['record', '--quiet', '--no-stacks', '-o', 'plain.strace', './writer', '8']);
    expect(info('plain.strace').capabilities.stacks).toBe(false);
  });

  test('only some calls', () => {
    run(['record', '--quiet', '--calls', 'close,%desc', '-o', 'calls.strace', './writer', '8']);
    expect(callsIn('calls.strace').some((line) => line.includes('write('))).toBe(true);
    run(['record', '--quiet', '--calls', 'close', '-o', 'calls.strace', './writer', '8']);
    const names = new Set(callsIn('calls.strace').map((line) => /(\w+)\(/.exec(line)![1]));
    expect([...names].sort()).toEqual(['close', 'execve', 'exit_group']);
    expect(run(['record', '--calls', 'write;reboot', './writer', '1']).status).toBe(2);
  });

  test('only some files: those of a folder that are there, however the program names them', () => {
    rmSync(path.join(folder, 'data/other.bin'), { force: true });
    writeFileSync(path.join(folder, 'data/out.bin'), '');
    const { err } = run(['record', '--quiet', '--path', 'data', '-o', 'paths.strace', './writer', '8']);
    expect(err).toContain('1 files that are there now');
    expect(err).not.toContain('Requested path');
    const calls = callsIn('paths.strace');
    expect(calls.filter((line) => line.includes('openat('))).toHaveLength(1);
    expect(calls.filter((line) => line.includes('write('))).toHaveLength(10);
    expect(text('paths.strace')).not.toContain('other.bin');
  });

  test('two runs: counts of the first, lines of the second', () => {
    const { status, err } = run(['record', '--two-pass', '-o', 'two.strace', './writer', '80', '0', '0']);
    expect(status).toBe(0);
    expect(err).toContain('two.strace and two.stacks.strace belong together');
    expect(text('two.strace')).not.toContain(' > ');
    // Only what is done to the files that matter is recorded again.
    expect(callsIn('two.stacks.strace').filter((line) => line.includes('/etc/ld.so.cache'))).toEqual([]);
    expect(writesByLine('two.strace')[FIRST_LINE]).toBeGreaterThanOrEqual(80);
    expect(writesByLine('two.strace')[SECOND_LINE]).toBe(20);
    expect(run(['info', 'two.strace']).err).toContain('have their lines from the same calls in two.stacks.strace');
    // The sample is no recording of its own when both are named.
    expect((JSON.parse(run(['info', '--json', 'two*.strace']).out) as InfoDocument).recording).toBe('two.strace');
  });

  test('two runs, the second a sample: lines in the proportion of their calls', () => {
    const { err } = run([
      'record',
      '--two-pass',
      '--stacks-limit',
      '0',
      '-o',
      'part.strace',
      './writer',
      '800',
      '1000',
      '0',
    ]);
    expect(err).toContain('a sample of them is taken instead');
    const writes = writesByLine('part.strace');
    // The sizes tell the lines apart.
    expect(writes[FIRST_LINE]).toBeGreaterThanOrEqual(800);
    expect(writes[SECOND_LINE]).toBe(200);
  });

  test('a sample of another program lends nothing', () => {
    run(['record', '--quiet', '--no-stacks', '-o', 'mine.strace', './writer', '8']);
    run(['record', '--quiet', '-o', 'mine.stacks.strace', './writer', '9']);
    expect(run(['info', 'mine.strace']).err).toContain('it is a recording of another program');
  });

  test('a part of the run', () => {
    const { status, err } = run([
      'record',
      '--stacks-window',
      '500ms..900ms',
      '-o',
      'window.strace',
      './writer',
      '900',
      '1000',
    ]);
    expect([status, err.includes('with stacks')]).toEqual([3, true]);
    const writes = writesByLine('window.strace');
    expect(writes[FIRST_LINE]).toBeGreaterThan(10);
    expect(writes[FIRST_LINE]).toBeLessThan(890);
    const early = run(['record', '--stacks-window', '60s..', '-o', 'never.strace', './writer', '1']);
    expect([early.status, early.err.includes('the run ended before the window')]).toEqual([3, true]);
  });

  test('strace that takes longer to join than the part lasts is waited for, and nothing of it stays behind', () => {
    const found = spawnSync('sh', ['-c', 'command -v strace'], { encoding: 'utf8' }).stdout.trim();
    const slow = path.join(folder, 'slow');
    mkdirSync(slow, { recursive: true });
    const source = path.resolve(import.meta.dirname, '../programs/safety/slow-strace.c');
    spawnSync('gcc', [`-DSTRACE="${found}"`, '-o', path.join(slow, 'strace'), source]);
    const env = { PATH: `${slow}:${process.env['PATH'] ?? ''}` };
    const { err } = run(
      ['record', '--quiet', '--stacks-window', '50ms..100ms', '-o', 'slow.strace', './writer', '3000', '1000'],
      {
        env,
      },
    );
    expect(err).toContain('recorded slow.strace');
    expect(callsIn('slow.strace').length).toBeGreaterThan(0);
  });

  test('choices that exclude each other', () => {
    expect(run(['record', '--two-pass', '--stacks-sample', 'true']).status).toBe(2);
    expect(run(['record', '--stacks-window', '9s..3s', 'true']).status).toBe(2);
    expect(run(['record', '--stacks-ranks', 'all', 'true']).status).toBe(2);
  });

  test('under a launcher each rank has a file of its own, named as in the paper; some with stacks', () => {
    for (const rank of ['0', '1', '2', '3']) {
      const env = { PMI_RANK: rank, IOLENS_FOLDER: 'ranks' };
      expect(run(['record', '--with', 'strace', '--stacks-ranks', '1', '--', './writer', '12'], { env }).status).toBe(
        3,
      );
    }
    const names = readdirSync(path.join(folder, 'ranks')).filter((name) => name.endsWith('.st'));
    expect(names).toHaveLength(4);
    for (const name of names) expect(name).toMatch(/^writer_.+_[0-3]\.st$/);
    const withStacks = names.filter((name) => text(`ranks/${name}`).includes('\n > '));
    expect(withStacks).toEqual([expect.stringMatching(/_1\.st$/)]);
    // The other ranks' calls get their lines from rank 1.
    expect(writesByLine('ranks')).toEqual({ [FIRST_LINE]: 4 * 13, [SECOND_LINE]: 4 * 3 });
    run(['record', '--with', 'strace', './writer', '1'], { env: { PMI_RANK: '0', IOLENS_FOLDER: 'ranks' } });
    expect(readdirSync(path.join(folder, 'ranks')).filter((name) => /^writer-2_.*\.st$/.test(name))).toHaveLength(1);
  });
});

describe.skipIf(!canTrace)(canTrace ? 'the script for ranks' : 'the script for ranks: no strace', () => {
  const script = (): string => path.join(folder, 'record.sh');
  beforeAll(() => {
    writeFileSync(script(), run(['record', '--with', 'strace', '--script']).out);
    chmodSync(script(), 0o755);
  });
  const launch = (
    env: Record<string, string>,
    ...command: string[]
  ): { status: number | null; out: string; err: string } => {
    const { status, stdout, stderr } = spawnSync('dash', [script(), ...command], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...environment, ...env },
    });
    return { status, out: stdout, err: stderr };
  };

  test('keeps arguments with blanks, quotes and stars, and the exit status', () => {
    const { status, out, err } = launch(
      { OMPI_COMM_WORLD_RANK: '2', IOLENS_FOLDER: 'a folder' },
      'sh',
      '-c',
      'printf "<%s>" "$@"; exit 5',
      'x',
      'a b',
      "it's",
      '"q"',
      '$HOME',
      '*',
      '-k',
    );
    expect([status, out, err]).toEqual([5, `<a b><it's><"q"><$HOME><*><-k>`, '']);
    expect(readdirSync(path.join(folder, 'a folder'))).toEqual([expect.stringMatching(/^sh_.+_2\.st$/)]);
  });

  test('a second run does not overwrite the first', () => {
    for (let i = 0; i < 2; i++) launch({ PMI_RANK: '0', IOLENS_FOLDER: 'twice' }, './writer', '2');
    expect(readdirSync(path.join(folder, 'twice')).sort()).toEqual([
      expect.stringMatching(/^writer-2_.+_0\.st$/),
      expect.stringMatching(/^writer_.+_0\.st$/),
    ]);
  });

  test('where nothing can be recorded the program runs all the same', () => {
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    for (const tool of ['sh', 'uname', 'basename', 'tr', 'mkdir', 'echo']) {
      const file = ['/usr/bin', '/bin'].map((place) => path.join(place, tool)).find((name) => existsSync(name));
      if (file !== undefined) symlinkSync(file, path.join(bin, tool));
    }
    const bare = { PATH: bin, PMI_RANK: '7' };
    const { status, stdout, stderr } = spawnSync('/bin/sh', [script(), 'sh', '-c', 'echo done; exit 4'], {
      cwd: folder,
      encoding: 'utf8',
      env: bare,
    });
    expect([status, stdout]).toEqual([4, 'done\n']);
    expect(stderr).toMatch(/^iolens: rank 7 on \S+ is not recorded: there is no strace\n$/);
    writeFileSync(path.join(folder, 'a file'), '');
    const unwritable = launch({ PMI_RANK: '7', IOLENS_FOLDER: 'a file/below' }, 'sh', '-c', 'echo done; exit 4');
    expect([unwritable.status, unwritable.out]).toEqual([4, 'done\n']);
    expect(unwritable.err).toContain('a file/below cannot be written');
  });

  test('where processes may not be traced the program runs all the same', () => {
    // A traced process cannot be traced by another.
    const command = [
      '-f',
      '-qq',
      '-e',
      'trace=none',
      '-o',
      '/dev/null',
      'dash',
      script(),
      'sh',
      '-c',
      'echo done; exit 4',
    ];
    const { status, stdout, stderr } = spawnSync('strace', command, { cwd: folder, encoding: 'utf8' });
    expect([status, stdout]).toEqual([4, 'done\n']);
    expect(stderr).toContain('processes may not be traced here');
  });

  test.skipIf(!works('shellcheck', '--version'))('shellcheck has nothing to say', () => {
    const { status, stdout } = spawnSync('shellcheck', [script()], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });

  test.skipIf(!canMpi)(canMpi ? 'four ranks of a real MPI program' : 'MPI: no mpirun or no mpicc', () => {
    const source = `#include <mpi.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int count, char **values) {
  int rank;
  char name[64];
  MPI_Init(&count, &values);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "data/rank %d.bin", rank);
  int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  for (int i = 0; i < 50; i++) if (write(file, values[1], 3) != 3) return 1;
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
`;
    writeFileSync(path.join(folder, 'ranks.c'), source);
    expect(spawnSync('mpicc', ['-g', '-O1', '-o', 'ranks_app', 'ranks.c'], { cwd: folder }).status).toBe(0);
    const root = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };
    // strace -k takes half a minute for the start of one rank.
    const withLines = rounds(10) > 1;
    const env = { ...environment, ...root, IOLENS_FOLDER: 'mpi ranks', IOLENS_STACKS_RANKS: withLines ? '3' : 'none' };
    const { status, stderr } = spawnSync(
      'mpirun',
      ['--oversubscribe', '-n', '4', './record.sh', './ranks_app', 'a b'],
      { cwd: folder, encoding: 'utf8', env },
    );
    expect([status, stderr]).toEqual([0, '']);
    const names = readdirSync(path.join(folder, 'mpi ranks'));
    expect(names).toEqual(
      [0, 1, 2, 3].map((rank) => expect.stringMatching(new RegExp(`^ranks-app_.+_${rank}\\.st$`)) as unknown),
    );
    expect(readFileSync(path.join(folder, 'data/rank 2.bin'), 'utf8')).toBe('a b'.repeat(50));
    if (withLines) expect(writesByLine('mpi ranks')[12]).toBe(200);
  });
});
