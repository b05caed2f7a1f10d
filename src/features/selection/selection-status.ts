import * as vscode from 'vscode';
import type { SelectionModel } from './selection.ts';
import { partDescription, selectionLabels } from './selection-text.ts';

/** What is selected, in the status bar; a click leads to the breadcrumb. */
export class SelectionStatus implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly subscription: vscode.Disposable;

  constructor(private readonly selection: SelectionModel) {
    this.item = vscode.window.createStatusBarItem('iolens.selection', vscode.StatusBarAlignment.Left, 9);
    this.item.name = vscode.l10n.t('I/O Lens Selection');
    this.item.command = 'iolens.selection.focus';
    this.subscription = selection.onDidChange(() => this.show());
    this.show();
  }

  /** What the item says; undefined when it is hidden. */
  get text(): string | undefined {
    return this.selection.current.length === 0 ? undefined : this.item.text;
  }

  private show(): void {
    const { current } = this.selection;
    if (current.length === 0) {
      this.item.hide();
      return;
    }
    this.item.text = `$(filter) ${selectionLabels(current).join(' › ')}`;
    const parts = current.map(partDescription).join('\n');
    this.item.tooltip = `${vscode.l10n.t('I/O Lens: selected')}\n${parts}`;
    this.item.accessibilityInformation = { label: vscode.l10n.t('I/O Lens: selected {0}', parts), role: 'button' };
    this.item.show();
  }

  dispose(): void {
    this.subscription.dispose();
    this.item.dispose();
  }
}
