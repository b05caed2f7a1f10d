import { constants, machine as processor } from 'node:os';
import { InvalidArgumentError, type Command, type Option } from 'commander';
import { checkCommand, type Ended } from '../../record/strace-recorder.ts';
import {
  chooseRecorder,
  recorderFor,
  RECORDERS,
  straceInstead,
  type RecorderName,
} from '../../record/choose-recorder.ts';
import { libraryFrom } from '../../session/machine/recorder-source.ts';
import { localFileSystem } from '../../record/launchers.ts';
import { MOST_STACK_DEPTH, PRELOAD_LAYERS, type PreloadSettings } from '../../record/preload-recorder.ts';
import { parseWindow, type Window } from '../../record/attached-recorder.ts';
import { preloadScript } from '../../record/preload-script.ts';
import { rankOf, recordScript } from '../../record/strace-command.ts';
import { parseSize } from '../../fleet/query/sizes.ts';
import type { RecorderLibrary } from '../../record/library-file.ts';
import { collect, UsageError, wholeNumber } from '../arguments.ts';
import { recordByPreload } from './record-preload.ts';
import { recordByStrace } from './record-strace.ts';
import { resources } from '../resources.ts';
import { say } from '../say.ts';

export interface RecordCommandOptions {
  output?: string;
  with: string;
  layers?: string[];
  sample?: number;
  stackDepth?: number;
  limit?: number;
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
  /** False by --no-source-text. */
  sourceText: boolean;
  live?: true;
  quiet?: true;
  script?: true;
}

export function addRecord(program: Command): void {
  program
    .command('record')
    .description('run a program and record its I/O, with source lines')
    .argument('[command...]')
    .option('-o, --output <name>', 'the recording; by default PROGRAM.iolens (a folder) or PROGRAM.strace, here')
    .option(
      '--with <recorder>',
      'preload (a library in the program), strace, or auto: the library where possible',
      'auto',
    )
    .option('--layers <names>', `preload: only these of ${PRELOAD_LAYERS.join(',')}`, layerNames)
    .option('--sample <number>', 'preload: a call stack for one in this many calls', wholeNumber)
    .option('--stack-depth <number>', 'preload: this many innermost frames of a stack', stackDepth)
    .option('--limit <size>', 'preload: after this much, the calls of a process are only counted', bytes)
    .option('--path <path>', 'strace: only this file, or the files in this folder now (repeatable)', collect)
    .option('--calls <names>', 'strace: only these calls, such as read,write,%desc', callNames)
    .option('--no-stacks', 'without call stacks: cheaper, but no source lines')
    .option('--two-pass', 'strace: run twice: without stacks, then with stacks for the files and calls that matter')
    .option('--stacks-limit <seconds>', 'the second run takes a sample where stacks would take longer', seconds, 60)
    .option('--stacks-ranks <ranks>', 'stacks only for these ranks, such as 0,1', rankList)
    .option('--stacks-window <from..to>', 'strace: record only this part of the run, such as 10s..20s', window)
    .option('--stacks-sample', 'strace: record a tenth of the run, in short windows')
    .option('--no-calibration', 'do not measure afterwards what calls cost here without a recorder')
    .option('--no-source-text', 'keep no line of a source file with the functions and lines of the calls')
    .option('--live', 'on a terminal, say each second what was recorded and found so far')
    .option('--quiet', 'do not say what recording costs, nor measure it')
    .option('--script', 'print a script that records each rank of an MPI program')
    .passThroughOptions()
    .action(async (command: string[], options: RecordCommandOptions, self: Command) => {
      const given = self.options.filter((option) => self.getOptionValueSource(option.attributeName()) === 'cli');
      const recorder = wantedRecorder(options, given);
      checkTogether(options);
      if (options.script === true) {
        process.stdout.write(await script(command, options, recorder, given));
        return;
      }
      if (command.length === 0) throw new UsageError('record: which program? iolens record ./app arguments…');
      end(await record(command, options, recorder));
    });
}

function callNames(text: string): string[] {
  const names = text.split(',').filter((name) => name !== '');
  const wrong = names.find((name) => !/^%?[a-z_][a-z0-9_]*$/.test(name));
  if (wrong !== undefined || names.length === 0)
    throw new InvalidArgumentError(`${wrong ?? text} is not a system call`);
  return names;
}

function layerNames(text: string): string[] {
  const names = text.split(',').filter((name) => name !== '');
  const known: readonly string[] = PRELOAD_LAYERS;
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined || names.length === 0)
    throw new InvalidArgumentError(`${wrong ?? text} is not a layer: some of ${known.join(',')} are expected`);
  return names;
}

function stackDepth(text: string): number {
  const depth = wholeNumber(text);
  if (depth > MOST_STACK_DEPTH) throw new InvalidArgumentError(`at most ${MOST_STACK_DEPTH} frames are possible`);
  return depth;
}

function bytes(text: string): number {
  const size = parseSize(text);
  if (size === undefined || size < 1) throw new InvalidArgumentError('a size such as 50MiB is expected');
  return size;
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

/** Options that only one of the recorders knows. */
const ONLY = {
  strace: ['path', 'calls', 'twoPass', 'stacksLimit', 'stacksWindow', 'stacksSample'],
  preload: ['layers', 'sample', 'stackDepth', 'limit'],
};
/** The recorder that the options name, or that they need. */
function wantedRecorder(options: RecordCommandOptions, given: readonly Option[]): RecorderName {
  const wanted = RECORDERS.find((name) => name === options.with);
  if (wanted === undefined) throw new UsageError(`--with ${options.with}: one of ${RECORDERS.join(', ')} is expected`);
  const of = (names: readonly string[]): string | undefined =>
    given.find((option) => names.includes(option.attributeName()))?.long;
  const [strace, preload] = [of(ONLY.strace), of(ONLY.preload)];
  const wrong = wanted === 'preload' ? strace : wanted === 'strace' || strace !== undefined ? preload : undefined;
  if (wrong !== undefined)
    throw new UsageError(
      `record: ${wrong} is for ${wrong === strace ? 'strace' : 'the recorder library'}, and ${wanted === 'auto' ? `${strace!} for strace` : `--with ${wanted} is given`}`,
    );
  return wanted === 'auto' && strace !== undefined ? 'strace' : recorderFor(wanted, options.output);
}

/** Names a compiler that makes the recorder library in the place of the built one. */
const OWN_COMPILER = 'IOLENS_RECORDER_CC';

function library(): Promise<RecorderLibrary> {
  // Each rank would say it.
  const isFirst = (rankOf(process.env) ?? '0') === '0';
  const onCompile = (compiler: string): void => {
    if (isFirst) say(`${compiler} compiles the recorder library; once on this machine`);
  };
  const compiler = process.env[OWN_COMPILER] ?? '';
  return libraryFrom(resources, { onCompile, ...(compiler !== '' && { compiler, compilerName: OWN_COMPILER }) });
}

/** Options that have an effect on the script. */
const OF_SCRIPT = {
  strace: ['script', 'with', 'stacksRanks'],
  preload: ['script', 'with', 'layers', 'sample', 'stackDepth', 'limit', 'stacks', 'stacksRanks'],
};

/** The script is for any program: it takes it when it is run. */
async function script(
  command: readonly string[],
  options: RecordCommandOptions,
  wanted: RecorderName,
  given: readonly Option[],
): Promise<string> {
  const known = wanted === 'strace' ? OF_SCRIPT.strace : OF_SCRIPT.preload;
  const other = given.find((option) => !known.includes(option.attributeName()))?.long ?? command[0];
  if (other !== undefined)
    throw new UsageError(
      `record --script only prints the script, so "${other}" has no effect: iolens record --script > record.sh; mpirun -n 4 ./record.sh ./app arguments…`,
    );
  // Nothing is known of the program yet: any that is there stands for it.
  const chosen = await chooseRecorder(wanted, ['true'], process.cwd(), library);
  if (chosen.tool === 'strace') {
    if (chosen.why !== '') say(`a script for strace: ${chosen.why}`);
    return recordScript(options.stacksRanks);
  }
  const { file } = chosen.library;
  const local = localFileSystem(file);
  if (['tmpfs', 'ramfs', 'overlay'].includes(local))
    say(`${file} lies on ${local}: compute nodes do not see it there; set XDG_CACHE_HOME to a folder that they share`);
  return preloadScript(file, processor(), preloadSettings(options), options.stacksRanks);
}

function preloadSettings({ layers, sample, stackDepth, limit, stacks }: RecordCommandOptions): PreloadSettings {
  const depth = stacks ? stackDepth : 0;
  return {
    ...(layers !== undefined && { layers }),
    ...(sample !== undefined && { sample }),
    ...(depth !== undefined && { stackDepth: depth }),
    ...(limit !== undefined && { limit }),
  };
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

async function record(command: readonly string[], options: RecordCommandOptions, wanted: RecorderName): Promise<Ended> {
  checkCommand(command[0]!);
  const chosen = await chooseRecorder(wanted, command, process.cwd(), library);
  if (chosen.tool === 'preload')
    return recordByPreload(command, options, preloadSettings(options), chosen.library.file);
  if (chosen.why !== '') straceInstead(chosen.why);
  const { layers, sample, stackDepth: depth, limit } = options;
  if (chosen.why !== '' && [layers, sample, depth, limit].some((value) => value !== undefined))
    throw new UsageError(
      `record: --layers, --sample, --stack-depth and --limit need the recorder library: ${chosen.why}`,
    );
  // Each rank would say it.
  if (chosen.why !== '' && (rankOf(process.env) ?? '0') === '0') say(`recorded by strace: ${chosen.why}`);
  return recordByStrace(command, options);
}

/** Milliseconds for a signal to ourselves to arrive. */
const SIGNAL_TIME = 500;

/** Ends as the program did: with its exit status, or by the signal that ended it. */
function end({ status, signal }: Ended): void {
  process.exitCode = signal === undefined ? (status ?? 0) : 128 + constants.signals[signal];
  if (signal === undefined) return;
  process.kill(process.pid, signal);
  // Node ignores some (SIGPIPE): then the status that a shell gives for the signal says it.
  setTimeout(() => process.exit(), SIGNAL_TIME);
}
