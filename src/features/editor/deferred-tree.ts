import * as vscode from 'vscode';

/** A view of the side bar: empty until the rest of the extension fills it. */
export interface View<Row> {
  readonly tree: DeferredTree<Row>;
  readonly view: vscode.TreeView<Row>;
}

/** A tree that says when it changes: rows of it, or (without a value) the whole. */
type FollowedTree<Row> = vscode.TreeDataProvider<Row> & {
  readonly onDidChangeTreeData: vscode.Event<Row[] | undefined> | vscode.Event<void>;
};

/**
 * A tree that exists before anything is open, so that its view can say what to do; the real one comes with the rest of
 * the extension.
 */
export class DeferredTree<Row> implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<Row[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private tree: FollowedTree<Row> | undefined;

  /** From now on the tree shows what another one has. */
  follow(tree: FollowedTree<Row>): vscode.Disposable {
    this.tree = tree;
    this.changed.fire(undefined);
    return tree.onDidChangeTreeData((rows) => this.changed.fire(Array.isArray(rows) ? rows : undefined));
  }

  getChildren(row?: Row): vscode.ProviderResult<Row[]> {
    return this.tree?.getChildren(row) ?? [];
  }

  /** Needed to bring a row into sight. */
  getParent(row: Row): vscode.ProviderResult<Row> {
    return this.tree?.getParent?.(row);
  }

  getTreeItem(row: Row): vscode.TreeItem | Thenable<vscode.TreeItem> {
    // Rows come from the tree that is followed: there is one.
    return this.tree!.getTreeItem(row);
  }
}
