import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Log } from 'sarif';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FixDocument, FixesDocument } from '../../src/export/fixes/fixes-document.ts';
import type { TrialDocument } from '../../src/export/fixes/trial-document.ts';
import { OwnMounts } from '../../src/session/trial/own-mounts.ts';
import { freshFolder, has, run, writtenAt } from '../support/programs.ts';
import { REOPENING, REOPENING_FORTRAN, writeReopening } from '../support/reopening-program.ts';

/** `iolens fixes` and `iolens fix`, as they are called. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const BEFORE_THE_RECORDING = new Date(1_600_000_000_000);
const BUILD = 'gcc -g -o prog prog.c';
const mounts = await OwnMounts.open('true');
const mayMount = mounts !== undefined;
await mounts?.close();

let folder = '';
let work = '';
let temporary = '';
beforeEach(() => {
  folder = realpathSync(freshFolder('fix'));
  work = path.join(folder, 'work');
  temporary = path.join(folder, 'tmp');
  for (const each of [work, temporary]) mkdirSync(each);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function iolens(args: readonly string[], cwd = work): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, TMPDIR: temporary };
  return spawnSync(process.execPath, [cli, ...args], { cwd, env, encoding: 'utf8' });
}

/** The program with its recording, which is younger. */
function prepared(source = REOPENING, out?: string): string {
  const recording = writeReopening(work, { source, ...(out !== undefined && { out }) });
  writtenAt(path.join(work, 'prog.c'), BEFORE_THE_RECORDING);
  return path.basename(recording);
}

function listed(recording: string): readonly FixDocument[] {
  const { fixes } = JSON.parse(iolens(['fixes', recording, '--json']).stdout) as FixesDocument;
  return fixes;
}

/** The change that keeps the file open. */
function change(recording: string): FixDocument {
  return listed(recording).find(({ code, kind }) => code === 'L02' && kind !== 'example')!;
}

/** What a reader of the document makes of the edits. */
function withEdits(text: string, { edits }: FixDocument): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const ordered = edits.toReversed().toSorted((a, b) => b.line - a.line || b.column - a.column);
  return ordered.reduce((all, { line, column, endLine, endColumn, newText }) => {
    const [from, to] = [starts[line - 1]! + column - 1, starts[endLine - 1]! + endColumn - 1];
    return all.slice(0, from) + newText + all.slice(to);
  }, text);
}

const source = (): string => readFileSync(path.join(work, 'prog.c'), 'utf8');

describe('the list', () => {
  test('has the fixes of each finding with places and the same names in every call', () => {
    const recording = prepared();
    const fixes = listed(recording);
    expect(fixes.map(({ id }) => id)).toEqual(listed(recording).map(({ id }) => id));
    expect(new Set(fixes.map(({ id }) => id)).size).toBe(fixes.length);
    const fix = change(recording);
    expect(fix).toMatchObject({ id: 'L02-1', file: path.join(work, 'prog.c'), line: 8, lineNote: null, reason: null });
    expect(fix.gain.savedNs).toBeGreaterThan(0);
    expect(iolens(['fixes', recording]).stdout).toMatch(/^L02-1 {2}(repair|trade) {2}.*\n {4}prog\.c:8 in main — /);
    expect(iolens(['fix', recording, fix.id, '--write']).status).toBe(0);
    expect(source()).toBe(withEdits(REOPENING, fix));
  });

  test('of a Fortran program takes a second of a processor at most', () => {
    writeReopening(work, { source: REOPENING_FORTRAN, name: 'prog.f90' });
    const script = '"$0" "$1" fixes prog.strace --json > fixes.json; times';
    // Of the shell itself, then of its children: user and system time of each.
    const words = run(work, 'sh', '-c', script, process.execPath, cli).trim().split(/\s+/).slice(2);
    const seconds = words
      .map((word) => /^(\d+)m([\d.]+)s$/.exec(word)!)
      .map(([, min, sec]) => 60 * Number(min) + Number(sec));
    const { fixes } = JSON.parse(readFileSync(path.join(work, 'fixes.json'), 'utf8')) as FixesDocument;
    expect(fixes.map(({ code }) => code)).toContain('L02');
    // Optimising Fortran's parser alone takes ten; two for a machine that is half as fast.
    expect(seconds.reduce((sum, each) => sum + each, 0)).toBeLessThan(2);
  });

  test('names no text of sources outside of the working folder', () => {
    const recording = path.join(work, prepared());
    const elsewhere = path.join(folder, 'tmp');
    expect(JSON.parse(iolens(['fixes', recording, '--json'], elsewhere).stdout)).toMatchObject({ fixes: [] });
    // A rule names the folder: lines may be shown, but files there are not changed from here.
    const mapped = [recording, '--source-map', `${work}=${work}`];
    const { status, stderr } = iolens(['fix', ...mapped, 'L02-1'], elsewhere);
    expect([status, stderr]).toEqual([2, expect.stringContaining('lies outside') as string]);
  });
});

describe('a change', () => {
  test.skipIf(!has('git', 'gcc'))('is a diff that git applies, and the program does the same', () => {
    const recording = prepared();
    const outcome = (): string[] => {
      run(work, 'gcc', '-Wall', '-Werror', '-o', 'prog', 'prog.c');
      rmSync(path.join(work, 'out.dat'), { force: true });
      return [run(work, './prog'), readFileSync(path.join(work, 'out.dat'), 'utf8')];
    };
    const before = outcome();
    const { id } = change(recording);
    const { stdout, status } = iolens(['fix', recording, id, '--diff']);
    expect([status, source()]).toEqual([0, REOPENING]);
    writeFileSync(path.join(work, 'change.diff'), stdout);
    run(work, 'git', 'apply', 'change.diff');
    expect(source()).not.toBe(REOPENING);
    expect(outcome()).toEqual(before);
  });

  test.each(['\n', '\r\n'])('is written, with its line ends (%j) and mode, and nothing else', (lineEnd) => {
    const text = REOPENING.replaceAll('\n', lineEnd);
    const recording = prepared(text);
    chmodSync(path.join(work, 'prog.c'), 0o640);
    writtenAt(path.join(work, 'prog.c'), BEFORE_THE_RECORDING);
    const { id } = change(recording);
    expect(iolens(['fix', recording, id, '--write'])).toMatchObject({ status: 0, stdout: '' });
    expect(source()).not.toBe(text);
    expect(
      source()
        .split('\n')
        .slice(0, -1)
        .every((line) => line.endsWith('\r')),
    ).toBe(lineEnd === '\r\n');
    expect(statSync(path.join(work, 'prog.c')).mode & 0o777).toBe(0o640);
    expect(readdirSync(work).sort()).toEqual(['prog.c', 'prog.strace']);
  });

  test('is not written where the source was changed since', () => {
    const recording = prepared();
    writtenAt(path.join(work, 'prog.c'), new Date());
    const { id, lineNote } = change(recording);
    expect(lineNote).toContain('was edited after the recording');
    const { status, stderr } = iolens(['fix', recording, id, '--write']);
    expect([status, source()]).toEqual([2, REOPENING]);
    expect(stderr).toContain('was edited after the recording');
    expect(iolens(['fix', recording, id]).status).toBe(0);
  });

  test('that is not there is wrong usage, which names those that are', () => {
    const { status, stderr } = iolens(['fix', prepared(), 'X99-1']);
    expect(status).toBe(2);
    expect(stderr).toContain('X99-1: no fix has this id; there are L02-1, ');
  });

  test('stands in SARIF with the text that it replaces', () => {
    const recording = prepared();
    const log = JSON.parse(iolens(['analyze', recording, '--format', 'sarif']).stdout) as Log;
    const [fix] = log.runs[0]!.results!.flatMap(({ fixes = [] }) => fixes);
    const { id, edits, kind } = change(recording);
    expect(fix!.properties).toEqual({ id, kind });
    expect(fix!.artifactChanges).toEqual([
      {
        artifactLocation: { uri: 'prog.c', uriBaseId: '%SRCROOT%' },
        replacements: edits.map(({ line, column, endLine, endColumn, newText }) => ({
          deletedRegion: { startLine: line, startColumn: column, endLine, endColumn },
          insertedContent: { text: newText },
        })),
      },
    ]);
  });
});

describe.skipIf(!has('gcc'))('a trial', () => {
  const tried = (recording: string, more: readonly string[] = [], commands = ['--build', BUILD, '--run', './prog']) =>
    iolens(['fix', recording, change(recording).id, '--try', '--repeat', '2', ...commands, ...more]);

  test('shows that results are equal and the finding is gone, and leaves nothing behind', () => {
    const recording = prepared();
    const { status, stdout, stderr } = tried(recording, ['--json', '--progress=plain']);
    expect(stderr).toContain('building with L02-1');
    const document = JSON.parse(stdout) as TrialDocument;
    expect(document).toMatchObject({
      schema: 'iolens/trial@1',
      built: true,
      equal: true,
      differences: [],
      cleared: ['L02'],
      remaining: [],
      leftOut: ['prog.strace'],
    });
    expect(document.calls!.after).toBeLessThan(document.calls!.before / 2);
    expect(document.before.runs).toHaveLength(2);
    // Two pairs can lie on one side by chance.
    expect(document.verdict).toBe('keeps results, no saving was measured');
    expect([status, source(), readdirSync(temporary)]).toEqual([0, REOPENING, []]);
    expect(readdirSync(work).sort()).toEqual(['prog.c', 'prog.strace']);
  });

  test('is a block for a merge request, which says how to see it again', () => {
    const recording = prepared();
    const out = path.join(folder, 'trial.md');
    const { status, stdout } = tried(recording, ['--format', 'markdown', '-o', out]);
    expect([status, stdout]).toEqual([0, '']);
    const text = readFileSync(out, 'utf8');
    expect(text).toContain('**🟢 L02-1: keeps results');
    expect(text).toContain('```diff\n--- a/prog.c\n+++ b/prog.c\n');
    expect(text).toContain(`iolens fix prog.strace L02-1 --try --build '${BUILD}' --run ./prog --repeat 2`);
  });

  test('of an example is wrong usage: there is nothing to try', () => {
    const recording = prepared();
    const example = listed(recording).find(({ kind }) => kind === 'example')!;
    const { status, stderr } = iolens(['fix', recording, example.id, '--try', '--build', BUILD, '--run', './prog']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('there is nothing to try') as string]);
  });

  test('is refused where the recorded program writes elsewhere', () => {
    const recording = prepared(REOPENING, path.join(folder, 'elsewhere.dat'));
    const { status, stderr } = tried(recording);
    expect([status, readdirSync(temporary)]).toEqual([4, []]);
    expect(stderr).toContain(`refused: it writes files outside ${work}: ${folder}/elsewhere.dat`);
  });

  test('is refused where the program in the copy writes elsewhere', () => {
    const elsewhere = path.join(folder, 'elsewhere.dat');
    const other = ['--build', BUILD, '--run', `./prog; echo x > ${elsewhere}`];
    const { status, stderr } = tried(prepared(), [], other);
    expect([status, readdirSync(temporary)]).toEqual([4, []]);
    expect(stderr).toContain(`the program writes files outside the copy of its folder: ${elsewhere} `);
    expect(tried(prepared(), ['--allow-outside'], other).status).toBe(0);
  });

  test.skipIf(!mayMount)('has the paths of the folder, and changes nothing there', () => {
    const copied = path.join(work, 'copied.dat');
    mkdirSync(path.join(work, 'build'));
    writeFileSync(path.join(work, 'build/CMakeCache.txt'), `CMAKE_HOME_DIRECTORY:INTERNAL=${work}\n`);
    const commands = [
      '--build',
      `${BUILD} && grep -q ${work} build/CMakeCache.txt`,
      '--run',
      `./prog; cp out.dat ${copied}`,
    ];
    const { status, stdout } = tried(prepared(), ['--json'], commands);
    expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ equal: true, cleared: ['L02'] })]);
    expect(readdirSync(work).sort()).toEqual(['build', 'prog.c', 'prog.strace']);
  });

  test('takes other places where a folder for temporary files within the folder forbids that', () => {
    temporary = path.join(work, 'tmp');
    mkdirSync(path.join(work, 'build'));
    writeFileSync(path.join(work, 'build/CMakeCache.txt'), '');
    mkdirSync(temporary);
    const { status, stdout } = tried(prepared(), ['--json']);
    const { leftOut, cleared } = JSON.parse(stdout) as TrialDocument;
    expect([status, cleared, readdirSync(temporary)]).toEqual([0, ['L02'], []]);
    expect(leftOut.filter((name) => !name.startsWith('tmp/')).sort()).toEqual(['build', 'prog.strace']);
  });

  test.each([
    ['does not build', ['--build', 'gcc -o prog missing.c', '--run', './prog'], 'it does not build before the change'],
    ['is not there', ['--build', 'true', '--run', './missing'], 'missing'],
    ['is not said to be run', ['--build', 'true'], '--try: say how it is built and run'],
  ])('of a program that %s is wrong usage', (_what, commands, words) => {
    const { status, stderr } = tried(prepared(), [], commands);
    expect([status, readdirSync(temporary)]).toEqual([2, []]);
    expect(stderr).toContain(words);
  });

  test('that is interrupted ends its program and leaves nothing behind', async () => {
    const recording = prepared();
    const mark = path.join(folder, 'mark');
    const runs = ['--build', BUILD, '--run', `echo $$ > ${mark}; exec sleep 1000`];
    const args = [cli, 'fix', recording, change(recording).id, '--try', ...runs];
    const child = spawn(process.execPath, args, { cwd: work, env: { ...process.env, TMPDIR: temporary } });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const sleeper = await vi.waitFor(
      () => {
        const pid = Number(readFileSync(mark, 'utf8'));
        expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('sleep\n');
        return pid;
      },
      { timeout: 60_000 },
    );
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
    expect(() => process.kill(sleeper, 0)).toThrow('ESRCH');
  });
});
