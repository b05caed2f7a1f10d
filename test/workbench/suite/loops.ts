/** The view of loops: an outline of what the program repeats. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Features } from '../../../src/app/features.ts';
import type { LoopRow } from '../../../src/features/loops/loop-tree.ts';
import { features, openDemo, source, untilTrue, type Suite } from './host.ts';

async function itemsOf(
  all: Features,
  row?: LoopRow,
): Promise<{ row: LoopRow; item: vscode.TreeItem; label: string }[]> {
  const rows = await all.feature.loops.tree.getChildren(row);
  return rows.map((child) => {
    const item = all.feature.loops.tree.getTreeItem(child);
    return { row: child, item, label: typeof item.label === 'string' ? item.label : item.label!.label };
  });
}

/** The loop of the demo's steps 10 to 99, whose messages have the same length. */
async function ninetySteps(all: Features): Promise<{ row: LoopRow; item: vscode.TreeItem; label: string }> {
  const [group] = await itemsOf(all);
  assert.match(group!.label, /^process \d+$/);
  assert.match(String(group!.item.description), /^5,131 calls in 29 lines, /);
  const loop = (await itemsOf(all, group!.row)).find(({ label }) => label.startsWith('90 × ['));
  assert.ok(loop, 'a loop of 90 iterations');
  return loop;
}

export const LOOPS: Suite = {
  async 'loops unfold to their calls, whose lines open'() {
    await openDemo();
    const all = await features();
    const loop = await ninetySteps(all);
    assert.equal(loop.label, '90 × [ pread64 4096 B, offset 0 ; 16 × write 100 B ; openat ; … ]');
    const calls = await itemsOf(all, loop.row);
    assert.deepEqual(
      calls.map(({ label }) => label),
      [
        'pread64 4096 B, offset 0, constants.bin',
        '16 × write 100 B, cells.txt',
        'openat, progress.log',
        'write 15 B, append, progress.log',
        'close, progress.log',
      ],
    );
    const { command, description } = calls[1]!.item;
    assert.match(String(description), /^heat\.c:22, .*, 1,440 calls, 141 KiB$/);
    await vscode.commands.executeCommand(command!.command, ...(command!.arguments as unknown[]));
    await untilTrue(() => vscode.window.activeTextEditor?.document.uri.fsPath === source.fsPath, 'heat.c is shown');
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 21);
  },

  async 'a loop selects what its calls have in common, and rows of what is not selected are dimmed'() {
    await openDemo();
    const all = await features();
    const loop = await ninetySteps(all);
    const { command } = loop.item;
    assert.equal(command?.command, 'vscode.open', 'a loop leads to its first call');
    await vscode.commands.executeCommand('iolens.loops.focus');
    all.selection.select({ kind: 'file', path: '/home/hpc/heat/results/cells.txt' }, 'files');
    const isDimmed = (item: vscode.TreeItem): boolean => item.resourceUri?.scheme === 'iolens-selection';
    await untilTrue(() => !all.selectedCalls.hasFile('/home/hpc/heat/results/progress.log'), 'the selection holds');
    const dimmed = (await itemsOf(all, loop.row)).map(({ item }) => isDimmed(item));
    assert.deepEqual(dimmed, [true, false, true, true, true]);
  },

  async 'a choice asks for those rows again that it dims, and for no loop: what is unfolded meanwhile stays so'() {
    await openDemo();
    const all = await features();
    const loop = await ninetySteps(all);
    const rows = (await itemsOf(all, loop.row)).map(({ row }) => row);
    const asked: unknown[] = [];
    const following = all.feature.loops.tree.onDidChangeTreeData((changed) => asked.push(changed));
    try {
      all.selection.select({ kind: 'file', path: '/home/hpc/heat/results/cells.txt' }, 'files');
      await untilTrue(() => asked.length > 0, 'rows are dimmed');
      assert.equal(asked.length, 1);
      for (const row of [0, 2, 3, 4]) assert.ok((asked[0] as LoopRow[]).includes(rows[row]!), `row ${row}`);
      assert.ok(!(asked[0] as LoopRow[]).includes(rows[1]!), 'what is selected looks as before');
      assert.ok(!(asked[0] as LoopRow[]).includes(loop.row));
    } finally {
      following.dispose();
    }
  },
};
