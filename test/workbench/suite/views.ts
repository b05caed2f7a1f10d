/** Heat, totals over functions, trees, status bar, the walk to callers, and the graph. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Features } from '../../../src/app/features.ts';
import type { TreeRow } from '../../../src/features/findings/insight-tree.ts';
import {
  at,
  cursor,
  cursorOn,
  extension,
  features,
  findingLines,
  openDemo,
  openDemoAgain,
  source,
  until,
  untilTrue,
  type Suite,
} from './host.ts';

interface Manifest {
  readonly contributes: { readonly colors: readonly { readonly id: string; readonly defaults: object }[] };
}

const labelOf = (item: vscode.TreeItem): string => (typeof item.label === 'string' ? item.label : item.label!.label);

/** The findings tree as text: one row a line, indented, down to the places. */
function drawn(all: Features, row?: TreeRow, depth = 0): string[] {
  const { tree: insights } = all.feature.findings;
  return insights
    .getChildren(row)
    .filter(({ kind }) => kind !== 'caller')
    .flatMap((child) => [
      `${'  '.repeat(depth)}${labelOf(insights.getTreeItem(child))}`,
      ...drawn(all, child, depth + 1),
    ]);
}

function rowOf(all: Features, label: string, row?: TreeRow): TreeRow | undefined {
  const { tree: insights } = all.feature.findings;
  for (const child of insights.getChildren(row)) {
    if (labelOf(insights.getTreeItem(child)) === label) return child;
    const found = rowOf(all, label, child);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function lenses(): Promise<Map<number, string>> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', source, 100);
  const totals = found.filter(({ command }) => command!.command !== 'iolens.selectFunction');
  return new Map(totals.map(({ range, command }) => [range.start.line + 1, command!.title]));
}

export const VIEWS: Suite = {
  async 'hot lines are marked by what they cost, and a setting turns it off'() {
    await openDemo();
    const { feature } = await features();
    const { document } = await cursorOn(22);
    const levels = (): Map<number, string> =>
      new Map(feature.lines.heat.linesOf(document).map(({ line, level }) => [line + 1, level]));
    assert.deepEqual([...levels()].sort(([a], [b]) => a - b).slice(0, 2), [
      [22, 'highest'],
      [32, 'moderate'],
    ]);
    assert.ok(levels().has(42), 'a line without a finding is hot, too');
    assert.equal(levels().get(54), 'highest', 'one call that waits for the disk costs more than thousands that do not');
    assert.ok(!levels().has(52), 'what costs next to nothing is cool');
    await vscode.commands.executeCommand('iolens.toggleHeat');
    assert.equal(vscode.workspace.getConfiguration('iolens').get('heat'), false);
    assert.equal(levels().size, 0);
  },

  async 'the heat’s colours and marks are there for all themes'() {
    const { extensionUri } = extension();
    const { colors } = (extension().packageJSON as Manifest).contributes;
    for (const level of ['slight', 'moderate', 'high', 'highest']) {
      for (const kind of ['heat', 'heatRuler']) {
        const colour = colors.find(({ id }) => id === `iolens.${kind}.${level}`)!;
        assert.deepEqual(Object.keys(colour.defaults).sort(), ['dark', 'highContrast', 'highContrastLight', 'light']);
      }
      for (const theme of ['dark', 'light'])
        await vscode.workspace.fs.stat(vscode.Uri.joinPath(extensionUri, 'media', `heat-${level}-${theme}.svg`));
    }
  },

  async 'totals stand over functions once they are turned on'() {
    await openDemo();
    await cursorOn(22);
    assert.equal((await lenses()).size, 0);
    await vscode.commands.executeCommand('iolens.toggleCodeLens');
    const byLine = await until(async () => {
      const found = await lenses();
      return found.size > 0 ? found : undefined;
    }, 'totals over functions');
    assert.deepEqual(
      [...byLine.keys()].sort((a, b) => a - b),
      [18, 27, 39, 48, 65],
      [...byLine.values()].join('\n'),
    );
    assert.match(byLine.get(18)!, /^4,096 I\/O calls · 400 KiB · \S+ ms, \d+ % of the run \(recorded: 194 ms\)$/);
    assert.match(byLine.get(27)!, /^768 I\/O calls/);
    assert.match(byLine.get(65)!, /including what it calls: 5,\d{3} I\/O calls, .* 8\d % of the run \(recorded: .*\)$/);
    assert.deepEqual(
      [...byLine.keys()].sort((a, b) => a - b),
      [18, 27, 39, 48, 65],
    );
  },

  async 'the trees list findings, call sites and files, in the order that is chosen'() {
    await openDemo();
    const all = await features();
    assert.deepEqual(drawn(all), [
      'heat.strace.gz',
      '  Many small writes',
      '    heat.c:22',
      '  Files opened and closed again and again',
      '    heat.c:32',
      '    heat.c:35',
    ]);
    await vscode.commands.executeCommand('iolens.sortFindings', 'name');
    assert.deepEqual(drawn(all).slice(-2), ['  Many small writes', '    heat.c:22']);

    const { tree: sites } = all.feature.lines;
    const { tree: files } = all.feature.files;
    const siteNames = (): string[] => sites.getChildren().map((row) => labelOf(sites.getTreeItem(row)));
    assert.equal(siteNames()[0], 'heat.c:54');
    await vscode.commands.executeCommand('iolens.sortCallSites', 'bytes');
    assert.deepEqual(siteNames().slice(0, 3).sort(), ['heat.c:22', 'heat.c:42', 'heat.c:54']);
    await vscode.commands.executeCommand('iolens.sortCallSites', 'name');
    const named = siteNames().filter((name) => name.startsWith('heat.c:'));
    assert.deepEqual(
      named.map((name) => Number(name.split(':')[1])),
      named.map((name) => Number(name.split(':')[1])).sort((a, b) => a - b),
    );

    const fileNames = async (): Promise<string[]> =>
      (await files.getChildren()).map((row) => labelOf(files.getTreeItem(row)));
    assert.equal((await fileNames())[0], 'checkpoint.bin');
    await vscode.commands.executeCommand('iolens.sortFiles', 'bytes');
    assert.deepEqual((await fileNames()).slice(0, 2), ['constants.bin', 'checkpoint.bin']);
    const cells = (await files.getChildren()).find((row) => labelOf(files.getTreeItem(row)) === 'cells.txt')!;
    const access = (await files.getChildren(cells)).map((row) => files.getTreeItem(row));
    assert.equal(labelOf(access[0]!), 'heat.c:22');
    assert.equal(access[0]!.command!.command, 'vscode.open');
  },

  async 'every row has words for a screen reader, and places open their line'() {
    await openDemo();
    const all = await features();
    const { tree: insights } = all.feature.findings;
    const { tree: sites } = all.feature.lines;
    const { tree: files } = all.feature.files;
    const items: vscode.TreeItem[] = [];
    const gather = (row?: TreeRow): void => {
      for (const child of insights.getChildren(row)) {
        items.push(insights.getTreeItem(child));
        gather(child);
      }
    };
    gather();
    for (const row of sites.getChildren()) items.push(sites.getTreeItem(row));
    for (const row of await files.getChildren()) items.push(files.getTreeItem(row));
    for (const item of items) assert.ok((item.accessibilityInformation?.label ?? '').length > 5, labelOf(item));
    const write = insights.getTreeItem(rowOf(all, 'heat.c:22')!);
    assert.match(write.accessibilityInformation!.label, /^heat\.c:22 in emit: \d+ %, \S+ ms, 4,096 calls, 400 KiB$/);
    await vscode.commands.executeCommand(write.command!.command, ...(write.command!.arguments as unknown[]));
    assert.equal(cursor(), 'heat.c:22');
  },

  async 'a dismissed finding moves to a group of its own, from where it comes back'() {
    await openDemo();
    const all = await features();
    await vscode.commands.executeCommand('iolens.dismissHere', rowOf(all, 'heat.c:22'));
    assert.deepEqual(drawn(all), [
      'heat.strace.gz',
      '  Files opened and closed again and again',
      '    heat.c:32',
      '    heat.c:35',
      '  Dismissed',
      '    Many small writes',
      '      heat.c:22',
    ]);
    assert.match(all.feature.recordings.statusBar.text!, /heat\.strace\.gz: 1 finding, \d+ % I\/O$/);
    const group = rowOf(all, 'Dismissed')!;
    const gone = all.feature.findings.tree.getChildren(group)[0]!;
    assert.equal(all.feature.findings.tree.getTreeItem(gone).contextValue, 'insight.dismissed');
    await vscode.commands.executeCommand('iolens.restoreFinding', gone);
    assert.equal(rowOf(all, 'Dismissed'), undefined);
    await untilTrue(() => findingLines().includes(22), 'the squiggle is back');
    assert.match(all.feature.recordings.statusBar.text!, /heat\.strace\.gz: 2 findings, \d+ % I\/O$/);
  },

  async 'what says how the run is stands apart, and can be dismissed'() {
    const demo = await openDemo();
    const all = await features();
    const gain = { savedNs: null, lowNs: null, highNs: null, ofNs: null, method: '' };
    const bare = { code: 'X01', evidence: {}, files: [], sites: [], recommendations: [], gain };
    const good = {
      ...bare,
      trigger: 'good',
      severity: 'ok',
      title: 'Large requests',
      message: 'All is well.',
    } as const;
    const fact = { ...bare, trigger: 'fact', severity: 'info', title: 'Read-mostly', message: 'It reads.' } as const;
    (demo.analysis.insights as unknown[]).push(good, fact);
    const rows = drawn(all);
    assert.deepEqual(rows.slice(-3), ['  In short', '    Large requests', '    Read-mostly']);
    assert.match(all.feature.recordings.statusBar.text!, /2 findings, \d+ % I\/O$/);
    await vscode.commands.executeCommand('iolens.dismissTrigger', rowOf(all, 'Read-mostly'));
    assert.deepEqual(drawn(all).slice(-4), ['  In short', '    Large requests', '  Dismissed', '    Read-mostly']);
  },

  async 'the status bar names the current recording, its findings, and how many others are open'() {
    const all = await features();
    assert.equal(all.feature.recordings.statusBar.text, undefined);
    await openDemo();
    assert.match(all.feature.recordings.statusBar.text!, /^\$\(pulse\) heat\.strace\.gz: 2 findings, \d+ % I\/O$/);
    await openDemoAgain();
    assert.match(
      all.feature.recordings.statusBar.text!,
      /^\$\(pulse\) again\.strace\.gz: 2 findings, \d+ % I\/O \(\+1\)$/,
    );
    const [first, second] = all.feature.findings.tree
      .getChildren()
      .map((row) => all.feature.findings.tree.getTreeItem(row));
    assert.equal(first!.contextValue, 'recording.current', 'the newest stands on top');
    assert.equal(second!.contextValue, 'recording.other');
    assert.equal(second!.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    // The picker marks the current one, and lists them as they were opened.
    const picking = vscode.commands.executeCommand('iolens.chooseRecording');
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return all.recordings.current?.name === 'heat.strace.gz' ? true : undefined;
    }, 'the first of the list became current');
    await picking;
  },

  async 'a walk leads from a line to its caller'() {
    await openDemo();
    await cursorOn(22);
    const walking = vscode.commands.executeCommand('iolens.walkToCaller');
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return cursor() === 'heat.c:82' ? true : undefined;
    }, 'the cursor is on the caller’s line');
    // main has no caller with a source line: the walk ends there.
    await walking;
    assert.equal(cursor(), 'heat.c:82');
  },

  async 'the graph is made, and its nodes lead to source lines'() {
    await openDemo();
    await vscode.commands.executeCommand('iolens.showGraph');
    const all = await features();
    const graph = await until(() => all.feature.graph.shown, 'a graph in the panel');
    const write = graph.nodes.find(({ activity }) => activity === 'write:/home/hpc')!;
    assert.ok(write.relativeDuration > 0.7);
    assert.ok(write.places.some(({ file, line }) => file === source.fsPath && line === 22));
    assert.match(write.text.load, /^Recorded load: \d+ %/);
  },

  async 'closing the recording undoes everything'() {
    await openDemo();
    await vscode.commands.executeCommand('iolens.showGraph');
    const all = await features();
    const { document } = await cursorOn(22);
    await until(() => all.feature.graph.shown, 'a graph');
    await vscode.commands.executeCommand('iolens.closeRecording');
    await untilTrue(() => findingLines().length === 0, 'no finding is left');
    await untilTrue(() => all.feature.graph.shown === undefined, 'the graph is closed');
    assert.equal(all.recordings.all().length, 0);
    assert.deepEqual(all.feature.lines.heat.linesOf(document), []);
    assert.equal(all.feature.recordings.statusBar.text, undefined);
    assert.equal(all.feature.lines.tree.getChildren().length, 0);
  },
};

/** The last of all: an open view is drawn for whatever is opened behind it. */
export const GRAPH_VIEW: Suite = {
  async 'a view beside the trees, or in the panel, has the graph of the current recording'() {
    const all = await features();
    await openDemo();
    const shown = (view: string): number => all.feature.graph.inViews.get(view)?.nodes.length ?? 0;
    await vscode.commands.executeCommand('iolens.graphInSideBar.focus');
    await untilTrue(() => shown('iolens.graphInSideBar') > 2, 'the graph in the side bar');
    const eventsOf = (): number | undefined => all.feature.graph.inViews.get('iolens.graphInSideBar')?.events;
    const before = eventsOf();
    await all.recordings.add([at('heat-fixed.strace.gz').fsPath]);
    await untilTrue(() => ![undefined, before].includes(eventsOf()), 'the graph of the other recording');
    const settings = vscode.workspace.getConfiguration('iolens');
    await settings.update('graph.place', 'panel', vscode.ConfigurationTarget.Global);
    try {
      await untilTrue(() => !all.feature.graph.inViews.has('iolens.graphInSideBar'), 'no graph in the side bar');
      await vscode.commands.executeCommand('iolens.graphInPanel.focus');
      await untilTrue(() => shown('iolens.graphInPanel') > 0, 'the graph in the panel');
    } finally {
      await settings.update('graph.place', undefined, vscode.ConfigurationTarget.Global);
    }
  },
};
