import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absent, corpus } from '../support/corpus.ts';
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

/** A binary or a source that is not what was recorded must never lead to a wrong line without a word. */
const ready = has('gcc', 'strace');
const MORE_IN_MAIN = EMIT.replace(
  '    int fd = open',
  '    volatile int sum = 0;\n    for (int i = 0; i < 10; i++)\n        sum += i;\n    int fd = open',
);
let folder = '';

beforeAll(() => {
  folder = freshFolder('rebuilt');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const moduleOf = (recording: Awaited<ReturnType<typeof open>>) =>
  recording.resolved.modules.find(({ module }) => module.endsWith('/emit'))!;

describe.skipIf(!ready)(ready ? 'a program that was rebuilt' : 'gcc or strace is not on this machine', () => {
  test('the recorded binary and source: lines, and nothing to note', async () => {
    const recording = await open(recordEmit(folder, EMIT, '-O0'), folder);
    expect(placeOf(recording)).toBe(EMIT_LINE);
    expect(moduleOf(recording)).toMatchObject({ status: 'lines', misfits: 0, note: '' });
    expect(recording.sourceReports).toMatchObject([{ status: 'here', stale: false, note: '' }]);
    expect(recording.lacks).toEqual([]);
  });

  test.each(['-O0', '-O1', '-O2'])(
    'a loop more in main, %s: main has no line, its callee keeps its right one',
    async (level) => {
      const made = recordEmit(folder, EMIT, level);
      writeFileSync(path.join(folder, 'emit.c'), MORE_IN_MAIN);
      run(folder, 'gcc', '-g', level, '-o', 'emit', 'emit.c');
      const recording = await open(made, folder);
      const { status, misfits, note } = moduleOf(recording);
      expect(status).toMatch(/^(lines|changed)$/);
      expect(misfits).toBeGreaterThan(0);
      expect(note).toMatch(/was written after the recording|is not the binary that was recorded/);
      expect(['', EMIT_LINE]).toContain(placeOf(recording));
      for (const { functionName, line } of recording.callSites().sites)
        if (functionName === 'main') expect(line).toBe(0);
      expect(recording.lacks.map(({ name }) => name)).toEqual(['build']);
    },
  );

  test('rebuilt to the same code: the date is noted, the lines stay', async () => {
    const made = recordEmit(folder, EMIT, '-O1');
    run(folder, 'gcc', '-g', '-O1', '-o', 'emit', 'emit.c');
    const recording = await open(made, folder);
    expect(placeOf(recording)).toBe(EMIT_LINE);
    expect(moduleOf(recording).note).toContain('was written after the recording was made');
  });

  test('a source that was edited after the build is stale', async () => {
    const made = recordEmit(folder, EMIT, '-O1');
    writeFileSync(path.join(folder, 'emit.c'), `/* new */\n${EMIT}`);
    // The kernel dates files by a clock of coarse steps.
    writtenAt(path.join(folder, 'emit.c'), minutesAgo(-1));
    const recording = await open(made, folder);
    expect(recording.sourceReports[0]).toMatchObject({
      stale: true,
      note: 'emit.c was edited after the recording; lines may be off',
    });
  });

  test('a source that was edited between build and recording is stale', async () => {
    const made = recordEmit(folder, EMIT, '-O1');
    writtenAt(path.join(folder, 'emit.c'), minutesAgo(10));
    const recording = await open(made, folder);
    expect(recording.sourceReports[0]!.note).toBe('emit.c was edited after the program was built; lines may be off');
  });

  test('source and binary that were copied together are not stale', async () => {
    const made = recordEmit(folder, EMIT, '-O1');
    const copied = new Date(Date.now() + 60_000);
    for (const name of ['emit', 'emit.c']) writtenAt(path.join(folder, name), copied);
    const recording = await open(made, folder);
    expect(recording.sourceReports[0]!.stale).toBe(false);
    expect(moduleOf(recording).note).toContain('was written after the recording was made');
  });
});

const programs = corpus('strace-programs/small_writes');

describe.skipIf(programs === undefined)(programs === undefined ? absent('strace-programs') : 'lines of -kk', () =>
  test('a source that was edited since is stale, although the program was built anew after that', async () => {
    const source = path.join(folder, 'small_writes.c');
    copyFileSync(path.join(programs!, 'small_writes.c'), source);
    copyFileSync(path.join(programs!, 'small_writes.nopie'), path.join(folder, 'small_writes.O2'));
    writtenAt(source, minutesAgo(-1));
    writtenAt(path.join(folder, 'small_writes.O2'), minutesAgo(-2));
    const pathRules = [{ from: '/tmp/badio/small_writes', to: folder }];
    const recording = await open(path.join(programs!, 'small_writes.O2.v72-kk.strace.gz'), folder, { pathRules });
    expect(recording.resolved.modules.find(({ status }) => status !== 'library')!.status).toBe('changed');
    expect(placeOf(recording)).toBe('small_writes.c:11');
    expect(recording.sourceReports[0]).toMatchObject({ stale: true });
  }),
);
