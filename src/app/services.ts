import { programs } from '#programs';
import * as vscode from 'vscode';
import type { Session } from '../features/answers/all-answers.ts';
import { WorkerSession } from '../session/worker/worker-session.ts';
import { ComparisonModel } from '../features/comparison/comparison.ts';
import { editorFileSystem } from '../features/editor/editor-file-system.ts';
import type { Services } from '../features/editor/services.ts';
import { Dismissals } from '../features/findings/dismissals.ts';
import { FindingLines } from '../features/findings/finding-lines.ts';
import { TriedFixes } from '../features/fixes/tried-fixes.ts';
import { LineCosts } from '../features/lines/line-costs.ts';
import { AddedRecordings } from '../features/recordings/joined-recordings.ts';
import { LiveRecordings } from '../features/recordings/live.ts';
import { Recordings } from '../features/recordings/recordings.ts';
import { learnedRules } from '../features/recordings/source-locating.ts';
import { SelectedCalls } from '../features/selection/selected-calls.ts';
import { SelectionModel } from '../features/selection/selection.ts';

/** Starts what features share; it ends with the extension. */
export function startServices(context: vscode.ExtensionContext): Services {
  const { extensionUri: extension, workspaceState: state, subscriptions } = context;
  const log = vscode.window.createOutputChannel('I/O Lens', { log: true });
  const startSession = (): WorkerSession<Session> => {
    const { script, folder, engineFolders } = programs.sessionFiles(context);
    return new WorkerSession<Session>(script, { folder, engineFolders }, editorFileSystem(extension));
  };
  const session = startSession();
  const selection = new SelectionModel(state);
  const added = new AddedRecordings(state);
  const recordings = new Recordings(
    session.topics,
    log,
    () => learnedRules(state),
    (paths) => added.of(paths),
  );
  const live = new LiveRecordings(recordings, log);
  const dismissals = new Dismissals(state);
  const findingLines = new FindingLines(recordings, dismissals);
  const triedFixes = new TriedFixes();
  const lineCosts = new LineCosts(recordings);
  const selectedCalls = new SelectedCalls(recordings, selection);
  const comparison = new ComparisonModel(recordings);
  const models = {
    recordings,
    live,
    selection,
    selectedCalls,
    comparison,
    dismissals,
    findingLines,
    triedFixes,
    lineCosts,
  };
  subscriptions.push(log, ...Object.values(models), { dispose: () => void session.dispose() });
  const dist = vscode.Uri.joinPath(extension, 'dist').fsPath;
  return { context, extension, dist, state, log, programs, startSession, ...models };
}
