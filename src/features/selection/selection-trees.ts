import * as vscode from 'vscode';
import type { Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import type { FrameDocument } from '../../export/analysis/documents.ts';
import type { SelectedCalls } from './selected-calls.ts';
import { isSame } from './selection-history.ts';
import type { SelectionModel, SelectionOrigin } from './selection.ts';
import type { PlaceRow } from '../editor/tree-items.ts';

/** Rows of what is not selected carry this address: its only purpose is that they are shown dimmed. */
const NOT_SELECTED = vscode.Uri.from({ scheme: 'iolens-selection', path: '/not-selected' });

/** Dims the row of something that does not take part in the selection. */
export function dim(item: vscode.TreeItem, takesPart: boolean): vscode.TreeItem {
  if (takesPart) return item;
  item.resourceUri = NOT_SELECTED;
  const label = item.accessibilityInformation?.label;
  if (label !== undefined) item.accessibilityInformation = { label: vscode.l10n.t('{0}, not selected', label) };
  return item;
}

/**
 * A row that leads to no line selects by a command, too: a view does not tell of a click on the row that was chosen in it
 * last, though something else was selected elsewhere meanwhile.
 */
export function selecting(item: vscode.TreeItem, parts: Selection, origin: SelectionOrigin): vscode.TreeItem {
  item.command ??= { command: 'iolens.selectParts', title: vscode.l10n.t('Select'), arguments: [parts, origin] };
  return item;
}

export function activateDimming(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === NOT_SELECTED.scheme
        ? new vscode.FileDecoration(
            undefined,
            vscode.l10n.t('Not selected'),
            new vscode.ThemeColor('disabledForeground'),
          )
        : undefined,
  });
}

/** How the rows of a view and the selection become each other. */
interface SelectingRows<Row> {
  readonly origin: SelectionOrigin;
  readonly rowFor: (part: SelectionPart) => Row | undefined;
  readonly partsOf: (row: Row) => Selection;
}

/** Choosing a row selects; what is selected elsewhere is brought into sight, where the view is in sight. */
export function bindTree<Row>(
  view: vscode.TreeView<Row>,
  { origin, rowFor, partsOf }: SelectingRows<Row>,
  selection: SelectionModel,
  calls: SelectedCalls,
): vscode.Disposable {
  /** The row that was brought into sight is not one that the user chose. */
  let revealed: Selection = [];
  const chosen = view.onDidChangeSelection(({ selection: rows }) => {
    const parts = rows.length === 1 ? partsOf(rows[0]!) : [];
    if (parts.length > 0 && !isSame(parts, revealed)) selection.select(parts, origin);
    revealed = [];
  });
  const followed = calls.onDidChange(() => {
    const { current } = calls;
    const last = current?.selection.at(-1);
    if (current === undefined || last === undefined || !view.visible) return;
    // Where nobody selected anything, nothing moves.
    if (current.origin === origin || current.origin === 'recording') return;
    const row = rowFor(last);
    if (row === undefined || view.selection.some((shown) => isSame(partsOf(shown), partsOf(row)))) return;
    const parts = partsOf(row);
    revealed = parts;
    // The view tells of its selection before it says that the row is there. A row that is gone meanwhile is no matter,
    // but is no longer waited for: the user may choose one that means the same.
    const settled = (): void => {
      if (revealed === parts) revealed = [];
    };
    view.reveal(row, { select: true, focus: false }).then(settled, settled);
  });
  return vscode.Disposable.from(chosen, followed);
}

/** What a row at a place selects. */
export function placeParts({ file, line, function: name }: PlaceRow): Selection {
  if (line > 0) return [{ kind: 'line', file, line }];
  return name === '' ? [] : [{ kind: 'function', file, name }];
}

export function callerParts({ file, function: name }: FrameDocument): Selection {
  return name === '' ? [] : [{ kind: 'function', file, name }];
}
