import * as vscode from 'vscode';
import type { Programs, Recorder } from '../features/editor/programs.ts';
import { pathOf } from '../features/editor/locations.ts';

/** Of an editor in a browser, without any machine behind it: there are none. */
export const programs: Programs = {
  sessionFiles: ({ extensionUri }) => {
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    const script = vscode.Uri.joinPath(dist, 'web', 'session-worker.js').toString(true);
    return { script, folder: pathOf(dist), engineFolders: [] };
  },
  recorder: () => noRecorder,
  recordProgram: sayNoPrograms,
  recordLaunch: noRecording,
  replayRecording: sayNoPrograms,
  archiveProblem: () => Promise.resolve(noPrograms()),
  writeArchive: () => Promise.reject(new Error(noPrograms())),
  ingest: sayNoPrograms,
  tryFixes: noRecording,
  checkThisMachine: sayNoPrograms,
  installSqlEngine: sayNoPrograms,
};

const noRecorder: Recorder = {
  provideTasks: () => Promise.resolve([]),
  resolveTask: () => Promise.resolve(undefined),
  record: noRecording,
  stop: () => undefined,
  onDidRecord: () => ({ dispose: () => undefined }),
  dispose: () => undefined,
};

function noPrograms(): string {
  return vscode.l10n.t(
    'I/O Lens: an editor in a browser starts no programs. Record with VS Code on the machine, or with the command iolens, and open the recording here.',
  );
}

function sayNoPrograms(): Promise<void> {
  void vscode.window.showErrorMessage(noPrograms());
  return Promise.resolve();
}

async function noRecording(): Promise<undefined> {
  await sayNoPrograms();
  return undefined;
}
