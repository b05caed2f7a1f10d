import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MachineCheck, MachineDocument } from '../../src/export/analysis/machine-document.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const programs = path.resolve(import.meta.dirname, '../data/strace-programs');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-doctor-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): { status: number | null; out: string } {
  const { status, stdout } = spawnSync(process.execPath, [cli, 'doctor', ...args], {
    encoding: 'utf8',
    env: environment,
  });
  return { status, out: stdout };
}

function checks(args: readonly string[], environment?: NodeJS.ProcessEnv): Map<string, MachineCheck> {
  const { status, out } = run(['--json', ...args], environment);
  expect(status).toBe(0);
  const document = JSON.parse(out) as MachineDocument;
  expect(document.schema).toBe('iolens/doctor@1');
  return new Map(document.checks.map((check) => [check.id === 'binary' ? check.name : check.id, check]));
}

/** A folder with programs that are shell scripts. */
function fakePrograms(name: string, scripts: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const bin = path.join(folder, name);
  mkdirSync(bin);
  for (const [program, script] of Object.entries(scripts)) {
    writeFileSync(path.join(bin, program), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, program), 0o755);
  }
  return { PATH: bin, HOME: folder };
}

describe('recording', () => {
  test('without strace: what to install, and nothing else is tried', () => {
    const found = checks([], { PATH: '/nonexistent', HOME: folder });
    expect(found.get('strace')).toMatchObject({ status: 'missing', found: 'not installed' });
    expect(found.get('strace')!.advice).toContain('apt install strace');
    expect(found.has('strace-stacks')).toBe(false);
    expect(found.get('c')!.status).toBe('warning');
    expect(found.get('lookup')).toMatchObject({ status: 'ok', found: 'addr2line (WebAssembly)' });
  });

  test('where tracing is forbidden', () => {
    const denied = `[ "$1" = -V ] && { echo "strace -- version 6.1"; exit 0; }
echo "strace: test_ptrace_get_syscall_info: PTRACE_TRACEME: Operation not permitted" >&2; exit 1`;
    const found = checks([], fakePrograms('denied', { strace: denied }));
    expect(found.get('ptrace')).toMatchObject({ status: 'missing' });
    expect(found.get('ptrace')!.found).toContain('PTRACE_TRACEME: Operation not permitted');
    expect(found.get('ptrace')!.advice).not.toBe('');
  });

  test('an old strace without stacks and without the filter', () => {
    // It writes what it is asked for, but knows neither -k nor --seccomp-bpf.
    const old = `[ "$1" = -V ] && { printf 'strace -- version 4.24\\n\\nOptional features enabled: (none)\\n'; exit 0; }
case " $* " in *' --seccomp-bpf '*|*' -k '*) echo "strace: invalid option" >&2; exit 1;; esac
while [ "$1" != -o ]; do shift; done
echo 'execve("/bin/true", ["/bin/true"], 0x7ffd /* 9 vars */) = 0' > "$2"`;
    const found = checks([], fakePrograms('old', { strace: old }));
    expect(found.get('ptrace')!.status).toBe('ok');
    expect(found.get('strace')).toMatchObject({ status: 'warning', found: '4.24' });
    expect(found.get('strace-stacks')).toMatchObject({
      status: 'missing',
      found: 'this strace was built without call stacks',
    });
    expect(found.get('strace-seccomp')).toMatchObject({ status: 'warning' });
  });

  test.skipIf(spawnSync('strace', ['-V']).status !== 0)('the strace of this machine', () => {
    const found = checks([]);
    expect(found.get('strace')!.found).toMatch(/^\d+\.\d+$/);
    expect(found.get('ptrace')!.found).toMatch(/^tracing \/bin\/true/);
  });
});

describe('binaries', () => {
  const small = (name: string): string => path.join(programs, 'small_writes', `small_writes.${name}`);

  test.each([
    ['O2', 'ok', /^dynamic, position-independent; build id 5030355b.*; DWARF 5$/],
    ['dwarf4', 'ok', /DWARF 4$/],
    ['gz', 'ok', /DWARF 5$/],
    ['nopie', 'ok', /^dynamic, not position-independent/],
    ['static', 'ok', /^static, not position-independent/],
    ['stripped', 'ok', /debug file .*small_writes\.stripped\.debug$/],
    ['split', 'warning', /split \(-gsplit-dwarf\)$/],
    ['nodebug', 'missing', /no debug information/],
  ])('%s', (name, status, found) => {
    const check = checks([small(name)]).get(small(name))!;
    expect([check.status, check.found]).toEqual([status, expect.stringMatching(found)]);
    expect(check.advice === '').toBe(status === 'ok');
  });

  test('what is no binary, and what is not there', () => {
    const script = path.join(programs, 'build.sh');
    const broken = path.join(folder, 'broken');
    writeFileSync(broken, Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]), Buffer.alloc(200, 0xff)]));
    const found = checks([script, '/nonexistent', broken]);
    expect(found.get(script)).toMatchObject({ status: 'warning', found: 'it is no ELF file' });
    expect(found.get('/nonexistent')).toMatchObject({ status: 'missing', found: 'cannot be read' });
    expect(found.get(broken)!.status).not.toBe('ok');
  });
});

describe('folders and libraries', () => {
  test('a cache folder that cannot be written to', () => {
    const found = checks([], { PATH: '/nonexistent', HOME: folder, XDG_CACHE_HOME: '/proc/none' });
    expect(found.get('cache')).toMatchObject({ status: 'warning', found: '/proc/none/iolens cannot be written to' });
  });

  test('a Darshan library that was loaded by a module', () => {
    mkdirSync(path.join(folder, 'darshan/lib'), { recursive: true });
    writeFileSync(path.join(folder, 'darshan/lib/libdarshan.so'), 'no library');
    const found = checks([], { PATH: '/nonexistent', HOME: folder, DARSHAN_DIR: path.join(folder, 'darshan') });
    expect(found.get('darshan-library')).toMatchObject({ status: 'warning' });
    expect(found.get('darshan-library')!.found).toContain('libdarshan.so, no DXT found in it');
  });
});

test('as text: each check with what to do about it, and no control characters', () => {
  const { out } = run(['/nonexistent\u001b[31m'], { PATH: '/nonexistent', HOME: folder });
  expect(out).toContain('  MISSING  strace                not installed\n           → install it');
  expect(out).not.toContain('\u001b');
});
