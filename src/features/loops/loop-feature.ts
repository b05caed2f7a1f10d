import type { Contributions } from '../editor/contributions.ts';
import type { Services } from '../editor/services.ts';
import { loopParts, LoopTree, type LoopRow } from './loop-tree.ts';

/** The view of loops: choosing a row selects what its calls have in common. */
export class LoopFeature {
  readonly tree: LoopTree;

  constructor({ recordings, lineCosts, selection, selectedCalls }: Services, contributions: Contributions) {
    this.tree = new LoopTree(recordings, lineCosts, selectedCalls);
    const { tree, view } = contributions.view<LoopRow>('loops');
    contributions.own(
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
}
