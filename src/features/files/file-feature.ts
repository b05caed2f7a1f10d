import type { Contributions } from '../editor/contributions.ts';
import type { Services } from '../editor/services.ts';
import { ViewOrder } from '../editor/tree-order.ts';
import { bindTree } from '../selection/selection-trees.ts';
import { fileParts, FileTree, type FileRow } from './file-tree.ts';

/** The view of files. */
export class FileFeature {
  readonly order: ViewOrder;
  readonly tree: FileTree;

  constructor({ recordings, lineCosts, selection, selectedCalls, state }: Services, contributions: Contributions) {
    this.order = new ViewOrder(state, 'files', ['time', 'calls', 'bytes', 'name']);
    this.tree = new FileTree(recordings, lineCosts, this.order, selectedCalls);
    const { tree, view } = contributions.view<FileRow>('files');
    contributions.own(
      this.order,
      this.tree,
      tree.follow(this.tree),
      recordings.onDidChange(() => {
        view.description = recordings.current?.name ?? '';
      }),
      bindTree(
        view,
        { origin: 'files', rowFor: (part) => this.tree.rowFor(part), partsOf: fileParts },
        selection,
        selectedCalls,
      ),
    );
    contributions.command('sortFiles', (order?: unknown) => this.order.choose(order));
  }
}
