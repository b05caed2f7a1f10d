import type * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';

/** Commands of the comparison. */
export function comparisonCommands(command: RegisterCommand): vscode.Disposable[] {
  return [
    command('compareRecordings', (all, row?: unknown, other?: unknown) => all.comparison.compare(row, other)),
    // The same in the menu of a recording's row, where it has another title.
    command('compareWith', (all, row?: unknown) => all.comparison.compare(row)),
    command('compareSwap', (all) => all.comparison.model.swap()),
    command('compareTimeline', (all) => {
      const { current } = all.comparison.model;
      if (current !== undefined) all.timeline.showTogether([...current.base, ...current.new]);
    }),
    command('compareStop', (all) => {
      all.comparison.model.stop();
    }),
  ];
}
