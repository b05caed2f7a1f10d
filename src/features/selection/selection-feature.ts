import * as vscode from 'vscode';
import type { SelectionPart } from '../../analysis/selection/selection.ts';
import type { Contributions } from '../editor/contributions.ts';
import { placeOf } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import { followLink, linkedViewInSight, linkTo, type Agrees } from './link-handler.ts';
import { isSelection, isSelectionPart } from './protocol.ts';
import { SelectionEditor } from './selection-editor.ts';
import { SelectionStatus } from './selection-status.ts';
import { SelectionTree, type SelectionRow } from './selection-tree.ts';
import { activateDimming } from './selection-trees.ts';
import type { SelectionOrigin } from './selection.ts';

/** The breadcrumb, the marks in editor and trees, links, and the commands of the selection. */
export class SelectionFeature {
  readonly tree: SelectionTree;
  readonly status: SelectionStatus;
  readonly editor: SelectionEditor;

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    const { recordings, lineCosts, selection, selectedCalls } = services;
    this.tree = new SelectionTree(selection, selectedCalls);
    this.status = new SelectionStatus(selection);
    this.editor = new SelectionEditor(recordings, lineCosts, selection, selectedCalls);
    const { tree } = contributions.view<SelectionRow>('selection');
    contributions.own(this.tree, this.status, this.editor, tree.follow(this.tree), activateDimming());
    contributions.links((link) => this.followLink(link));
    contributions.command('copySelectionLink', () => this.copyLink());
    this.steps(contributions);
    this.parts(contributions);
  }

  /** Commands on the selections that there were. */
  private steps(contributions: Contributions): void {
    const { selection } = this.services;
    contributions.command('selectionBack', () => selection.back());
    contributions.command('selectionForward', () => selection.forward());
    contributions.command('selectionClear', () => selection.clear());
    contributions.ownCommand('selectionReturn', (index?: unknown) => {
      if (typeof index === 'number') selection.returnTo(index);
    });
  }

  /** Commands that select, and that take a part of what is selected. */
  private parts(contributions: Contributions): void {
    const { selection } = this.services;
    contributions.command('selectLine', (place?: unknown) => this.selectLine(place));
    contributions.command('selectionDrop', (row?: unknown) => {
      if (typeof row === 'object' && row !== null && 'index' in row && typeof row.index === 'number')
        selection.drop(row.index);
    });
    contributions.ownCommand('selectFunction', (file?: unknown, name?: unknown) => {
      const part = { kind: 'function', file, name };
      if (isSelectionPart(part)) selection.select(part, 'editor');
    });
    contributions.ownCommand('selectParts', (parts: unknown, origin: SelectionOrigin) => {
      if (isSelection(parts)) selection.select(parts, origin);
    });
    contributions.ownCommand('selectionNarrow', (part?: unknown) => {
      if (isSelectionPart(part)) selection.narrow(part satisfies SelectionPart, 'breadcrumb');
    });
  }

  /** @param argument a link's place or a tree's row; without it the cursor's line is meant. */
  private selectLine(argument?: unknown): void {
    const { recordings, lineCosts, selection } = this.services;
    const place = placeOf(argument, recordings, lineCosts);
    if (place !== undefined) selection.select({ kind: 'line', file: place.file, line: place.line }, 'editor');
  }

  /** The link to what is selected, in the current recording; undefined when there is none. */
  get link(): string | undefined {
    const { recordings, selection } = this.services;
    const view = linkedViewInSight();
    return linkTo({ recording: recordings.current?.paths ?? [], selection: selection.current, ...(view && { view }) });
  }

  private async copyLink(): Promise<void> {
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
    const { recordings, selection } = this.services;
    return followLink(uri, recordings, selection, agrees);
  }
}
