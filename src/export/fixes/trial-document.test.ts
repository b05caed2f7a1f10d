import { describe, expect, test } from 'vitest';
import type { TriedChange, TrialResult } from '../../analysis/trials/trial-result.ts';
import { conflictsOf } from './chosen-fixes.ts';
import type { FixDocument } from './fixes-document.ts';
import { trialCommand } from './trial-command.ts';
import { changesToTry, trialDocument, type TrialDocument } from './trial-document.ts';
import { trialMarkdown } from './trial-markdown.ts';
import { trialText } from './trial-text.ts';

const HOSTILE = '<b>@all</b> `x` | [y](http://z)';

function fix(code: string, line: number, title = code): FixDocument {
  return {
    id: `${code}-1`,
    code,
    codes: [code],
    trigger: code,
    file: '/w/a.c',
    line,
    function: 'main',
    places: [{ code, file: '/w/a.c', line }],
    title,
    kind: 'repair',
    reason: null,
    notes: [],
    lineNote: null,
    gain: { savedNs: 1e9, lowNs: 5e8, highNs: 2e9 },
    edits: [{ file: '/w/a.c', line, column: 1, endLine: line, endColumn: 5, newText: code }],
  };
}

const found = (...codes: string[]) => ({
  findings: codes.map((code) => ({ code, title: code, places: ['a.c main'] })),
  calls: 100 * codes.length,
  callsAt: new Map([['a.c main', 100 * codes.length]]),
});

function change(more: Partial<TriedChange> = {}): TriedChange {
  const comparison = { differences: [], varying: [], uncompared: [] };
  return { buildErrors: undefined, comparison, recorded: found(), times: [5, 5, 5, 5, 5], faults: [], ...more };
}

function result(...changes: TriedChange[]): TrialResult {
  return {
    leftOut: ['a.strace'],
    notes: [],
    original: { recorded: found('P06', 'L02'), times: [10, 11, 10, 12, 10] },
    changes,
  };
}

function documentOf(fixes: readonly FixDocument[], tried: TrialResult): TrialDocument {
  return trialDocument({ fixes, conflicts: conflictsOf(fixes), diff: '--- a/a.c\n', command: 'iolens fix' }, tried);
}

describe('several fixes', () => {
  const two = [fix('P06', 3), fix('L02', 9)];

  test('are tried together first, then one by one, and each has its verdict', () => {
    expect(changesToTry(two, []).map((some) => some.map(({ id }) => id))).toEqual([
      ['P06-1', 'L02-1'],
      ['P06-1'],
      ['L02-1'],
    ]);
    const differs = { differences: ['out: other bytes'], varying: [], uncompared: [] };
    const document = documentOf(
      two,
      result(change(), change({ recorded: found('L02') }), change({ recorded: found('P06'), comparison: differs })),
    );
    expect(document).toMatchObject({ equal: true, proven: true, cleared: ['P06', 'L02'], conflicts: [] });
    expect(document.each.map(({ proven, cleared, verdict }) => [proven, cleared, verdict])).toEqual([
      [true, ['P06'], 'keeps results, saves 50 %'],
      [false, ['L02'], 'changes results (1 difference)'],
    ]);
    const text = trialText(document);
    expect(text).toMatch(/^P06-1 and L02-1 together: keeps results, saves 50 %$/m);
    expect(text).toMatch(/^L02-1 by itself: changes results \(1 difference\)$/m);
  });

  test('that change the same text are tried one by one, and that is told', () => {
    const same = [fix('P06', 3), fix('L02', 3)];
    expect(changesToTry(same, conflictsOf(same)).map((some) => some.length)).toEqual([1, 1]);
    const document = documentOf(same, result(change(), change({ buildErrors: 'a.c:3: no' })));
    expect(document).toMatchObject({
      built: false,
      buildErrors: null,
      proven: false,
      verdict: 'cannot be made together',
      conflicts: ['P06-1 and L02-1 change the same text (/w/a.c:3)'],
    });
    expect(document.each.map(({ verdict }) => verdict)).toEqual([
      'keeps results, saves 50 %',
      'does not build after the change',
    ]);
    expect(trialText(document)).toContain('conflict: P06-1 and L02-1 change the same text');
  });
});

test('a repair that is worse off with a fault is not proven, a trade is what its title says', () => {
  const fault = { fault: 'disk full', equal: false, worse: true, before: 'exit status 1', after: 'exit status 0' };
  const of = (kind: FixDocument['kind']): TrialDocument =>
    documentOf([{ ...fix('P06', 3), kind }], result(change({ recorded: found('L02'), faults: [fault] })));
  expect([of('repair').proven, of('trade').proven]).toEqual([false, true]);
  expect(of('repair').verdict).toContain('is worse off with disk full');
});

test('as Markdown nothing of names, outputs and sources is markup', () => {
  const comparison = { differences: [HOSTILE], varying: [HOSTILE], uncompared: [] };
  const fault = { fault: 'disk full', equal: false, worse: true, before: HOSTILE, after: '\n| a | b |' };
  const hostile = { ...fix('P06', 3, HOSTILE), file: `/w/${HOSTILE}` };
  const tried = { ...result(change({ comparison, faults: [fault] })), notes: [HOSTILE] };
  const document = trialDocument(
    { fixes: [hostile], conflicts: [], diff: '+```\n+<script>\u202e\n', command: `iolens fix '${HOSTILE}'` },
    tried,
  );
  const text = trialMarkdown(document, (file) => file);
  // Outside of code nothing is left of it.
  const prose = text.replace(/^(`{3,}).*?^\1$/gms, '').replace(/(`+).*?\1/g, '');
  expect(prose).not.toMatch(/<b>|@all|(?<!\\)\]\(/);
  expect(text).toContain('````diff\n+```\n+<script>\\u{202e}\n````');
  const table = text.split('\n').filter((line) => line.startsWith('| disk full'));
  expect(table.map((row) => row.split(/(?<!\\)\|/).length)).toEqual([6]);
  expect(text).toContain('| time (median) | 10 ns | 5 ns |');
  expect(trialMarkdown({ ...document, diff: 'x'.repeat(100_000) }, (file) => file).length).toBeLessThan(30_000);
});

test('the command line that tries it again is quoted for a shell', () => {
  const asked = { recordings: ["it's.strace"], fixes: [{ id: 'P06-1' }], sourceMap: [{ from: '/a', to: '/b c' }] };
  expect(
    trialCommand({
      ...asked,
      build: 'make -j',
      run: './app "a b"',
      cwd: undefined,
      env: ['A=1 2'],
      outputs: ['out/**'],
      repeat: 7,
      faults: true,
      allowOutside: false,
    }),
  ).toBe(
    `iolens fix 'it'\\''s.strace' P06-1 --source-map '/a=/b c' --try --build 'make -j' --run './app "a b"' --env 'A=1 2' --outputs 'out/**' --repeat 7 --faults`,
  );
});
