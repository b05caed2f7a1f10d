/** Two recordings compared: the view, what the source shows of both sides, and budgets. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ComparisonRow } from '../../../src/features/comparison/comparison-tree.ts';
import type { CurrentComparison } from '../../../src/features/comparison/comparison.ts';
import type { Features } from '../../../src/app/features.ts';
import {
  at,
  cursorOn,
  features,
  hoverText,
  openDemo,
  source,
  until,
  untilTrue,
  webviewTabs,
  type Suite,
} from './host.ts';

const fixedSource = at('heat-fixed.c');
const budget = at('iolens.budget.json');

const labelOf = (item: vscode.TreeItem): string => (typeof item.label === 'string' ? item.label : item.label!.label);

/** The recording of the program before and after it was repaired, compared by the command. */
async function compareDemos(): Promise<CurrentComparison> {
  await openDemo();
  const { recordings, comparison } = await features();
  await recordings.add([at('heat-fixed.strace.gz').fsPath]);
  await vscode.commands.executeCommand('iolens.compareRecordings');
  return until(() => comparison.current, 'the comparison');
}

/** The view as text: one row a line, indented. */
function drawn(all: Features, row?: ComparisonRow, depth = 0): string[] {
  const { tree } = all.feature.comparison;
  return tree
    .getChildren(row)
    .flatMap((child) => [`${'  '.repeat(depth)}${labelOf(tree.getTreeItem(child))}`, ...drawn(all, child, depth + 1)]);
}

function rowsOf({ feature }: Features, group: string): ComparisonRow[] {
  const rows = feature.comparison.tree.getChildren();
  const found = rows.find((row) => row.kind === 'group' && row.group === group);
  assert.ok(found !== undefined, `a group ${group}`);
  return feature.comparison.tree.getChildren(found);
}

/** Titles over lines (from 1) of a document. */
async function lenses(uri: vscode.Uri): Promise<Map<number, string>> {
  await vscode.workspace.openTextDocument(uri);
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
  return new Map(found.map(({ range, command }) => [range.start.line + 1, command!.title]));
}

function overBudget(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ code }) => code === 'budget');
}

export const COMPARISON: Suite = {
  async 'two recordings are compared: the older is the base, and the view says what changed'() {
    const { base, new: changed } = await compareDemos();
    assert.deepEqual([base[0]!.name, changed[0]!.name], ['heat.strace.gz', 'heat-fixed.strace.gz']);
    const all = await features();
    const rows = drawn(all);
    assert.deepEqual(rows.slice(0, 3), ['The run: better', '  heat.strace.gz', '  heat-fixed.strace.gz']);
    const gone = rows.indexOf('Gone');
    assert.deepEqual(rows.slice(gone, gone + 4), [
      'Gone',
      '  Many small writes',
      '  Files opened and closed again and again',
      '  Files opened and closed again and again',
    ]);
    const lines = rows.indexOf('Lines by change');
    assert.equal(rows[lines + 1], '  heat.c:22');
    const [insight] = rowsOf(all, 'gone');
    assert.equal(all.feature.comparison.tree.getTreeItem(insight!).description, 'heat.c:22');
  },

  async 'changed lines show both sides, and stay with their lines when these are edited'() {
    await compareDemos();
    await cursorOn(22);
    const before = await until(async () => {
      const found = await lenses(source);
      return found.has(22) ? found : undefined;
    }, 'what changed over line 22');
    assert.equal(before.get(22), '4,096 → 0 writes, 400 KiB → 0, 3.06 ms → 0');
    assert.ok(!before.has(54), 'a line with the same calls has none: the noise of its time is unknown');
    const after = await lenses(fixedSource);
    assert.match(after.get(51)!, /^256 → 1 reads, 1 MiB → 4 KiB, 171 µs → 672 ns$/);
    const text = await hoverText(51, fixedSource);
    assert.match(text, /Compared: better/);
    assert.match(text, /\| calls \| 256 \| 1 \|/);
    assert.match(text, /stands for heat\\.c:42/);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(source, new vscode.Position(0, 0), '/* one */\n/* two */\n');
    await vscode.workspace.applyEdit(edit);
    await until(async () => ((await lenses(source)).has(24) ? true : undefined), 'the line two further down');
    assert.equal((await lenses(source)).get(24), before.get(22));
    await vscode.commands.executeCommand('undo');
    await until(async () => ((await lenses(source)).has(22) ? true : undefined), 'the line at its old place');
    await vscode.workspace.save(source);
  },

  async 'the comparison follows a recording that is read again, can be turned round, and ends with it'() {
    const first = await compareDemos();
    const { comparison, recordings } = await features();
    const again = (await recordings.add([at('heat-fixed.strace.gz').fsPath]))!;
    assert.notEqual(again, first.new[0]);
    await untilTrue(() => comparison.current?.new[0] === again, 'the recording that was read again');
    await vscode.commands.executeCommand('iolens.compareSwap');
    const swapped = await until(
      () => (comparison.current?.base[0] === again ? comparison.current : undefined),
      'the sides swapped',
    );
    assert.equal(swapped.document.total.verdict, 'worse');
    assert.equal(first.document.total.events.change, -swapped.document.total.events.change);
    await recordings.remove(again);
    assert.equal(comparison.current, undefined);
    assert.deepEqual(drawn(await features()), []);
    await cursorOn(22);
    assert.ok(!(await lenses(source)).has(22));
  },

  async 'a page beside the source has the comparison: it follows it, can be brought back, and goes with it'() {
    const { document } = await compareDemos();
    const all = await features();
    const { comparison } = all;
    const { feature } = all;
    const first = await until(() => feature.comparison.page, 'the page');
    assert.equal(first.comparison, comparison.current);
    assert.equal(first.rows, document.insights.length);
    await vscode.commands.executeCommand('iolens.compareSwap');
    await untilTrue(() => comparison.current !== first.comparison, 'the sides swapped');
    await untilTrue(() => feature.comparison.page?.comparison === comparison.current, 'the page of the swapped sides');
    await vscode.window.tabGroups.close(webviewTabs('iolens.comparison'));
    await untilTrue(() => feature.comparison.page === undefined, 'no page');
    assert.ok(comparison.current !== undefined, 'the comparison stays');
    await vscode.commands.executeCommand('iolens.showComparison');
    await until(() => feature.comparison.page, 'the page again');
    assert.equal(webviewTabs('iolens.comparison').length, 1);
    await vscode.commands.executeCommand('iolens.compareStop');
    await untilTrue(() => webviewTabs('iolens.comparison').length === 0, 'no page without a comparison');
    // As after a reload of the window in which nothing is compared.
    const left = vscode.window.createWebviewPanel('iolens.comparison', 'left', vscode.ViewColumn.Two);
    await all.contributions.restore('iolens.comparison', left, undefined);
    await untilTrue(() => webviewTabs('iolens.comparison').length === 0, 'no page that shows nothing');
    await compareDemos();
    await until(() => feature.comparison.page, 'the page of another comparison');
    const kept = vscode.window.createWebviewPanel('iolens.comparison', 'kept', vscode.ViewColumn.Two);
    await all.contributions.restore('iolens.comparison', kept, undefined);
    const restored = await until(() => feature.comparison.page, 'the page in the panel that was left');
    assert.equal(restored.comparison, comparison.current);
    assert.equal(webviewTabs('iolens.comparison').length, 1);
  },

  async 'both sides stand in the timeline, on one axis'() {
    const { base, new: changed } = await compareDemos();
    const all = await features();
    await vscode.commands.executeCommand('iolens.compareTimeline');
    const shown = await until(() => all.feature.timeline.shown, 'a timeline on the screen');
    assert.deepEqual(
      shown.recordings.map(({ name }) => name),
      [base[0]!.name, changed[0]!.name],
    );
    // A row for each recording and the rows below it.
    assert.ok(shown.rows >= 4);
  },

  async 'stopping takes the comparison away, the recordings stay'() {
    await compareDemos();
    const { comparison, recordings } = await features();
    await vscode.commands.executeCommand('iolens.compareStop');
    assert.equal(comparison.current, undefined);
    assert.equal(recordings.all().length, 2);
    assert.equal((await lenses(fixedSource)).size, 0);
  },

  async 'a row of the view is selected in all views'() {
    await compareDemos();
    const all = await features();
    all.feature.comparison.select(rowsOf(all, 'lines')[0]);
    assert.deepEqual(all.selection.current, [{ kind: 'line', file: source.fsPath, line: 22 }]);
    all.feature.comparison.select(rowsOf(all, 'gone')[0]);
    assert.deepEqual(all.selection.current, [{ kind: 'insight', code: 'P06', file: source.fsPath, line: 22 }]);
    all.selection.clear();
  },

  async 'the graph of the new side is compared with the base as long as the comparison lasts'() {
    const { base, new: changed } = await compareDemos();
    const all = await features();
    await all.recordings.choose(changed[0]!);
    await vscode.commands.executeCommand('iolens.showGraph');
    const graph = await until(() => all.feature.graph.shown, 'a graph in the panel');
    assert.equal(graph.recording, changed[0]!.name);
    assert.equal(graph.base, base[0]!.name);
    await vscode.commands.executeCommand('iolens.compareStop');
    await untilTrue(() => all.feature.graph.shown?.base === null, 'the graph of one recording');
    await vscode.commands.executeCommand('iolens.compareRecordings');
    // The page of the comparison came to stand before it.
    await vscode.commands.executeCommand('iolens.showGraph');
    await untilTrue(() => all.feature.graph.shown?.base === base[0]!.name, 'the graph compared again');
  },

  async 'what is over budget is marked at its line, what leads to none in the budget'() {
    await openDemo();
    const write = (text: string): Thenable<void> =>
      vscode.workspace.fs.writeFile(budget, new TextEncoder().encode(text));
    try {
      await write(
        '{ "limits": [\n  { "function": "emit", "calls": 16, "reason": "gathered" },\n  { "file": "*.log", "calls": 1 },\n  { "function": "nobody", "calls": 1 },\n  { "run": true, "calls": 999999 }\n] }\n',
      );
      const [mark] = await until(() => {
        const found = overBudget(source);
        return found.length > 0 ? found : undefined;
      }, 'a line over budget');
      assert.equal(mark!.range.start.line, 21);
      assert.equal(mark!.message, 'Over budget: function emit: 4,096 calls of at most 16 (gathered)');
      assert.equal(mark!.severity, vscode.DiagnosticSeverity.Error);
      const inFile = overBudget(budget).map(({ range, severity }) => [range.start.line, severity]);
      assert.deepEqual(inFile, [
        [2, vscode.DiagnosticSeverity.Error],
        [3, vscode.DiagnosticSeverity.Information],
      ]);
      await write('{ "limits": [{ "run": true }] }');
      await untilTrue(
        () => overBudget(budget)[0]?.message.startsWith('limit 1: nothing is limited') === true,
        'the problem',
      );
      assert.equal(overBudget(source).length, 0);
    } finally {
      await vscode.workspace.fs.delete(budget);
    }
    await untilTrue(() => overBudget(budget).length === 0, 'no marks without a budget');
  },
};
