import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { canCompile, cli, recordingPlace, works, type Ran } from '../support/recorder/preload-programs.ts';
import { SHARED_CACHE } from '../support/recorder/recorder-runs.ts';

/** `iolens record` with the recorder library under real MPI launchers, and the script for batch jobs. */
const { folder, start, record, at, files } = recordingPlace(SHARED_CACHE);

describe.skipIf(!canCompile)('ranks', () => {
  const launchers = [
    ['Open MPI', 'mpirun.openmpi', ['--oversubscribe', '-n', '4']],
    ['MPICH', 'mpiexec.hydra', ['-n', '4']],
  ] as const;

  for (const [name, launcher, options] of launchers) {
    const has = works(launcher, '--version');
    test.skipIf(!has)(has ? `of ${name}: the launcher is recorded, and not meant` : `${name}: not here`, () => {
      const run = record(['-o', `${launcher}.iolens`, '--', launcher, ...options, './writer', '7', '/dev/null', '0']);
      expect(run.err).toContain('events of 4 processes');
      expect(files(`${launcher}.iolens`)).toHaveLength(4);
    });

    test.skipIf(!has)(`of ${name}: each started with the command, all in one folder`, () => {
      const parent = at(`ranks of ${name}`);
      mkdirSync(parent);
      const env = { IOLENS_FOLDER: parent };
      const command = [process.execPath, cli, 'record', '--', './writer', '7', '/dev/null', '0'];
      for (let run = 0; run < 2; run++) {
        const { err } = start(launcher, [...options, ...command], { env });
        expect(err).toMatch(/the ranks record .*writer-[\w.-]+\.iolens/);
      }
      const folders = readdirSync(parent);
      expect(folders).toHaveLength(2);
      for (const made of folders) expect(files(path.join(`ranks of ${name}`, made))).toHaveLength(4);
    });

    test.skipIf(!has)(`of ${name}: by the script`, () => {
      const parent = at(`scripted ${name}`);
      mkdirSync(parent);
      writeFileSync(at('record.sh'), record(['--script']).out, { mode: 0o755 });
      const env = { IOLENS_FOLDER: parent };
      const { err } = start(launcher, [...options, './record.sh', './writer', '7', '/dev/null', '0'], { env });
      expect(err).not.toContain('iolens');
      const folders = readdirSync(parent);
      expect(folders).toEqual([expect.stringMatching(/^writer-[\w.-]+\.iolens$/)]);
      expect(files(path.join(`scripted ${name}`, folders[0]!))).toHaveLength(4);
    });
  }

  const canName = works('mpirun.openmpi', '--version') && works('unshare', '--uts', 'hostname', 'left');
  test.skipIf(!canName)(canName ? 'on two nodes' : 'on two nodes: no Open MPI, or no host names of our own', () => {
    // A node is what has a host name of its own, and is reached by a shell that brings no variables along.
    const shell = 'exec env -i PATH="$PATH" HOME="$HOME" unshare --uts sh -c "hostname $node; $*"';
    writeFileSync(at('remote-shell'), `#!/bin/sh\nnode=$1; shift\n${shell}\n`, { mode: 0o755 });
    const launcher = [
      'mpirun.openmpi',
      '--mca',
      'plm_rsh_agent',
      at('remote-shell'),
      '-H',
      'left:2,right:2',
      '-n',
      '4',
    ];
    const hosts = (recording: string): string[] =>
      files(recording).flatMap((name) => /^(left|right)-/.exec(name)?.[1] ?? []);
    const command = ['./writer', '7', '/dev/null', '0'];
    const { err } = record(['-o', 'two-nodes.iolens', '--', ...launcher, ...command]);
    expect(hosts('two-nodes.iolens')).toEqual(['left', 'left', 'right', 'right']);
    expect(err).toMatch(/two-nodes\.iolens lies on \w+, a file system of this machine, and the job has 2 nodes/);
    writeFileSync(at('nodes.sh'), record(['--script']).out, { mode: 0o755 });
    mkdirSync(at('scripted nodes'));
    start(launcher[0]!, [...launcher.slice(1), '-x', 'IOLENS_FOLDER', './nodes.sh', ...command], {
      env: { IOLENS_FOLDER: at('scripted nodes') },
    });
    const folders = readdirSync(at('scripted nodes'));
    expect(folders).toHaveLength(1);
    expect(hosts(path.join('scripted nodes', folders[0]!))).toEqual(['left', 'left', 'right', 'right']);
  });

  test('some of them with stacks', () => {
    const options = ['--stacks-ranks', '1', '-o', 'some.iolens', '--', 'sh', '-c', 'echo "$IOLENS_STACK_DEPTH."; echo'];
    const depths = ['0', '1'].map((rank) => record(options, { env: { PMI_RANK: rank } }).out);
    expect(depths).toEqual(['0.\n\n', '.\n\n']);
  });

  test('what an earlier run left in the folder is not mixed with this one', () => {
    record(['--quiet', '-o', 'earlier.iolens', './writer', '1']);
    const [old] = files('earlier.iolens');
    start('touch', ['-d', '2001-01-01', at('earlier.iolens', old!)]);
    const { status, err } = record(['-o', 'earlier.iolens', './writer', '1'], { env: { PMI_RANK: '0' } });
    expect([status, err]).toEqual([2, expect.stringContaining('holds the recording of an earlier run')]);
  });

  test('a folder that other nodes do not see is told', () => {
    const { err } = record(['--quiet', '-o', 'nodes.iolens', './writer', '1'], { env: { SLURM_JOB_NUM_NODES: '2' } });
    expect(err).toMatch(/nodes\.iolens lies on \w+, a file system of this machine, and the job has 2 nodes/);
    expect(record(['--quiet', '-o', 'nodes.iolens', './writer', '1']).err).not.toContain('nodes:');
  });
});

describe.skipIf(!canCompile)('the script', () => {
  const script = (): string => at('job.sh');
  beforeAll(() =>
    writeFileSync(script(), record(['--script', '--stack-depth', '9', '--layers', 'posix']).out, { mode: 0o755 }),
  );
  const launch = (env: NodeJS.ProcessEnv, ...command: string[]): Ran =>
    start('/bin/sh', [script(), ...command], { env });

  test('keeps arguments with blanks, quotes and stars, and the exit status', () => {
    const words = ['a b', "it's", '"q"', '$HOME', '*', '-k'];
    const { status, out, err } = launch(
      { IOLENS_FOLDER: 'a folder' },
      'sh',
      '-c',
      'printf "<%s>" "$@"; exit 5',
      'x',
      ...words,
    );
    expect([status, out, err]).toEqual([5, `<a b><it's><"q"><$HOME><*><-k>`, '']);
  });

  test('sets what it was made with, and the ranks that pay for stacks', () => {
    const show = 'echo "$IOLENS_LAYERS $IOLENS_STACK_DEPTH ${IOLENS_RECORDING%/*}"';
    expect(launch({}, 'sh', '-c', show).out).toBe(`posix 9 ${folder}\n`);
    const env = { IOLENS_STACKS_RANKS: '1,3', IOLENS_FOLDER: at('deep') };
    expect(launch({ ...env, PMI_RANK: '3' }, 'sh', '-c', show).out).toBe(`posix 9 ${at('deep')}\n`);
    expect(launch({ ...env, PMI_RANK: '2' }, 'sh', '-c', show).out).toBe(`posix 0 ${at('deep')}\n`);
    writeFileSync(at('some.sh'), record(['--script', '--stacks-ranks', '0,2']).out, { mode: 0o755 });
    const depths = ['0', '1', '2'].map(
      (rank) =>
        start('/bin/sh', [at('some.sh'), 'sh', '-c', 'echo "$IOLENS_STACK_DEPTH"'], { env: { PMI_RANK: rank } }).out,
    );
    expect(depths).toEqual(['\n', '0\n', '\n']);
    // The same program twice in one job, without a launcher.
    const folders = [1, 2].map(() => launch({ SLURM_JOB_ID: '77' }, 'sh', '-c', 'echo "$IOLENS_RECORDING"').out);
    expect(folders[0]).toMatch(/\/sh-77\.\d+\.iolens\n$/);
    expect(folders[0]).not.toBe(folders[1]);
  });

  test('where nothing can be recorded the program runs all the same', () => {
    const moved = at('moved.sh');
    const program = ['sh', '-c', 'echo done; exit 4'];
    for (const [from, to, why] of [
      [/^library=.*$/m, "library='/absent/lib.so'", 'there is no /absent/lib.so'],
      [/^library=.*$/m, `library='${at('writer.c')}'`, 'cannot be preloaded'],
      [/"\$\(uname -m\)" = '[^']*'/, '"$(uname -m)" = vax', 'another processor'],
    ] as const) {
      const text = readFileSync(script(), 'utf8');
      expect(text).toMatch(from);
      writeFileSync(
        moved,
        text.replace(from, () => to),
      );
      const { status, out, err } = start('/bin/sh', [moved, ...program], { env: { PMI_RANK: '7' } });
      expect([status, out]).toEqual([4, 'done\n']);
      expect(err).toMatch(/^iolens: rank 7 on \S+ is not recorded: /);
      expect(err).toContain(why);
    }
    writeFileSync(at('a file'), '');
    const unwritable = launch({ IOLENS_FOLDER: at('a file/below') }, ...program);
    expect([unwritable.status, unwritable.out, unwritable.err]).toEqual([
      4,
      'done\n',
      expect.stringContaining('cannot be written'),
    ]);
  });

  test.skipIf(!works('shellcheck', '--version'))('shellcheck has nothing to say', () => {
    const { status, out } = start('shellcheck', [script()]);
    expect([status, out]).toEqual([0, '']);
  });

  test('takes no program', () => {
    expect(record(['--script', '--', './app']).err).toContain('"./app" has no effect');
    expect(record(['--script', '-o', 'x']).err).toContain('"--output" has no effect');
    expect(record(['--script', '--no-stacks', '--stacks-ranks', '0']).err).toContain('exclude each other');
  });
});
