import { messageOf } from '../base/error-message.ts';
import type { TrialDocument } from '../export/fixes/trial-document.ts';
import type { FixTrial, TrialMessage } from '../session/trial/fix-trial.ts';
import { TrialRefusedError } from '../session/trial/trial-error.ts';
import { addRecord } from './record/record.ts';
import { resources } from './resources.ts';
import { commandLine, runCommandLine } from './run-command-line.ts';
import { tryFixes } from './try-fixes.ts';

/**
 * `iolens fix … --try` as the editor runs it: what is to be tried comes as a message, what was found goes back as one. The
 * recordings that a trial makes it makes by itself, with `record`.
 */
if (process.argv.length > 2) {
  // The program that is recorded is none of the editor's.
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const program = commandLine();
  addRecord(program);
  runCommandLine(program);
} else {
  process.once('message', (trial) => void serve(trial as FixTrial));
}

async function serve(trial: FixTrial): Promise<void> {
  const stopped = new AbortController();
  // An editor that ends takes the trial with it.
  process.once('disconnect', () => stopped.abort());
  process.once('SIGTERM', () => stopped.abort());
  // What makes Node of the editor's own program is nothing for the programs that are tried.
  const environment = { ...process.env, ELECTRON_RUN_AS_NODE: undefined };
  try {
    const document = await tryFixes({ ...trial, environment: { ...environment, ...trial.environment } }, resources, {
      signal: stopped.signal,
      progress: (what) => tell({ progress: what }),
    });
    tell({ document });
  } catch (error) {
    tell({ error: messageOf(error), refused: error instanceof TrialRefusedError });
  } finally {
    // What was told is sent before.
    if (process.connected) process.disconnect();
  }
}

function tell(message: TrialMessage<TrialDocument>): void {
  if (process.connected) process.send?.(message);
}
