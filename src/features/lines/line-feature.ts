import * as vscode from 'vscode';
import type { Contributions } from '../editor/contributions.ts';
import { openLine, placeOf } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import { ViewOrder } from '../editor/tree-order.ts';
import { isSame } from '../selection/selection-history.ts';
import { bindTree } from '../selection/selection-trees.ts';
import { CallSiteTree, siteParts, type CallSiteRow } from './call-site-tree.ts';
import { walkToCaller } from './caller-walk.ts';
import { activateCodeLens } from './code-lens.ts';
import { Heat } from './heat.ts';
import { activateHover } from './hover.ts';
import { LineNumbers } from './line-numbers.ts';
import { showRecordedCalls } from './recorded-calls.ts';

/** What lines cost: in the source, in the view of call sites, and what leads from a line to its calls and callers. */
export class LineFeature {
  readonly order: ViewOrder;
  readonly tree: CallSiteTree;
  readonly heat: Heat;
  readonly numbers: LineNumbers;

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    const { recordings, lineCosts, selectedCalls, findingLines, dismissals, extension, state } = services;
    this.order = new ViewOrder(state, 'sites', ['time', 'calls', 'bytes', 'name']);
    this.tree = new CallSiteTree(recordings, lineCosts, this.order, selectedCalls);
    this.heat = new Heat(extension, lineCosts, dismissals);
    this.numbers = new LineNumbers(lineCosts, findingLines);
    contributions.own(
      this.order,
      this.tree,
      this.heat,
      this.numbers,
      activateHover(findingLines, lineCosts),
      activateCodeLens(recordings, lineCosts),
      ...this.fillView(contributions),
      ...this.followCursor(),
    );
    contributions.command('showRecordedCalls', (place?: unknown) => this.showRecordedCalls(place));
    contributions.command('walkToCaller', (place?: unknown) => this.walkToCaller(place));
    contributions.command('sortCallSites', (order?: unknown) => this.order.choose(order));
    contributions.command('toggleHeat', () => toggle('heat'));
    contributions.command('toggleCodeLens', () => toggle('codeLens'));
    contributions.ownCommand('openLine', (file?: unknown, line?: unknown, id?: unknown) => this.open(file, line, id));
  }

  private fillView(contributions: Contributions): vscode.Disposable[] {
    const { recordings, selection, selectedCalls } = this.services;
    const { tree, view } = contributions.view<CallSiteRow>('sites');
    return [
      tree.follow(this.tree),
      recordings.onDidChange(() => {
        view.description = recordings.current?.name ?? '';
      }),
      // Before the selection comes to the view: what is brought into sight is chosen in it, too.
      selectedCalls.onDidChange(() => {
        const [row] = view.selection;
        if (row === undefined) return;
        const parts = siteParts(row);
        if (!selection.current.some((part) => isSame([part], parts))) this.tree.forget(row);
      }),
      bindTree(
        view,
        { origin: 'sites', rowFor: (part) => this.tree.rowFor(part), partsOf: siteParts },
        selection,
        selectedCalls,
      ),
    ];
  }

  /** Keeps the context key `iolens.lineHasCalls`, for menus that only make sense on such a line. */
  private followCursor(): vscode.Disposable[] {
    const { lineCosts } = this.services;
    let last: boolean | undefined;
    const look = (): void => {
      const editor = vscode.window.activeTextEditor;
      const hasCalls = editor !== undefined && lineCosts.at(editor.document, editor.selection.active.line).length > 0;
      if (hasCalls === last) return;
      last = hasCalls;
      void vscode.commands.executeCommand('setContext', 'iolens.lineHasCalls', hasCalls);
    };
    return [
      vscode.window.onDidChangeTextEditorSelection(look),
      vscode.window.onDidChangeActiveTextEditor(look),
      lineCosts.onDidChange(look),
    ];
  }

  /** @param id of the recording that names the line; without it the current one is meant. */
  private async open(file?: unknown, line?: unknown, id?: unknown): Promise<void> {
    if (typeof file !== 'string' || typeof line !== 'number') return;
    const { recordings } = this.services;
    const recording = recordings.all().find((open) => open.id === id) ?? recordings.current;
    // The line may have moved since the recording was opened.
    await openLine(file, recording === undefined ? line : recordings.lines.now(recording, file, line));
  }

  private async showRecordedCalls(argument?: unknown): Promise<void> {
    const { recordings, lineCosts } = this.services;
    const place = placeOf(argument, recordings, lineCosts);
    if (place !== undefined) await showRecordedCalls(place, recordings);
  }

  private async walkToCaller(argument?: unknown): Promise<void> {
    const { recordings, lineCosts } = this.services;
    const place = placeOf(argument, recordings, lineCosts);
    if (place !== undefined) await walkToCaller(place, recordings);
  }
}

async function toggle(setting: 'heat' | 'codeLens'): Promise<void> {
  const settings = vscode.workspace.getConfiguration('iolens');
  await settings.update(setting, settings.get(setting) !== true, vscode.ConfigurationTarget.Global);
}
