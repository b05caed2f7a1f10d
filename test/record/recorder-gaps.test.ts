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

/** Where marks of a program stand: they are comments at the ends of lines. */
function marksOf(source: string): (mark: string) => number {
  const text = readFileSync(path.join(sources, source), 'utf8').split('\n');
  return (mark) => text.findIndex((line) => line.includes(`/* ${mark} */`)) + 1;
}

function gapsIn(json: string): GapsDocument {
  const { recordings } = JSON.parse(json) as { recordings: readonly GapsDocument[] };
  expect(recordings).toHaveLength(1);
  return recordings[0]!;
}

async function recordingOf(source: string): Promise<string> {
  const program = path.join(folder, path.basename(source, '.c'));
  run(sources, 'cc', '-g', '-O1', '-o', program, source);
  const ran = recordedRun(await sharedRecorder(), `${program}-run`, [program], { depth: 32 });
  expect(ran.status, ran.stderr).toBe(0);
  return ran.recording;
}

describe.runIf(canRecord)('between calls', () => {
  const lineOf = marksOf('steps.c');
  let recording = '';
  const command = (...words: string[]): string => run(folder, process.execPath, cli, ...words, recording);

  beforeAll(async () => {
    recording = await recordingOf('steps.c');
  }, 120_000);

  test('the program is where it computes, with the lines on both sides', () => {
    const document = gapsIn(command('gaps', '--no-cache', '--json'));
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
    expect([begin, first, again, end].map(({ kind }) => kind)).toEqual(['until', 'within', 'again', 'since']);
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
    expect(report).toMatch(/^ +Between calls: \d+ % of the run .*from its start to main, steps\.c:\d+[;.]/m);
    expect(report).toMatch(/\d+ % (of the run )?within main, from steps\.c:\d+ to steps\.c:\d+ in save[;.]/);
    expect(command('gaps', '--no-cache')).toMatch(/start … open steps\.c:\d+ +… → main {2}\S+steps\.c:\d+/);
  });
});

describe.runIf(canRecord)('between calls of a wrapper, on one line, down a recursion, and behind main', () => {
  const lineOf = marksOf('shapes.c');
  let document: GapsDocument;
  const found = (isWanted: (gap: GapDocument) => boolean): GapDocument => {
    const all = document.gaps.filter(isWanted);
    expect(all, JSON.stringify(all)).toHaveLength(1);
    return all[0]!;
  };

  beforeAll(async () => {
    const recording = await recordingOf('shapes.c');
    document = gapsIn(run(folder, process.execPath, cli, 'gaps', '--no-cache', '--json', recording));
  }, 120_000);

  test('what comes back to a wrapper was anywhere in its callers', () => {
    const again = found(
      ({ kind, callers }) => kind === 'again' && callers.some(({ function: name }) => name === 'note'),
    );
    expect([again.function, again.fromLine, again.toLine, again.times]).toEqual([
      'put',
      lineOf('put writes'),
      lineOf('put writes'),
      4,
    ]);
    expect(again.callers.at(-1)).toMatchObject({ function: 'main', line: lineOf('main notes') });
    expect(again.timeNs).toBeGreaterThanOrEqual(80e6);
  });

  test('two calls on one line are no loop', () => {
    const twice = lineOf('main puts twice');
    const between = found(({ fromLine, toLine }) => fromLine === twice && toLine === twice);
    expect([between.function, between.kind, between.times]).toEqual(['main', 'within', 1]);
    expect(between.timeNs).toBeGreaterThanOrEqual(20e6);
  });

  test('a recursion is one place, whatever its depth', () => {
    const down = found(({ function: name, kind }) => name === 'descend' && kind === 'within');
    expect([down.fromLine, down.toLine, down.times]).toEqual([lineOf('descends, puts'), lineOf('descends deeper'), 6]);
    expect(down.timeNs).toBeGreaterThanOrEqual(30e6);
  });

  test('what is behind main is not said to be in it', () => {
    const out = found(({ kind, before }) => kind === 'since' && before!.call === 'write');
    expect([out.function, out.fromLine]).toEqual(['main', lineOf('main descends')]);
    const end = found(({ kind, before }) => kind === 'since' && before!.call === '');
    expect([end.function, end.fromLine]).toEqual(['bye', lineOf('bye puts')]);
    expect(end.timeNs).toBeGreaterThanOrEqual(20e6);
  });
});
