/**
 * Tests inside a real extension host, with the real `vscode` API. `run` is called by the host; it works on the workspace
 * that workspace.mjs makes.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { IoLensApi } from '../../src/extension/extension.ts';
import type { Features } from '../../src/extension/features.ts';
import { languageTests } from './language-tests.ts';
import { runTests, until, type Tests } from './run-tests.ts';

const folder = vscode.workspace.workspaceFolders![0]!;
const at = (...parts: string[]): vscode.Uri => vscode.Uri.joinPath(folder.uri, ...parts);
const source = at('heat.c');
const recording = at('heat.strace.gz');

async function features(): Promise<Features> {
  const extension = vscode.extensions.getExtension<IoLensApi>('iolens.iolens')!;
  return (await extension.activate()).features();
}

function findings(uri = source): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source: from }) => from === 'I/O Lens');
}

const lineOf = (diagnostic: vscode.Diagnostic): number => diagnostic.range.start.line + 1;

async function openDemo(): Promise<void> {
  await vscode.commands.executeCommand('iolens.openRecording', recording);
  await until(() => (findings().length > 0 ? true : undefined), 'findings of the demo recording');
}

async function closeAll(): Promise<void> {
  const { recordings } = await features();
  for (const open of [...recordings.all()]) await recordings.remove(open);
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

const TESTS: Tests = {
  async 'an editor that only starts loads nothing of it'() {
    const extension = vscode.extensions.getExtension<IoLensApi>('iolens.iolens')!;
    assert.equal(extension.isActive, false);
    const main = readFileSync(path.join(extension.extensionPath, 'dist/extension.js'), 'utf8');
    assert.ok(!main.includes('worker_threads'), 'the main bundle starts no worker');
    await Promise.resolve();
  },

  async 'an opened recording puts squiggles on the offending calls'() {
    await openDemo();
    const byLine = new Map(findings().map((diagnostic) => [lineOf(diagnostic), diagnostic]));
    assert.deepEqual(
      [...byLine.keys()].sort((a, b) => a - b),
      [22, 32, 35],
    );
    const write = byLine.get(22)!;
    assert.equal(write.message, "4,096 writes of 100 B from here take 78 % of this program's I/O time.");
    assert.equal(write.code, 'P06');
    assert.equal(write.severity, vscode.DiagnosticSeverity.Warning);
    const text = (await vscode.workspace.openTextDocument(source)).getText(write.range);
    assert.equal(text, 'write(fd, line, 100)');
    const callers = write.relatedInformation!.map(
      ({ location }) => `${path.basename(location.uri.fsPath)}:${location.range.start.line + 1}`,
    );
    assert.deepEqual(callers, ['heat.c:82']);
  },

  async 'the hover shows the evidence and ways on'() {
    await openDemo();
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      source,
      new vscode.Position(21, 10),
    );
    const text = hovers
      .flatMap(({ contents }) => contents.map((part) => (part as vscode.MarkdownString).value))
      .join('\n');
    for (const part of [
      'Many small writes',
      '4,096',
      '400 KiB',
      '100 B',
      'The tracer itself adds about',
      'command:iolens.showInGraph',
    ]) {
      assert.ok(text.includes(part), `the hover lacks "${part}":\n${text}`);
    }
  },

  async 'a quick fix edits the code, and the other findings follow their lines'() {
    await openDemo();
    const document = await vscode.workspace.openTextDocument(source);
    const before = document.getText();
    await vscode.window.showTextDocument(document);
    const range = new vscode.Range(21, 8, 21, 8);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      source,
      range,
    );
    const fix = actions.find(({ isPreferred }) => isPreferred === true)!;
    assert.match(fix.title, /^Collect these 4,096 writes in a buffer of 128 KiB$/);
    assert.ok(await vscode.workspace.applyEdit(fix.edit!));
    assert.match(document.getText(), /if \(buffered_write\(fd, line, 100\) != 100\)/);
    const lines = document.getText().split('\n');
    const moved = await until(() => {
      const texts = findings().map((diagnostic) => lines[diagnostic.range.start.line]!.trim());
      return texts.some((text) => text.startsWith('int fd = open(path, O_CREAT | O_APPEND')) ? texts : undefined;
    }, 'the findings below moved with their lines');
    assert.ok(
      moved.some((text) => text.includes('close(fd)')),
      moved.join('\n'),
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(document.getText(), before);
  },

  async 'the graph is made, and its nodes lead to source lines'() {
    await openDemo();
    await vscode.commands.executeCommand('iolens.showGraph');
    const all = await features();
    const graph = await until(() => all.shownGraph, 'a graph in the panel');
    const write = graph.nodes.find(({ activity }) => activity === 'write:/home/hpc')!;
    assert.ok(write.relativeDuration > 0.7);
    assert.ok(write.places.some(({ file, line }) => file === source.fsPath && line === 22));
    assert.match(write.text.load, /^Load: \d+ %/);
  },

  async 'closing the recording undoes everything'() {
    await openDemo();
    await vscode.commands.executeCommand('iolens.showGraph');
    const all = await features();
    await until(() => all.shownGraph, 'a graph');
    await vscode.commands.executeCommand('iolens.closeRecording');
    await until(() => (findings().length === 0 ? true : undefined), 'no finding is left');
    await until(() => (all.shownGraph === undefined ? true : undefined), 'the graph is closed');
    assert.equal(all.recordings.all().length, 0);
  },

  async 'what is no recording is refused in words, and what is hostile stays text'() {
    const all = await features();
    const junk = at('junk.strace');
    writeFileSync(junk.fsPath, Buffer.from([0, 1, 2, 3, 250, 251, 10, 13]));
    assert.equal(await all.recordings.add([junk.fsPath]), undefined);
    const hostile = at('hostile.strace');
    const file = '/tmp/<img src=x onerror=alert(1)>/$(touch pwned)/../../etc';
    const escaped = file.replaceAll('<', '\\74').replaceAll('>', '\\76');
    const line = `1 1795252180.926168 write(3<${escaped}>, "x"..., 1) = 1 <0.000100>\n`;
    writeFileSync(hostile.fsPath, line.repeat(64));
    const opened = (await all.recordings.add([hostile.fsPath]))!;
    assert.equal(opened.info.events, 64);
    assert.equal(opened.analysis.insights[0]!.files[0]!.path, file);
    await vscode.commands.executeCommand('iolens.showGraph');
    const graph = await until(() => all.shownGraph, 'the graph of the hostile recording');
    assert.equal(graph.nodes[0]!.activity, 'write:/tmp/<img src=x onerror=alert(1)>');
  },

  async 'a program is recorded with real strace and opened'() {
    const all = await features();
    const output = await all.recordCommand(['./small', 'small.dat'], folder);
    assert.equal(path.basename(output!), 'small.strace');
    const opened = (await all.recordings.add([output!]))!;
    const small = opened.analysis.insights.find(({ trigger }) => trigger === 'posix-small-writes')!;
    assert.equal(small.evidence['count'], 500);
    assert.equal(small.sites[0]!.line, 11);
    await until(() => (findings(at('small.c')).length > 0 ? true : undefined), 'squiggles in small.c');
  },
};

export function run(): Promise<void> {
  return runTests({ ...TESTS, ...languageTests({ folder, features }) }, closeAll);
}
