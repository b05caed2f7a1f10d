import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LackName } from '../../src/analysis/lacks/lacks.ts';
import { lackText } from '../../src/export/report/report-notes.ts';
import type { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import { absent, corpus } from '../support/corpus.ts';
import { EMIT, freshFolder, has, open, recordEmit, run } from '../support/programs.ts';
import { canRecord, sharedRecorder, recordedRun } from '../support/recorder/recorder-runs.ts';

/** What recordings lack is said with the way to get it, and nothing of one that lacks nothing. */
const formats = corpus('strace/formats');
const programs = corpus('strace-programs/small_writes');
const names = (recording: OpenedRecording): LackName[] => recording.lacks.map(({ name }) => name);

const OPTIONS: readonly (readonly [string, readonly LackName[]])[] = [
  ['v7.2-f-ttt-T-y.strace', ['stacks']],
  ['f-ttt-T-yy.strace', ['stacks']],
  ['f-tt-T-y.strace', ['stacks', 'dates']],
  ['f-ttt.strace', ['stacks', 'durations', 'paths']],
  ['f.strace', ['stacks', 'durations', 'paths', 'times']],
  ['plain.strace', ['stacks', 'durations', 'paths', 'times', 'children']],
  ['status-failed-only-Z.strace', ['stacks', 'successes']],
  ['w-e-write.strace', ['stacks', 'opens']],
  ['k.strace', ['binary']],
  ['v7.2-kk-source.strace', ['sources']],
];

describe.skipIf(formats === undefined)(formats === undefined ? absent('strace/formats') : 'options of strace', () => {
  test.each(OPTIONS)('%s lacks %j', async (file, expected) => {
    expect(names(await open(path.join(formats!, file), '/nonexistent'))).toEqual(expected);
  });

  test('each says the option to record with', async () => {
    const recording = await open(path.join(formats!, 'plain.strace'), '/nonexistent');
    const remedies = recording.lacks.map(({ remedy }) => /strace (-\w+)/.exec(remedy)?.[1]);
    expect(remedies).toEqual(['-k', '-T', '-y', '-ttt', '-f']);
    expect(lackText(recording.lacks[0]!)).toMatch(
      /^Lacking: no call stacks; so .*\. To get it: record with strace -k .*\.$/,
    );
  });
});

test('of calls that were chosen the others are said to be unseen', async () => {
  const folder = freshFolder('chosen-calls');
  const file = path.join(folder, 'chosen.strace');
  const opened = '7 1795252180.000000 openat(AT_FDCWD, "/w/a", O_WRONLY) = 3</w/a> <0.000020>\n';
  writeFileSync(file, opened);
  const recording = await open(file, '/nonexistent');
  expect(names(recording)).toEqual(['stacks', 'calls']);
  expect(lackText(recording.lacks[1]!)).toMatch(/^Lacking: no calls but openat; so what the program did to files by /);
  writeFileSync(file, `${opened}7 1795252180.100000 brk(NULL) = 0x55e0 <0.000010>\n`);
  expect(names(await open(file, '/nonexistent'))).toEqual(['stacks']);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(programs === undefined)(
  programs === undefined ? absent('strace-programs') : 'builds of a program',
  () => {
    const pathRules = [{ from: '/tmp/badio/small_writes', to: programs! }];
    const recorded = (build: string, more = {}): Promise<OpenedRecording> =>
      open(path.join(programs!, `small_writes.${build}.strace.gz`), '/nonexistent', { pathRules, ...more });

    test.each<[string, readonly LackName[]]>([
      ['O0', []],
      ['O2.v72-k', []],
      ['lld', []],
      ['stripped', []],
      ['static.v72-k', []],
      ['static', ['callers']],
      ['nodebug', ['debug-information']],
    ])('%s lacks %j', async (build, expected) => {
      expect(names(await recorded(build))).toEqual(expected);
    });

    test('a missing debug file: where it was looked for, and that a server could be asked', async () => {
      const recording = await recorded('nodebug');
      expect(recording.lacks[0]!.what).toMatch(/looked for a debug file at .*\.build-id\/.*\.debug/);
      expect(recording.lacks[0]!.remedy).toMatch(/compile with -g.*--debug-dir.*--debuginfod/);
    });

    test('a missing binary: where it was looked for; lines that the recorder wrote make up for it', async () => {
      const recording = await recorded('O2.v72-k', { pathRules: [] });
      expect(names(recording)).toEqual(['binary']);
      expect(recording.lacks[0]!.what).toContain('looked at /tmp/badio/small_writes/small_writes.O2');
      expect(names(await recorded('O2.v72-kk', { pathRules: [] }))).toEqual(['sources']);
    });

    test('missing sources are named once, with the way to find them', async () => {
      const recording = await open(path.join(programs!, 'small_writes.O0.strace.gz'), '/nonexistent', {
        binaries: [path.join(programs!, 'small_writes.O0')],
      });
      expect(names(recording)).toEqual(['sources']);
      expect(recording.lacks[0]!.what).toBe('a source file is not here: /tmp/badio/small_writes/small_writes.c');
      expect(recording.lacks[0]!.remedy).toContain('Locate Source File');
    });

    test('a source of which two files have the name: both are named, and a learned prefix decides', async () => {
      const folder = freshFolder('twins');
      for (const name of ['a', 'b'])
        run(folder, 'install', '-D', path.join(programs!, 'small_writes.c'), `${name}/small_writes.c`);
      const request = { binaries: [path.join(programs!, 'small_writes.O0')], workspaceFolders: [folder] };
      const recording = await open(path.join(programs!, 'small_writes.O0.strace.gz'), folder, request);
      expect(recording.lacks[0]!.what).toContain(`(which of ${folder}/`);
      const learned = await recording.relocated([{ from: '/tmp/badio/small_writes', to: path.join(folder, 'b') }]);
      expect(names(learned)).toEqual([]);
      expect(learned.localSource('/tmp/badio/small_writes/small_writes.c').file).toBe(
        path.join(folder, 'b/small_writes.c'),
      );
      rmSync(folder, { recursive: true });
    });
  },
);

const ready = has('gcc', 'strace');

describe.skipIf(!ready)(ready ? 'recorded here' : 'gcc or strace is not on this machine', () => {
  let folder = '';
  beforeAll(() => {
    folder = freshFolder('lacks');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('as the manual says: nothing is lacking', async () => {
    expect(names(await open(recordEmit(folder, EMIT, '-O0'), folder))).toEqual([]);
  });

  test('a filter that hides opening and closing', async () => {
    recordEmit(folder, EMIT, '-O0');
    run(folder, 'strace', '-f', '-ttt', '-T', '-y', '-k', '-e', 'trace=write', '-o', 'few.strace', './emit');
    expect(names(await open(path.join(folder, 'few.strace'), folder))).toEqual(['opens']);
  });

  test('children that were not followed', async () => {
    recordEmit(folder, EMIT, '-O0');
    run(folder, 'strace', '-ttt', '-T', '-y', '-k', '-o', 'child.strace', 'sh', '-c', './emit; ./emit');
    expect(names(await open(path.join(folder, 'child.strace'), folder))).toEqual(['children']);
    // A child that makes none of the traced calls is seen to end.
    run(
      folder,
      'strace',
      '-f',
      '-ttt',
      '-T',
      '-y',
      '-k',
      '-e',
      'trace=openat,write,close,clone,fork,vfork',
      '-o',
      'idle.strace',
      'sh',
      '-c',
      './emit; (:)',
    );
    expect(names(await open(path.join(folder, 'idle.strace'), folder))).not.toContain('children');
  });
});

describe.skipIf(!canRecord)('recorded by the library', () =>
  test('without stacks, which is said once and how to record with them; with stacks nothing is lacking', async () => {
    const folder = freshFolder('lacks-library');
    try {
      const library = await sharedRecorder();
      writeFileSync(path.join(folder, 'emit.c'), EMIT);
      run(folder, 'cc', '-g', '-o', 'emit', 'emit.c');
      const recorded = (depth: number): Promise<OpenedRecording> => {
        // Three processes, of which each could say it.
        const command = ['sh', '-c', '../emit; ../emit'];
        return open(recordedRun(library, path.join(folder, 'run'), command, { depth }).recording, folder);
      };
      const without = await recorded(0);
      expect(without.lacks.map(lackText)).toEqual([
        'Lacking: no call stacks, as it was recorded without them; so findings have no source lines, only files. To get it: record without --no-stacks and with a --stack-depth above 0 (setting iolens.record.stackDepth), as "iolens record" does when nothing is said.',
      ]);
      expect(names(await recorded(32))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }),
);
