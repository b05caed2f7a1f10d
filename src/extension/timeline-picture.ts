import * as vscode from 'vscode';
import type { FromTimelineView } from '../messages/timeline-messages.ts';
import type { OpenRecording } from './recordings.ts';

type Picture = Extract<FromTimelineView, { kind: 'picture' }>;

/** Saves what the view drew, where the user says. */
export async function savePicture(picture: Picture, recording: OpenRecording): Promise<void> {
  const { format, content } = picture;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save the Timeline of {0}', recording.name),
    defaultUri: vscode.Uri.file(`${recording.paths[0]!.replace(/\/+$/, '')}.timeline.${format}`),
    filters: { [format.toUpperCase()]: [format] },
  });
  if (target === undefined) return;
  try {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the picture was not written: {0}', reason));
  }
}
