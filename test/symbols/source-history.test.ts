import { readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Git } from '../../src/session/sources/git.ts';
import { parseNote, readNote } from '../../src/session/reading/recording-note.ts';
import { noteFor, writeNote } from '../../src/session/reading/write-note.ts';
import { hasCalls } from '../../src/session/sources/source-history.ts';
import {
  EMIT,
  EMIT_LINE,
  freshFolder,
  has,
  minutesAgo,
  open,
  placeOf,
  recordEmit,
  run,
  writtenAt,
} from '../support/programs.ts';

/** Findings move with git's differences where the recorded revision is known. */
const ready = has('gcc', 'strace', 'git');
let folder = '';

function git(...options: string[]): string {
  return run(
    folder,
    'git',
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.org',
    '-c',
    'commit.gpgsign=false',
    ...options,
  );
}

function commitAt(minutes: number, message: string): void {
  const date = minutesAgo(minutes).toISOString();
  process.env['GIT_COMMITTER_DATE'] = date;
  git('add', 'emit.c');
  git('commit', '-q', '-m', message, '--date', date);
  delete process.env['GIT_COMMITTER_DATE'];
}

const edit = (text: string): void => {
  writeFileSync(path.join(folder, 'emit.c'), text);
  writtenAt(path.join(folder, 'emit.c'), minutesAgo(-1));
};
const TEN_LINES = '/* line */\n'.repeat(10);
const trusted = { maySpawn: true };
const untrusted = { maySpawn: false };

beforeEach(() => {
  folder = freshFolder('history');
  if (!ready) return;
  git('init', '-q');
  writeFileSync(path.join(folder, 'emit.c'), EMIT);
  commitAt(60, 'first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Records, and notes what `iolens record` notes. */
async function recordWithNote(): Promise<string> {
  const made = recordEmit(folder, readFileSync(path.join(folder, 'emit.c'), 'utf8'), '-O0');
  await writeNote(made, await noteFor(['./emit'], folder, await Git.installed()));
  return made;
}

describe.skipIf(!ready)(ready ? 'sources under version control' : 'gcc, strace or git is not on this machine', () => {
  test('lines move with an edit since the noted revision, and the file is not stale', async () => {
    const made = await recordWithNote();
    edit(TEN_LINES + EMIT);
    const recording = await open(made, folder, trusted);
    expect(placeOf(recording)).toBe('emit.c:16');
    const [report] = recording.sourceReports;
    expect(report).toMatchObject({ stale: false, revision: git('rev-parse', 'HEAD').trim() });
    expect(report!.note).toContain('its lines were moved along');
  });

  test('in a work tree inside of the noted one its own history counts', async () => {
    const outer = folder;
    const inner = path.join(outer, 'inner');
    mkdirSync(inner);
    folder = inner;
    git('init', '-q');
    writeFileSync(path.join(inner, 'emit.c'), EMIT);
    commitAt(60, 'inner');
    const made = recordEmit(inner, EMIT, '-O0');
    await writeNote(made, await noteFor(['./inner/emit'], outer, await Git.installed()));
    edit(TEN_LINES + EMIT);
    const recording = await open(made, outer, trusted);
    expect(placeOf(recording)).toBe('emit.c:16');
    expect(recording.sourceReports[0]).toMatchObject({ stale: false, revision: git('rev-parse', 'HEAD').trim() });
    folder = outer;
  });

  test('a line that was changed itself is said to be changed', async () => {
    const made = await recordWithNote();
    edit(TEN_LINES + EMIT.replace('write(fd, text, 10)', 'write(fd, text, 9 + 1)'));
    const recording = await open(made, folder, trusted);
    const site = recording.callSites().sites.find(({ functionName }) => functionName === 'emit')!;
    expect(site).toMatchObject({ line: 16, changed: true });
  });

  test('without a note: the last revision before the recording, if the recorded calls stand on its lines', async () => {
    const made = recordEmit(folder, EMIT, '-O0');
    edit(TEN_LINES + EMIT);
    commitAt(-2, 'second');
    expect(placeOf(await open(made, folder, trusted))).toBe('emit.c:16');
  });

  test('without a note, and recorded from changes that were not committed: stale, not moved', async () => {
    const made = recordEmit(folder, TEN_LINES + EMIT, '-O0');
    edit(TEN_LINES + TEN_LINES + EMIT);
    const recording = await open(made, folder, trusted);
    expect(placeOf(recording)).toBe('emit.c:16');
    expect(recording.sourceReports[0]).toMatchObject({ stale: true, revision: '' });
  });

  test('changes that were not committed are noted, so that nothing is moved by a wrong revision', async () => {
    writeFileSync(path.join(folder, 'emit.c'), TEN_LINES + EMIT);
    const made = await recordWithNote();
    edit(TEN_LINES + TEN_LINES + EMIT);
    const recording = await open(made, folder, trusted);
    expect(placeOf(recording)).toBe('emit.c:16');
    expect(recording.sourceReports[0]!.note).toContain('it had changes that were not committed');
  });

  test('a revision that is not here is said', async () => {
    const made = await recordWithNote();
    const note = `${made}.iolens.json`;
    writeFileSync(note, readFileSync(note, 'utf8').replace(/"revision": "\w+"/, `"revision": "${'ab'.repeat(20)}"`));
    const recording = await open(made, folder, trusted);
    expect(recording.sourceReports[0]!.note).toContain('is not in this repository: fetch it');
  });

  test('in an untrusted workspace git is not started', async () => {
    const made = await recordWithNote();
    edit(TEN_LINES + EMIT);
    const recording = await open(made, folder, untrusted);
    expect(placeOf(recording)).toBe(EMIT_LINE);
    expect(recording.sourceReports[0]).toMatchObject({ stale: true, revision: '' });
  });

  test('a repository that names programs for differences runs none of them', async () => {
    const made = await recordWithNote();
    const trap = path.join(folder, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\ntouch "${folder}/ran"\n`, { mode: 0o755 });
    for (const key of ['diff.external', 'diff.c.command', 'diff.c.textconv', 'core.fsmonitor'])
      git('config', key, trap);
    writeFileSync(path.join(folder, '.gitattributes'), '*.c diff=c\n');
    edit(TEN_LINES + EMIT);
    expect(placeOf(await open(made, folder, trusted))).toBe('emit.c:16');
    expect(() => readFileSync(path.join(folder, 'ran'))).toThrow();
  });

  test('the build id that was noted tells the recorded build from every other', async () => {
    const made = await recordWithNote();
    writtenAt(path.join(folder, 'emit'), minutesAgo(-5));
    writtenAt(path.join(folder, 'emit.c'), minutesAgo(-5));
    const same = await open(made, folder, trusted);
    expect(same.resolved.modules.find(({ file }) => file.endsWith('/emit'))).toMatchObject({
      sameBuild: true,
      note: '',
    });
    run(folder, 'gcc', '-g', '-O0', '-DOTHER', '-Wl,--build-id=0x1234567890', '-o', 'emit', 'emit.c');
    const other = await open(made, folder, trusted);
    expect(other.resolved.modules.find(({ file }) => file.endsWith('/emit'))!.note).toContain('its build id differs');
    expect(placeOf(other)).toBe('');
  });

  test('a note in a folder of recordings is no recording, and a packed recording keeps its note', async () => {
    const made = await recordWithNote();
    const copies = path.join(folder, 'copies');
    mkdirSync(copies);
    run(folder, 'cp', '-p', made, `${made}.iolens.json`, copies);
    run(copies, 'gzip', path.basename(made));
    expect((await open(copies, folder, trusted)).trace.parts.length).toBe(1);
    expect(await readNote([path.join(copies, `${path.basename(made)}.gz`)])).toBeDefined();
  });
});

describe('notes of others', () => {
  test.each(['', '{', '[]', 'null', '{"schema":"other"}', '{"schema":"iolens/recorded@1","revision":1}'])(
    '%s is none',
    (text) => expect(parseNote(text)).toBeUndefined(),
  );
  test('what is broken in a note is left out', () => {
    const text =
      '{"schema":"iolens/recorded@1","revision":"--output=x","changed":[1,"a.c"],"buildIds":{"/a":1,"/b":"00"}}';
    expect(parseNote(text)).toEqual({
      schema: 'iolens/recorded@1',
      revision: '--output=x',
      changed: ['a.c'],
      buildIds: { '/b': '00' },
    });
  });
});

describe('hasCalls', () => {
  const text = 'int f(void)\n{\n    return write(fd,\n        grid.cells(2), 3);\n}\n';
  test('finds calls by the names that programs use', () => {
    expect(hasCalls(text, [{ line: 3, callee: '__write' }])).toBe(true);
    expect(hasCalls(text, [{ line: 3, callee: 'io::Grid::cells(int) const' }])).toBe(true);
  });
  test('one call that is not there is enough to doubt, and no call proves nothing', () => {
    expect(
      hasCalls(text, [
        { line: 3, callee: 'write' },
        { line: 1, callee: 'solve' },
      ]),
    ).toBe(false);
    expect(hasCalls(text, [])).toBe(false);
    expect(hasCalls(text, [{ line: 3, callee: '__libc_start_call_main' }])).toBe(false);
  });
});
