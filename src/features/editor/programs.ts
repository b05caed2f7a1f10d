import type * as vscode from 'vscode';
import type { TrialDocument } from '../../export/fixes/trial-document.ts';
import type { FixTrial } from '../../session/trial/fix-trial.ts';
import type { Session } from '../answers/all-answers.ts';
import type { LaunchProgram } from '../record/launch-program.ts';
import type { LiveRecordings } from '../recordings/live.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

/**
 * What starts programs and workers. Features get it from the app, which has one for extension hosts with Node
 * (`node-programs.ts`), and one for editors that run in a browser alone (`web-programs.ts`) and start none.
 */
export interface Programs {
  sessionFiles(context: vscode.ExtensionContext): SessionFiles;
  /** @param context the extension, whose folders hold the recorder library's source and what is compiled of it. */
  recorder(recordings: Recordings, live: LiveRecordings, context: vscode.ExtensionContext): Recorder;
  recordProgram(recorder: Recorder, state: vscode.Memento): Promise<void>;
  recordLaunch(recorder: Recorder, state: vscode.Memento, name?: unknown): Promise<OpenRecording | undefined>;
  /** @param dist folder of the extension's own files. */
  replayRecording(recording: OpenRecording, dist: string): Promise<void>;
  /** @returns why no OTF2 archive can be written here, in words for the user; '' when one can. */
  archiveProblem(): Promise<string>;
  /**
   * Writes a recording as an OTF2 archive.
   * @param folder that is made for it; @param dist folder of the extension's own files.
   * @returns bytes of the records that it was made of.
   * @throws Error in words for the user.
   */
  writeArchive(session: Session, id: number, folder: string, dist: string): Promise<number>;
  /**
   * Takes folders with recordings into a store; ends when that has ended, however.
   * @param dist folder of the extension's own files.
   */
  ingest(folders: readonly string[], store: string, dist: string): Promise<void>;
  /**
   * Builds and runs a program with and without fixes, in copies of its folder.
   * @param dist folder of the extension's own files.
   * @returns undefined where no program can be started; the user was told.
   * @throws TrialRefusedError when it could do harm; Error in words for the user; CancelledError.
   */
  tryFixes(trial: FixTrial, dist: string, hooks: TrialHooks): Promise<TrialDocument | undefined>;
  checkThisMachine(context: vscode.ExtensionContext): Promise<void>;
  installSqlEngine(context: vscode.ExtensionContext): Promise<void>;
}

export interface TrialHooks {
  readonly signal: AbortSignal;
  readonly progress: (what: string) => void;
}

/** What a session is started with. */
interface SessionFiles {
  /** Of the worker. */
  readonly script: string;
  /** The extension's own files, as the session has it. */
  readonly folder: string;
  /** Where the SQL engine of stores may lie: the folder of the settings, and where the command puts it. */
  readonly engineFolders: readonly string[];
}

/** A program has ended that was recorded, and its recording is open. */
export interface RecordedRun {
  readonly recording: OpenRecording;
  /** Exit status; undefined where the editor was not told. */
  readonly status: number | undefined;
}

/** Records programs. */
export interface Recorder {
  onDidRecord(listener: (run: RecordedRun) => void): { dispose(): unknown };
  provideTasks(): Promise<vscode.Task[]>;
  resolveTask(task: vscode.Task): Promise<vscode.Task | undefined>;
  /** @returns undefined when nothing was recorded or it could not be read; the user was told. */
  record(program: LaunchProgram, folder: vscode.WorkspaceFolder): Promise<OpenRecording | undefined>;
  /** Ends the programs that are recorded: as Ctrl-C does, and, asked again, without asking them. */
  stop(): void;
  dispose(): void;
}
