import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Git } from '../../src/session/sources/git.ts';
import { changesSince } from '../../src/session/sources/source-history.ts';
import { noteFor } from '../../src/session/reading/write-note.ts';
import { EMIT, freshFolder, has, minutesAgo, open, recordEmit, run, writtenAt } from '../support/programs.ts';

/** Repositories of others: git is asked about them, and nothing that they name is run. */
const ready = has('gcc', 'strace', 'git');
let folder = '';
let work = '';

function git(...options: string[]): string {
  const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
  return run(work, 'git', ...own, ...options);
}

const edit = (text: string): void => {
  writeFileSync(path.join(work, 'emit.c'), text);
  writtenAt(path.join(work, 'emit.c'), minutesAgo(-1));
};

async function installed(): Promise<Git> {
  const found = await Git.installed();
  if (found === undefined) throw new Error('git is not installed');
  return found;
}

beforeEach(() => {
  folder = freshFolder('hostile');
  work = path.join(folder, 'work');
  mkdirSync(work);
  if (!ready) return;
  git('init', '-q');
  writeFileSync(path.join(work, 'emit.c'), EMIT);
  git('add', 'emit.c');
  git('commit', '-q', '-m', 'first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Settings that name a program; the name of what ran is the mark that it leaves. */
const PROGRAMS = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.gitProxy',
  'core.askPass',
  'core.editor',
  'core.pager',
  'core.alternateRefsCommand',
  'sequence.editor',
  'credential.helper',
  'diff.external',
  'diff.c.command',
  'diff.c.textconv',
  'merge.c.driver',
  'mergetool.x.cmd',
  'difftool.x.cmd',
  'filter.c.clean',
  'filter.c.smudge',
  'filter.c.process',
  'gpg.program',
  'gpg.ssh.program',
  'gpg.x509.program',
  'gpg.ssh.defaultKeyCommand',
  'interactive.diffFilter',
  'remote.origin.uploadpack',
  'remote.origin.receivepack',
  'uploadpack.packObjectsHook',
  'sendemail.sendmailCmd',
  'submodule.sub.update',
  'trailer.x.command',
  'trailer.x.cmd',
  'web.browser',
  'browser.x.cmd',
  'man.x.cmd',
  'guitool.x.cmd',
  'hook.x.command',
  ...[
    'cat-file',
    'check-attr',
    'diff',
    'diff-index',
    'fetch',
    'ls-files',
    'rev-list',
    'rev-parse',
    'hash-object',
  ].flatMap((command) => [`alias.${command}`, `pager.${command}`]),
];
/** Those that git hands to a shell only with a mark in front. */
const SHELL_WORDS = /^(alias\.|credential\.|submodule\.)/;
const HOOKS = [
  'applypatch-msg',
  'fsmonitor-watchman',
  'post-checkout',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-auto-gc',
  'pre-commit',
  'proc-receive',
  'reference-transaction',
  'update',
];

/** Makes the repository one that names a program wherever git takes one. */
function arm(): void {
  const marks = path.join(folder, 'marks');
  const traps = path.join(folder, 'traps');
  mkdirSync(marks);
  mkdirSync(traps);
  const trap = (name: string, file = path.join(traps, name)): string => {
    writeFileSync(file, `#!/bin/sh\ntouch '${marks}/${name}'\nexit 1\n`, { mode: 0o755 });
    return file;
  };
  for (const name of HOOKS) trap(name, path.join(work, '.git/hooks', name));
  writeFileSync(path.join(work, '.gitattributes'), '* filter=c diff=c merge=c\n');
  const settings: [string, string][] = PROGRAMS.map((key) => [key, (SHELL_WORDS.test(key) ? '!' : '') + trap(key)]);
  settings.push(
    ['hook.x.event', 'reference-transaction'],
    ['gpg.format', 'openpgp'],
    ['log.showSignature', 'true'],
    ['filter.c.required', 'true'],
    ['protocol.allow', 'always'],
    ['protocol.ext.allow', 'always'],
    ['protocol.file.allow', 'always'],
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.partialCloneFilter', 'blob:none'],
    ['remote.origin.url', work],
    ['remote.other.promisor', 'true'],
    ['remote.other.url', `ext::${trap('ext')}`],
    ['remote.third.promisor', 'true'],
    ['remote.third.url', 'ssh://example.org/x'],
  );
  const config = settings.map(([key, value]) => {
    const [, section, middle, name] = /^([^.]+)\.(?:(.*)\.)?([^.]+)$/.exec(key)!;
    return `[${section!}${middle === undefined ? '' : ` "${middle}"`}]\n\t${name!} = "${value}"\n`;
  });
  writeFileSync(path.join(work, '.git/config'), config.join(''), { flag: 'a' });
}

const marks = (): string[] => readdirSync(path.join(folder, 'marks'));

/** Takes the file's stored text out of the repository, so that a partial clone would fetch it. */
function loseBlob(revision: string): void {
  const blob = git('rev-parse', `${revision}:emit.c`).trim();
  rmSync(path.join(work, '.git/objects', blob.slice(0, 2), blob.slice(2)));
}

describe.skipIf(!ready)(
  ready ? 'a repository that names programs' : 'gcc, strace or git is not on this machine',
  () => {
    test('git itself runs some of them, so the traps are traps', () => {
      const revision = git('rev-parse', 'HEAD').trim();
      arm();
      edit(`/* new */\n${EMIT}`);
      spawnSync('git', ['diff', 'HEAD'], { cwd: work, timeout: 10_000 });
      loseBlob(revision);
      spawnSync('git', ['cat-file', 'blob', `${revision}:emit.c`], { cwd: work, timeout: 10_000 });
      const some = ['core.fsmonitor', 'filter.c.process', 'remote.origin.uploadpack', 'ext'];
      expect(marks()).toEqual(expect.arrayContaining(some));
    });

    test('no question runs any of them', async () => {
      const revision = git('rev-parse', 'HEAD').trim();
      arm();
      edit(`/* new */\n${EMIT}`);
      const asked = await installed();
      const file = path.join(work, 'emit.c');
      expect(await asked.workTreeOf(file)).toEqual({ root: work, name: 'emit.c' });
      expect(await asked.head(work)).toBe(revision);
      expect(await asked.has(work, revision)).toBe(true);
      expect(await asked.textAt(work, revision, 'emit.c')).toBe(EMIT);
      expect(await asked.before(work, Date.now() / 1000 + 60)).toBe(revision);
      expect(await asked.changedFiles(work)).toEqual(['emit.c']);
      await asked.difference(work, revision, 'emit.c');
      expect(marks()).toEqual([]);
    });

    test('what a partial clone lacks is not fetched', async () => {
      const revision = git('rev-parse', 'HEAD').trim();
      arm();
      loseBlob(revision);
      edit(`/* new */\n${EMIT}`);
      const asked = await installed();
      expect(await asked.textAt(work, revision, 'emit.c')).toBeUndefined();
      expect(await asked.difference(work, revision, 'emit.c')).toBeUndefined();
      expect(await asked.has(work, 'ab'.repeat(20))).toBe(false);
      await asked.changedFiles(work);
      const past = { note: undefined, startTime: Date.now() / 1000 + 60, calls: [{ line: 6, callee: 'write' }] };
      expect((await changesSince(asked, path.join(work, 'emit.c'), past)).kind).toBe('unknown');
      expect(marks()).toEqual([]);
    });

    test('neither does the note of a recording, nor the analysis of one', async () => {
      const made = recordEmit(work, EMIT, '-O0');
      arm();
      await noteFor(['./emit'], work, await installed());
      edit(`/* new */\n${EMIT}`);
      await open(made, work, { maySpawn: true });
      expect(marks()).toEqual([]);
    });

    test('a bare repository that came as a folder is none', async () => {
      const bare = path.join(folder, 'bare');
      run(folder, 'git', 'clone', '-q', '--bare', work, bare);
      expect(await (await installed()).head(bare)).toBeUndefined();
    });

    test('what the environment says to git of another repository is not passed on', async () => {
      process.env['GIT_DIR'] = path.join(folder, 'nowhere');
      process.env['GIT_EXTERNAL_DIFF'] = '/bin/false';
      try {
        expect(await (await installed()).rootOf(work)).toBe(work);
      } finally {
        delete process.env['GIT_DIR'];
        delete process.env['GIT_EXTERNAL_DIFF'];
      }
    });
  },
);

describe.skipIf(!ready)(ready ? 'files that differ from the revision' : 'git is not on this machine', () => {
  const changed = async (in_ = work): Promise<readonly string[] | undefined> => (await installed()).changedFiles(in_);

  test('none where nothing was changed, also when dates were', async () => {
    expect(await changed()).toEqual([]);
    writtenAt(path.join(work, 'emit.c'), minutesAgo(90));
    expect(await changed()).toEqual([]);
  });

  test('edited with as many bytes, added, removed, staged; from a folder within as well', async () => {
    mkdirSync(path.join(work, 'inner'));
    const names = ['same.c', 'gone.c', 'staged.c', 'inner/deep.c', 'with space\tand tab.c'];
    for (const name of names) writeFileSync(path.join(work, name), 'int x;\n');
    symlinkSync('emit.c', path.join(work, 'link'));
    git('add', '.');
    git('commit', '-q', '-m', 'more');
    expect(await changed()).toEqual([]);
    writeFileSync(path.join(work, 'same.c'), 'int y;\n');
    writeFileSync(path.join(work, 'staged.c'), 'int z;\n');
    writeFileSync(path.join(work, 'added.c'), 'int a;\n');
    writeFileSync(path.join(work, 'unknown.c'), 'int u;\n');
    writeFileSync(path.join(work, names[4]!), 'int w;\n');
    rmSync(path.join(work, 'gone.c'));
    rmSync(path.join(work, 'link'));
    symlinkSync('same.c', path.join(work, 'link'));
    git('add', 'staged.c', 'added.c');
    const all = ['added.c', 'gone.c', 'link', 'same.c', 'staged.c', names[4]!].sort();
    expect(await changed()).toEqual(all);
    expect(await changed(path.join(work, 'inner'))).toEqual(all);
  });

  test('ends of lines that git converts are no difference, and move no line', async () => {
    const revision = git('rev-parse', 'HEAD').trim();
    git('config', 'core.autocrlf', 'true');
    edit(EMIT.replaceAll('\n', '\r\n'));
    const asked = await installed();
    expect(await asked.changedFiles(work)).toEqual([]);
    expect(await asked.difference(work, revision, 'emit.c')).toBe('');
    edit(`\r\n${EMIT.replaceAll('\n', '\r\n')}`);
    expect(await asked.difference(work, revision, 'emit.c')).toContain('@@ -0,0 +1 @@');
  });

  test('a file that git stores in another form is not compared', async () => {
    const revision = git('rev-parse', 'HEAD').trim();
    writeFileSync(path.join(work, '.gitattributes'), '*.c filter=secret\n');
    edit(`/* new */\n${EMIT}`);
    expect(await (await installed()).difference(work, revision, 'emit.c')).toBeUndefined();
  });

  test('a revision whose changes cannot be told is not noted', async () => {
    const asked = await installed();
    const blind = Object.assign(Object.create(asked) as Git, { changedFiles: () => Promise.resolve(undefined) });
    expect(await noteFor(['./emit'], work, blind)).toMatchObject({ revision: '', changed: [] });
  });

  test('nothing is written to the repository', async () => {
    edit(`/* new */\n${EMIT}`);
    const state = (): string => run(work, 'find', '.git', '-printf', '%p %T@ %s\\n');
    const before = state();
    const asked = await installed();
    await asked.changedFiles(work);
    await asked.difference(work, (await asked.head(work))!, 'emit.c');
    expect(state()).toBe(before);
  });
});
