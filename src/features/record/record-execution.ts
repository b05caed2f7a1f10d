import * as vscode from 'vscode';
import { chooseRecorder, recorderFor, straceInstead, type RecorderName } from '../../record/choose-recorder.ts';
import { readyFrom, libraryFrom } from '../../session/machine/recorder-source.ts';
import { freeFolder } from '../../record/recording-folder.ts';
import { freeOutput } from '../../record/strace-recorder.ts';
import { meantProgram } from '../../record/recordable-program.ts';
import { passVariables } from '../../record/launchers.ts';
import { preloadVariables, type PreloadSettings } from '../../record/preload-recorder.ts';
import { straceOptions } from '../../record/strace-command.ts';
import { timedName } from '../../record/timed-name.ts';
import type { RecorderLibrary } from '../../record/library-file.ts';
import type { LaunchProgram } from './launch-program.ts';

/** How a program is recorded. */
export interface RecordWish extends PreloadSettings {
  readonly with: RecorderName;
  /** File or folder of the recording; a name in `folder` by program and time when it is not said. */
  readonly output?: string | undefined;
  /** Of the workspace's recordings; it is made when it is needed. */
  readonly folder: string;
  /** Command of the C compiler that makes the library; '' for the built one, or where it does not fit the first that there is. */
  readonly compiler: string;
}

/** Where the extension's own files are, and where it keeps what it makes. */
export interface RecorderPlace {
  readonly dist: string;
  readonly storage: string;
}

/** The folder of the workspace's recordings: what is in it is nobody's source, so that it is kept out of git. */
const MAKE_PLACE = `[ -z "$1" ] || [ -d "$1" ] || { mkdir -p -- "$1" && printf '*\\n' > "$1/.gitignore"; }`;
/**
 * A name that nobody gave is that of one run: where a task is run again, or two were offered in the same second, the recording
 * that is there stays, with what lies beside it, under the name with the next number. $2 is its path without the ending.
 */
const KEEP_EARLIER = (ending: string): string =>
  `if [ -n "$1" ] && [ -e "$2${ending}" ]; then n=2; while [ -e "$2-$n${ending}" ]; do n=$((n + 1)); done; ` +
  `for earlier in "$2${ending}" "$2${ending}".*; do [ ! -e "$earlier" ] || mv -- "$earlier" "$2-$n\${earlier#"$2"}" || exit 1; done; fi`;
/**
 * What the terminal runs before the program: the recording's folder is made, and a recording in it removed; only the
 * program itself, which takes the shell's place, loads the library.
 */
const BEGIN = [
  MAKE_PLACE,
  KEEP_EARLIER('.iolens'),
  'shift 2',
  'mkdir -p -- "$IOLENS_RECORDING"',
  'rm -f -- "$IOLENS_RECORDING"/*.iorec "$IOLENS_RECORDING"/recording.*.json',
  'LD_PRELOAD=$1',
  'export LD_PRELOAD',
  'shift',
  'exec "$@"',
].join(' && ');
const BEGIN_STRACE = [MAKE_PLACE, KEEP_EARLIER('.strace'), 'shift 2', 'exec strace "$@"'].join(' && ');
const COMPILER_SETTING = 'the setting iolens.record.compiler';
/** Words of a task in front of the program: the shell's own, the place, the name and the library. */
const BEFORE_PROGRAM = 6;
/** Which of them is the place: '' where the recording was given a name. */
const PLACE = 3;

/** The recorder library is needed and was not compiled yet. */
export class NotCompiled extends Error {}

interface RecordExecution {
  readonly execution: vscode.ProcessExecution;
  /** Why strace records although the library could have been taken; '' where that is not so. */
  readonly why: string;
}

/**
 * The process of a task that records a program.
 * @param compiles the library where it was not compiled yet: only what the user runs may do that, no list of tasks.
 * @throws NotCompiled where the library is needed first.
 * @throws RecordError in words for the user when nothing can record it.
 */
export async function recordExecution(
  { program, args, cwd, env, name }: LaunchProgram,
  wish: RecordWish,
  files: RecorderPlace,
  compiles: boolean,
): Promise<RecordExecution> {
  const command = [program, ...args];
  const wanted = recorderFor(wish.with, wish.output);
  const chosen = await chooseRecorder(wanted, command, cwd, () => library(wish.compiler, files, compiles));
  const timed = timedName(name ?? meantProgram(command, cwd), new Date());
  // A name that was given stands wherever its folder is.
  const place = wish.output === undefined ? wish.folder : '';
  if (chosen.tool === 'strace') {
    const { why } = chosen;
    const output = wish.output ?? freeOutput(timed, wish.folder);
    const options = straceOptions({ output, abilities: straceInstead(why), filePerProcess: false });
    const words = ['-c', BEGIN_STRACE, 'sh', place, withoutEnding(output), ...options, ...command];
    return { execution: new vscode.ProcessExecution('/bin/sh', words, { cwd, env: { ...env } }), why };
  }
  const folder = wish.output ?? freeFolder(timed, wish.folder);
  const environment = { ...process.env, ...env };
  const variables = preloadVariables(chosen.library.file, folder, { ...wish, program }, environment);
  const { LD_PRELOAD: preload = '', ...others } = variables;
  const passed = passVariables(command, Object.keys(variables), environment);
  const options = { cwd, env: { ...env, ...others } };
  const words = ['-c', BEGIN, 'sh', place, withoutEnding(folder), preload, ...passed.command];
  return { execution: new vscode.ProcessExecution('/bin/sh', words, options), why: '' };
}

function withoutEnding(recording: string): string {
  return recording.replace(/\.(iolens|strace)$/, '');
}

/** Several tasks may be completed at once: the first to compile says so, the others wait for it. */
let isSaid = false;

/** The library; while it is compiled, which takes a while and happens once, the editor says so. */
async function library(
  compiler: string,
  { dist, storage }: RecorderPlace,
  compiles: boolean,
): Promise<RecorderLibrary> {
  const folder = vscode.Uri.joinPath(vscode.Uri.file(storage), 'recorder').fsPath;
  // LD_PRELOAD takes no path with a blank, such as that of a preview of the editor: then the user's cache has it.
  const cacheFolder = /[\s:]/.test(folder) ? {} : { cacheFolder: folder };
  const place = { compiler, compilerName: COMPILER_SETTING, ...cacheFolder };
  if (!compiles) {
    const compiled = await readyFrom({ folder: dist }, place);
    if (compiled === undefined) throw new NotCompiled();
    return compiled;
  }
  const onCompile = (): void => {
    if (isSaid) return;
    isSaid = true;
    const over = (): void => {
      isSaid = false;
    };
    const title = vscode.l10n.t('I/O Lens: compiling the recorder library (once)');
    const options = { location: vscode.ProgressLocation.Notification, title };
    void vscode.window.withProgress(options, () => made.then(over, over));
  };
  const made = libraryFrom({ folder: dist }, { ...place, onCompile });
  return made;
}

/** What a task records: to where, and which command. */
export interface RecordedExecution {
  readonly output: string;
  readonly tool: 'preload' | 'strace';
  readonly command: readonly string[];
  readonly folder: string;
  /** The user named the recording: what is there of that name is written anew. */
  readonly isNamed: boolean;
}

/** @returns undefined for a task that records nothing. */
export function recordedBy({ execution }: vscode.Task): RecordedExecution | undefined {
  if (!(execution instanceof vscode.ProcessExecution)) return undefined;
  const { args, options } = execution;
  const folder = options?.cwd ?? '';
  const recording = options?.env?.['IOLENS_RECORDING'];
  const isNamed = args[PLACE] === '';
  if (recording !== undefined)
    return { output: recording, tool: 'preload', command: args.slice(BEFORE_PROGRAM), folder, isNamed };
  const at = args.indexOf('-o');
  const output = at < 0 ? undefined : args[at + 1];
  if (output === undefined) return undefined;
  return { output, tool: 'strace', command: args.slice(args.indexOf('--') + 1), folder, isNamed };
}
