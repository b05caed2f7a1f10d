import { jsonText } from '../export/json-text.ts';
import { writeFileSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { replayText, replayDocument } from '../export/replay/replay-report.ts';
import { sweepSvg, sweepText } from '../export/replay/sweep-chart.ts';
import { messageOf } from '../base/error-message.ts';
import { BACKEND_NAMES } from '../replay/backends/catalogue.ts';
import { parseByteSize } from '../session/reading/memory-budget.ts';
import { readDiosFile } from '../session/replay/dios-file.ts';
import { runProgram } from '../session/replay/run-program.ts';
import { runSweep } from '../session/replay/sweep.ts';
import { collect, NONE_GIVEN, UsageError } from './arguments.ts';
import { untilInterrupted } from './interrupt.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';

interface DiosOptions {
  size?: number;
  output?: string;
  backend: string[];
  checkContent?: true;
  define: Record<string, string>;
  keepGoing?: true;
  existing?: true;
  engine: 'node' | 'native' | 'mpi';
  json?: true;
}

/** What is said when no back end is named: all of the paper's that say something. */
const USUAL_BACKENDS = BACKEND_NAMES.filter((name) => name !== 'EmptyLogger' && name !== 'EventLog');

export function addDios(program: Command): void {
  const dios = program
    .command('dios')
    .enablePositionalOptions()
    .description('run what a DIOS XML file describes on files below a folder, and measure it')
    .argument('<file>', 'DIOS XML (docs/dios-xml.md)')
    .option('-n, --size <tasks>', 'number of tasks: SIZE', wholeNumber)
    .option('-o, --output <folder>', 'the folder that all files are below: new or empty')
    .option('--backend <name>', `${BACKEND_NAMES.join(', ')} (repeatable)`, backendName, NONE_GIVEN)
    .option('--check-content', 'write bytes that differ by file, place and task, and check what is read')
    .option('--define <name=value>', 'a variable of the expressions (repeatable)', definition, {})
    .option('--keep-going', 'count calls that the system refuses, instead of stopping')
    .option('--existing', 'the folder may hold files: they are read, overwritten and deleted')
    .addOption(
      new Option(
        '--engine <engine>',
        'node (threads), native (processes of a C program) or mpi (the same by mpirun, as always when the file has MPI calls)',
      )
        .choices(['node', 'native', 'mpi'])
        .default('node'),
    )
    .option('--json', 'as JSON')
    .action(async (file: string, options: DiosOptions) => {
      await untilInterrupted((signal) => runFile(file, options, signal));
    });
  addSweep(dios);
}

async function runFile(file: string, options: DiosOptions, signal: AbortSignal): Promise<void> {
  const { size, output: directory } = options;
  if (size === undefined) throw new UsageError('dios: how many tasks? --size 4');
  if (directory === undefined) throw new UsageError('dios: below which folder? -o FOLDER (new or empty)');
  const program = await readDiosFile(file);
  const report = await runProgram(program, {
    size,
    directory,
    resources,
    backends: options.backend.length > 0 ? options.backend : USUAL_BACKENDS,
    checkContent: options.checkContent === true,
    variables: { ...process.env, ...options.define },
    keepGoing: options.keepGoing === true,
    existing: options.existing === true,
    engine: options.engine === 'node' ? 'threads' : options.engine,
    signal,
  });
  for (const { message } of report.failed) say(message);
  process.stdout.write(options.json === true ? jsonText(replayDocument(report)) : replayText(report));
  if ((report.content?.wrong ?? 0) > 0) process.exitCode = 1;
}

interface SweepCommandOptions {
  output: string;
  sizes: number[];
  bytes: number[];
  perTask: number;
  shared?: true;
  buffered?: true;
  repeat: number;
  svg?: string;
  json?: true;
}

function addSweep(dios: Command): void {
  dios
    .command('sweep')
    .description('measure a file system over number of tasks and transfer size (Figs. 9 and 10 of the DIOS paper)')
    .requiredOption('-o, --output <folder>', 'a folder of that file system: a new folder in it is used and removed')
    .option('--sizes <numbers>', 'numbers of tasks', wholeNumbers, [1, 2, 4])
    .option('--bytes <sizes>', 'transfer sizes', byteSizes, [4 << 10, 64 << 10, 1 << 20])
    .option('--per-task <size>', 'bytes that each task moves at each point', byteSize, 64 << 20)
    .option('--shared', 'one file for all tasks instead of one for each')
    .option('--buffered', 'by C streams, as in the paper, instead of read and write')
    .option('--repeat <times>', 'runs of each point; the median counts', wholeNumber, 1)
    .option('--svg <file>', 'draw the picture into a file')
    .option('--json', 'as JSON')
    .action(async (options: SweepCommandOptions) => {
      await untilInterrupted((signal) => sweep(options, signal));
    });
}

async function sweep(options: SweepCommandOptions, signal: AbortSignal): Promise<void> {
  const points = await runSweep({
    ...options,
    shared: options.shared === true,
    buffered: options.buffered === true,
    directory: options.output,
    resources,
    signal,
    progress: (done, all) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${done === all ? '\u001b[K' : `${done} of ${all} runs`}`);
    },
  });
  if (options.svg !== undefined) writeSvg(options.svg, sweepSvg(`Bandwidth of ${options.output}`, points));
  process.stdout.write(options.json === true ? jsonText({ schema: 'iolens/sweep@1', points }) : sweepText(points));
}

function writeSvg(file: string, svg: string): void {
  try {
    writeFileSync(file, svg);
  } catch (error) {
    throw new UsageError(`--svg ${file}: ${messageOf(error)}`);
  }
}

function backendName(text: string, previous: string[] | undefined): string[] {
  const name = BACKEND_NAMES.find((its) => its.toLowerCase() === text.toLowerCase());
  if (name === undefined) throw new InvalidArgumentError(`one of ${BACKEND_NAMES.join(', ')} is expected`);
  return collect(name, previous);
}

function definition(text: string, previous: Record<string, string>): Record<string, string> {
  const match = /^([A-Za-z_]\w*)=(.+)$/.exec(text);
  if (match === null) throw new InvalidArgumentError('the form is NAME=VALUE');
  return { ...previous, [match[1]!]: match[2]! };
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('a whole number above 0 is expected');
  return Number(text);
}

function wholeNumbers(text: string): number[] {
  return text.split(',').map(wholeNumber);
}

function byteSize(text: string): number {
  const bytes = parseByteSize(text);
  if (bytes === undefined || bytes < 1) throw new InvalidArgumentError('a size such as 4KiB or 1MiB is expected');
  return bytes;
}

function byteSizes(text: string): number[] {
  return text.split(',').map(byteSize);
}
