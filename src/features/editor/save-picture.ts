import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';
import { uriOf } from './locations.ts';
import type { OpenRecording } from '../recordings/recordings.ts';

/** A picture that a view drew. */
interface Picture {
  readonly format: 'svg' | 'png';
  /** Text of an SVG file, or the bytes of a PNG file. */
  readonly content: string | Uint8Array;
}

/**
 * Writes a picture where the user says, at first beside the recording.
 * @param about what it shows, for its name.
 */
export async function savePicture(recording: OpenRecording, about: string, picture: Picture): Promise<void> {
  await savePictureBeside(recording.paths[0]!, about, picture);
}

/** The same, at first beside a file or folder. */
export async function savePictureBeside(path: string, about: string, { format, content }: Picture): Promise<void> {
  const beside = path.replace(/\/+$/, '');
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save the Picture'),
    defaultUri: uriOf(`${beside}.${about.replaceAll(/[^\w.-]/g, '_')}.${format}`),
    filters: { [format.toUpperCase()]: [format] },
  });
  if (target === undefined) return;
  try {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (error) {
    const reason = messageOf(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the picture was not written: {0}', reason));
  }
}
