import * as vscode from 'vscode';
import { messageOf } from '../session/error-message.ts';
import {
  calibrateBeside,
  freeOutput,
  Git,
  installedStrace,
  noteFor,
  recordingComplete,
  removeCompanions,
  straceOptions,
  writeNote,
  type RecordingNote,
} from '../session/record.ts';
import type { Recorder } from './host.ts';
import { launchConfigurations } from './launch-configurations.ts';
import { asText, readLaunch, type LaunchProgram } from './launch-program.ts';
import type { LiveRecordings } from './live.ts';
import type { OpenRecording, Recordings } from './recordings.ts';
import { resolveVariables } from './variables.ts';
import { plainVariables } from './workspace-variables.ts';

const RECORD_TASK = 'iolens.record';

/** A task of tasks.json, see `taskDefinitions` in package.json; what users write there is not checked by the editor. */
interface RecordDefinition extends vscode.TaskDefinition {
  readonly program?: unknown;
  readonly args?: unknown;
  readonly cwd?: unknown;
  readonly env?: unknown;
  readonly output?: unknown;
}

/**
 * Tasks that run a program under strace, so that it has a terminal, and open what they record. One for
 * each launch configuration is offered; those of tasks.json are completed.
 */
export class RecordingTasks implements Recorder {
  /** Recordings under way that someone waits for, by their file. */
  private readonly waiting = new Map<string, (recording: OpenRecording | undefined) => void>();
  /** What was noted of sources and program when a recording began, by its file. */
  private readonly notes = new Map<string, Promise<RecordingNote>>();
  private readonly subscriptions: vscode.Disposable[];

  /** @param dist the folder of the extension's own files. */
  constructor(
    private readonly recordings: Recordings,
    private readonly live: LiveRecordings,
    private readonly dist: string,
  ) {
    const isRecording = ({ task }: vscode.TaskExecution): boolean => task.definition.type === RECORD_TASK;
    this.subscriptions = [
      vscode.tasks.onDidStartTask(({ execution }) => {
        if (isRecording(execution)) this.began(execution.task);
      }),
      vscode.tasks.onDidEndTask(({ execution }) => {
        if (isRecording(execution)) void this.ended(execution.task);
      }),
    ];
  }

  async provideTasks(): Promise<vscode.Task[]> {
    if (!vscode.workspace.isTrusted) return [];
    const tasks: vscode.Task[] = [];
    for (const { configuration, folder } of launchConfigurations()) {
      const { program } = await readLaunch(configuration, folder.uri.fsPath, plainVariables(folder));
      if (program === undefined) continue;
      const definition: RecordDefinition = { type: RECORD_TASK, ...program };
      tasks.push(recordTask(definition, folder, asText(configuration['name'] ?? program.program), program));
    }
    return tasks;
  }

  async resolveTask(task: vscode.Task): Promise<vscode.Task | undefined> {
    const folder =
      task.scope !== undefined && typeof task.scope === 'object' ? task.scope : vscode.workspace.workspaceFolders?.[0];
    if (folder === undefined || !vscode.workspace.isTrusted) return undefined;
    const definition = task.definition as RecordDefinition;
    const known = await programOf(definition, folder);
    if (typeof known === 'string') return failingTask(definition, folder, task.name, known);
    return recordTask(definition, folder, task.name, known, known.output);
  }

  /**
   * Records a program and opens the recording.
   * @returns undefined when nothing was recorded or it could not be read; the user was told.
   */
  async record(program: LaunchProgram, folder: vscode.WorkspaceFolder): Promise<OpenRecording | undefined> {
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showErrorMessage(
        vscode.l10n.t('I/O Lens: programs are recorded in trusted workspaces only: this runs them.'),
      );
      return undefined;
    }
    const task = recordTask({ type: RECORD_TASK, ...program }, folder, program.program, program);
    const output = outputOf(task);
    if (output === undefined) {
      await vscode.tasks.executeTask(task);
      return undefined;
    }
    const opened = new Promise<OpenRecording | undefined>((resolve) => this.waiting.set(output, resolve));
    await vscode.tasks.executeTask(task);
    return opened;
  }

  private began({ execution }: vscode.Task): void {
    if (!(execution instanceof vscode.ProcessExecution)) return;
    const output = option(execution, '-o');
    const command = execution.args.slice(execution.args.indexOf('--') + 1);
    const folder = execution.options?.cwd;
    if (output === undefined || folder === undefined) return;
    this.notes.set(
      output,
      // What lies there is of the recording before.
      removeCompanions(output)
        .catch(() => undefined)
        .then(() => Git.installed())
        .then((git) => noteFor(command, folder, git)),
    );
    this.live.taskBegan(output);
  }

  private async ended(task: vscode.Task): Promise<void> {
    const output = outputOf(task);
    if (output === undefined) return;
    const settle = this.waiting.get(output);
    this.waiting.delete(output);
    // strace is no parent of the program: it may be a moment behind.
    await recordingComplete(output);
    const size = await vscode.workspace.fs.stat(vscode.Uri.file(output)).then(
      (status) => status.size,
      () => 0,
    );
    const note = await this.notes.get(output)?.catch(() => undefined);
    this.notes.delete(output);
    if (size > 0) {
      if (note !== undefined) await writeNote(output, note);
      // Without it gains are estimated from usual costs, and the finding says so: no reason to disturb anyone.
      await calibrateBeside(output, { folder: this.dist });
      const opened = (await this.live.taskEnded(output)) ?? (await this.recordings.add([output]));
      settle?.(opened);
      return;
    }
    await this.live.taskEnded(output);
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        'I/O Lens: strace recorded nothing. Is the program there, and may processes be traced here (kernel.yama.ptrace_scope)?',
      ),
    );
    settle?.(undefined);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** What a task of tasks.json runs, or in words for the user what is wrong with it. */
async function programOf(
  { program, args, cwd, env, output }: RecordDefinition,
  folder: vscode.WorkspaceFolder,
): Promise<(LaunchProgram & { readonly output: string | undefined }) | string> {
  if (typeof program !== 'string' || program === '') return vscode.l10n.t('"program" is missing.');
  if (args !== undefined && !Array.isArray(args))
    return vscode.l10n.t('"args" is a list of texts, one for each argument.');
  const resolve = async (text: unknown): Promise<string> =>
    (await resolveVariables(asText(text), plainVariables(folder))).text;
  const at = (file: string, base: string): string => vscode.Uri.joinPath(vscode.Uri.file(base), file).fsPath;
  const within = (file: string, base: string): string => (file.startsWith('/') ? file : at(file, base));
  const place = cwd === undefined ? folder.uri.fsPath : within(await resolve(cwd), folder.uri.fsPath);
  const file = output === undefined ? undefined : within(await resolve(output), place);
  if (file?.includes('${') === true) return vscode.l10n.t('"output" has a variable that is not known: {0}', file);
  const variables: Record<string, string> = {};
  for (const [variable, text] of Object.entries(typeof env === 'object' && env !== null ? env : {}))
    variables[variable] = await resolve(text);
  return {
    program: await resolve(program),
    args: await Promise.all(((args as unknown[] | undefined) ?? []).map(resolve)),
    cwd: place,
    env: variables,
    output: file,
  };
}

function recordTask(
  definition: RecordDefinition,
  folder: vscode.WorkspaceFolder,
  name: string,
  { program, args, cwd, env }: LaunchProgram,
  wanted?: string,
): vscode.Task {
  let execution: vscode.ProcessExecution;
  try {
    const output = wanted ?? freeOutput(program, cwd);
    const options = straceOptions({ output, abilities: installedStrace(), filePerProcess: false });
    execution = new vscode.ProcessExecution('strace', [...options, program, ...args], { cwd, env: { ...env } });
  } catch (error) {
    return failingTask(definition, folder, name, messageOf(error));
  }
  return finished(new vscode.Task(definition, folder, name, 'I/O Lens', execution));
}

/** A task that only says what is wrong: in its terminal, where the user looks. */
function failingTask(
  definition: RecordDefinition,
  folder: vscode.WorkspaceFolder,
  name: string,
  problem: string,
): vscode.Task {
  const execution = new vscode.CustomExecution(() => {
    const written = new vscode.EventEmitter<string>();
    const closed = new vscode.EventEmitter<number>();
    return Promise.resolve({
      onDidWrite: written.event,
      onDidClose: closed.event,
      open: () => {
        written.fire(`I/O Lens: ${problem}\r\n`);
        closed.fire(1);
      },
      close: () => undefined,
    });
  });
  const task = finished(new vscode.Task(definition, folder, name, 'I/O Lens', execution));
  task.presentationOptions = { ...task.presentationOptions, reveal: vscode.TaskRevealKind.Always };
  return task;
}

function finished(task: vscode.Task): vscode.Task {
  // Said outright, so that the editor does not ask for a problem matcher.
  task.problemMatchers = [];
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Silent,
    panel: vscode.TaskPanelKind.Dedicated,
    close: false,
  };
  return task;
}

/** The recording that a task makes. */
function outputOf({ execution }: vscode.Task): string | undefined {
  if (!(execution instanceof vscode.ProcessExecution)) return undefined;
  return option(execution, '-o');
}

function option({ args }: vscode.ProcessExecution, name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
}
