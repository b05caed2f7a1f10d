import * as vscode from 'vscode';
import type { FromOffsetView } from '../messages/offset-messages.ts';
import type { OpenRecording } from './recordings.ts';

type Picture = Extract<FromOffsetView, { kind: 'picture' }>;

/**
 * Writes a picture that a view made where the user says.
 * @param about path of the file that it shows.
 */
export async function savePicture(
  recording: OpenRecording,
  about: string,
  { format, content }: Picture,
): Promise<void> {
  const name = about
    .split('/')
    .at(-1)!
    .replaceAll(/[^\w.-]/g, '_');
  const beside = recording.paths[0]!.replace(/\/+$/, '');
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save the Picture'),
    defaultUri: vscode.Uri.file(`${beside}.${name === '' ? 'offsets' : name}.${format}`),
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
