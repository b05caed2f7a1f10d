import type * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';

/** Commands on recordings that are written; each takes the row of a recording, without it the current one is meant. */
export function liveCommands(command: RegisterCommand): vscode.Disposable[] {
  return [
    command('followRecording', (all, row?: unknown) => {
      all.follow(row);
    }),
    command('stopFollowing', (all, row?: unknown) => all.stopFollowing(row)),
  ];
}
