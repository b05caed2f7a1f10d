import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';
import { calibrateBeside } from '../../session/reading/calibration-file.ts';
import { companionBase, recordedFiles } from '../../record/recording-folder.ts';
import { Git } from '../../session/sources/git.ts';
import { noteFor, writeNote } from '../../session/reading/write-note.ts';
import { PRELOAD_LAYERS } from '../../record/preload-recorder.ts';
import { RECORDERS } from '../../record/choose-recorder.ts';
import { whyNotStarted } from '../../record/recordable-program.ts';
import { recordingComplete } from '../../record/strace-recorder.ts';
import { removeCompanions } from '../../session/reading/remove-companions.ts';
import { uriOf } from '../editor/locations.ts';
import { mayRecord } from './may-record.ts';
import type { RecordingNote } from '../../session/reading/recording-note.ts';
import type { RecordedRun, Recorder } from '../editor/programs.ts';
import { launchConfigurations } from './launch-configurations.ts';
import { asText, readLaunch, type LaunchProgram } from './launch-program.ts';
import type { LiveRecordings } from '../recordings/live.ts';
import {
  NotCompiled,
  recordedBy,
  recordExecution,
  type RecordedExecution,
  type RecorderPlace,
  type RecordWish,
} from './record-execution.ts';
import { compilingExecution, sayingExecution } from './record-terminals.ts';
import { RunningPrograms } from './running-programs.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import { recordingsPlace } from '../recordings/recordings-place.ts';
import { resolveVariables } from '../editor/variables.ts';
import { plainVariables } from '../editor/workspace-variables.ts';

const RECORD_TASK = 'iolens.record';

/** A task of tasks.json, see `taskDefinitions` in package.json; what users write there is not checked by the editor. */
interface RecordDefinition extends vscode.TaskDefinition {
  readonly program?: unknown;
  readonly args?: unknown;
  readonly cwd?: unknown;
  readonly env?: unknown;
  readonly output?: unknown;
  readonly with?: unknown;
  readonly layers?: unknown;
  readonly stackDepth?: unknown;
  readonly sample?: unknown;
}

type TaskExecution = vscode.ShellExecution | vscode.ProcessExecution | vscode.CustomExecution;

/** What a task is called, and where it belongs. */
interface NamedTask {
  readonly definition: RecordDefinition;
  readonly folder: vscode.WorkspaceFolder;
  readonly name: string;
}

/**
 * Tasks that run a program with a recorder, so that it has a terminal, and open what they record. One for
 * each launch configuration is offered; those of tasks.json are completed.
 */
export class RecordingTasks implements Recorder {
  /** Recordings under way that someone waits for, by their file. */
  private readonly waiting = new Map<string, (recording: OpenRecording | undefined) => void>();
  /** What was noted of sources and program when a recording began, by its file. */
  private readonly notes = new Map<string, Promise<RecordingNote>>();
  /** Why a recording is made by strace, by its file; each reason is said once. */
  private readonly reasons = new Map<string, string>();
  private readonly saidReasons = new Set<string>();
  /** How programs ended, by their recordings. */
  private readonly statuses = new Map<string, number | undefined>();
  private readonly running = new RunningPrograms();
  private readonly recorded = new vscode.EventEmitter<RecordedRun>();
  readonly onDidRecord = this.recorded.event;
  private readonly subscriptions: { dispose(): unknown }[];

  constructor(
    private readonly recordings: Recordings,
    private readonly live: LiveRecordings,
    private readonly place: RecorderPlace,
  ) {
    const isRecording = ({ task }: Pick<vscode.TaskExecution, 'task'>): boolean => task.definition.type === RECORD_TASK;
    this.subscriptions = [
      vscode.tasks.onDidStartTask(({ execution }) => {
        if (isRecording(execution)) this.began(execution.task);
      }),
      vscode.tasks.onDidEndTask(({ execution }) => {
        if (isRecording(execution)) void this.ended(execution.task);
      }),
      vscode.tasks.onDidStartTaskProcess(({ execution, processId }) => {
        if (!isRecording({ task: execution.task })) return;
        const output = recordedBy(execution.task)?.output;
        if (output !== undefined) this.running.started(output, processId);
      }),
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        if (!isRecording({ task: execution.task })) return;
        const output = recordedBy(execution.task)?.output;
        if (output !== undefined) this.statuses.set(output, exitCode);
      }),
      this.recorded,
    ];
  }

  async provideTasks(): Promise<vscode.Task[]> {
    if (!vscode.workspace.isTrusted) return [];
    const tasks: vscode.Task[] = [];
    for (const { configuration, folder } of launchConfigurations()) {
      const { program } = await readLaunch(configuration, folder.uri.fsPath, plainVariables(folder));
      if (program === undefined) continue;
      const definition: RecordDefinition = { type: RECORD_TASK, ...program };
      const name = asText(configuration['name'] ?? program.program);
      tasks.push(await this.recordTask({ definition, folder, name }, program, wishOf(folder)));
    }
    return tasks;
  }

  async resolveTask(task: vscode.Task): Promise<vscode.Task | undefined> {
    const folder =
      task.scope !== undefined && typeof task.scope === 'object' ? task.scope : vscode.workspace.workspaceFolders?.[0];
    if (folder === undefined || !vscode.workspace.isTrusted) return undefined;
    const definition = task.definition as RecordDefinition;
    const known = await programOf(definition, folder);
    const named = { definition, folder, name: task.name };
    if (typeof known === 'string') return failingTask(named, known);
    return this.recordTask(named, known, wishOf(folder, definition), known.output);
  }

  /**
   * Records a program and opens the recording.
   * @returns undefined when nothing was recorded or it could not be read; the user was told.
   */
  async record(program: LaunchProgram, folder: vscode.WorkspaceFolder): Promise<OpenRecording | undefined> {
    if (!mayRecord()) return undefined;
    const { name = program.program, ...started } = program;
    const named = { definition: { type: RECORD_TASK, ...started }, folder, name };
    const wish = wishOf(folder);
    const task =
      typeof wish === 'string' ? failingTask(named, wish) : await this.completedTask(named, program, wish, true);
    const output = recordedBy(task)?.output;
    if (output === undefined) {
      await vscode.tasks.executeTask(task);
      return undefined;
    }
    const opened = new Promise<OpenRecording | undefined>((resolve) => this.waiting.set(output, resolve));
    await vscode.tasks.executeTask(task);
    return opened;
  }

  stop(): void {
    this.running.stop();
  }

  private async recordTask(
    named: NamedTask,
    program: LaunchProgram,
    wish: RecordWish | string,
    output?: string,
  ): Promise<vscode.Task> {
    if (typeof wish === 'string') return failingTask(named, wish);
    return this.completedTask(named, program, { ...wish, output }, false);
  }

  /** @param compiles as in recordExecution: a task that is only offered compiles the library when it is run. */
  private async completedTask(
    named: NamedTask,
    program: LaunchProgram,
    wish: RecordWish,
    compiles: boolean,
  ): Promise<vscode.Task> {
    try {
      const { execution, why } = await recordExecution(program, wish, this.place, compiles);
      const task = taskOf(named, execution);
      const output = recordedBy(task)?.output;
      if (output !== undefined) this.reasons.set(output, why);
      return task;
    } catch (error) {
      if (!(error instanceof NotCompiled)) return failingTask(named, messageOf(error));
      return taskOf(
        named,
        compilingExecution(named.name, () => this.completedTask(named, program, wish, true)),
      );
    }
  }

  /** What the user did not choose is said when it happens, and how to choose. */
  private sayWhy(output: string): void {
    const why = this.reasons.get(output) ?? '';
    if (why === '' || this.saidReasons.has(why)) return;
    this.saidReasons.add(why);
    const settings = vscode.l10n.t('Settings');
    const text = vscode.l10n.t('I/O Lens: recorded by strace, not by the recorder library: {0}', why);
    void vscode.window.showInformationMessage(text, settings).then((chosen) => {
      if (chosen === settings) void vscode.commands.executeCommand('workbench.action.openSettings', 'iolens.record');
    });
  }

  private began(task: vscode.Task): void {
    const recorded = recordedBy(task);
    if (recorded === undefined) return;
    const { output, command, folder } = recorded;
    this.running.began(output);
    this.sayWhy(output);
    this.notes.set(
      output,
      this.gitFor(recorded).then((git) => noteFor(command, folder, git)),
    );
    this.live.taskBegan(output);
  }

  /** What lies beside a name that was given is of the recording before; the library's task removes it itself. */
  private async gitFor({ output, tool, isNamed }: RecordedExecution): Promise<Git | undefined> {
    if (tool === 'strace' && isNamed) await removeCompanions(output).catch(() => undefined);
    return Git.installed();
  }

  private async ended(task: vscode.Task): Promise<void> {
    const recorded = recordedBy(task);
    if (recorded === undefined) return;
    const { output } = recorded;
    this.running.ended(output);
    const settle = this.waiting.get(output);
    this.waiting.delete(output);
    const status = this.statuses.get(output);
    this.statuses.delete(output);
    try {
      const opened = await this.opened(recorded, status);
      settle?.(opened);
    } catch (error) {
      void vscode.window.showErrorMessage(`I/O Lens: ${messageOf(error)}`);
      settle?.(undefined);
    }
  }

  /** @returns undefined when nothing was recorded or it could not be read; the user was told. */
  private async opened(recorded: RecordedExecution, status: number | undefined): Promise<OpenRecording | undefined> {
    const { output, tool } = recorded;
    const isThere = tool === 'preload' ? recordedFiles(output).length > 0 : await straceHasWritten(output);
    const note = await this.notes.get(output)?.catch(() => undefined);
    this.notes.delete(output);
    if (isThere) {
      const base = tool === 'preload' ? companionBase(output) : output;
      const processFiles = tool === 'preload' ? { processFiles: recordedFiles(output).length } : {};
      if (note !== undefined) await writeNote(base, { ...note, ...processFiles });
      // Without it gains are estimated from usual costs, and the finding says so: no reason to disturb anyone.
      await calibrateBeside(base, { folder: this.place.dist });
      const opened = (await this.live.taskEnded(output)) ?? (await this.recordings.add([output]));
      await this.keepPlaces(opened);
      if (opened !== undefined) this.recorded.fire({ recording: opened, status });
      return opened;
    }
    await this.live.taskEnded(output);
    // The folder that was made for it; one that holds anything is not deleted.
    if (tool === 'preload')
      await vscode.workspace.fs.delete(vscode.Uri.file(output), { recursive: false }).then(undefined, () => undefined);
    tellNothingRecorded(recorded, status);
    return undefined;
  }

  /** Functions and lines stay right whatever is built next; without them the recording is what it was. */
  private async keepPlaces(recording: OpenRecording | undefined): Promise<void> {
    const [first] = recording?.paths ?? [];
    if (recording === undefined || first === undefined) return;
    const settings = vscode.workspace.getConfiguration('iolens.record', uriOf(first));
    const withTexts = settings.get<boolean>('sourceText', true);
    await this.recordings.session.export.places(recording.id, withTexts).catch(() => undefined);
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

/** strace is no parent of the program: it may be a moment behind. */
async function straceHasWritten(output: string): Promise<boolean> {
  await recordingComplete(output);
  return vscode.workspace.fs.stat(vscode.Uri.file(output)).then(
    ({ size }) => size > 0,
    () => false,
  );
}

/** What is wrong, in the system's words where it can be asked; the shell's own are in the terminal. */
function tellNothingRecorded({ tool, command, folder }: RecordedExecution, status: number | undefined): void {
  const show = vscode.l10n.t('Show Terminal');
  const text = nothingRecorded(tool, whyNotStarted(command[0] ?? '', folder), status);
  void vscode.window.showErrorMessage(text, show).then((chosen) => {
    if (chosen !== undefined) void vscode.commands.executeCommand('workbench.action.terminal.focus');
  });
}

/** @param why the program cannot be started; '' where nothing is known to be wrong. */
function nothingRecorded(tool: RecordedExecution['tool'], why: string, status: number | undefined): string {
  if (why !== '') return vscode.l10n.t('I/O Lens: the program was not started: {0}', why);
  const ended = status === undefined || status === 0 ? '' : vscode.l10n.t('Its exit status is {0}.', status);
  const nothing =
    tool === 'strace'
      ? vscode.l10n.t('I/O Lens: strace recorded nothing. May processes be traced here (kernel.yama.ptrace_scope)?')
      : vscode.l10n.t(
          'I/O Lens: nothing was recorded. Is the program linked statically? The setting iolens.record.with can choose strace instead.',
        );
  return `${nothing} ${ended}`.trimEnd();
}

/** How the settings, and a task where it says otherwise, want a program to be recorded; in words for the user what is wrong. */
function wishOf(folder: vscode.WorkspaceFolder, task: Partial<RecordDefinition> = {}): RecordWish | string {
  const settings = vscode.workspace.getConfiguration('iolens.record', folder);
  const value = (name: 'with' | 'layers' | 'stackDepth' | 'sample'): unknown => task[name] ?? settings.get(name);
  const recorder = RECORDERS.find((name) => name === value('with'));
  if (recorder === undefined) return vscode.l10n.t('"with" is one of {0}.', RECORDERS.join(', '));
  const named = value('layers');
  const layers = PRELOAD_LAYERS.filter((layer) => Array.isArray(named) && named.includes(layer));
  if (!Array.isArray(named) || layers.length < named.length)
    return vscode.l10n.t('"layers" is a list of {0}.', PRELOAD_LAYERS.join(', '));
  const [stackDepth, sample] = [Number(value('stackDepth')), Number(value('sample'))];
  if (!Number.isInteger(stackDepth) || stackDepth < 0 || !Number.isInteger(sample) || sample < 1)
    return vscode.l10n.t('"stackDepth" and "sample" are whole numbers.');
  const compiler = settings.get<string>('compiler', '');
  const place = recordingsPlace(folder).fsPath;
  return { with: recorder, folder: place, compiler, stackDepth, sample, ...(layers.length > 0 && { layers }) };
}

/** A task that only says what is wrong: in its terminal, where the user looks. */
function failingTask(named: NamedTask, problem: string): vscode.Task {
  const task = taskOf(named, sayingExecution(problem));
  task.presentationOptions = { ...task.presentationOptions, reveal: vscode.TaskRevealKind.Always };
  return task;
}

function taskOf({ definition, folder, name }: NamedTask, execution: TaskExecution): vscode.Task {
  const task = new vscode.Task(definition, folder, name, 'I/O Lens', execution);
  // Said outright, so that the editor does not ask for a problem matcher.
  task.problemMatchers = [];
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Silent,
    panel: vscode.TaskPanelKind.Dedicated,
    close: false,
    // The shell's words around the program would stand above what it says.
    echo: false,
    // What programs before it wrote stays as well.
    clear: false,
  };
  return task;
}
