import * as vscode from 'vscode';
import type { RecordingView } from './protocol.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import type { Recordings } from '../recordings/recordings.ts';

/**
 * Opens what was recorded of a step of a workflow, as if the user had opened it.
 * @param paths files or folders of one recording.
 */
export async function openStepRecording(
  recordings: Recordings,
  paths: readonly string[],
  view: RecordingView,
): Promise<void> {
  if (paths.length === 0) return;
  const uris = paths.map(uriOf);
  await vscode.commands.executeCommand('iolens.openRecording', uris[0], uris);
  const recording = recordings.withPaths(uris.map(pathOf));
  if (recording === undefined) return;
  await recordings.choose(recording);
  if (view === 'timeline') await vscode.commands.executeCommand('iolens.showTimeline');
}
