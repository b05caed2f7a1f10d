import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CaptureFile } from '../support/recorder/capture-writer.ts';
import { canRecord, SHARED_CACHE } from '../support/recorder/recorder-runs.ts';
import { frame, line, StraceText } from '../support/strace-text.ts';

/** `iolens analyze --follow` and `iolens record --live`, as built. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-cli-follow-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the command; `out` and `err` grow with what it prints. */
function start(...args: string[]): { child: ChildProcess; out: string; err: string; status: Promise<number | null> } {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const status = new Promise<number | null>((resolve) => child.on('close', resolve));
  const run = { child, out: '', err: '', status };
  child.stdout.on('data', (data: Buffer) => (run.out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (run.err += data.toString()));
  return run;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 30));
}

function now(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

const writes = new StraceText();
writes.call(7, 'openat(AT_FDCWD, "/w/a", O_WRONLY) = 3</w/a>', 20, [line(3)]);
writes.times(400, () => writes.call(7, 'write(3</w/a>, "x"..., 9) = 9', 9, [frame('libc.so.6', 'write'), line(9)]));

describe('analyze --follow', () => {
  test('waits for the first call, prints findings when there are others, and the last ones when it is interrupted', async () => {
    const file = path.join(folder, 'a.strace');
    writeFileSync(file, '');
    const run = start('analyze', '--follow', '--fail-on', 'warn', 'a.strace');
    await until(() => run.err.includes('a.strace: waiting for the first call'));
    const text = writes.toString();
    appendFileSync(file, text.slice(0, 400));
    await until(() => run.out !== '');
    expect(run.out).not.toContain('Many small writes');
    appendFileSync(file, text.slice(400));
    await until(() => run.out.includes('Many small writes'));
    const printed = run.out.split('Many small writes').length;
    // More of the same is no other finding; then the file ends within a line.
    appendFileSync(file, `${text.slice(text.indexOf('7 ', 200))}7 1795252190.1 wri`);
    run.child.kill('SIGINT');
    expect(await run.status).toBe(1);
    expect(run.out.split('Many small writes')).toHaveLength(printed + 1);
    expect(run.out.endsWith(now('analyze', 'a.strace').out)).toBe(true);
    expect(run.err).toContain('a.strace was read in part');
  });

  test('of a folder of the recorder library joins its files as they come', async () => {
    const at = (name: string): string => path.join(folder, 'a.iolens', name);
    const writer = (pid: number, calls: number): Uint8Array => {
      const file = new CaptureFile({ pid, parentPid: pid - 1 });
      file.call('POSIX', 'open', 'plr', [`out-${pid}`, 0o1102, 3], [0, 5]);
      for (let i = 1; i <= calls; i++) file.call('POSIX', 'write', 'fnr', [3, 9, 9], [i * 1e6, i * 1e6 + 5e5]);
      return file.bytes();
    };
    mkdirSync(at(''));
    const run = start('analyze', '--follow', 'a.iolens');
    await until(() => run.err.includes('a.iolens: waiting for the first call'));
    writeFileSync(at('one.iorec'), writer(10, 5));
    await until(() => run.out !== '');
    expect(run.out).not.toContain('Many small writes');
    const bytes = writer(11, 400);
    writeFileSync(at('two.iorec'), bytes.subarray(0, 300));
    appendFileSync(at('two.iorec'), bytes.subarray(300));
    await until(() => run.out.includes('Many small writes'));
    run.child.kill('SIGINT');
    expect(await run.status).toBe(0);
    expect(run.out.endsWith(now('analyze', 'a.iolens').out)).toBe(true);
  });

  test('writes a document anew each time', async () => {
    writeFileSync(path.join(folder, 'b.strace'), writes.toString());
    const run = start('analyze', '--follow', '--format', 'json', '-o', 'b.json', 'b.strace');
    const found = (): string => spawnSync('cat', [path.join(folder, 'b.json')], { encoding: 'utf8' }).stdout;
    await until(() => found().includes('posix-small-writes'));
    run.child.kill('SIGTERM');
    expect(await run.status).toBe(0);
    expect(readFileSync(path.join(folder, 'b.json'), 'utf8')).toBe(now('analyze', '--format', 'json', 'b.strace').out);
  });

  test.each([
    [['--format', 'json', 'b.strace'], 'name a file with -o', 2],
    [['b.strace', 'a.strace'], 'one recording is expected', 2],
    [['nothing.strace'], 'there is no such file', 3],
    [['-'], 'standard input cannot be followed', 3],
  ])('refuses %j', (args, words, status) => {
    const run = now('analyze', '--follow', ...args);
    expect([run.status, run.out]).toEqual([status, '']);
    expect(run.err).toContain(words);
  });
});

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const hasTerminal = spawnSync('script', ['--version']).status === 0;

describe.skipIf(!canTrace)(canTrace ? 'record --live' : 'strace cannot trace here', () =>
  test('says nothing where there is no terminal, and is refused for a part of a run', () => {
    const run = now('record', '--live', '--quiet', '--no-calibration', '-o', 'c.strace', '--', 'true');
    expect(run.status).toBe(0);
    expect(run.err).not.toContain('●');
    expect(now('record', '--live', '--stacks-sample', '--', 'true').err).toContain(
      '--live is for recordings of a whole run',
    );
  }),
);

describe.skipIf(!hasTerminal)(hasTerminal ? 'record --live on a terminal' : 'script is not on this machine', () => {
  const recorders = [...(canTrace ? ['strace'] : []), ...(canRecord ? ['preload'] : [])];
  test.each(recorders)('shows what there is while %s records', { timeout: 120_000 }, (recorder) => {
    const program = 'for i in 1 2 3 4 5 6 7 8 9; do cat /etc/hostname; sleep 0.2; done > /dev/null';
    const options = `--live --with ${recorder} --quiet --no-calibration -o ${recorder}.made`;
    const command = `'${process.execPath}' '${cli}' record ${options} -- sh -c '${program}'`;
    const env = { ...process.env, XDG_CACHE_HOME: SHARED_CACHE };
    const { stdout, status } = spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/● [\d,]+ calls in [\d.]+ m?s/);
    expect(stdout).toContain(`recorded ${recorder}.made`);
  });
});
