import { existsSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { calibrateBeside } from '../../session/reading/calibration-file.ts';
import {
  aroundIt,
  checkCalls,
  checkCommand,
  checkOutput,
  checkTracing,
  freeOutput,
  installedStrace,
  recordWithStrace,
  type MadeRecording,
  type StraceRun,
} from '../../record/strace-recorder.ts';
import { chooseStackTargets } from '../../session/machine/stack-targets.ts';
import { countCalls, measureCost, tracingTime, type CostPerCall } from '../../record/recording-cost.ts';
import { Git } from '../../session/sources/git.ts';
import { EMPTY_NOTE, noteFor, writeNote } from '../../session/reading/write-note.ts';
import { pathsToTrace } from '../../record/traced-paths.ts';
import type { RecordingNote } from '../../session/reading/recording-note.ts';
import { rankFileName, rankOf } from '../../record/strace-command.ts';
import { recordWindows, sampleWindows } from '../../record/attached-recorder.ts';
import { removeCompanions } from '../../session/reading/remove-companions.ts';
import { stackSampleOf } from '../../session/reading/companions.ts';
import { UsageError } from '../arguments.ts';
import { watched } from '../follow.ts';
import type { RecordCommandOptions } from './record.ts';
import { count, duration } from './record-words.ts';
import { keepPlacesOf } from '../resolve.ts';
import { resources } from '../resources.ts';
import { say } from '../say.ts';

/** Records a program with strace, as the options want it. */
export async function recordByStrace(
  command: readonly string[],
  options: RecordCommandOptions,
): Promise<MadeRecording> {
  const abilities = installedStrace();
  checkTracing();
  checkCommand(command[0]!);
  checkCalls(options.calls ?? []);
  const rank = rankOf(process.env);
  if (options.twoPass === true) checkTwoPass(options.output, rank);
  const quiet = options.quiet === true || rank !== undefined;
  const { paths, limits } = pathsToTrace(options.path ?? [], process.cwd());
  for (const limit of limits) say(limit);
  const isStackRank = options.stacksRanks === undefined || options.stacksRanks.includes(rank ?? '');
  const run: StraceRun = {
    output: options.output ?? defaultOutput(command[0]!, rank),
    abilities,
    calls: options.calls,
    paths,
    stacks: options.stacks && isStackRank && options.twoPass !== true,
  };
  const cost = quiet ? { plain: NaN, withStack: NaN } : await measureCost(abilities);
  if (!quiet) say(announcement(cost, options));
  const windows = options.stacksSample === true ? sampleWindows() : options.stacksWindow && [options.stacksWindow];
  // One rank's word on the sources is enough.
  const note = (rank ?? '0') === '0' ? await noteFor(command, process.cwd(), await Git.installed()) : undefined;
  checkOutput(run.output);
  await removeCompanions(run.output);
  const made = await watched(options, run.output, () =>
    windows === undefined ? recordWithStrace(command, run) : recordWindows(command, run, windows),
  );
  if (made.bytes > 0)
    await writeNote(made.output, {
      ...(note ?? EMPTY_NOTE),
      ...lifeOf(made, options.calls),
      ...aroundIt(made),
    });
  // All ranks would measure at once, and each other.
  const problem =
    options.calibration && rank === undefined && made.bytes > 0 ? await calibrateBeside(made.output, resources) : '';
  if (problem !== '') say(`what calls cost here was not measured: ${problem}`);
  if (run.stacks && made.bytes > 0 && (rank ?? '0') === '0')
    await keepPlacesOf(made.output, { bytes: made.bytes, withTexts: options.sourceText });
  await report(made, cost, quiet, windows !== undefined);
  if (options.twoPass !== true || made.bytes === 0) return made;
  const ending = endOf(made);
  if (ending !== '') {
    say(`the first run ${ending}, so there is no second: ${made.output} has no call stacks`);
    return made;
  }
  return secondPass(command, made, run, cost, { limit: options.stacksLimit, withTexts: options.sourceText });
}

/** How long the program ran and processors worked for it: what of the run is the tracer's shows in it. */
/** @param calls a choice of them; undefined: all of I/O, and those that wait. */
function lifeOf(
  { wallTime, worked }: MadeRecording,
  calls: readonly string[] | undefined,
): Pick<RecordingNote, 'life'> {
  const seen = calls === undefined ? { waitsAreCalls: true as const } : {};
  return worked === undefined ? {} : { life: { lastedNs: wallTime, ...worked, ...seen } };
}

/** Before anything runs: a second run that cannot be would be found out after the first. */
function checkTwoPass(output: string | undefined, rank: string | undefined): void {
  if (rank !== undefined)
    throw new UsageError('record: --two-pass is for a single program; for ranks there is --stacks-ranks 0');
  if (output !== undefined && stackSampleOf(output) === '')
    throw new UsageError(
      'record: with --two-pass the recording’s name must end in .strace, and not in .stacks.strace: the second run is written there',
    );
}

/** How a run ended that nobody would want to be repeated; '' when it ended well. */
function endOf({ signal, interrupted, status }: MadeRecording): string {
  if (signal !== undefined) return `was ended by ${signal}`;
  if (interrupted !== undefined) return `got ${interrupted}`;
  return status === 0 ? '' : `ended with status ${status}`;
}

/** `app.strace`; under `mpirun` and `srun` a file for each rank, named as in the DFG paper. */
function defaultOutput(program: string, rank: string | undefined): string {
  if (rank === undefined) return freeOutput(program, '.');
  const folder = process.env['IOLENS_FOLDER'] ?? 'iolens-recording';
  mkdirSync(folder, { recursive: true });
  for (let number = 1; ; number++) {
    const name = path.basename(program) + (number === 1 ? '' : `-${number}`);
    const file = path.join(folder, rankFileName(name, hostname(), rank));
    if (!existsSync(file)) return file;
  }
}

/** A second run of the same program, with stacks for what the first showed to matter. */
async function secondPass(
  command: readonly string[],
  first: MadeRecording,
  run: StraceRun,
  cost: CostPerCall,
  { limit, withTexts }: { readonly limit: number; readonly withTexts: boolean },
): Promise<MadeRecording> {
  const output = stackSampleOf(first.output);
  const targets = await chooseStackTargets(first.output);
  if (targets.events === 0) {
    say('no call on a file of the program’s own: there is no need to run again');
    return first;
  }
  const expected = (targets.events * (Number.isNaN(cost.withStack) ? 500_000 : cost.withStack)) / 1e9;
  const what = `${count(targets.events)} calls on ${targets.files.length === 1 ? 'one file' : `${targets.files.length} files`}, ${(100 * targets.share).toFixed(0)} % of the time`;
  const again: StraceRun = { ...run, output, stacks: true, calls: targets.calls };
  let second;
  if (expected <= limit) {
    say(`second run, with stacks for ${what}: strace will take about ${duration(expected)}`);
    // The program itself too: its execve says what was run.
    const { paths } = pathsToTrace([...targets.files, ...programFile(command[0]!)], process.cwd());
    second = await recordWithStrace(command, { ...again, paths });
  } else {
    say(`second run: stacks for ${what} would take about ${duration(expected)}; a sample of them is taken instead`);
    second = await recordWindows(command, again, sampleWindows());
  }
  await report(second, cost, false, expected > limit);
  await keepPlacesOf(first.output, { bytes: first.bytes + second.bytes, withTexts });
  say(`${first.output} and ${output} belong together; next: iolens analyze ${first.output}`);
  return second;
}

function programFile(program: string): string[] {
  const folders = program.includes('/') ? ['.'] : (process.env['PATH'] ?? '').split(':');
  return folders
    .map((folder) => path.resolve(folder, program))
    .filter((file) => existsSync(file))
    .slice(0, 1);
}

function announcement(cost: CostPerCall, { stacks, twoPass }: RecordCommandOptions): string {
  if (Number.isNaN(cost.plain)) return 'what recording costs here could not be measured';
  const plain = `a recorded call takes about ${duration(cost.plain / 1e9)} longer on this machine`;
  if (!stacks || Number.isNaN(cost.withStack)) return `${plain} (a million calls: ${duration(cost.plain / 1e3)})`;
  const first = `${plain}, with its call stack ${duration(cost.withStack / 1e9)} or more`;
  const million = `a million calls: ${duration(cost.plain / 1e3)}, with stacks ${duration(cost.withStack / 1e3)}`;
  return `${first} (${million})${twoPass === true ? '; first run, without stacks' : ''}`;
}

/** What was recorded and what it cost. */
async function report(made: MadeRecording, cost: CostPerCall, quiet: boolean, isPart: boolean): Promise<void> {
  const { output, bytes, problem } = made;
  if (problem !== '') say(`strace could not join the program: ${problem}`);
  if (bytes === 0 && problem !== '') return;
  if (bytes === 0) {
    say(isPart ? 'nothing was recorded: the run ended before the window' : `${output}: strace recorded nothing`);
    return;
  }
  const size = `recorded ${output} (${Math.ceil(bytes / 1024)} KiB)`;
  if (quiet) {
    say(`${size}; next: iolens analyze ${output}`);
    return;
  }
  const recorded = await countCalls(output);
  const { calls, stacks } = recorded;
  const wall = made.wallTime / 1e9;
  const overhead = tracingTime(recorded, cost) / 1e9;
  const without =
    overhead > 0.9 * wall
      ? ', nearly all of it strace’s'
      : `; without strace at most about ${duration(wall - overhead)}`;
  const rest = overhead === 0 || isPart ? '' : without;
  const what = stacks === 0 ? `${count(calls)} calls` : `${count(calls)} calls, ${count(stacks)} with stacks`;
  say(`${size}: ${what} in ${duration(wall)}${rest}; next: iolens analyze ${output}`);
}
