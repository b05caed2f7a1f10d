import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ComparisonDocument } from '../../src/export/comparison/comparison-document.ts';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { noteFor, writeNote } from '../../src/session/reading/write-note.ts';
import { Git } from '../../src/session/sources/git.ts';
import { EMIT, freshFolder, has, minutesAgo, recordEmit, run, writtenAt } from '../support/programs.ts';
import { line, StraceText } from '../support/strace-text.ts';

/** Comparisons and budgets of the built command, on recordings of real programs and on written ones. */
const root = path.resolve(import.meta.dirname, '../..');
const cli = path.join(root, 'dist/cli.js');
const demo = (name: string): string => path.join(root, 'demo/heat', name);
const demoMap = `/home/hpc/heat=${path.join(root, 'demo/heat')}`;
const ready = has('gcc', 'strace', 'git');
let folder = '';

beforeEach(() => {
  folder = freshFolder('compare');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function iolens(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', cwd: folder });
  return { status, out: stdout, err: stderr };
}

function compare(...args: string[]): ComparisonDocument {
  const { out, err, status } = iolens('compare', '--json', ...args);
  if (status !== 0) throw new Error(err);
  return JSON.parse(out) as ComparisonDocument;
}

/** Lines that moved down by four, and a tenth of the writes. */
const FIXED = `/* 1 */\n/* 2 */\n/* 3 */\n/* 4 */\n${EMIT.replace('i < 300', 'i < 30')}`;

/** `emit.c:6 → emit.c:10 moved better 300 → 30` */
function rowsOf({ lines }: ComparisonDocument): string[] {
  const place = (at: ComparisonDocument['lines'][number]['base']): string =>
    at === null ? '–' : `${path.basename(at.file)}:${at.line || at.function}`;
  return lines
    .filter(({ base, new: now }) => (now ?? base)!.function !== '')
    .map((row) => `${place(row.base)} → ${place(row.new)} ${row.match ?? ''} ${row.events.base} → ${row.events.new}`)
    .sort();
}

describe.skipIf(!ready)(ready ? 'programs' : 'gcc, strace or git is not on this machine', () => {
  test('in two folders: lines that moved are found by their texts, and the finding is gone', () => {
    for (const [name, source] of [
      ['before', EMIT],
      ['after', FIXED],
    ] as const) {
      mkdirSync(path.join(folder, name));
      recordEmit(path.join(folder, name), source);
    }
    const document = compare('before/emit.strace', 'after/emit.strace');
    expect(rowsOf(document)).toEqual([
      'emit.c:11 → emit.c:15 moved 1 → 1',
      'emit.c:17 → emit.c:21 moved 1 → 1',
      'emit.c:6 → emit.c:10 moved 300 → 30',
    ]);
    expect(document.lines.find(({ events }) => events.base === 300)).toMatchObject({
      verdict: 'better',
      matchedBy: "the line's text, callers and calls",
      bytes: { base: 3000, new: 300 },
    });
    expect(document.insights).toMatchObject([{ code: 'P06', change: 'gone', base: { place: { line: 6 } }, new: null }]);
    expect(document.files.find(({ events }) => events.base === 302)).toMatchObject({
      match: 'same path below the working folder',
      events: { new: 32 },
    });
    // Paths of the graph lie below another folder on each side.
    expect(document.graph.edges.find(({ base, new: now }) => base === 299 && now === 29)).toMatchObject({
      occurrence: 'both',
      difference: -270,
    });
  });

  test('built anew in place: what leads to no line any more is compared by its function', () => {
    recordEmit(folder);
    run(folder, 'mv', 'emit.strace', 'before.strace');
    recordEmit(folder, FIXED);
    const document = compare('before.strace', 'emit.strace');
    // The code of emit lies where it lay, that of main does not.
    expect(rowsOf(document)).toContain('emit.c:10 → emit.c:10 same line 300 → 30');
    expect(rowsOf(document)).toContain(':main → –  2 → 0');
    expect(document.functions.find(({ base }) => base === 'main')).toMatchObject({
      new: 'main',
      match: 'same name of the function',
      events: { base: 2, new: 2 },
    });
  });

  test('edited since a known revision: lines stand where they are now', async () => {
    const git = (...options: string[]): string =>
      run(
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
    git('init', '-q');
    writeFileSync(path.join(folder, 'emit.c'), EMIT);
    git('add', 'emit.c');
    git('commit', '-q', '-m', 'first');
    const made = recordEmit(folder);
    await writeNote(made, await noteFor(['./emit'], folder, await Git.installed()));
    run(folder, 'cp', 'emit', 'emit-before');
    run(folder, 'mv', 'emit.strace', 'before.strace');
    run(folder, 'mv', 'emit.strace.iolens.json', 'before.strace.iolens.json');
    // The loop's text is changed: the recorded line 15 stands for it.
    writeFileSync(path.join(folder, 'emit.c'), FIXED);
    run(folder, 'gcc', '-g', '-o', 'emit-after', 'emit.c');
    run(folder, 'strace', '-f', '-ttt', '-T', '-y', '-k', '-o', 'after.strace', './emit-after');
    writtenAt(path.join(folder, 'emit-before'), minutesAgo(20));
    run(folder, 'cp', '-p', 'emit-before', 'emit');
    const { lines } = compare('before.strace', 'after.strace');
    expect(lines.find(({ events }) => events.base === 300)).toMatchObject({
      match: 'same line',
      base: { line: 10, isCurrent: true },
      new: { line: 10 },
    });
  });

  test('repetitions of one program: a difference of times within their spread is none', () => {
    for (const name of ['1', '2', '3', '4']) {
      recordEmit(folder);
      run(folder, 'mv', 'emit.strace', `${name}.strace`);
    }
    const document = compare('1.strace', '2.strace', '--base', '3.strace', '--new', '4.strace');
    expect(document.chance).toBeCloseTo(1 / 3);
    expect(document.base.runs).toHaveLength(2);
    const emit = document.lines.find(({ events }) => events.base === 300)!;
    expect(emit).toMatchObject({ match: 'same line', events: { base: 300, new: 300, difference: 'same' } });
    // The one recording as both sides: whatever its times are, they are the same.
    const same = compare('1.strace', '1.strace', '--base', '3.strace', '--new', '3.strace');
    expect(same.lines.find(({ events }) => events.base === 300)!.verdict).toMatch(/^(unchanged|within the spread)$/);
    expect(same.insights.map(({ change }) => change)).toEqual(['unchanged']);
  });
});

/** `count` writes of line 7 and a read of line 9, by one process. */
function writes(count: number, microseconds: number, pid = 5): string {
  const text = new StraceText();
  text.call(pid, 'openat(AT_FDCWD, "/d/out", O_RDWR) = 3</d/out>', 10, [line(5)]);
  text.times(count, () => text.call(pid, 'write(3</d/out>, ""..., 10) = 10', microseconds, [line(7)]));
  text.call(pid, 'read(3</d/out>, ""..., 10) = 0', 10, [line(9)]);
  return text.toString();
}

function written(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return name;
}

describe('the command', () => {
  test('prints tables, JSON, Markdown, DOT and SVG', () => {
    const sides = ['--source-map', demoMap, demo('heat.strace.gz'), demo('heat-fixed.strace.gz')];
    const text = iolens('compare', ...sides);
    expect(text).toMatchObject({ status: 0, err: '' });
    expect(text.out).toMatch(
      /The run: better by calls and bytes\n {2}time +\S+ ms \(.*\) → \S+ ms \(.*\), one run each: no verdict\n {2}recorded {3}2\.27 s → 136 ms\n.*\n {2}calls +5,130 → 270/,
    );
    expect(text.out).toMatch(/gone +P06 Many small writes +\S*heat\.c:22 +nothing of the kind is left there/);
    expect(text.out).toMatch(
      /better +\S+ µs \(.*\) → .* {2}12 ms → 12 µs +256 → 1 +1 MiB → 4 KiB +\S*heat\.c:42 → \S*heat-fixed\.c:51 {2}conductivity \(same function\)/,
    );
    expect(text.out).toContain('no difference of costs is called better or worse');
    const { schema, chance, total } = compare(...sides);
    expect({ schema, chance, total }).toMatchObject({
      schema: 'iolens/compare@1',
      chance: 1,
      total: { verdict: 'better', events: { base: 5130, new: 270, change: -4860, difference: 'less' } },
    });
    expect(iolens('compare', '--format', 'markdown', ...sides).out).toContain('| 🟢 gone | P06 Many small writes |');
    const dot = iolens('compare', '--format', 'dot', ...sides).out;
    expect(dot).toContain('"write:/home/hpc" -> "write:/home/hpc" [label="3,840 → 256"]');
    const svg = iolens('compare', '--format', 'svg', '-o', 'c.svg', ...sides);
    expect(svg).toMatchObject({ status: 0, out: '' });
  });

  test('fails when the run or a finding is worse, and says nothing of times that nobody knows the noise of', () => {
    written('few', writes(10, 50));
    written('many', writes(200, 50));
    written('slow', writes(10, 5000));
    expect(iolens('compare', '--fail-on', 'worse', 'few', 'many').status).toBe(1);
    expect(iolens('compare', '--fail-on', 'worse', 'many', 'few').status).toBe(0);
    // However much longer it takes: a shared disk alone may do that to one run.
    const once = iolens('compare', '--fail-on', 'worse', 'few', 'slow');
    expect(once.status).toBe(0);
    expect(once.err).toContain('the time is not judged (');
    expect(once.out).toMatch(/The run: [\d,]+ times as long, one run each\n {2}time .*, one run each: no verdict\n/);
    expect(iolens('compare', '--fail-on', 'worse', 'few', 'slow', '--base', 'few', '--new', 'slow').status).toBe(1);
  });

  test('counts and time are two verdicts: fewer calls that took longer are not called better', () => {
    written('many', writes(200, 50));
    written('fewer', writes(10, 5000));
    const { total } = compare('many', 'fewer');
    expect(total).toMatchObject({ countVerdict: 'better', timeVerdict: 'noise unknown', verdict: 'mixed' });
    const { out } = iolens('compare', 'many', 'fewer');
    expect(out).toMatch(
      /The run: [\d,]+ times as long, one run each\n {2}time +.* → .*, one run each: no verdict\n {2}recorded +\S+ ms → \S+ ms\n/,
    );
    expect(out.slice(0, out.indexOf('Notes'))).not.toContain('better');
    expect(iolens('compare', '--format', 'markdown', 'many', 'fewer').out).toMatch(
      /\*\*The run: [\d,]+ times as long, one run each\.\*\* time /,
    );
    // Nor is the one run said to be worse: whoever waits for that is told to repeat it.
    expect(iolens('compare', '--fail-on', 'worse', 'many', 'fewer')).toMatchObject({
      status: 0,
      err: expect.stringContaining('--base and --new add runs') as unknown,
    });
    // More calls are worse whatever the time of one run.
    expect(iolens('compare', '--fail-on', 'worse', 'fewer', 'many').status).toBe(1);
    const repeated = iolens('compare', '--fail-on', 'worse', 'many', 'fewer', '--base', 'many', '--new', 'fewer');
    expect(repeated).toMatchObject({ status: 1, err: '' });
    expect(repeated.out).toContain('The run: worse');
  });

  test('compares two groups of one recording', () => {
    mkdirSync(path.join(folder, 'run'));
    written('run/a_n1_1.st', writes(10, 50, 1));
    written('run/a_n1_2.st', writes(40, 50, 2));
    written('run/a_n1_3.st', writes(3, 50, 3));
    const document = compare('run', '--green', '*_1', '--red', '*_2');
    expect(document.total.events).toMatchObject({ base: 12, new: 42 });
    expect(document.base.runs).toMatchObject([{ recording: 'run (*_1)', ioEvents: 12 }]);
    expect(document.lines[0]).toMatchObject({ match: 'same line', events: { base: 10, new: 40 } });
    const none = iolens('compare', 'run', '--green', 'b*', '--red', '*_2');
    expect(none.status).toBe(2);
    expect(none.err).toContain("b*: matches none of the recording's cases (a_n1_1, a_n1_2, a_n1_3)");
  });

  test('wrong usage says what is right', () => {
    written('few', writes(10, 50));
    const says = (...args: string[]): string => {
      const { status, err } = iolens('compare', ...args);
      expect(status).toBe(2);
      return err;
    };
    expect(says('few')).toContain('a second recording is needed');
    expect(says('few', '--green', '*')).toContain('both --green and --red are needed');
    expect(says('few', 'few', '--green', '*', '--red', '*')).toContain('do not name a second one');
    expect(says('few', 'few', '--fail-on', 'bad')).toContain('worse');
    expect(iolens('compare', 'few', 'nothing.strace').status).toBe(3);
  });
});

describe('analyze --budget', () => {
  const budget = (...limits: object[]): string => written('b.json', JSON.stringify({ limits }));
  const analyze = (...args: string[]): ReturnType<typeof iolens> => iolens('analyze', 'app', ...args);
  beforeEach(() => {
    written('app', writes(200, 50));
  });

  test('that holds is printed and passes', () => {
    budget({ line: 'app.c:7', calls: 200, reason: 'as agreed' }, { run: true, bytes: '1 MiB' });
    const { status, out, err } = analyze('--budget', 'b.json');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toContain(
      'Budget b.json\n  holds  app.c:7: 200 calls of at most 200 (as agreed)\n  holds  the run: 1.95 KiB of at most 1 MiB\n',
    );
  });

  test('that is exceeded fails, in every form of the report', () => {
    budget({ line: 'app.c:7', calls: 10 }, { trigger: 'P06', findings: 0 });
    const json = analyze('--budget', 'b.json', '--format', 'json');
    expect(json.status).toBe(1);
    expect((JSON.parse(json.out) as AnalysisDocument).budget!.results).toMatchObject([
      { status: 'exceeded', places: [{ file: '/w/app.c', line: 7 }] },
      { status: 'exceeded', checks: [{ quantity: 'findings', most: 0, measured: 1 }] },
    ]);
    const sarif = analyze('--budget', 'b.json', '--format', 'sarif');
    const { results } = (
      JSON.parse(sarif.out) as { runs: { results: { ruleId: string; level: string; message: { text: string } }[] }[] }
    ).runs[0]!;
    expect(results.filter(({ ruleId }) => ruleId === 'budget')).toMatchObject([
      { level: 'error', message: { text: 'app.c:7: 200 calls of at most 10' } },
      { level: 'error' },
    ]);
    expect(analyze('--budget', 'b.json', '--format', 'markdown').out).toContain('🔴 exceeded');
    const html = analyze('--budget', 'b.json', '--format', 'html');
    expect(html.status).toBe(1);
    expect(html.err).toContain('budget: exceeded: app.c:7: 200 calls of at most 10');
  });

  test('that matches nothing is said, and is no failure', () => {
    budget({ function: 'nobody', calls: 1 });
    const { status, out, err } = analyze('--budget', 'b.json');
    expect(status).toBe(0);
    expect(out).toContain('matches nothing  function nobody: nothing in the recording has this name');
    expect(err).toContain('budget: matches nothing: function nobody');
  });

  test('that cannot be read ends the command before anything is analysed', () => {
    for (const [text, words] of [
      ['{', 'b.json'],
      ['{"limits": [{"run": true}]}', 'limit 1: nothing is limited'],
    ] as const) {
      written('b.json', text);
      const { status, out, err } = analyze('--budget', 'b.json');
      expect({ status, out }).toEqual({ status: 2, out: '' });
      expect(err).toContain(words);
    }
    expect(analyze('--budget', 'none.json').status).toBe(2);
  });

  test('that is not named is mentioned', () => {
    written('iolens.budget.json', '{"limits": [{"run": true, "calls": 1}]}');
    const { status, err } = analyze();
    expect(status).toBe(0);
    expect(err).toContain('iolens.budget.json is here but is not checked: use --budget iolens.budget.json');
  });
});
