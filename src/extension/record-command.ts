import * as vscode from 'vscode';
import { freeOutput, installedStrace, straceOptions } from '../session/record.ts';
import type { Recordings } from './recordings.ts';

const LAST_COMMAND = 'iolens.lastCommand';

/** Asks for a program, runs it under strace in a terminal, and opens the recording when it has ended. */
export async function recordProgram(recordings: Recordings, state: vscode.Memento): Promise<void> {
  if (refusesToRun()) return;
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('I/O Lens: open a folder first: the program runs there and its recording goes there.'),
    );
    return;
  }
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Record a Program’s I/O'),
    prompt: vscode.l10n.t('Program and arguments. No shell: no pipes, no redirections, no variables.'),
    placeHolder: './app --steps 100 input.dat',
    value: state.get<string>(LAST_COMMAND, ''),
    ignoreFocusOut: true,
  });
  const command = splitCommand(text ?? '');
  if (command.length === 0) return;
  await state.update(LAST_COMMAND, text);
  const made = await runRecording(command, folder);
  if (made !== undefined) await recordings.add([made]);
}

/** The commands are hidden in an untrusted workspace; key bindings, links and other extensions can still call them. */
function refusesToRun(): boolean {
  if (vscode.workspace.isTrusted) return false;
  void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: in a folder that is not trusted no program is run.'));
  return true;
}

/** Runs strace as a task, so that the program has a terminal. Returns the recording, or undefined when there is none. */
export async function runRecording(
  command: readonly string[],
  folder: vscode.WorkspaceFolder,
): Promise<string | undefined> {
  if (refusesToRun()) return undefined;
  let options: string[];
  const output = freeOutput(command[0]!, folder.uri.fsPath);
  try {
    options = straceOptions({ output, abilities: installedStrace(), filePerProcess: false });
  } catch (error) {
    void vscode.window.showErrorMessage(`I/O Lens: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
  const task = new vscode.Task(
    { type: 'iolens.record' },
    folder,
    vscode.l10n.t('record {0}', command[0]!),
    'I/O Lens',
    new vscode.ProcessExecution('strace', [...options, ...command], { cwd: folder.uri.fsPath }),
  );
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Silent,
    panel: vscode.TaskPanelKind.Dedicated,
    close: false,
  };
  const ended = new Promise<void>((resolve) => {
    const subscription = vscode.tasks.onDidEndTaskProcess(({ execution }) => {
      if (execution.task.name !== task.name) return;
      subscription.dispose();
      resolve();
    });
  });
  await vscode.tasks.executeTask(task);
  await ended;
  const uri = vscode.Uri.file(output);
  try {
    await vscode.workspace.fs.stat(uri);
    return output;
  } catch {
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        'I/O Lens: strace recorded nothing. Is the program there, and may processes be traced here (kernel.yama.ptrace_scope)?',
      ),
    );
    return undefined;
  }
}

/** Splits a command line at blanks; quotes keep blanks, a backslash keeps the next character. */
export function splitCommand(text: string): string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g)) {
    words.push(
      match[0].replace(
        /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
        (_all, double?: string, single?: string, one?: string) =>
          double === undefined ? (single ?? one ?? '') : double.replace(/\\(.)/g, '$1'),
      ),
    );
  }
  return words;
}
