import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import type { GapDocument, GapsDocument } from '../../src/export/gaps/gaps-document.ts';
import { freshFolder, run } from '../support/programs.ts';
import { canRecord, recordedRun, sharedRecorder } from '../support/recorder/recorder-runs.ts';

/** Where a program is between its calls. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const sources = path.resolve(import.meta.dirname, '../programs/gaps');
const folder = freshFolder('recorder-gaps');
const program = path.join(folder, 'steps');
const text = readFileSync(path.join(sources, 'steps.c'), 'utf8').split('\n');
const lineOf = (mark: string): number => text.findIndex((line) => line.includes(`/* ${mark} */`)) + 1;

describe.runIf(canRecord)('between calls', () => {
  let recording = '';
  const command = (...words: string[]): string => run(folder, process.execPath, cli, ...words, recording);

  beforeAll(async () => {
    run(sources, 'cc', '-g', '-O1', '-o', program, 'steps.c');
    const ran = recordedRun(await sharedRecorder(), path.join(folder, 'run'), [program], { depth: 16 });
    expect(ran.status, ran.stderr).toBe(0);
    recording = ran.recording;
  }, 120_000);

  test('the program is where it computes, with the lines on both sides', () => {
    const document = JSON.parse(command('gaps', '--no-cache', '--json')) as GapsDocument;
    const between = (from: number, to: number): GapDocument => {
      const found = document.gaps.filter((gap) => gap.fromLine === from && gap.toLine === to);
      expect(found, `${from} → ${to}`).toHaveLength(1);
      return found[0]!;
    };
    const begin = between(0, lineOf('main opens'));
    const end = between(lineOf('main closes'), 0);
    const first = between(lineOf('main opens'), lineOf('main saves'));
    const again = between(lineOf('save closes'), lineOf('save opens'));
    expect([begin, end, first].map((gap) => gap.function)).toEqual(['main', 'main', 'main']);
    expect([begin.after!.call, begin.before!.call, end.before!.call]).toEqual(['', 'open', '']);
    // The loop is in main, which calls at the same line each time: the stacks do not tell.
    expect(again.function).toBe('save');
    expect(again.callers.map((caller) => [caller.function, caller.line])).toEqual([['main', lineOf('main saves')]]);
    expect([begin, first, again, end].map(({ times }) => times)).toEqual([1, 1, 3, 1]);
    expect(begin.timeNs).toBeGreaterThanOrEqual(60e6);
    expect(first.timeNs + again.timeNs).toBeGreaterThanOrEqual(80e6);
    expect(end.timeNs).toBeGreaterThanOrEqual(40e6);
    expect(document.timeNs).toBeLessThanOrEqual(document.durationNs);
  });

  test('reports name the longest', () => {
    const { timing } = JSON.parse(command('analyze', '--no-cache', '--format', 'json')) as AnalysisDocument;
    expect(timing[0]!.gaps!.length).toBeGreaterThanOrEqual(2);
    const report = command('analyze', '--no-cache');
    expect(report).toMatch(/^ +Between calls: \d+ % of the run in .*main, steps\.c: start → \d+[;.]/m);
    expect(report).toMatch(
      /\d+ % (of the run )?in save, steps\.c:\d+ → \d+, or where it is called \(main steps\.c:\d+\)/,
    );
    expect(command('gaps', '--no-cache')).toMatch(/open steps\.c:\d+ +main {2}\S+steps\.c: start → \d+/);
  });
});
