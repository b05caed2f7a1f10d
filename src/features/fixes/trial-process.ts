import { fork } from 'node:child_process';
import path from 'node:path';
import type { TrialDocument } from '../../export/fixes/trial-document.ts';
import type { FixTrial, TrialMessage } from '../../session/trial/fix-trial.ts';
import { TrialRefusedError } from '../../session/trial/trial-error.ts';
import { CancelledError } from '../../session/worker/worker-protocol.ts';
import type { TrialHooks } from '../editor/programs.ts';

/**
 * Tries fixes in a process of its own: copying and comparing files would keep the editor's extensions waiting.
 * @param dist folder of the extension's own files.
 * @throws TrialRefusedError, CancelledError, or Error in words for the user.
 */
export function tryInProcess(trial: FixTrial, dist: string, { signal, progress }: TrialHooks): Promise<TrialDocument> {
  const child = fork(path.join(dist, 'trial.js'), [], {
    execArgv: [],
    cwd: trial.folder,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // The editor's own program is Node with this.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  return new Promise<TrialDocument>((resolve, reject) => {
    let last: TrialMessage<TrialDocument> | undefined;
    child.on('message', (message: TrialMessage<TrialDocument>) => {
      if ('progress' in message) progress(message.progress);
      else last = message;
    });
    child.once('error', reject);
    // It ends when its copies are removed.
    child.once('close', (status, by) => {
      if (signal.aborted) reject(new CancelledError('the trial was cancelled'));
      else if (last === undefined) reject(new Error(`the trial ended without an answer (${by ?? `status ${status}`})`));
      else if ('document' in last) resolve(last.document);
      else if ('error' in last) reject(last.refused ? new TrialRefusedError(last.error) : new Error(last.error));
    });
    child.send(trial);
  }).finally(() => signal.removeEventListener('abort', stop));
}
