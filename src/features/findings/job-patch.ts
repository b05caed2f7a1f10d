import * as vscode from 'vscode';
import { jobPatches } from '../../export/analysis/advice.ts';
import type { InsightDocument } from '../../export/analysis/documents.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

/**
 * Copies the lines for a job script: of a finding, or of all findings of a recording. They are never put into a file by
 * themselves: the editor does not know which script runs the job.
 *
 * @param row of the view of findings; without one the current recording is meant.
 */
export async function copyJobPatch(recordings: Recordings, row: unknown): Promise<void> {
  const code = jobPatches(insightsOf(row) ?? recordings.current?.analysis.insights ?? [])
    .map((patch) => patch.code)
    .join('\n');
  if (code === '') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Nothing needs changing in the job script: what can be done is done in the code.'),
    );
    return;
  }
  await vscode.env.clipboard.writeText(code);
  void vscode.window.showInformationMessage(vscode.l10n.t('The lines for the job script are on the clipboard.'));
}

function insightsOf(row: unknown): readonly InsightDocument[] | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  if ('insight' in row) return [row.insight as InsightDocument];
  if ('recording' in row) return (row.recording as OpenRecording).analysis.insights;
  return undefined;
}
