import type * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';

/** Commands on findings, and on what of them is shown where. */
export function findingCommands(command: RegisterCommand): vscode.Disposable[] {
  return [
    command('dismissHere', (all, finding?: unknown) => all.dismiss('place', finding)),
    command('dismissInFile', (all, finding?: unknown) => all.dismiss('file', finding)),
    command('copyJobPatch', (all, row?: unknown) => all.copyJobPatch(row)),
    command('showPicture', (all, about?: unknown) => all.pictures.show(about)),
    command('dismissTrigger', (all, finding?: unknown) => all.dismiss('trigger', finding)),
    command('restoreFinding', (all, row?: unknown) => all.restore(row)),
    command('showDismissed', (all) => all.showDismissed()),
    command('sortFindings', (all, order?: unknown) => all.orders.insights.choose(order)),
    command('sortCallSites', (all, order?: unknown) => all.orders.sites.choose(order)),
    command('sortFiles', (all, order?: unknown) => all.orders.files.choose(order)),
    command('toggleHeat', (all) => all.toggle('heat')),
    command('toggleCodeLens', (all) => all.toggle('codeLens')),
  ];
}
