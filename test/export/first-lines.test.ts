import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Log } from 'sarif';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { runText } from '../../src/export/analysis/run-text.ts';
import { StatusBar } from '../../src/features/recordings/status-bar.ts';
import { line, StraceText } from '../support/strace-text.ts';

/** The first lines of every report, and the status bar, say the same of the run. */

const bar = vi.hoisted(() => ({ text: '', tooltip: '', show: () => undefined, hide: () => undefined }));
vi.mock('vscode', () => ({
  TreeItemCollapsibleState: {},
  Uri: { from: () => ({}), file: () => ({}) },
  workspace: {},
  commands: {},
  ThemeIcon: vi.fn(),
  ThemeColor: vi.fn(),
  MarkdownString: vi.fn(),
  QuickPickItemKind: {},
  env: {},
  StatusBarAlignment: {},
  EventEmitter: class {
    readonly event = (): void => undefined;
  },
  TreeItem: vi.fn(),
  window: { createStatusBarItem: () => bar },
  l10n: {
    t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_all, i: string) => values[Number(i)]!),
  },
}));
vi.mock('#host', () => ({ host: { hasMachine: true } }));

const cli = path.resolve('dist/cli.js');
const folder = mkdtempSync(path.join(tmpdir(), 'iolens-first-lines-'));
const recording = path.join(folder, 'run.strace');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that waits for the storage after each record, until it is killed. */
function killed(): string {
  const text = new StraceText();
  text.call(7, 'execve("/w/app", ["app"], 0x7ffd /* 9 vars */) = 0', 300);
  text.call(7, 'openat(AT_FDCWD, "/w/a", O_WRONLY|O_CREAT, 0644) = 3</w/a>', 20, [line(3)]);
  text.times(100, () => {
    text.call(7, 'write(3</w/a>, "x"..., 16) = 16', 20, [line(9)]);
    text.call(7, 'fsync(3</w/a>) = 0', 2000, [line(10)]);
  });
  return `${text.toString()}7 1795252180.300000 +++ killed by SIGKILL +++\n`;
}

function analyze(format: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, [cli, 'analyze', '--format', format, recording], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return stdout;
}

let document: AnalysisDocument;
let words: string;
beforeAll(() => {
  writeFileSync(recording, killed());
  document = JSON.parse(analyze('json')) as AnalysisDocument;
  words = runText(document.run!)!;
});

test('the run, the share of I/O, what bounds it, what could be saved, and that it ended early are in the words', () => {
  expect(words).toMatch(
    /^From its first recorded call to its last the run takes about \S+ m?s.* of it I\/O \(\S+ ms\): .*\. All findings whose saving is known could together save \S+ ms \(\d+ %\)\. The recording ended early/,
  );
});

test('JSON has them as numbers', () => {
  expect(Object.keys(JSON.parse(analyze('json')) as object)[1]).toBe('run');
  const run = document.run!;
  expect(run).toMatchObject({ complete: false, isWhole: false });
  for (const name of ['durationNs', 'untracedNs', 'ioNs', 'ioShare', 'savableNs', 'savableShare'] as const)
    expect(run[name], name).toBeGreaterThan(0);
  expect(['io', 'metadata', 'computing', 'communication', 'waiting', 'unknown']).toContain(run.boundBy);
});

/** Text without what Markdown and HTML need. */
const bare = (text: string): string =>
  text
    .replaceAll(/<style[^]*?<\/style>|<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll(/&#39;/g, "'")
    .replaceAll('\\', '');

test.each(['text', 'markdown', 'html'])('%s says them before all findings', (format) => {
  const text = bare(analyze(format));
  expect(text).toContain(words);
  const [finding] = document.insights;
  expect(text.indexOf(words)).toBeLessThan(text.indexOf(finding!.title));
  expect(text).toMatch(/[Ee]nded early: .*SIGKILL/);
});

test('SARIF says them first of all it has to say', () => {
  const [run] = (JSON.parse(analyze('sarif')) as Log).runs;
  const notes = run!.invocations![0]!.toolExecutionNotifications!.map(({ message }) => message.text);
  expect(notes[0]).toBe(words);
});

test('the status bar says its share of I/O, and all of it above', () => {
  const nothing = (): { dispose: () => void } => ({ dispose: () => undefined });
  const current = { name: 'run.strace', analysis: document, live: false };
  const recordings = { current, all: () => [current], onDidChange: nothing };
  const shown = new StatusBar(
    recordings as never,
    { onDidChange: nothing, split: () => ({ isDismissed: false }) } as never,
  );
  expect(shown.text).toMatch(/^\$\(pulse\) run\.strace: \d+ findings?, \d+ % I\/O$/);
  expect(bar.tooltip).toContain(`\n${words}`);
});
