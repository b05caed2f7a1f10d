/**
 * Tests inside a real extension host in Restricted Mode: a folder that the user does not trust. Tools in front of PATH
 * leave a mark when they are started (trap.mjs).
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { IoLensApi } from '../../src/app/extension.ts';
import type { Features } from '../../src/app/features.ts';
import { KeptOpen } from '../../src/features/recordings/kept-open.ts';
import type { OpenState } from '../../src/features/recordings/open-state.ts';
import { runTests } from './run-tests.ts';
import { until, type Suite } from './suite/host.ts';

const folder = vscode.workspace.workspaceFolders![0]!;
const at = (name: string): vscode.Uri => vscode.Uri.joinPath(folder.uri, name);
const mark = process.env['IOLENS_TEST_MARK']!;
// Not from outside: the server takes PATH from a login shell. The worker gets it from here.
process.env['PATH'] = `${process.env['IOLENS_TEST_TOOLS']!}:${process.env['PATH']!}`;

async function features(): Promise<Features> {
  return (await vscode.extensions.getExtension<IoLensApi>('iolens.iolens')!.activate()).features();
}

function assertNothingStarted(): void {
  assert.equal(existsSync(mark) ? readFileSync(mark, 'utf8') : '', '', 'programs that were started');
}

const TESTS: Suite = {
  async 'the folder is not trusted, and the trap works'() {
    assert.equal(vscode.workspace.isTrusted, false);
    for (const tool of ['strace', 'llvm-symbolizer', 'addr2line']) spawnSync(tool);
    assert.equal(readFileSync(mark, 'utf8'), 'strace\nllvm-symbolizer\naddr2line\n');
    rmSync(mark);
    await Promise.resolve();
  },

  async 'settings that name binaries and paths are not taken from the folder'() {
    const text = readFileSync(at('.vscode/settings.json').fsPath, 'utf8');
    assert.ok(text.includes('iolens.pathRules') && text.includes('iolens.binaries'));
    const settings = vscode.workspace.getConfiguration('iolens');
    assert.deepEqual(settings.get('pathRules'), {});
    assert.deepEqual(settings.get('binaries'), []);
    assert.deepEqual(settings.get('debugFolders'), []);
    // Others may come from the folder: they only judge.
    assert.equal(settings.get<Record<string, number>>('thresholds')!['site_events'], 33);
    await Promise.resolve();
  },

  async 'a recording opens, and nothing is started for it'() {
    await vscode.commands.executeCommand('iolens.openRecording', at('heat.strace.gz'));
    const { recordings } = await features();
    const [open] = recordings.all();
    assert.ok(open!.info.events > 4000);
    assert.match(open!.analysis.symbols.tool, /^none/);
    assert.ok(open!.analysis.insights[0]!.evidence['count']! >= 4096);
    // By its text a frame would lead to a binary of the folder; a tool would be needed to read it.
    const document = await vscode.workspace.openTextDocument(at('heat.strace'));
    const line = document.getText().slice(0, document.getText().indexOf(' > ')).split('\n').length - 1;
    await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, new vscode.Position(line, 5));
    assertNothingStarted();
  },

  async 'the bundled sample opens as well'() {
    await vscode.commands.executeCommand('iolens.openSample');
    const { recordings } = await features();
    assert.equal(recordings.all().length, 1);
    assertNothingStarted();
  },

  async 'what was open before a reload of the window opens again, and nothing is started for it'() {
    const all = await features();
    const state: OpenState = { recordings: [{ paths: [at('heat.strace.gz').fsPath] }] };
    const kept = { ...all.state, get: () => state, update: () => Promise.resolve() } as unknown as vscode.Memento;
    const again = new KeptOpen({ ...all, state: kept });
    await again.restored;
    again.dispose();
    assert.equal(all.recordings.current?.name, 'heat.strace.gz');
    assertNothingStarted();
  },

  async 'a Darshan log opens as a report, too'() {
    const log = at('badmpi_4ranks.darshan');
    await vscode.commands.executeCommand('vscode.open', log);
    const { feature } = await features();
    const report = await until(() => feature.report.shownOf(log), 'a report');
    assert.ok('job' in report && report.job.job.processes === 4);
    assertNothingStarted();
  },

  async 'nothing is taken into a store, and one that is there says how to get its engine'() {
    let tasks = 0;
    const listening = vscode.tasks.onDidStartTask(() => tasks++);
    const all = await features();
    await all.feature.store.ingest(at('logs'), undefined, at('refused'));
    assert.equal(existsSync(at('refused').fsPath), false);
    const store = at('lone-store');
    mkdirSync(store.fsPath);
    writeFileSync(at('lone-store/iolens-store.json').fsPath, '{"schema":"iolens/store@1"}');
    await vscode.commands.executeCommand('iolens.openStore', store);
    assert.match(
      await until(() => all.feature.store.failureOf(store), 'why the store does not open'),
      /Install SQL Engine/,
    );
    // The button of the view runs it, the palette does not offer it: nothing is asked, nothing fetched.
    await vscode.commands.executeCommand('iolens.installSqlEngine');
    listening.dispose();
    assert.equal(tasks, 0);
    assertNothingStarted();
  },

  async 'a workflow is only read'() {
    await vscode.commands.executeCommand('iolens.openWorkflow', at('workflow'));
    const { feature } = await features();
    const document = await until(() => feature.workflow.shown(at('workflow').fsPath).document, 'the workflow');
    assert.equal(document.jobs.length, 5);
    assertNothingStarted();
  },

  async 'no fix is tried, whoever asks'() {
    await vscode.commands.executeCommand('iolens.openRecording', at('heat.strace.gz'));
    await vscode.commands.executeCommand('iolens.tryFix');
    assert.equal((await features()).feature.fixes.trial, undefined);
    assertNothingStarted();
  },

  async 'no program is recorded, whoever asks'() {
    // It is refused before the program is asked for: a box that asks would wait here.
    await vscode.commands.executeCommand('iolens.recordProgram');
    assert.equal(await vscode.commands.executeCommand('iolens.recordLaunch'), undefined);
    const program = { program: './small', args: [], cwd: folder.uri.fsPath, env: {} };
    assert.equal(await (await features()).feature.record.recorder.record(program, folder), undefined);
    assertNothingStarted();
  },
};

export function run(): Promise<void> {
  return runTests(TESTS, async () => {
    const { recordings } = await features();
    for (const open of [...recordings.all()]) await recordings.remove(open);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
}
