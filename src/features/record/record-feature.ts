import * as vscode from 'vscode';
import type { Contributions } from '../editor/contributions.ts';
import { openLine } from '../editor/places.ts';
import type { RecordedRun, Recorder } from '../editor/programs.ts';
import type { Services } from '../editor/services.ts';
import { openFindings } from '../findings/insight-tree.ts';
import { worstLine } from '../findings/worst-line.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import { recordedText, recordingBefore } from './recorded-message.ts';

/** A button of the message at the end of a recording. */
interface Next extends vscode.MessageItem {
  readonly go: () => unknown;
}

/** Recording programs: tasks of the editor, what asks for a program, and what is said when one has ended. */
export class RecordFeature {
  readonly recorder: Recorder;
  /** What was said last; for tests. */
  told: { readonly text: string; readonly next: readonly Next[] } | undefined;

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    const { programs, recordings, live, context, state } = services;
    const recorder = programs.recorder(recordings, live, context);
    this.recorder = recorder;
    contributions.own(
      recorder,
      recorder.onDidRecord((run) => void this.tell(run)),
    );
    contributions.tasks('iolens.record', {
      provideTasks: () => recorder.provideTasks(),
      resolveTask: (task) => recorder.resolveTask(task),
    });
    contributions.command('recordProgram', () => programs.recordProgram(recorder, state));
    contributions.command('recordLaunch', (name?: unknown) => programs.recordLaunch(recorder, state, name));
    contributions.command('stopProgram', () => recorder.stop());
  }

  /** What came of it, whatever the user looks at meanwhile; the message waits for nobody. */
  private async tell({ recording, status }: RecordedRun): Promise<void> {
    const { dismissals } = this.services;
    const text = recordedText(recording, openFindings(recording, dismissals).length, status);
    const next = this.nextSteps(recording);
    this.told = { text, next };
    const chosen = await vscode.window.showInformationMessage(`I/O Lens: ${text}`, ...next);
    await chosen?.go();
  }

  private nextSteps(recording: OpenRecording): Next[] {
    const { recordings, dismissals } = this.services;
    const site = worstLine(recording, dismissals);
    const before = recordingBefore(recording, recordings.all());
    const run = async (command: string, ...about: OpenRecording[]): Promise<void> => {
      const rows = await Promise.all(about.map((each) => this.rowOf(each)));
      if (rows.every((row) => row !== undefined)) await vscode.commands.executeCommand(command, ...rows);
    };
    const steps: (Next | false)[] = [
      site !== undefined && {
        title: vscode.l10n.t('Worst Line'),
        go: () => openLine(site.file, recordings.lines.now(recording, site.file, site.line)),
      },
      before !== undefined && {
        title: vscode.l10n.t('Compare'),
        go: () => run('iolens.compareRecordings', before, recording),
      },
      { title: vscode.l10n.t('Summary'), go: () => run('iolens.showReport', recording) },
      recording.info.events > 0 && {
        title: vscode.l10n.t('Timeline'),
        go: () => run('iolens.showTimeline', recording),
      },
    ];
    return steps.filter((step) => step !== false);
  }

  /** As commands take it; what was closed since is opened again. */
  private async rowOf({ paths }: OpenRecording): Promise<{ kind: 'recording'; recording: OpenRecording } | undefined> {
    const { recordings } = this.services;
    const recording = recordings.withPaths(paths) ?? (await recordings.add(paths));
    return recording && { kind: 'recording', recording };
  }
}
