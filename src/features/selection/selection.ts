import * as vscode from 'vscode';
import type { Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { narrowed, SelectionHistory } from './selection-history.ts';

/** Who changed the selection: a view that did it itself need not follow it. */
export type SelectionOrigin =
  | 'editor'
  | 'insights'
  | 'sites'
  | 'files'
  | 'loops'
  | 'graph'
  | 'timeline'
  | 'offsets'
  | 'causes'
  | 'comparison'
  | 'report'
  | 'breadcrumb'
  | 'link'
  /** Back, forward and clear. */
  | 'history'
  /** Nobody selected: another recording is current, or it was read anew. */
  | 'recording';

export interface SelectionChange {
  readonly selection: Selection;
  readonly origin: SelectionOrigin;
}

const STATE = 'iolens.selection';

/**
 * What is selected in this window: one selection for all views. A view calls `select` or `narrow` when something is
 * clicked in it, and listens to `onDidChange` to follow what was selected elsewhere. Selecting what is selected already
 * changes nothing, so that views that follow each other come to rest.
 */
export class SelectionModel implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<SelectionChange>();
  readonly onDidChange = this.changed.event;
  private readonly history: SelectionHistory;

  constructor(private readonly state: vscode.Memento) {
    this.history = new SelectionHistory(state.get<unknown>(STATE));
    this.setKeys();
  }

  get current(): Selection {
    return this.history.current;
  }

  /** Selects something else, in place of what was selected. */
  select(parts: SelectionPart | Selection, origin: SelectionOrigin): void {
    if (this.history.change(isList(parts) ? parts : [parts])) this.announce(origin);
  }

  /** Selects what the cursor rests on: a way that it takes is one step of the way back. */
  follow(part: SelectionPart, origin: SelectionOrigin): void {
    if (this.history.change([part], true)) this.announce(origin);
  }

  /** Adds a part to what is selected; one of the same kind gives way. */
  narrow(part: SelectionPart, origin: SelectionOrigin): void {
    this.select(narrowed(this.current, part), origin);
  }

  /** Takes away the parts behind one. */
  returnTo(index: number): void {
    this.select(this.current.slice(0, index + 1), 'breadcrumb');
  }

  /** Takes one part away. */
  drop(index: number): void {
    this.select(
      this.current.filter((_, i) => i !== index),
      'breadcrumb',
    );
  }

  clear(): void {
    this.select([], 'history');
  }

  back(): void {
    if (this.history.back()) this.announce('history');
  }

  forward(): void {
    if (this.history.forward()) this.announce('history');
  }

  private announce(origin: SelectionOrigin): void {
    this.setKeys();
    void this.state.update(STATE, this.history.kept);
    this.changed.fire({ selection: this.current, origin });
  }

  private setKeys(): void {
    const set = (key: string, value: boolean): void => {
      void vscode.commands.executeCommand('setContext', `iolens.${key}`, value);
    };
    set('somethingSelected', this.current.length > 0);
    set('canGoBack', this.history.canGoBack);
    set('canGoForward', this.history.canGoForward);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function isList(parts: SelectionPart | Selection): parts is Selection {
  return Array.isArray(parts);
}
