/** Terminals of recording tasks that run no program of their own. */
import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';

/** Writes a line. */
type Say = (text: string) => void;

/**
 * The execution of a task whose work is done in the editor.
 * @param work its result is the task's exit status; when it is cancelled nobody waits for it.
 */
function execution(work: (say: Say, cancelled: vscode.CancellationToken) => Promise<number>): vscode.CustomExecution {
  return new vscode.CustomExecution(() => {
    const written = new vscode.EventEmitter<string>();
    const closed = new vscode.EventEmitter<number>();
    const cancel = new vscode.CancellationTokenSource();
    const say: Say = (text) => written.fire(`I/O Lens: ${text}\r\n`);
    return Promise.resolve({
      onDidWrite: written.event,
      onDidClose: closed.event,
      open: () => {
        const failed = (error: unknown): number => {
          say(messageOf(error));
          return 1;
        };
        void work(say, cancel.token)
          .catch(failed)
          .then((status) => closed.fire(status));
      },
      close: () => cancel.cancel(),
    });
  });
}

/** Only says what is wrong: where the user looks. */
export function sayingExecution(problem: string): vscode.CustomExecution {
  return execution((say) => {
    say(problem);
    return Promise.resolve(1);
  });
}

/**
 * Compiles the recorder library, and ends; then the task runs that needs it. The editor knows both as one and the same, so
 * that they cannot run at the same time.
 */
export function compilingExecution(name: string, completed: () => Promise<vscode.Task>): vscode.CustomExecution {
  return execution(async (say, cancelled) => {
    say(vscode.l10n.t('compiling the recorder library (once); the program runs when it is there.'));
    const task = await completed();
    if (cancelled.isCancellationRequested) return 1;
    const isThis = ({ task: of }: vscode.TaskExecution): boolean =>
      of.name === name && of.definition.type === task.definition.type;
    const subscription = vscode.tasks.onDidEndTask(({ execution: ended }) => {
      if (!isThis(ended)) return;
      subscription.dispose();
      void vscode.tasks.executeTask(task);
    });
    return 0;
  });
}
