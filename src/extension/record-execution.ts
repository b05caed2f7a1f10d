import * as vscode from 'vscode';
import {
  chooseRecorder,
  freeFolder,
  freeOutput,
  installedStrace,
  libraryFrom,
  meantProgram,
  passVariables,
  preloadVariables,
  recorderFor,
  straceOptions,
  type PreloadSettings,
  type RecorderLibrary,
  type RecorderName,
} from '../session/record.ts';
import type { LaunchProgram } from './launch-program.ts';

/** How a program is recorded. */
export interface RecordWish extends PreloadSettings {
  readonly with: RecorderName;
  /** File or folder of the recording; a free name in the program's folder when it is not said. */
  readonly output?: string | undefined;
  /** Command of the C compiler; '' for the first that there is. */
  readonly compiler: string;
}

/** Where the extension's own files are, and where it keeps what it makes. */
export interface RecorderPlace {
  readonly dist: string;
  readonly storage: string;
}

/**
 * What the terminal runs before the program: the recording's folder is made, and a recording in it removed; only the
 * program itself, which takes the shell's place, loads the library.
 */
const BEGIN = [
  'mkdir -p -- "$IOLENS_RECORDING"',
  'rm -f -- "$IOLENS_RECORDING"/*.iorec "$IOLENS_RECORDING"/recording.*.json',
  'LD_PRELOAD=$1',
  'export LD_PRELOAD',
  'shift',
  'exec "$@"',
].join(' && ');
const BEGIN_OPTIONS = ['-c', BEGIN, 'sh'];

/**
 * The process of a task that records a program; the library is compiled where it was not yet.
 * @throws RecordError in words for the user when nothing can record it.
 */
export async function recordExecution(
  { program, args, cwd, env }: LaunchProgram,
  wish: RecordWish,
  { dist, storage }: RecorderPlace,
): Promise<vscode.ProcessExecution> {
  const command = [program, ...args];
  const cacheFolder = vscode.Uri.joinPath(vscode.Uri.file(storage), 'recorder').fsPath;
  const wanted = recorderFor(wish.with, wish.output);
  const chosen = await chooseRecorder(wanted, command, cwd, () => library(wish.compiler, cacheFolder, dist));
  if (chosen.tool === 'strace') {
    const output = wish.output ?? freeOutput(program, cwd);
    const options = straceOptions({ output, abilities: installedStrace(), filePerProcess: false });
    return new vscode.ProcessExecution('strace', [...options, ...command], { cwd, env: { ...env } });
  }
  const folder = wish.output ?? freeFolder(meantProgram(command, cwd), cwd);
  const environment = { ...process.env, ...env };
  const variables = preloadVariables(chosen.library.file, folder, { ...wish, program }, environment);
  const { LD_PRELOAD: preload = '', ...others } = variables;
  const passed = passVariables(command, Object.keys(variables), environment);
  return new vscode.ProcessExecution('/bin/sh', [...BEGIN_OPTIONS, preload, ...passed.command], {
    cwd,
    env: { ...env, ...others },
  });
}

/** The library; while it is compiled, which takes a while and happens once, the editor says so. */
function library(compiler: string, cacheFolder: string, dist: string): Promise<RecorderLibrary> {
  const onCompile = (command: string): void => {
    const title = vscode.l10n.t('I/O Lens: {0} compiles the recorder library, once on this machine', command);
    const options = { location: vscode.ProgressLocation.Notification, title };
    const isOver = (): Promise<void> =>
      made.then(
        () => undefined,
        () => undefined,
      );
    void vscode.window.withProgress(options, isOver);
  };
  const made = libraryFrom({ folder: dist }, { compiler, cacheFolder, onCompile });
  return made;
}

/** What a task records: to where, and which command. */
export interface RecordedExecution {
  readonly output: string;
  readonly tool: 'preload' | 'strace';
  readonly command: readonly string[];
  readonly folder: string;
}

/** @returns undefined for a task that records nothing. */
export function recordedBy({ execution }: vscode.Task): RecordedExecution | undefined {
  if (!(execution instanceof vscode.ProcessExecution)) return undefined;
  const { args, options } = execution;
  const folder = options?.cwd ?? '';
  const recording = options?.env?.['IOLENS_RECORDING'];
  if (recording !== undefined)
    return { output: recording, tool: 'preload', command: args.slice(BEGIN_OPTIONS.length + 1), folder };
  const at = args.indexOf('-o');
  const output = at < 0 ? undefined : args[at + 1];
  if (output === undefined) return undefined;
  return { output, tool: 'strace', command: args.slice(args.indexOf('--') + 1), folder };
}
