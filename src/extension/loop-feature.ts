import * as vscode from 'vscode';
import type { View } from './extension.ts';
import type { LineCosts } from './line-costs.ts';
import { loopParts, LoopTree, type LoopRow } from './loop-tree.ts';
import type { Recordings } from './recordings.ts';
import type { SelectedCalls } from './selected-calls.ts';
import type { SelectionModel } from './selection.ts';

/** The view of loops: choosing a row selects what its calls have in common. */
export class LoopFeature implements vscode.Disposable {
  readonly tree: LoopTree;
  private readonly subscription: vscode.Disposable;

  constructor(
    { tree, view }: View<LoopRow>,
    recordings: Recordings,
    costs: LineCosts,
    selection: SelectionModel,
    calls: SelectedCalls,
  ) {
    this.tree = new LoopTree(recordings, costs, calls);
    this.subscription = vscode.Disposable.from(
      this.tree,
      tree.follow(this.tree),
      view.onDidChangeSelection(({ selection: rows }) => {
        const parts = rows.length === 1 ? loopParts(rows[0]!) : [];
        if (parts.length > 0) selection.select(parts, 'loops');
      }),
      recordings.onDidChange(() => {
        view.description = recordings.current?.name ?? '';
      }),
    );
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
