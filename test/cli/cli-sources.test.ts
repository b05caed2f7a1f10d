import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisDocument, InfoDocument } from '../../src/export/analysis/documents.ts';
import type { RecordingNote } from '../../src/session/reading/recording-note.ts';
import { absent, corpus } from '../support/corpus.ts';
import { EMIT, freshFolder, has, minutesAgo, run, writtenAt } from '../support/programs.ts';

/** The command line on sources that moved, and on recordings that lack something. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
let folder = '';

function iolens(options: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, DEBUGINFOD_URLS: '', ...environment };
  return spawnSync(process.execPath, [cli, ...options], { cwd: folder, encoding: 'utf8', env });
}

beforeAll(() => {
  folder = freshFolder('cli-sources');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ready = has('gcc', 'strace', 'git');

describe.skipIf(!ready)(ready ? 'recorded by iolens record' : 'gcc, strace or git is not on this machine', () => {
  beforeAll(() => {
    writeFileSync(path.join(folder, 'emit.c'), EMIT);
    run(folder, 'git', 'init', '-q');
    run(folder, 'git', 'add', 'emit.c');
    run(folder, 'git', '-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-q', '-m', 'first');
    run(folder, 'gcc', '-g', '-O0', '-Wl,--build-id', '-o', 'emit', 'emit.c');
    expect(iolens(['record', '-o', 'emit.strace', '--', './emit']).status).toBe(0);
  });

  test('the note names revision and build', () => {
    const note = JSON.parse(readFileSync(path.join(folder, 'emit.strace.iolens.json'), 'utf8')) as RecordingNote;
    expect(note.revision).toBe(run(folder, 'git', 'rev-parse', 'HEAD').trim());
    expect(note.changed).toEqual([]);
    expect(note.buildIds[path.join(folder, 'emit')]).toMatch(/^[0-9a-f]{40}$/);
  });

  test('nothing is lacking or to be noted while nothing has changed', () => {
    const { stdout } = iolens(['analyze', 'emit.strace', '--format', 'json']);
    const document = JSON.parse(stdout) as AnalysisDocument;
    expect(document.notes).toEqual([]);
    expect(document.recordings[0]!.lacks).toEqual([]);
    expect(iolens(['info', 'emit.strace']).stdout).toMatch(/lacks\s+nothing/);
  });

  test('an edit moves the line in the report, and the notes say so; a changed line has a note of its own', () => {
    writeFileSync(path.join(folder, 'emit.c'), `/* new */\n${EMIT.replace('fd, text, 10)', 'fd, text, 9 + 1)')}`);
    writtenAt(path.join(folder, 'emit.c'), minutesAgo(-1));
    const document = JSON.parse(iolens(['analyze', 'emit.strace', '--format', 'json']).stdout) as AnalysisDocument;
    const site = document.insights.find(({ trigger }) => trigger === 'posix-small-writes')!.sites[0]!;
    expect(site).toMatchObject({ line: 7, source: 'return write(fd, text, 9 + 1) == 10;' });
    expect(site.note).toBe('This line was changed after the recording.');
    expect(document.notes[0]).toMatch(
      /^emit\.c was edited after the recording: its lines were found again by the texts that the recording keeps/,
    );
    const { stdout } = iolens(['analyze', 'emit.strace']);
    expect(stdout).toContain('This line was changed after the recording.');
    expect(stdout).toMatch(/Notes\n.* {2}emit\.c was edited after the recording/s);
  });

  test('a glob of recordings leaves the notes out', () => {
    expect(existsSync(path.join(folder, 'emit.strace.iolens.json'))).toBe(true);
    expect(iolens(['info', 'emit.strace*', '--json']).status).toBe(0);
  });
});

describe('debuginfod', () => {
  test.each([
    [['--debuginfod'], /set DEBUGINFOD_URLS/],
    [['--debuginfod-url', 'file:///etc'], /http or https/],
  ])('%j without a usable server is wrong usage', (options, message) => {
    const { status, stderr } = iolens(['info', 'x.strace', ...options]);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  const programs = corpus('strace-programs/small_writes');
  test.skipIf(programs === undefined)(
    programs === undefined ? absent('strace-programs') : 'a server that is not there is named with what went wrong',
    () => {
      const recording = path.join(programs!, 'small_writes.nodebug.strace.gz');
      const map = `/tmp/badio/small_writes=${programs!}`;
      const options = ['info', recording, '--json', '--source-map', map];
      const cache = { DEBUGINFOD_CACHE_PATH: path.join(folder, 'cache') };
      const what = (more: readonly string[], environment: NodeJS.ProcessEnv): string =>
        (JSON.parse(iolens([...options, ...more], environment).stdout) as InfoDocument).lacks[0]!.what;
      expect(what([], { ...cache, DEBUGINFOD_URLS: 'http://127.0.0.1:9' })).not.toContain('127.0.0.1');
      expect(what(['--debuginfod'], { ...cache, DEBUGINFOD_URLS: 'http://127.0.0.1:9' })).toMatch(
        /http:\/\/127\.0\.0\.1:9 \(.+\)/,
      );
    },
  );
});
