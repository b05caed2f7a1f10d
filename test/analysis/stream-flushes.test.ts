import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import { freshFolder, open, placeOf, run } from '../support/programs.ts';
import { canRecord, sharedRecorder, recordedRun } from '../support/recorder/recorder-runs.ts';

/** C programs that write the same lines and differ in how they flush, recorded by the library. */

const HEAD = `#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static FILE *log_file;
`;

/** Line 7 writes, line 8 goes on as the variant says. */
const program = (opened: string, after: string): string => `${HEAD}
static void note(int step) {
  fprintf(log_file, "step %d of many\\n", step);
  ${after}
}
int main(void) {
  ${opened}
  for (int step = 0; step < 2000; step++) note(step);
  return fclose(log_file);
}
`;

const OPENED = 'log_file = fopen("steps.log", "w");';
const FLUSH = 'flush-after-every-record';
let folder = '';
let library = '';

beforeAll(async () => {
  if (!canRecord) return;
  folder = freshFolder('stream-flushes');
  library = await sharedRecorder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function recorded(source: string): Promise<OpenedRecording> {
  const file = path.join(folder, 'program.c');
  writeFileSync(file, source);
  run(folder, 'cc', '-g', '-O1', '-fno-inline', '-o', 'program', 'program.c');
  const { status, recording } = recordedRun(library, path.join(folder, 'run'), [path.join(folder, 'program')], {
    depth: 32,
  });
  expect(status).toBe(0);
  return open(recording, folder);
}

const codes = ({ insights }: OpenedRecording): string[] => insights.map(({ code }) => code);

describe.skipIf(!canRecord)('streams of C', () => {
  test('a flush after every record is found at its line, and what it would save', async () => {
    const recording = await recorded(program(OPENED, 'fflush(log_file);'));
    expect(placeOf(recording, FLUSH)).toBe('program.c:8');
    const found = recording.insights.find(({ code }) => code === 'L04')!;
    expect(found.evidence).toMatchObject({ count: 2000, bytes: 34_890, medianBytes: 17, coalescedCalls: 1 });
    // The line is one of C.
    expect(found.recommendations.map(({ snippet, alternatives }) => [snippet?.language, alternatives])).toEqual([
      ['c', undefined],
    ]);
    expect(found.gain.method).toContain('1,999 of 2,000 flushes fewer');
    expect(found.gain.savedNs).toBeGreaterThan(0);
    // The lines that it writes are no finding of their own: neither another buffer nor larger writes would help.
    expect(codes(recording)).toEqual(['L04']);
  });

  test('also where both stand on one line', async () => {
    const macro = '#define NOTE(step) (fprintf(log_file, "%d\\n", step), fflush(log_file))\n';
    const source = program(OPENED, '').replace(/static void note[^}]*}\n/, `${macro}#define note NOTE\n`);
    expect(codes(await recorded(source))).toEqual(['L04']);
  });

  test.each([
    ['no flush', OPENED, ''],
    ['a flush at every hundredth record, and the last', OPENED, 'if (step % 100 == 99) fflush(log_file);'],
    ['a flush of nothing', OPENED, 'fflush(stdout);'],
    ['lines that the stream writes by itself', `${OPENED} setvbuf(log_file, NULL, _IOLBF, 0);`, 'fflush(log_file);'],
    ['a stream without a buffer', `${OPENED} setbuf(log_file, NULL);`, 'fflush(log_file);'],
    ['standard error', 'dup2(open("e.log", O_CREAT | O_WRONLY, 0644), 2); log_file = stderr;', 'fflush(log_file);'],
  ])('not %s', async (_name, opened, after) => {
    expect(codes(await recorded(program(opened, after)))).not.toContain('L04');
  });

  test('what a buffer takes in is no small request to the system; what has no buffer is', async () => {
    expect(codes(await recorded(program(OPENED, '')))).not.toContain('P06');
    expect(codes(await recorded(program(`${OPENED} setbuf(log_file, NULL);`, '')))).toContain('P06');
  });
});
