import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsIn, canCompile, cli, recordingPlace, works } from '../support/recorder/preload-programs.ts';

/** `iolens record` with the recorder library: how that is made, and one program that is recorded by it. */
const canTrace = works('strace', '-o', '/dev/null', 'true');
const isRoot = process.getuid?.() === 0;
const { folder, environment, start, record, at, files } = recordingPlace();

describe.skipIf(!canCompile)(canCompile ? 'the library' : 'record --with preload: no cc', () => {
  test('is compiled once, however many begin at once, and nothing else is left in the cache', async () => {
    const runs = [1, 2, 3, 4].map((number) => {
      const options = [cli, 'record', '--quiet', '--no-calibration', '-o', `cold-${number}.iolens`, './writer', '1'];
      const child = spawn(process.execPath, options, { cwd: folder, env: environment, stdio: 'ignore' });
      return new Promise((resolve) => child.on('close', resolve));
    });
    expect(await Promise.all(runs)).toEqual([3, 3, 3, 3]);
    for (const number of [1, 2, 3, 4]) expect(files(`cold-${number}.iolens`)).toHaveLength(1);
    const [key, ...others] = readdirSync(at('cache/iolens/recorder'));
    expect(others).toEqual([]);
    expect(readdirSync(at('cache/iolens/recorder', key!))).toEqual(['libiolens-recorder.so']);
    const made = statSync(at('cache/iolens/recorder', key!, 'libiolens-recorder.so'));
    record(['--quiet', './writer', '1']);
    expect(statSync(at('cache/iolens/recorder', key!, 'libiolens-recorder.so')).ino).toBe(made.ino);
  });

  test('one that was killed while it compiled is not waited for long', () => {
    writeFileSync(at('quickcc'), '#!/bin/sh\nexec cc "$@" -O0\n', { mode: 0o755 });
    const env = { IOLENS_RECORDER_CC: at('quickcc') };
    const built = readdirSync(at('cache/iolens/recorder'));
    record(['--quiet', './writer', '1'], { env });
    const key = readdirSync(at('cache/iolens/recorder')).find((name) => !built.includes(name));
    const kept = at('cache/iolens/recorder', key!);
    const mark = path.join(kept, 'compiling');
    rmSync(path.join(kept, 'libiolens-recorder.so'));
    writeFileSync(mark, '');
    expect(record(['--quiet', '-o', 'left.iolens', './writer', '1'], { env }).status).toBe(3);
    expect(files('left.iolens')).toHaveLength(1);
    expect(readdirSync(kept)).toEqual(['libiolens-recorder.so']);
  });

  test('a compiler of one’s own choice makes a library of its own', () => {
    writeFileSync(at('mycc'), '#!/bin/sh\ntouch "$IOLENS_TEST_MARK"\nexec cc "$@" -O0\n', { mode: 0o755 });
    const env = { IOLENS_RECORDER_CC: `${at('mycc')} -DIOLENS_TEST`, IOLENS_TEST_MARK: at('compiled-by-mine') };
    const before = readdirSync(at('cache/iolens/recorder')).length;
    expect(record(['--quiet', '-o', 'chosen.iolens', './writer', '1'], { env }).status).toBe(3);
    expect(existsSync(at('compiled-by-mine'))).toBe(true);
    expect(readdirSync(at('cache/iolens/recorder'))).toHaveLength(before + 1);
  });

  test('without a compiler, or with one that fails, it is said what is wrong, and strace records', () => {
    writeFileSync(at('badcc'), '#!/bin/sh\necho "in function f:" >&2; echo "posix.c:1: error: nope" >&2; exit 1\n', {
      mode: 0o755,
    });
    for (const [compiler, why] of [
      ['/absent/cc', 'there is no C compiler (/absent/cc)'],
      [at('badcc'), 'badcc cannot compile the recorder library: posix.c:1: error: nope'],
    ] as const) {
      const env = { IOLENS_RECORDER_CC: compiler, XDG_CACHE_HOME: at('bad') };
      const wanted = record(['--with', 'preload', './writer', '1', 'not-run.bin'], { env });
      expect([wanted.status, wanted.out]).toEqual([2, '']);
      expect(wanted.err).toContain(why);
      expect(existsSync(at('not-run.bin'))).toBe(false);
      if (!canTrace) continue;
      const { status, err } = record(['--quiet', './writer', '1'], { env });
      expect(status).toBe(3);
      expect(err).toContain(`recorded by strace: `);
      expect(err).toContain(why);
      expect(err).toMatch(/recorded writer(-\d)?\.strace/);
    }
  });

  test('a cache folder that LD_PRELOAD cannot name, and one that cannot be written to', () => {
    const blank = record(['--with', 'preload', './writer', '1'], { env: { XDG_CACHE_HOME: at('with blank') } });
    expect([blank.status, blank.err]).toEqual([2, expect.stringContaining('no path with a blank or a colon')]);
    writeFileSync(at('a-file'), '');
    const file = record(['--with', 'preload', './writer', '1'], { env: { XDG_CACHE_HOME: at('a-file') } });
    expect([file.status, file.err]).toEqual([2, expect.stringContaining('set XDG_CACHE_HOME to a folder')]);
  });
});

describe.skipIf(!canCompile)('a program that records itself', () => {
  test('keeps its input, output and exit status', () => {
    const { status, out } = record(['--quiet', '-o', 'a.iolens', './writer', '5'], { input: 'what stands in\n' });
    expect([status, out]).toEqual([3, 'what stands in\n']);
    expect(files('a.iolens')).toHaveLength(1);
  });

  test.each(['SEGV', 'KILL', 'TERM'])('dies of SIG%s as it would alone', (name) =>
    expect(record(['--quiet', '-o', 'a.iolens', '--', 'sh', '-c', `kill -${name} $$`]).signal).toBe(`SIG${name}`),
  );

  test('gets a signal that is sent to the command', async () => {
    const script = "trap 'echo got TERM; exit 9' TERM; echo ready; while :; do sleep 0.1; done";
    const child = spawn(process.execPath, [cli, 'record', '--quiet', '-o', 'term.iolens', '--', 'sh', '-c', script], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
      if (out === 'ready\n') child.kill('SIGTERM');
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect([status, out]).toEqual([9, 'ready\ngot TERM\n']);
  });

  test('every call is counted, and the cost is told before and after', () => {
    const counts = [10, 1010].map((count) => {
      const { err } = record(['-o', 'counted.iolens', './writer', String(count)]);
      // On a busy machine the difference may drown in its noise.
      expect(err).toMatch(/a recorded call takes about [\d.]+ (ns|µs|ms) longer on this machine|could not be measured/);
      expect(err).toMatch(/recorded counted\.iolens \([\d,]+ KiB\): [\d,]+ events in .*; next: iolens analyze/);
      return eventsIn(err);
    });
    expect(counts[1]! - counts[0]!).toBe(1000);
  });

  test('only the layers that are wanted', () => {
    const { err } = record(['--layers', 'stdio', '-o', 'layers.iolens', './writer', '100']);
    expect(eventsIn(err) || 0).toBeLessThan(100);
    expect(record(['--layers', 'posix,disk', './writer', '1']).err).toContain('disk is not a layer');
  });

  test('leaves in the folder what was checked out and built, and what calls cost', () => {
    record(['-o', 'noted.iolens', './writer', '1']);
    const note = JSON.parse(readFileSync(at('noted.iolens/recording.iolens.json'), 'utf8')) as { buildIds: object };
    expect(Object.keys(note.buildIds)).toEqual([at('writer')]);
    expect(existsSync(at('noted.iolens/recording.calibration.json'))).toBe(true);
  });

  test('a file that is gone from the folder is told', () => {
    record(['-o', 'whole.iolens', '--no-calibration', '--quiet', '--', 'sh', '-c', 'cat /etc/passwd >cat; ls / >ls']);
    const all = readdirSync(at('whole.iolens')).filter((name) => name.endsWith('.iorec'));
    expect(all.length).toBeGreaterThan(1);
    rmSync(at(`whole.iolens/${all.at(-1)!}`));
    const info = spawnSync('node', [cli, 'info', at('whole.iolens')], { encoding: 'utf8' }).stdout;
    expect(info).toContain(`1 of the ${all.length} files that it had is not here`);
  });

  test('a recording of that name is made anew; a folder of something else is left alone', () => {
    record(['--quiet', '-o', 'anew.iolens', './writer', '1']);
    const before = files('anew.iolens');
    record(['--quiet', '--no-calibration', '-o', 'anew.iolens', './writer', '1']);
    expect(files('anew.iolens')).toHaveLength(1);
    expect(files('anew.iolens')).not.toEqual(before);
    expect(existsSync(at('anew.iolens/recording.calibration.json'))).toBe(false);
    mkdirSync(at('mine'));
    writeFileSync(at('mine/thesis.tex'), '');
    const refused = record(['-o', 'mine', '--with', 'preload', './writer', '1', 'not-run.bin']);
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('holds other files (thesis.tex)')]);
    expect([existsSync(at('mine/thesis.tex')), existsSync(at('not-run.bin'))]).toEqual([true, false]);
    const file = record(['-o', 'writer.c', '--with', 'preload', './writer', '1']);
    expect([file.status, file.err]).toEqual([2, expect.stringContaining('writer.c is a file')]);
    const nowhere = record(['-o', '/proc/1/a.iolens', '--with', 'preload', './writer', '1']);
    expect([nowhere.status, nowhere.err]).toEqual([2, expect.stringContaining('cannot be written')]);
  });

  test('of files that are called like those of a recording only those that are of one are removed', () => {
    mkdirSync(at('looks-alike'));
    writeFileSync(at('looks-alike/measurement.iorec'), 'of the user');
    const refused = record(['-o', 'looks-alike', '--with', 'preload', './writer', '1']);
    expect([refused.status, refused.err]).toEqual([
      2,
      expect.stringContaining('holds other files (measurement.iorec)'),
    ]);
    expect(readFileSync(at('looks-alike/measurement.iorec'), 'utf8')).toBe('of the user');
  });

  test('without a name no recording is written over', () => {
    mkdirSync(at('fresh'));
    copyFileSync(at('writer'), at('fresh/fresh-writer'));
    for (let i = 0; i < 2; i++) record(['--quiet', './fresh/fresh-writer', '1']);
    expect(['fresh-writer.iolens', 'fresh-writer-2.iolens'].map((name) => files(name).length)).toEqual([1, 1]);
  });

  test('where nothing was recorded it is said, and no empty folder stays', () => {
    const { status, err } = record(['--quiet', '-o', 'none.iolens', 'true']);
    expect([status, err]).toEqual([0, expect.stringContaining('nothing was recorded')]);
    expect(existsSync(at('none.iolens'))).toBe(false);
  });
});

/** An ELF head of a processor that is none (and no other) here. */
function foreignProgram(): Buffer {
  const head = Buffer.from(readFileSync(at('writer')));
  head.writeUInt16LE(0xf3f3, 18);
  return head;
}

describe.skipIf(!canCompile)('what the library cannot record', () => {
  const cases: [string, () => string, string][] = [
    ['a static program', () => './static-writer', 'is linked statically'],
    [
      'a script whose interpreter is static',
      () => {
        writeFileSync(at('static-script'), `#!${at('static-writer')} 1\n`, { mode: 0o755 });
        return './static-script';
      },
      'is linked statically',
    ],
    [
      'a program of another processor',
      () => {
        writeFileSync(at('foreign'), foreignProgram(), { mode: 0o755 });
        return './foreign';
      },
      'is for another processor',
    ],
  ];
  test.each(cases)('%s', (_name, program, why) => {
    const { status, err } = record(['--with', 'preload', program(), '1']);
    expect([status, err]).toEqual([2, expect.stringContaining(why)]);
  });

  test.skipIf(!isRoot)(isRoot ? 'a set-uid program, and one with capabilities' : 'set-uid programs: only root', () => {
    for (const [name, mode] of [
      ['set-uid', 0o4755],
      ['set-gid', 0o2755],
    ] as const) {
      copyFileSync(at('writer'), at(name));
      chownSync(at(name), 65534, 65534);
      chmodSync(at(name), mode);
      const { status, err } = record(['--with', 'preload', `./${name}`, '1']);
      expect([status, err]).toEqual([2, expect.stringContaining(`is ${name}, and loads no library`)]);
    }
    copyFileSync(at('writer'), at('capable'));
    if (start('setcap', ['cap_net_raw+ep', at('capable')]).status !== 0) return;
    expect(record(['--with', 'preload', './capable', '1']).err).toContain('has file capabilities');
  });

  test.skipIf(!works('musl-gcc', '--version'))('a program of another C library', () => {
    start('musl-gcc', ['-o', 'musl-writer', 'writer.c']);
    expect(record(['--with', 'preload', './musl-writer', '1']).err).toContain('is of another C library');
  });

  test.skipIf(!canTrace)('strace records it instead, and says why', () => {
    const { status, err } = record(['--quiet', './static-writer', '1']);
    expect(status).toBe(3);
    expect(err).toContain('recorded by strace: ');
    expect(err).toContain('is linked statically');
    expect(existsSync(at('static-writer.strace'))).toBe(true);
    const env = record(['--quiet', '--', 'env', 'X=1', './static-writer', '1']);
    expect(env.err).toContain('is linked statically');
  });

  test('options of the other recorder are refused before anything runs', () => {
    for (const [options, words] of [
      [['--with', 'preload', '--calls', 'read'], '--calls is for strace'],
      [['--with', 'preload', '--two-pass'], '--two-pass is for strace'],
      [['--with', 'strace', '--layers', 'posix'], '--layers is for the recorder library'],
      [['--path', 'x', '--sample', '10'], '--sample is for the recorder library, and --path for strace'],
      [['--with', 'ptrace'], 'one of auto, preload, strace is expected'],
      [['--with', 'preload', '--stacks-ranks', '0'], 'mpirun -n 4 iolens record --stacks-ranks 0'],
    ] as const) {
      const { status, err } = record([...options, './writer', '1', 'not-run.bin']);
      expect([status, err]).toEqual([2, expect.stringContaining(words)]);
    }
    expect(existsSync(at('not-run.bin'))).toBe(false);
  });
});
