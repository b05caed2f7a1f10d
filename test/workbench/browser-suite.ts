/**
 * Tests inside the host of web extensions, on a workspace that is no folder of any machine (virtual-files.ts). `run` is
 * called by the host.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { runTests } from './run-tests.ts';
import {
  at,
  closeAll,
  cursor,
  extension,
  features,
  findingLines,
  findings,
  hoverText,
  openDemo,
  source,
  until,
  untilTrue,
  type Suite,
} from './suite/host.ts';

const names = async (): Promise<string[]> => (await vscode.workspace.fs.readDirectory(at())).map(([name]) => name);

const TESTS: Suite = {
  'the workspace and the extension are in a browser'() {
    assert.equal(vscode.env.uiKind, vscode.UIKind.Web);
    assert.equal(at().scheme, 'iolens-test');
    assert.equal('process' in globalThis, false);
    assert.equal(extension().extensionUri.scheme, 'http');
    return Promise.resolve();
  },
  async 'a packed strace text opens, with squiggles in a source of the workspace'() {
    const { info, analysis, paths } = await openDemo();
    assert.equal(info.format, 'strace');
    assert.deepEqual(paths, ['iolens-test:///work/heat.strace.gz']);
    assert.equal(analysis.symbols.modules.find(({ module }) => module.endsWith('/heat'))?.status, 'lines');
    assert.deepEqual(findingLines(), [22, 32, 35]);
    await untilTrue(() => cursor() === 'heat.c:22', 'the costliest line in the editor');
  },
  async 'hover, fix and tree work on it'() {
    await openDemo();
    assert.match(await hoverText(22), /Many small writes/);
    const [finding] = findings();
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      source,
      finding!.range,
    );
    assert.ok(
      actions.some(({ title }) => title.startsWith('Insert an example: Collect writes')),
      actions.map(({ title }) => title).join('; '),
    );
    const { feature } = await features();
    assert.ok(feature.findings.tree.getChildren().length > 0);
  },
  async 'every kind of packing opens'() {
    const packed = (await names()).filter((name) => name.startsWith('heat.strace') && !name.endsWith('.json'));
    assert.ok(packed.length >= 2, packed.join(' '));
    const { recordings } = await features();
    const counts = new Set<number>();
    for (const name of packed) counts.add((await recordings.add([`iolens-test:///work/${name}`]))!.info.events);
    assert.equal(counts.size, 1, 'all of them hold the same calls');
  },
  async 'a Darshan log opens, with lines by a binary of the workspace, and as a report'() {
    const log = at('badmpi_4ranks.darshan');
    await vscode.commands.executeCommand('iolens.openRecording', log);
    const { recordings, feature } = await features();
    const recording = recordings.current!;
    assert.equal(recording.info.format, 'darshan');
    assert.ok(findingLines(at('badmpi.c')).includes(21), String(findingLines(at('badmpi.c'))));
    await vscode.commands.executeCommand('iolens.showReport');
    const shown = await until(() => feature.report.shownOf(log) ?? feature.report.failureOf(log), 'the report');
    assert.ok(typeof shown !== 'string', JSON.stringify(shown));
  },
  async 'the graph is drawn'() {
    await openDemo();
    const all = await features();
    await vscode.commands.executeCommand('iolens.showGraph');
    const graph = await until(() => all.feature.graph.shown, 'the graph');
    assert.ok(graph.nodes.some(({ activity }) => activity.includes('write')));
  },
  async 'two recordings are compared, on a page beside the source'() {
    await openDemo();
    const { recordings, comparison, feature } = await features();
    await vscode.commands.executeCommand('iolens.openRecording', at('badmpi_4ranks.darshan'));
    assert.equal(recordings.all().length, 2);
    await vscode.commands.executeCommand('iolens.compareRecordings');
    const page = await until(() => feature.comparison.page, 'the page of the comparison');
    assert.equal(page.comparison, comparison.current);
    assert.ok(page.rows > 0);
  },
  async 'the report is written as a page with graphs'() {
    const { info } = await openDemo();
    assert.ok(info.events > 0);
    const { feature } = await features();
    const target = at('report.html');
    assert.ok((await feature.report.export(undefined, 'html', target)) !== undefined);
    const page = new TextDecoder().decode(await vscode.workspace.fs.readFile(target));
    assert.match(page, /<svg/);
    assert.match(page, /heat\.c/);
  },
  async 'what is no recording is said to be none'() {
    const { recordings } = await features();
    assert.equal(await recordings.add(['iolens-test:///work/heat.c']), undefined);
    assert.equal(await recordings.add(['iolens-test:///work/nowhere.strace']), undefined);
    await assert.rejects(
      recordings.addQuietly(['iolens-test:///work/nowhere.strace'], true, {}),
      /there is no such file or folder/,
    );
  },
  async 'a store says why it does not open'() {
    const all = await features();
    const store = at('store');
    await vscode.workspace.fs.writeFile(at('store/iolens-store.json'), new TextEncoder().encode('{}'));
    await vscode.commands.executeCommand('iolens.openStore', store);
    assert.match(await until(() => all.feature.store.failureOf(store), 'why the store does not open'), /browser/);
  },
  async 'recording says why it cannot'() {
    const all = await features();
    assert.deepEqual(await all.feature.record.recorder.provideTasks(), []);
    assert.equal(
      await all.feature.record.recorder.record({ program: '/bin/true', args: [], cwd: '/', env: {} }, folderOfWork()),
      undefined,
    );
  },
  async 'the sample of the extension opens'() {
    await vscode.commands.executeCommand('iolens.openSample');
    const { recordings } = await features();
    const sample = vscode.Uri.joinPath(extension().extensionUri, 'demo/heat/heat.c');
    assert.ok(recordings.current!.paths[0]!.startsWith('http://'));
    await untilTrue(() => findings(sample).length > 0, 'findings in the sample');
  },
};

function folderOfWork(): vscode.WorkspaceFolder {
  return vscode.workspace.workspaceFolders![0]!;
}

export function run(): Promise<void> {
  return runTests(TESTS, closeAll);
}
