import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseNote } from '../../src/session/reading/recording-note.ts';

/** What `iolens record` refuses, does not do twice, and leaves alone. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0;

let folder = '';
const environment = { ...process.env };
delete environment['SLURM_PROCID'];

function run(
  options: readonly string[],
  more: { env?: Record<string, string> } = {},
): { status: number | null; signal: string | null; out: string; err: string } {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [cli, ...options], {
    cwd: folder,
    encoding: 'utf8',
    input: '',
    env: { ...environment, ...more.env },
  });
  return { status, signal, out: stdout, err: stderr };
}

const text = (name: string): string => readFileSync(path.join(folder, name), 'latin1');

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-record-'));
  mkdirSync(path.join(folder, 'data'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!canTrace)(canTrace ? 'record' : 'record: no strace, or no leave to trace', () => {
  test.each([
    ['fails', ['sh', '-c', 'echo > data/x; exit 3'], 'ended with status 3'],
    ['is killed', ['sh', '-c', 'echo > data/x; kill -TERM $$'], 'was ended by SIGTERM'],
  ])('no second run of a program that %s', (_name, command, why) => {
    const { err } = run(['record', '--two-pass', '-o', 'once.strace', ...command]);
    expect(err).toContain(`the first run ${why}, so there is no second`);
    expect(existsSync(path.join(folder, 'once.stacks.strace'))).toBe(false);
  });

  test('two runs that cannot be are refused before the first', () => {
    const named = run(['record', '--two-pass', '-o', 'two.txt', 'touch', 'data/ran']);
    expect([named.status, named.err.includes('must end in .strace')]).toEqual([2, true]);
    const ranked = run(['record', '--two-pass', 'touch', 'data/ran'], { env: { PMI_RANK: '0' } });
    expect([ranked.status, ranked.err.includes('--stacks-ranks')]).toEqual([2, true]);
    expect(existsSync(path.join(folder, 'data/ran'))).toBe(false);
  });

  test('what lies beside the recording before does not come to the new one', () => {
    const beside = ['.stacks.strace', '.strace.iolens.json', '.strace.calibration.json'];
    for (const ending of beside) writeFileSync(path.join(folder, `anew${ending}`), 'old');
    run(['record', '--quiet', '--no-calibration', '-o', 'anew.strace', 'true']);
    for (const ending of beside.filter((one) => !one.endsWith('.iolens.json')))
      expect(existsSync(path.join(folder, `anew${ending}`)), ending).toBe(false);
    expect(parseNote(text('anew.strace.iolens.json'))?.life).toBeDefined();
    // A name of its own choice leaves it alone.
    writeFileSync(path.join(folder, 'true.stacks.strace'), 'old');
    expect(run(['record', '--quiet', '--with', 'strace', 'true']).err).toContain('recorded true-2.strace');
    expect(text('true.stacks.strace')).toBe('old');
  });

  test('a program that dies of SIGPIPE gives the status of that', () => {
    const { status, signal } = run(['record', '--quiet', '-o', 'a.strace', '--', 'sh', '-c', 'kill -PIPE $$']);
    expect([status, signal]).toEqual([128 + 13, null]);
  });

  test('a name of the recording is no command of a shell', () => {
    for (const name of ['!touch pwned', '|touch pwned']) {
      run(['record', '--quiet', '--with', 'strace', '-o', name, 'true']);
      expect(text(name)).toContain('exited with 0');
    }
    run(['record', '--quiet', '--stacks-window', '0..', '-o', '!touch pwned', 'true']);
    expect(text('!touch pwned')).toContain('exited with 0');
    expect(existsSync(path.join(folder, 'pwned'))).toBe(false);
  });

  test('calls that strace does not know are refused before anything runs', () => {
    const { status, err } = run(['record', '--calls', 'read,raed', 'touch', 'data/ran']);
    expect([status, err]).toEqual([2, expect.stringContaining('--calls raed')]);
    expect(existsSync(path.join(folder, 'data/ran'))).toBe(false);
  });

  test('windows: an output that cannot be written, and a strace that does not join', () => {
    const unwritable = run(['record', '--quiet', '--stacks-sample', '-o', 'absent/a.strace', 'touch', 'data/ran']);
    expect([unwritable.status, unwritable.err.includes('cannot be written')]).toEqual([2, true]);
    expect(existsSync(path.join(folder, 'data/ran'))).toBe(false);
    mkdirSync(path.join(folder, 'refusing'));
    const strace = spawnSync('sh', ['-c', 'command -v strace'], { encoding: 'utf8' }).stdout.trim();
    const wrapper = `#!/bin/sh\ncase " $* " in *" -p "*) echo 'strace: attach: not permitted' >&2; exit 1;; esac\nexec ${strace} "$@"\n`;
    writeFileSync(path.join(folder, 'refusing/strace'), wrapper, { mode: 0o755 });
    const refused = run(['record', '--quiet', '--stacks-window', '0..', '-o', 'none.strace', 'sleep', '0.2'], {
      env: { PATH: `${path.join(folder, 'refusing')}:${process.env['PATH'] ?? ''}` },
    });
    expect([refused.status, refused.err]).toEqual([
      0,
      expect.stringContaining('strace could not join the program: strace: attach: not permitted'),
    ]);
  });

  test('the script is printed alone: what it would ignore is refused', () => {
    const { status, out, err } = run(['record', '--script', '--', './app', 'input.nml']);
    expect([status, out, err]).toEqual([2, '', expect.stringContaining('"./app" has no effect')]);
    expect(run(['record', '--with', 'strace', '--script', '--no-stacks']).err).toContain('"--no-stacks" has no effect');
  });
});
