import * as vscode from 'vscode';
import type { LineCosts } from '../lines/line-costs.ts';
import type { Recordings } from '../recordings/recordings.ts';
import type { SelectedCalls } from '../selection/selected-calls.ts';
import type { LineNow } from './tree-items.ts';
import type { ViewOrder } from './tree-order.ts';

/** A view of what the current recording costs; it is filled anew when the costs or the order change. */
export abstract class CostTree<Row> implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    protected readonly recordings: Recordings,
    private readonly costs: LineCosts,
    protected readonly order: ViewOrder,
    protected readonly calls: SelectedCalls,
  ) {
    const fire = (): void => this.changed.fire();
    this.subscriptions = [costs.onDidChange(fire), order.onDidChange(fire), calls.onDidChange(fire)];
  }

  abstract getChildren(row?: Row): vscode.ProviderResult<Row[]>;
  abstract getTreeItem(row: Row): vscode.TreeItem;

  /** Only rows at the root are brought into sight. */
  getParent(): undefined {
    return undefined;
  }

  protected readonly lineNow: LineNow = (file, line) => this.costs.lineNow(file, line);

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}
