import type * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';

/** Commands on recordings of the same run; each takes the row of a recording, without it the current one is meant. */
export function joinCommands(command: RegisterCommand): vscode.Disposable[] {
  return [
    command('addRecording', (all, row?: unknown, other?: unknown) => all.joined.addTo(row, other)),
    command('setClockOffset', (all, row?: unknown) => all.joined.setOffset(row)),
    command('separateRecordings', (all, row?: unknown) => all.joined.separate(row)),
  ];
}
