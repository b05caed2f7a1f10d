import { existsSync, mkdirSync } from 'node:fs';
import { constants, hostname } from 'node:os';
import path from 'node:path';
import { InvalidArgumentError, type Command, type Option } from 'commander';
import {
  calibrateBeside,
  checkCalls,
  checkCommand,
  checkOutput,
  checkTracing,
  chooseStackTargets,
  countCalls,
  freeOutput,
  Git,
  installedStrace,
  measureCost,
  parseWindow,
  pathsToTrace,
  rankFileName,
  rankOf,
  recordScript,
  recordWindows,
  noteFor,
  recordWithStrace,
  writeNote,
  removeCompanions,
  sampleWindows,
  stackSampleOf,
  tracingTime,
  type CostPerCall,
  type MadeRecording,
  type StraceRun,
  type Window,
} from '../session/record.ts';
import { plainRequest, type OpenRequest } from '../session/open-request.ts';
import { Session } from '../session/session.ts';
import { collect, UsageError } from './arguments.ts';
import { watchRecording } from './follow.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';

interface RecordCommandOptions {
  output?: string;
  with: string;
  path?: string[];
  calls?: string[];
  stacks: boolean;
  twoPass?: true;
  stacksLimit: number;
  stacksRanks?: string[];
  stacksWindow?: Window;
  stacksSample?: true;
  /** False by --no-calibration. */
  calibration: boolean;
  live?: true;
  quiet?: true;
  script?: true;
}

export function addRecord(program: Command): void {
  program
    .command('record')
    .description('run a program and record its I/O, with source lines')
    .argument('[command...]')
    .option('-o, --output <file>', 'the recording; by default PROGRAM.strace in this folder')
    .option('--with <tool>', 'auto or strace', 'auto')
    .option('--path <path>', 'only this file, or the files that are in this folder now (repeatable)', collect)
    .option('--calls <names>', 'only these calls, such as read,write,%desc', callNames)
    .option('--no-stacks', 'without call stacks: a tenth of the cost, but no source lines')
    .option('--two-pass', 'run twice: without stacks, then with stacks for the files and calls that matter')
    .option('--stacks-limit <seconds>', 'the second run takes a sample where stacks would take longer', seconds, 60)
    .option('--stacks-ranks <ranks>', 'stacks only for these ranks, such as 0,1', rankList)
    .option('--stacks-window <from..to>', 'record only this part of the run, such as 10s..20s', window)
    .option('--stacks-sample', 'record a tenth of the run, in short windows')
    .option('--no-calibration', 'do not measure afterwards what calls cost here without strace')
    .option('--live', 'on a terminal, say each second what was recorded and found so far')
    .option('--quiet', 'no word about what recording costs, nor a measurement of it')
    .option('--script', 'print a script that records each rank of an MPI program')
    .passThroughOptions()
    .action(async (command: string[], options: RecordCommandOptions, self: Command) => {
      const given = self.options.filter((option) => self.getOptionValueSource(option.attributeName()) === 'cli');
      if (options.script === true) {
        checkAlone(command, given);
        process.stdout.write(recordScript());
        return;
      }
      if (!['auto', 'strace'].includes(options.with))
        throw new UsageError(`--with ${options.with}: one of auto, strace is expected`);
      if (command.length === 0) throw new UsageError('record: which program? iolens record ./app arguments…');
      checkTogether(options);
      end(await record(command, options));
    });
}

function callNames(text: string): string[] {
  const names = text.split(',').filter((name) => name !== '');
  const wrong = names.find((name) => !/^%?[a-z_][a-z0-9_]*$/.test(name));
  if (wrong !== undefined || names.length === 0) throw new InvalidArgumentError(`${wrong ?? text} is no system call`);
  return names;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0)) throw new InvalidArgumentError('a number of seconds is expected');
  return value;
}

function rankList(text: string): string[] {
  if (!/^(\d+(,\d+)*|none)$/.test(text)) throw new InvalidArgumentError('ranks such as 0,1 are expected, or none');
  return text.split(',');
}

function window(text: string): Window {
  const parsed = parseWindow(text);
  if (parsed === undefined) throw new InvalidArgumentError('a window such as 10s..20s is expected');
  return parsed;
}

/** The script is for any program: it takes it, and the ranks with stacks, when it is run. */
function checkAlone(command: readonly string[], given: readonly Option[]): void {
  const other = given.find(({ long }) => long !== '--script')?.long ?? command[0];
  if (other !== undefined)
    throw new UsageError(
      `record --script only prints the script, so "${other}" has no effect: iolens record --script > record.sh; mpirun -n 4 ./record.sh ./app arguments…`,
    );
}

function checkTogether(options: RecordCommandOptions): void {
  const modes = (['twoPass', 'stacksRanks', 'stacksWindow', 'stacksSample'] as const).filter(
    (name) => options[name] !== undefined,
  );
  if (modes.length > 1 || (modes.length === 1 && !options.stacks && modes[0] !== 'stacksWindow'))
    throw new UsageError(
      'record: --two-pass, --stacks-ranks, --stacks-window, --stacks-sample and --no-stacks exclude each other',
    );
  if (options.live === true && (options.stacksWindow !== undefined || options.stacksSample === true))
    throw new UsageError('record: --live is for recordings of a whole run, not for windows or a sample of it');
}

/** Milliseconds for a signal to ourselves to arrive. */
const SIGNAL_TIME = 500;

/** Ends as the program did: with its exit status, or by the signal that ended it. */
function end({ status, signal }: MadeRecording): void {
  process.exitCode = signal === undefined ? (status ?? 0) : 128 + constants.signals[signal];
  if (signal === undefined) return;
  process.kill(process.pid, signal);
  // Node ignores some (SIGPIPE): then the status that a shell gives for the signal says it.
  setTimeout(() => process.exit(), SIGNAL_TIME);
}

async function record(command: readonly string[], options: RecordCommandOptions): Promise<MadeRecording> {
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
  const complete = new AbortController();
  // Where there is no terminal nobody looks.
  const isWatched = options.live === true && process.stderr.isTTY;
  const watching = isWatched
    ? watchRecording(new Session(resources), requestOf(run.output), complete.signal)
    : undefined;
  const made =
    windows === undefined ? await recordWithStrace(command, run) : await recordWindows(command, run, windows);
  complete.abort();
  await watching;
  if (note !== undefined && made.bytes > 0) await writeNote(made.output, note);
  // All ranks would measure at once, and each other.
  const problem =
    options.calibration && rank === undefined && made.bytes > 0 ? await calibrateBeside(made.output, resources) : '';
  if (problem !== '') say(`what calls cost here was not measured: ${problem}`);
  await report(made, cost, quiet, windows !== undefined);
  if (options.twoPass !== true || made.bytes === 0) return made;
  const ending = endOf(made);
  if (ending !== '') {
    say(`the first run ${ending}, so there is no second: ${made.output} has no call stacks`);
    return made;
  }
  return secondPass(command, made, run, cost, options.stacksLimit);
}

/** What is being recorded, for a look at it meanwhile. */
function requestOf(output: string): OpenRequest {
  return { ...plainRequest(output), workspaceFolders: [process.cwd()], cacheBytes: 0 };
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
  limit: number,
): Promise<MadeRecording> {
  const output = stackSampleOf(first.output);
  const targets = await chooseStackTargets(first.output);
  if (targets.events === 0) {
    say('no call on a file of the program’s own: there is nothing to run again for');
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

function count(number: number): string {
  return number.toLocaleString('en');
}

/** Seconds in the unit that suits. */
function duration(value: number): string {
  const digits = (scaled: number): string => (scaled < 10 ? scaled.toFixed(1) : scaled.toFixed(0));
  if (value < 1e-3) return `${digits(value * 1e6)} µs`;
  if (value < 1) return `${digits(value * 1e3)} ms`;
  return value < 120 ? `${digits(value)} s` : `${digits(value / 60)} min`;
}
