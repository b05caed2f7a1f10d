import * as vscode from 'vscode';
import { isTrustedFor } from '../editor/trust.ts';
import type { OpenRecording } from '../recordings/recordings.ts';

const REPLAY_TASK = 'iolens.replay';

/**
 * Does again what a recording shows, in a folder that the user chooses: a task with a terminal, which can be stopped.
 * @param dist the folder of the extension's own files, where the command line is.
 */
export async function replayRecording(recording: OpenRecording, dist: string): Promise<void> {
  const why = vscode.l10n.t('I/O Lens: recordings are replayed in trusted workspaces only: a replay writes files.');
  if (!isTrustedFor(why)) return;
  const how = await askHow();
  if (how === undefined) return;
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Replay {0}: a Folder on the File System to Measure', recording.name),
      openLabel: vscode.l10n.t('Replay Here'),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (folder === undefined) return;
  await vscode.tasks.executeTask(replayTask(recording, dist, how.options, folder));
}

/** The task; it writes to a folder of its own in the chosen one, and only when that is new or of an earlier replay. */
function replayTask(
  { name, paths }: Pick<OpenRecording, 'name' | 'paths'>,
  dist: string,
  options: readonly string[],
  folder: vscode.Uri,
): vscode.Task {
  const output = vscode.Uri.joinPath(folder, `replay-${name.replaceAll(/[^A-Za-z0-9._-]+/g, '_')}`).fsPath;
  const script = vscode.Uri.joinPath(vscode.Uri.file(dist), 'replay.js').fsPath;
  const execution = new vscode.ProcessExecution(
    process.execPath,
    [script, 'replay', ...options, '-o', output, '--', ...paths],
    // The editor's own program is Node with this.
    { cwd: folder.fsPath, env: { ELECTRON_RUN_AS_NODE: '1' } },
  );
  const definition = { type: REPLAY_TASK };
  const task = new vscode.Task(definition, vscode.TaskScope.Workspace, `replay ${name}`, 'I/O Lens', execution);
  task.problemMatchers = [];
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated };
  return task;
}

interface HowItem extends vscode.QuickPickItem {
  readonly options: readonly string[];
}

function askHow(): Thenable<HowItem | undefined> {
  const choices: HowItem[] = [
    {
      label: vscode.l10n.t('As recorded'),
      detail: vscode.l10n.t('the same calls in the same order, on files of their own'),
      options: ['--format', 'run'],
    },
    {
      label: vscode.l10n.t('As recorded and as advised, in turns'),
      detail: vscode.l10n.t('requests joined up to 1 MiB and aligned to 4 KiB: how much faster is that here?'),
      options: ['--format', 'run', '--compare', '--coalesce', '1MiB', '--align', '4KiB'],
    },
    {
      label: vscode.l10n.t('With fio'),
      detail: vscode.l10n.t('writes its job file and logs, and runs nothing'),
      options: ['--format', 'fio'],
    },
  ];
  return vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Replay Recording'),
    placeHolder: vscode.l10n.t('How the recorded calls are made again'),
  });
}
