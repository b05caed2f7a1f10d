import * as vscode from 'vscode';
import type { CallerDocument } from '../../export/analysis/caller-documents.ts';
import { formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { openLine, type Place } from '../editor/places.ts';
import type { Recordings } from '../recordings/recordings.ts';

interface CallerItem extends vscode.QuickPickItem {
  readonly caller: CallerDocument;
}

/**
 * Walks from a line to the lines that call it. Each step lists the callers with their counts and opens the line that is
 * chosen; the arrow at the top goes back a step, Escape ends the walk where it is.
 */
export async function walkToCaller({ recording, file, line }: Place, recordings: Recordings): Promise<void> {
  const root = await recordings.session.lines.callers(recording.id, file, line);
  if (root === undefined) {
    const place = `${file.split('/').at(-1)!}:${line}`;
    void vscode.window.showInformationMessage(
      vscode.l10n.t('I/O Lens: no recorded I/O call came through {0} in {1}.', place, recording.name),
    );
    return;
  }
  const step: Step = async ({ file: at, line: recorded, isHere }) => {
    if (isHere) await openLine(at, recordings.lines.now(recording, at, recorded), true);
  };
  if (root.callers.length === 0) {
    await step(root);
    void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: {0} has no caller.', nameOf(root)));
    return;
  }
  await walk(root, step);
}

/** Brings a caller into the editor. */
type Step = (caller: CallerDocument) => Promise<void>;

async function walk(root: CallerDocument, step: Step): Promise<void> {
  const pick = vscode.window.createQuickPick<CallerItem>();
  const way = [root];
  const show = (): void => {
    const at = way.at(-1)!;
    pick.title = way.map(nameOf).join(' ← ');
    pick.placeholder =
      at.callers.length === 0
        ? vscode.l10n.t('The end of the chain: nothing calls {0}', nameOf(at))
        : vscode.l10n.t('Callers of {0}', nameOf(at));
    pick.step = way.length;
    pick.buttons = way.length > 1 ? [vscode.QuickInputButtons.Back] : [];
    pick.value = '';
    pick.items = at.callers.map((caller) => callerItem(caller, root));
  };
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  show();
  await new Promise<void>((resolve) => {
    pick.onDidAccept(async () => {
      const caller = pick.selectedItems[0]?.caller;
      if (caller === undefined) return;
      way.push(caller);
      await step(caller);
      // At the end there is nothing left to choose.
      if (caller.callers.length === 0) pick.hide();
      else show();
    });
    pick.onDidTriggerButton(async () => {
      way.pop();
      await step(way.at(-1)!);
      show();
    });
    pick.onDidHide(() => resolve());
    pick.show();
  });
  pick.dispose();
}

function nameOf({ file, line }: CallerDocument): string {
  return `${file.split('/').at(-1)!}:${line}`;
}

function callerItem(caller: CallerDocument, root: CallerDocument): CallerItem {
  const share = root.timeNs > 0 ? caller.timeNs / root.timeNs : caller.events / Math.max(root.events, 1);
  const numbers = vscode.l10n.t(
    '{0} of {1} calls, {2} ({3} of the line’s time)',
    formatCount(caller.events),
    formatCount(root.events),
    formatDuration(caller.timeNs),
    formatShare(share),
  );
  return {
    label: `$(call-incoming) ${caller.function === '' ? nameOf(caller) : caller.function}`,
    description: caller.isHere ? nameOf(caller) : vscode.l10n.t('{0} (not on this machine)', nameOf(caller)),
    detail: numbers,
    alwaysShow: true,
    caller,
  };
}
