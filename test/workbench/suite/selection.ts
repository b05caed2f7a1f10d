/** One selection for editor, trees, graph and report; the breadcrumb, the way back, and links. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { SelectionPart } from '../../../src/analysis/selection/selection.ts';
import type { CallSiteRow } from '../../../src/features/lines/call-site-tree.ts';
import type { SelectionRow } from '../../../src/features/selection/selection-tree.ts';
import {
  at,
  closeAll,
  cursorOn,
  features,
  openDemo,
  openDemoAgain,
  recording,
  source,
  until,
  untilTrue,
  type Suite,
} from './host.ts';

const emit: SelectionPart = { kind: 'line', file: source.fsPath, line: 22 };

const labelOf = (item: vscode.TreeItem): string => (typeof item.label === 'string' ? item.label : item.label!.label);

/** The rows of the breadcrumb once they say what the selection amounts to. */
async function breadcrumb(): Promise<string[]> {
  const { selection, selectedCalls, feature } = await features();
  const { tree } = feature.selection;
  await untilTrue(
    () => selection.current.length === 0 || selectedCalls.current?.selection === selection.current,
    'what the selection amounts to',
  );
  return tree.getChildren().map((row) => labelOf(tree.getTreeItem(row)));
}

/** Lines of the source (from 1) that are marked. */
async function markedLines(): Promise<number[]> {
  const { feature } = await features();
  return feature.selection.editor.linesOf((await cursorOn(1)).document).map((line) => line + 1);
}

/** Names of the rows of a tree that are not dimmed. */
function brightRows<Row>(rows: readonly Row[], item: (row: Row) => vscode.TreeItem): string[] {
  return rows
    .map(item)
    .filter(({ resourceUri }) => resourceUri?.scheme !== 'iolens-selection')
    .map(labelOf);
}

async function followLink(link: string): Promise<void> {
  await (await features()).feature.selection.followLink(vscode.Uri.parse(link));
}

const link = (query: string): string => `${vscode.env.uriScheme}://iolens.iolens/select?${encodeURI(query)}`;

async function rowOfKind<Kind extends SelectionRow['kind']>(
  kind: Kind,
  at = 0,
): Promise<Extract<SelectionRow, { kind: Kind }>> {
  const { tree } = (await features()).feature.selection;
  return tree.getChildren().filter((row) => row.kind === kind)[at] as Extract<SelectionRow, { kind: Kind }>;
}

export const SELECTION: Suite = {
  async 'selecting the cursor’s line shows in the breadcrumb, the status bar, the source and the trees'() {
    await openDemo();
    await cursorOn(22);
    await vscode.commands.executeCommand('iolens.selectLine');
    const all = await features();
    assert.deepEqual(all.selection.current, [emit]);
    assert.deepEqual(await breadcrumb(), [
      'heat.c:22',
      '31 %, 3.06 ms, 4,096 calls, 400 KiB',
      'Lines',
      'Files',
      'Processes and threads',
      'Findings',
    ]);
    assert.equal(all.feature.selection.status.text, '$(filter) heat.c:22');
    assert.deepEqual(await markedLines(), [22]);
    const { tree: sites } = all.feature.lines;
    const { tree: files } = all.feature.files;
    const { tree: insights } = all.feature.findings;
    assert.deepEqual(
      brightRows(sites.getChildren(), (row) => sites.getTreeItem(row)),
      ['heat.c:22'],
    );
    assert.deepEqual(
      brightRows(await files.getChildren(), (row) => files.getTreeItem(row)),
      ['cells.txt'],
    );
    const found = insights.getChildren(insights.getChildren()[0]);
    assert.deepEqual(
      brightRows(found, (row) => insights.getTreeItem(row)),
      ['Many small writes'],
    );
    const other = sites.getChildren().find((row) => row.kind === 'site' && row.site.line === 32);
    const dimmed = sites.getTreeItem(other!);
    assert.match(dimmed.accessibilityInformation!.label, /, not selected$/);
  },

  async 'the cursor selects nothing by itself, unless it is told to'() {
    await openDemo();
    await cursorOn(22);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { selection } = await features();
    assert.deepEqual(selection.current, []);
    const settings = vscode.workspace.getConfiguration('iolens');
    await settings.update('followCursor', true, vscode.ConfigurationTarget.Global);
    try {
      await cursorOn(32);
      await untilTrue(() => selection.current.length === 1, 'the selection follows the cursor');
      await cursorOn(22);
      await untilTrue(() => (selection.current[0] as typeof emit & { line: number }).line === 22, 'and again');
      // A line without calls leaves it.
      await cursorOn(1);
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.deepEqual(selection.current, [emit]);
      await vscode.commands.executeCommand('iolens.selectionBack');
      assert.deepEqual(selection.current, [], 'the cursor’s way is one step');
    } finally {
      await settings.update('followCursor', undefined, vscode.ConfigurationTarget.Global);
    }
  },

  async 'the breadcrumb narrows, leads back to each part, and lets go of any'() {
    await openDemo();
    const { selection, feature } = await features();
    await vscode.commands.executeCommand('iolens.selectFunction', source.fsPath, 'main');
    const all = await breadcrumb();
    assert.equal(all[0], 'main()');
    const files = (await rowOfKind('group', 1)).rows;
    const open = feature.selection.tree.getTreeItem(
      files.find((row) => row.kind === 'thing' && row.label.endsWith('cells.txt'))!,
    );
    await vscode.commands.executeCommand(open.command!.command, ...(open.command!.arguments as unknown[]));
    assert.deepEqual((await breadcrumb()).slice(0, 3), ['main()', 'cells.txt', '31 %, 3.07 ms, 4,098 calls, 400 KiB']);
    selection.narrow({ kind: 'call', call: 'write' }, 'timeline');
    assert.deepEqual((await breadcrumb()).slice(0, 3), ['main()', 'cells.txt', 'write()']);
    const second = await rowOfKind('part', 1);
    await vscode.commands.executeCommand('iolens.selectionDrop', second);
    assert.deepEqual((await breadcrumb()).slice(0, 2), ['main()', 'write()']);
    const first = feature.selection.tree.getTreeItem(await rowOfKind('part', 0));
    await vscode.commands.executeCommand(first.command!.command, ...(first.command!.arguments as unknown[]));
    assert.deepEqual(await breadcrumb(), all);
    for (const parts of [2, 3, 2, 1, 0]) {
      await vscode.commands.executeCommand('iolens.selectionBack');
      assert.equal(selection.current.length, parts);
    }
    await vscode.commands.executeCommand('iolens.selectionForward');
    assert.deepEqual((await breadcrumb())[0], 'main()');
    await vscode.commands.executeCommand('iolens.selectionClear');
    assert.deepEqual(await breadcrumb(), []);
    assert.equal(feature.selection.status.text, undefined);
  },

  async 'a selection outlives the recording, and says why it means nothing in another'() {
    await openDemo();
    const { selection, recordings } = await features();
    selection.select(emit, 'sites');
    await breadcrumb();
    await recordings.remove(recordings.current!);
    assert.deepEqual(await breadcrumbNow(), ['heat.c:22']);
    await openDemoAgain();
    await untilTrue(() => recordings.current?.name === 'again.strace.gz', 'another recording of the program');
    assert.equal((await breadcrumb())[1], '31 %, 3.06 ms, 4,096 calls, 400 KiB');
    selection.select({ kind: 'rank', rank: 3 }, 'timeline');
    assert.deepEqual(await breadcrumb(), ['rank 3', 'Nothing: the recording has no rank 3']);
    // What means nothing dims nothing.
    const { tree: sites } = (await features()).feature.lines;
    assert.equal(brightRows(sites.getChildren(), (row) => sites.getTreeItem(row)).length, sites.getChildren().length);
  },

  async 'a row that is chosen selects, a row that is selected elsewhere is brought into sight'() {
    await openDemo();
    const { selection, feature, contributions } = await features();
    const { view } = contributions.view<CallSiteRow>('sites');
    const changes: string[] = [];
    const listening = selection.onDidChange(({ origin }) => changes.push(origin));
    try {
      await vscode.commands.executeCommand('iolens.sites.focus');
      // A tree that is being filled anew throws, for it does not know its rows yet, or tells of a choice of no rows. Then
      // it is chosen again, and another one before: what is chosen already would be no change.
      const choose = async (line: number): Promise<void> => {
        const options = { select: true, focus: true };
        const row = feature.lines.tree.getChildren().find((each) => each.kind === 'site' && each.site.line === line);
        await view.reveal(row!, options).then(undefined, () => undefined);
        await new Promise((resolve) => setTimeout(resolve, 300));
      };
      await until(async () => {
        await choose(emit.line);
        if (isDeepStrictEqual(selection.current, [emit])) return true;
        await choose(35);
        return undefined;
      }, 'the row that is chosen selects');
      assert.deepEqual(new Set(changes), new Set(['sites']));
      changes.length = 0;
      selection.select({ kind: 'line', file: source.fsPath, line: 32 }, 'graph');
      await untilTrue(
        () => view.selection.some((shown) => shown.kind === 'site' && shown.site.line === 32),
        'the row of the line is brought into sight',
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.deepEqual(changes, ['graph'], 'what follows a selection makes none');
      assert.deepEqual(selection.current, [{ ...emit, line: 32 }]);
      // The row that was chosen last can be chosen again when its line is not selected any more.
      selection.clear();
      await untilTrue(() => view.selection.length === 0, 'no row is chosen');
    } finally {
      listening.dispose();
    }
  },

  async 'nodes and edges of the graph take part'() {
    await openDemo();
    await vscode.commands.executeCommand('iolens.showGraph');
    const all = await features();
    const graph = await until(() => all.feature.graph.shown, 'a graph in the panel');
    const node = graph.nodes.find(({ activity }) => activity === 'write:/home/hpc')!;
    const marked = await until(() => all.feature.graph.shownSelection, 'marks of no selection');
    assert.equal(marked.isMarked, false);
    all.selection.select(emit, 'sites');
    const marks = await until(
      () => (all.feature.graph.shownSelection?.isMarked === true ? all.feature.graph.shownSelection : undefined),
      'marks of the line',
    );
    assert.deepEqual(marks.labels, ['heat.c:22']);
    const [share] = marks.activities;
    assert.equal(share!.activity, node.activity);
    assert.ok(Math.abs(share!.share - 4096 / node.events) < 1e-9);
    assert.ok(marks.edges.some(({ from, to }) => from === node.activity && to === node.activity));
    const naming = { mapping: 'call+path:2', pathFilter: '', ownFilesOnly: true, grouping: 'file' } as const;
    all.selection.select({ kind: 'activity', activity: node.activity, ...naming }, 'graph');
    const rows = await breadcrumb();
    assert.equal(rows[0], node.activity);
    assert.match(rows[1]!, new RegExp(`${node.events.toLocaleString('en-US')} calls`));
    assert.match(all.feature.selection.link!, /view=graph/);
  },

  async 'a link restores what was selected'() {
    await openDemo();
    const { selection, recordings, feature } = await features();
    selection.select([emit, { kind: 'call', call: 'write' }], 'sites');
    await vscode.commands.executeCommand('iolens.copySelectionLink');
    const copied = await vscode.env.clipboard.readText();
    assert.equal(copied, feature.selection.link);
    assert.ok(copied.startsWith(`${vscode.env.uriScheme}://iolens.iolens/select?recording=/`), copied);
    assert.ok(copied.endsWith(`line=${source.fsPath}:22&call=write`), copied);
    await closeAll();
    assert.deepEqual(selection.current, []);
    await followLink(copied);
    assert.deepEqual(selection.current, [emit, { kind: 'call', call: 'write' }]);
    assert.deepEqual(recordings.current?.paths, [recording.fsPath]);
    await untilTrue(
      () => vscode.window.visibleTextEditors.some(({ document }) => document.uri.fsPath === source.fsPath),
      'the line is in sight',
    );
  },

  async 'links that ask for more do nothing'() {
    const { selection, recordings } = await features();
    for (const hostile of [
      link(`recording=${at('..', 'x.strace').fsPath}/../../etc/passwd&rank=1`),
      link('recording=//server/share/a.strace&rank=1'),
      link('recording=https://example.org/a&rank=1'),
      link('rank=1&command=workbench.action.quit'),
      link('view=command:workbench.action.quit&rank=1'),
      link(`rank=1&call=${'x'.repeat(20_000)}`),
      `${vscode.env.uriScheme}://iolens.iolens/record?rank=1`,
      `${vscode.env.uriScheme}://iolens.iolens/select`,
    ]) {
      await followLink(hostile);
      assert.deepEqual(selection.current, [], hostile);
      assert.equal(recordings.all().length, 0, hostile);
    }
    // What lies elsewhere is opened only when the user agrees.
    const elsewhere = vscode.Uri.parse(link('recording=/etc/hosts&rank=1'));
    const asked: string[] = [];
    const refuses = (paths: readonly string[]): Promise<boolean> => {
      asked.push(...paths);
      return Promise.resolve(false);
    };
    await (await features()).feature.selection.followLink(elsewhere, refuses);
    assert.deepEqual(asked, ['/etc/hosts']);
    assert.deepEqual(selection.current, []);
    assert.equal(recordings.all().length, 0);
  },
};

async function breadcrumbNow(): Promise<string[]> {
  const { tree } = (await features()).feature.selection;
  return tree.getChildren().map((row) => labelOf(tree.getTreeItem(row)));
}
