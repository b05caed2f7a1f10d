import path from 'node:path';
import { calibrateBeside } from '../../session/reading/calibration-file.ts';
import {
  companionBase,
  folderOfRun,
  freeFolder,
  joinFolder,
  makeFolder,
  recordedFiles,
} from '../../record/recording-folder.ts';
import { Git } from '../../session/sources/git.ts';
import { localFileSystem, nodesOf, passVariables, runName } from '../../record/launchers.ts';
import { meantProgram } from '../../record/recordable-program.ts';
import { measurePreload, recordingTime, UNKNOWN_COST, type PreloadCost } from '../../record/preload-cost.ts';
import { noteFor, writeNote } from '../../session/reading/write-note.ts';
import {
  preloadVariables,
  recordWithPreload,
  type PreloadRecording,
  type PreloadSettings,
} from '../../record/preload-recorder.ts';
import { rankOf } from '../../record/strace-command.ts';
import { aroundIt, type Ended } from '../../record/strace-recorder.ts';
import { UsageError } from '../arguments.ts';
import { watched } from '../follow.ts';
import type { RecordCommandOptions } from './record.ts';
import { count, duration } from './record-words.ts';
import { keepPlacesOf } from '../resolve.ts';
import { resources } from '../resources.ts';
import { say } from '../say.ts';

/** Records a program, or one rank of it, with the recorder library. */
export async function recordByPreload(
  command: readonly string[],
  options: RecordCommandOptions,
  wanted: PreloadSettings,
  library: string,
): Promise<Ended> {
  const rank = rankOf(process.env);
  const isFirst = (rank ?? '0') === '0';
  const settings = { ...wanted, program: command[0]!, ...(!hasStacks(options, rank) && { stackDepth: 0 }) };
  const folder = path.resolve(options.output ?? defaultFolder(meantProgram(command, process.cwd()), rank));
  if (rank === undefined) makeFolder(folder);
  else joinFolder(folder, process.ppid);
  const variables = preloadVariables(library, folder, settings, process.env);
  const names = Object.keys(variables);
  const passed = rank === undefined ? passVariables(command, names, process.env) : { command, problem: '' };
  if (isFirst) sayProblems([passed.problem, ...unshared(command, { recording: folder, library })]);
  const quiet = options.quiet === true || rank !== undefined;
  const cost = quiet ? UNKNOWN_COST : await measurePreload(library, folder);
  if (!quiet) say(announcement(cost, settings));
  const note = isFirst ? await noteFor(command, process.cwd(), await Git.installed()) : undefined;
  const made = await watched(options, folder, () => recordWithPreload(passed.command, folder, variables));
  if (made.diskFull && isFirst)
    say(`${folder}: the file system is full, so the last calls, or all, are not in the recording`);
  if (made.recorded.processes === 0) {
    if (isFirst)
      say(
        `${shown(folder)}: nothing was recorded: the program made no call that is recorded, it was killed before its calls were written, or none of its processes loaded the recorder library`,
      );
    return made;
  }
  // The other ranks may have files yet to begin.
  const processFiles = rank === undefined ? { processFiles: recordedFiles(folder).length } : {};
  if (note !== undefined) await writeNote(companionBase(folder), { ...note, ...processFiles, ...aroundIt(made) });
  // All ranks would measure at once, and each other.
  if (options.calibration && rank === undefined) {
    const problem = await calibrateBeside(companionBase(folder), resources);
    sayProblems([problem && `what calls cost here was not measured: ${problem}`]);
  }
  if (rank === undefined && settings.stackDepth !== 0)
    await keepPlacesOf(folder, { bytes: made.recorded.bytes, withTexts: options.sourceText });
  // The other ranks may still be running.
  if (rank !== undefined) {
    if (isFirst)
      say(
        `the ranks record ${shown(folder)}; when they are done, "iolens resolve ${shown(folder)}" keeps its lines; then: iolens analyze ${shown(folder)}`,
      );
  } else report(made, cost, settings);
  return made;
}

function sayProblems(problems: readonly string[]): void {
  for (const problem of problems.filter((text) => text !== '')) say(problem);
}

/** Ranks are told apart where each is started by a command of its own. */
function hasStacks({ stacks, stacksRanks }: RecordCommandOptions, rank: string | undefined): boolean {
  if (stacksRanks === undefined) return stacks;
  if (rank === undefined)
    throw new UsageError(
      'record: --stacks-ranks is for a command that the launcher starts: mpirun -n 4 iolens record --stacks-ranks 0 -- ./app',
    );
  return stacksRanks.includes(rank);
}

/** `app.iolens`; under `mpirun` and `srun` one folder for all ranks of the run. */
function defaultFolder(program: string, rank: string | undefined): string {
  if (rank === undefined) return freeFolder(program, '.');
  return folderOfRun(program, process.env['IOLENS_FOLDER'] ?? '.', runName(process.env, process.ppid));
}

/** What other nodes of a job will not see. */
function unshared(
  command: readonly string[],
  places: { readonly recording: string; readonly library: string },
): string[] {
  const nodes = nodesOf(command, process.env);
  if (nodes < 2) return [];
  const what = { recording: 'what other nodes record stays there', library: 'other nodes record nothing without it' };
  return (['recording', 'library'] as const).map((place) => {
    const local = localFileSystem(places[place]);
    return local === ''
      ? ''
      : `${places[place]} lies on ${local}, a file system of this machine, and the job has ${nodes} nodes: ${what[place]}`;
  });
}

function announcement({ plain, withStack, bytes, start }: PreloadCost, { stackDepth }: PreloadSettings): string {
  if (Number.isNaN(plain)) return 'what recording costs here could not be measured';
  const without = `a recorded call takes about ${duration(plain / 1e9)} longer on this machine`;
  const million = `a million calls: ${duration(plain / 1e3)}`;
  const space = Number.isNaN(bytes) ? '' : ` and ${mebibytes(bytes * 1e6)}`;
  const process = Number.isNaN(start) ? '' : `; a process takes ${duration(start / 1e9)} longer to start`;
  if (stackDepth === 0 || Number.isNaN(withStack)) return `${without} (${million}${space})${process}`;
  return `${without}, with its call stack ${duration(withStack / 1e9)} or more (${million}, with stacks ${duration(withStack / 1e3)}${space})${process}`;
}

/** What was recorded and what it cost. */
function report({ folder, recorded, wallTime }: PreloadRecording, cost: PreloadCost, settings: PreloadSettings): void {
  const { bytes, processes, events, lost } = recorded;
  const of = processes === 1 ? '' : ` of ${count(processes)} processes`;
  const size = `recorded ${shown(folder)} (${count(Math.ceil(bytes / 1024))} KiB): ${count(events)} ${events === 1 ? 'event' : 'events'}${of}`;
  const share = recordingTime(recorded, cost, settings.stackDepth !== 0, settings.sample ?? 1) / wallTime;
  const part = Number.isNaN(share) ? '' : `, ${percent(share)} of it for recording`;
  if (lost > 0) say(`${count(lost)} calls could not be recorded: is the disk full?`);
  say(`${size} in ${duration(wallTime / 1e9)}${part}; next: iolens analyze ${shown(folder)}`);
}

function mebibytes(bytes: number): string {
  const size = bytes / 2 ** 20;
  return `${size.toFixed(size < 10 ? 1 : 0)} MiB`;
}

function percent(share: number): string {
  if (share < 0.01) return 'less than 1 %';
  return share > 0.9 ? 'nearly all' : `about ${(100 * share).toFixed(0)} %`;
}

/** A path as the user would write it. */
function shown(folder: string): string {
  const relative = path.relative(process.cwd(), folder);
  return relative === '' || relative.startsWith('..') ? folder : relative;
}
