import * as vscode from 'vscode';
import type { RecordedEvent } from '../answers/event-lines.ts';
import { openLine, type Place } from '../editor/places.ts';
import type { Recordings } from '../recordings/recordings.ts';

/** Calls that are listed. */
const MOST_EVENTS = 500;

/** Lets the user follow a number back to the lines of the recording. */
export async function showRecordedCalls({ recording, file, line }: Place, recordings: Recordings): Promise<void> {
  const events = await recordings.session.lines.events(recording.id, file, line, MOST_EVENTS);
  const place = `${file.split('/').at(-1)!}:${line}`;
  if (events.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('I/O Lens: {0} makes no recorded I/O call in {1}.', place, recording.name),
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(
    events.map((event) => ({
      label: `${event.call} ${event.path}`,
      description: describe(event),
      detail: `${event.recording}:${event.line}`,
      event,
    })),
    { title: vscode.l10n.t('Calls of {0} as recorded', place), matchOnDetail: true },
  );
  if (picked !== undefined) await openRecorded(picked.event.recording, picked.event.line);
}

/** Shows the raw line of a call, in a file of the recording. */
export async function openRecorded(file: string, line: number, column = vscode.ViewColumn.Active): Promise<void> {
  try {
    await openLine(file, line, false, column);
  } catch {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'I/O Lens: {0} cannot be shown as text here (compressed, moved or too large). The call is its line {1}.',
        file,
        line,
      ),
    );
  }
}

function describe({ bytes, pid, rank }: RecordedEvent): string {
  return rank === null
    ? vscode.l10n.t('{0} B, process {1}', bytes, pid)
    : vscode.l10n.t('{0} B, rank {1}', bytes, rank);
}
