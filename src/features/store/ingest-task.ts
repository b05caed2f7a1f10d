import * as vscode from 'vscode';

const INGEST_TASK = 'iolens.ingest';

/** Takes folders with recordings into a store: a task with a terminal, which shows progress and can be stopped. */
function ingestTask(folders: readonly string[], store: string, dist: string): vscode.Task {
  const script = vscode.Uri.joinPath(vscode.Uri.file(dist), 'fleet.js').fsPath;
  const execution = new vscode.ProcessExecution(
    process.execPath,
    [script, 'fleet', 'ingest', '--store', store, '--', ...folders],
    // The editor's own program is Node with this.
    { env: { ELECTRON_RUN_AS_NODE: '1' } },
  );
  const name = vscode.l10n.t('ingest into {0}', store.split('/').at(-1) ?? store);
  const task = new vscode.Task({ type: INGEST_TASK }, vscode.TaskScope.Workspace, name, 'I/O Lens', execution);
  task.problemMatchers = [];
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated };
  return task;
}

/** Runs the task to its end, whatever that is: what was taken in before a stop counts. */
export async function ingestFolders(folders: readonly string[], store: string, dist: string): Promise<void> {
  const task = ingestTask(folders, store, dist);
  let settle: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    settle = resolve;
  });
  let execution: vscode.TaskExecution | undefined;
  const listening = vscode.tasks.onDidEndTask((event) => {
    if (event.execution === execution) settle?.();
  });
  try {
    execution = await vscode.tasks.executeTask(task);
    await ended;
  } finally {
    listening.dispose();
  }
}
