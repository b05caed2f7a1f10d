import * as vscode from 'vscode';
import type { SelectionPart } from '../analysis/selection/selection.ts';
import { isSelection, isSelectionPart } from '../messages/selection-messages.ts';
import type { Views } from './extension.ts';
import type { Features } from './features.ts';
import type { LineCosts } from './line-costs.ts';
import { followLink, linkedViewInSight, linkTo, type Agrees } from './link-handler.ts';
import { placeOf } from './places.ts';
import type { Recordings } from './recordings.ts';
import type { SelectedCalls } from './selected-calls.ts';
import { SelectionEditor } from './selection-editor.ts';
import { SelectionStatus } from './selection-status.ts';
import { activateDimming, bindTrees } from './selection-trees.ts';
import { SelectionTree } from './selection-tree.ts';
import type { SelectionModel, SelectionOrigin } from './selection.ts';

/** The breadcrumb, the marks in editor and trees, links, and the commands of the selection. */
export class SelectionFeature implements vscode.Disposable {
  readonly tree: SelectionTree;
  readonly status: SelectionStatus;
  readonly editor: SelectionEditor;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly recordings: Recordings,
    private readonly costs: LineCosts,
    private readonly model: SelectionModel,
    readonly calls: SelectedCalls,
    readonly views: Views,
    trees: Features['trees'],
  ) {
    this.tree = new SelectionTree(model, calls);
    this.status = new SelectionStatus(model);
    this.editor = new SelectionEditor(recordings, costs, model, calls);
    this.subscription = vscode.Disposable.from(
      this.tree,
      this.status,
      this.editor,
      views.selection.tree.follow(this.tree),
      activateDimming(),
      bindTrees(views, trees, model, calls),
    );
  }

  /** @param argument a link's place or a tree's row; without it the cursor's line is meant. */
  selectLine(argument?: unknown): void {
    const place = placeOf(argument, this.recordings, this.costs);
    if (place !== undefined) this.model.select({ kind: 'line', file: place.file, line: place.line }, 'editor');
  }

  selectFunction(file: unknown, name: unknown): void {
    const part = { kind: 'function', file, name };
    if (isSelectionPart(part)) this.model.select(part, 'editor');
  }

  selectParts(parts: unknown, origin: SelectionOrigin): void {
    if (isSelection(parts)) this.model.select(parts, origin);
  }

  returnTo(index: unknown): void {
    if (typeof index === 'number') this.model.returnTo(index);
  }

  drop(row: unknown): void {
    if (typeof row === 'object' && row !== null && 'index' in row && typeof row.index === 'number')
      this.model.drop(row.index);
  }

  narrow(part: unknown): void {
    if (isSelectionPart(part)) this.model.narrow(part satisfies SelectionPart, 'breadcrumb');
  }

  /** The link to what is selected, in the current recording; undefined when there is none. */
  get link(): string | undefined {
    const { current } = this.recordings;
    const view = linkedViewInSight();
    return linkTo({ recording: current?.paths ?? [], selection: this.model.current, ...(view && { view }) });
  }

  async copyLink(): Promise<void> {
    const { link } = this;
    if (link === undefined) {
      void vscode.window.showWarningMessage(vscode.l10n.t('I/O Lens: what is selected cannot be written as a link.'));
      return;
    }
    await vscode.env.clipboard.writeText(link);
    vscode.window.setStatusBarMessage(vscode.l10n.t('I/O Lens: link copied'), 3_000);
  }

  /** @param agrees asks the user; tests answer themselves. */
  followLink(uri: vscode.Uri, agrees?: Agrees): Promise<void> {
    return followLink(uri, this.recordings, this.model, agrees);
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
