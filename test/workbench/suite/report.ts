/** The report of a Darshan log as an editor: opening, closing, damage, export. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ViewReport, ViewSummary } from '../../../src/features/report/protocol.ts';
import { runFigures } from '../../../src/export/analysis/run-figures.ts';
import {
  at,
  extension,
  features,
  findingLines,
  openDemo,
  recording,
  until,
  untilTrue,
  webviewTabs,
  type Suite,
} from './host.ts';

const log = at('badmpi_4ranks.darshan');
const source = at('badmpi.c');
const VIEW_TYPE = 'iolens.report';

async function openReport(uri = log): Promise<ViewReport> {
  await vscode.commands.executeCommand('vscode.open', uri);
  const report = await shownReport(uri);
  assert.ok('job' in report, 'of a job');
  return report;
}

/** Waits for a report on the screen; whoever reads a failure learns what is there instead. */
async function shownReport(uri = log): Promise<ViewReport | ViewSummary> {
  const { feature, recordings } = await features();
  const tabs = (): string => vscode.window.tabGroups.all.flatMap(({ tabs: each }) => each.map(labelled)).join();
  return until(
    () => feature.report.shownOf(uri),
    `the report of ${uri.path}`,
    () => `${feature.report.failureOf(uri) ?? 'no failure'}, ${recordings.all().length} recordings, tabs ${tabs()}`,
  );
}

async function failureOf(uri: vscode.Uri): Promise<string> {
  await vscode.commands.executeCommand('vscode.openWith', uri, VIEW_TYPE);
  const { feature } = await features();
  return until(() => feature.report.failureOf(uri), 'an error in place of a report');
}

const closeEditor = (): Thenable<unknown> => vscode.commands.executeCommand('workbench.action.closeActiveEditor');

export const REPORT: Suite = {
  async 'a Darshan log opens as a report, and its findings stand in the source'() {
    const { recordings } = await features();
    const report = await openReport();
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputCustom && input.viewType === VIEW_TYPE, 'without being asked for');
    assert.equal(report.job.job.executable, 'badmpi');
    assert.equal(report.job.job.processes, 4);
    assert.deepEqual(report.damage, []);
    const places = report.findings.flatMap(({ sites }) => sites.map(({ place }) => place.label));
    assert.ok(places.includes('badmpi.c:21'), places.join(', '));
    assert.equal(recordings.current?.paths[0], log.fsPath);
    await vscode.window.showTextDocument(source);
    await untilTrue(() => findingLines(source).includes(21), 'squiggles on the offending line');
  },

  async 'a recording that is open already is shown, not read again'() {
    const { recordings } = await features();
    const open = await recordings.add([log.fsPath]);
    await openReport();
    assert.deepEqual(recordings.all(), [open]);
    await closeEditor();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual(recordings.all(), [open], 'the report did not open it, so it does not close it');
  },

  async 'a log that was only looked at is closed with its report'() {
    const { recordings } = await features();
    await openReport();
    assert.equal(recordings.all().length, 1);
    await closeEditor();
    await untilTrue(() => recordings.all().length === 0, 'the recording is closed');
  },

  async 'a log whose findings are in sight stays open without its report'() {
    const { recordings } = await features();
    await openReport();
    await vscode.window.showTextDocument(source, { viewColumn: vscode.ViewColumn.Beside });
    await vscode.commands.executeCommand('vscode.open', log);
    await closeEditor();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(recordings.all().length, 1);
    assert.ok(findingLines(source).includes(21));
  },

  async 'closing the recording leaves a word in its report, and opening it again fills the report'() {
    const { recordings, feature } = await features();
    await openReport();
    await vscode.commands.executeCommand('iolens.closeRecording');
    assert.match(await until(() => feature.report.failureOf(log), 'a word'), /closed/);
    await recordings.add([log.fsPath]);
    await until(() => feature.report.shownOf(log), 'the report again');
  },

  async 'what is no Darshan log says so in the view'() {
    const broken = at('broken.darshan');
    await vscode.workspace.fs.writeFile(broken, new TextEncoder().encode('no log at all\n'));
    assert.notEqual(await failureOf(broken), '');
    const gone = at('gone.darshan');
    await vscode.workspace.fs.writeFile(gone, new Uint8Array(0));
    assert.notEqual(await failureOf(gone), '');
  },

  async 'a log that was cut off is shown as far as it is sound'() {
    const cut = at('cut.darshan');
    const bytes = await vscode.workspace.fs.readFile(log);
    await vscode.workspace.fs.writeFile(cut, bytes.subarray(0, bytes.length - 60_000));
    const report = await openReport(cut);
    assert.ok(report.damage.length > 0);
    assert.equal(report.job.job.processes, 4);
  },

  async 'the report is exported as HTML and as Markdown'() {
    const { feature } = await features();
    await openReport();
    const read = async (name: 'html' | 'markdown', file: vscode.Uri): Promise<string> => {
      assert.ok(await feature.report.export(undefined, name, file));
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    };
    const page = await read('html', at('report.html'));
    assert.match(page, /Content-Security-Policy/);
    assert.match(page, /badmpi\.c:21/);
    assert.match(page, /<svg[^>]*class="dfg"/, 'with the graph');
    assert.doesNotMatch(page, /<script/);
    assert.match(await read('markdown', at('report.md')), /badmpi\.c:21/);
    // It opens by itself; later it would stand in front of what the next test opens.
    await untilTrue(() => webviewTabs('markdown.preview').length > 0, 'a preview of the Markdown');
  },

  async 'a recording of any other format has a summary, and its file one instead of its text'() {
    const { recordings, feature } = await features();
    const opened = await openDemo();
    await vscode.commands.executeCommand('iolens.showReport');
    const summary = await until(() => feature.report.shownOf(recording), 'the summary');
    assert.ok('run' in summary);
    assert.match(summary.head[0]!, /takes .* of it I\/O/);
    const figures = runFigures(opened.analysis.run!)!;
    assert.ok(summary.head[0]!.includes(figures.ioShare));
    assert.ok(
      summary.run.lines.some(({ place }) => place.label === 'heat.c:22'),
      'its lines',
    );
    assert.ok(summary.run.files.length > 0);
    await vscode.window.tabGroups.close(webviewTabs('iolens.summary'));
    await untilTrue(() => feature.report.shownOf(recording) === undefined, 'the panel is closed');
    assert.deepEqual(recordings.all(), [opened], 'the recording stays open without it');
    await recordings.remove(opened);
    // Else its source, which is in sight, would keep the other one open.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const text = at('heat.strace');
    await vscode.commands.executeCommand('vscode.openWith', text, 'iolens.reportOfText');
    const ofText = await until(() => feature.report.shownOf(text), 'the summary of a text');
    assert.deepEqual([ofText.paths, recordings.current?.name], [[text.fsPath], 'heat.strace']);
    await closeEditor();
    await untilTrue(() => recordings.all().length === 0, 'it was only looked at');
  },

  async 'a click on an OTF2 anchor, and on a file of the recorder library, opens the summary of the recording'() {
    const { recordings } = await features();
    const data = vscode.Uri.joinPath(extension().extensionUri, 'test', 'data');
    const anchor = vscode.Uri.joinPath(data, 'otf2', 'meta_locks', 'traces.otf2');
    const folder = vscode.Uri.joinPath(data, 'capture', 'processes');
    const [file] = (await vscode.workspace.fs.readDirectory(folder)).find(([name]) => name.endsWith('.iorec'))!;
    const process = vscode.Uri.joinPath(folder, file);
    for (const [uri, recorded] of [
      [anchor, anchor],
      [process, folder],
    ] as const) {
      await vscode.commands.executeCommand('vscode.open', uri);
      const summary = await shownReport(uri);
      assert.ok('run' in summary);
      assert.deepEqual(recordings.current?.paths, [recorded.fsPath]);
    }
  },

  async 'the command shows the report of the current recording'() {
    const { recordings } = await features();
    await recordings.add([log.fsPath]);
    await vscode.commands.executeCommand('iolens.showReport');
    await shownReport();
  },
};

const labelled = ({ label, isActive }: vscode.Tab): string => (isActive ? `[${label}]` : label);
