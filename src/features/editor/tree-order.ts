import * as vscode from 'vscode';

/** What the rows of a tree are ordered by: largest first; names from a to z; findings by how much they matter. */
type TreeOrder = 'severity' | 'time' | 'calls' | 'bytes' | 'name';

/** What rows are compared by. */
export interface Measured {
  readonly name: string;
  readonly events: number;
  readonly bytes: number;
  readonly timeNs: number;
}

/** Rows in an order; those that are equal, and all of them by severity, stay as they came. */
export function inOrder<Row>(rows: readonly Row[], order: TreeOrder, measure: (row: Row) => Measured): Row[] {
  const measured = rows.map((row) => ({ row, by: measure(row) }));
  switch (order) {
    case 'severity':
      break;
    case 'time':
      measured.sort((a, b) => b.by.timeNs - a.by.timeNs);
      break;
    case 'calls':
      measured.sort((a, b) => b.by.events - a.by.events);
      break;
    case 'bytes':
      measured.sort((a, b) => b.by.bytes - a.by.bytes);
      break;
    case 'name':
      measured.sort((a, b) => a.by.name.localeCompare(b.by.name, 'en', { numeric: true }));
      break;
  }
  return measured.map(({ row }) => row);
}

/** The order of one view, which the workspace remembers. */
export class ViewOrder implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly state: vscode.Memento,
    private readonly view: string,
    private readonly orders: readonly TreeOrder[],
  ) {}

  get current(): TreeOrder {
    const stored = this.state.get<TreeOrder>(this.key, this.orders[0]!);
    return this.orders.includes(stored) ? stored : this.orders[0]!;
  }

  private get key(): string {
    return `iolens.order.${this.view}`;
  }

  /** @param wanted for other extensions and tests; without it the user is asked. */
  async choose(wanted?: unknown): Promise<void> {
    const order = this.orders.find((known) => known === wanted) ?? (await this.ask());
    if (order === undefined) return;
    await this.state.update(this.key, order);
    this.changed.fire();
  }

  private async ask(): Promise<TreeOrder | undefined> {
    const { current } = this;
    const items = this.orders.map((order) => ({
      label: orderName(order),
      description: order === current ? vscode.l10n.t('now') : '',
      order,
    }));
    const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Sort by') });
    return picked?.order;
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function orderName(order: TreeOrder): string {
  switch (order) {
    case 'severity':
      return vscode.l10n.t('how much it matters');
    case 'time':
      return vscode.l10n.t('time');
    case 'calls':
      return vscode.l10n.t('calls');
    case 'bytes':
      return vscode.l10n.t('bytes moved');
    case 'name':
      return vscode.l10n.t('name');
  }
}
