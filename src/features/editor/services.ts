import type * as vscode from 'vscode';
import type { WorkerSession } from '../../session/worker/worker-session.ts';
import type { Session } from '../answers/all-answers.ts';
import type { ComparisonModel } from '../comparison/comparison.ts';
import type { Dismissals } from '../findings/dismissals.ts';
import type { FindingLines } from '../findings/finding-lines.ts';
import type { TriedFixes } from '../fixes/tried-fixes.ts';
import type { LineCosts } from '../lines/line-costs.ts';
import type { LiveRecordings } from '../recordings/live.ts';
import type { Recordings } from '../recordings/recordings.ts';
import type { SelectedCalls } from '../selection/selected-calls.ts';
import type { SelectionModel } from '../selection/selection.ts';
import type { Programs } from './programs.ts';

/** What features share: the state that several of them show or change. Each takes of it what it needs, and none the others. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  /** Folder of the extension. */
  readonly extension: vscode.Uri;
  /** Path of the folder with the extension's own built files. */
  readonly dist: string;
  /** What is kept with the workspace. */
  readonly state: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
  readonly programs: Programs;
  /** A worker of one's own, for what cannot wait until a recording is read; who starts it disposes of it. */
  readonly startSession: () => WorkerSession<Session>;
  /** The recordings that are open, and the session that answers questions about them. */
  readonly recordings: Recordings;
  readonly live: LiveRecordings;
  readonly selection: SelectionModel;
  readonly selectedCalls: SelectedCalls;
  readonly comparison: ComparisonModel;
  readonly dismissals: Dismissals;
  readonly findingLines: FindingLines;
  readonly triedFixes: TriedFixes;
  readonly lineCosts: LineCosts;
}
