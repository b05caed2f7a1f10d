import { jsonText } from '../export/json-text.ts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { replayComparisonDocument, replayComparisonText } from '../export/replay/replay-comparison.ts';
import { replayDocument, replayText } from '../export/replay/replay-report.ts';
import { writtenReplayText } from '../export/replay/written-replay-text.ts';
import type { RecordedReplay } from '../replay/from-recording/recorded-replay.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { advised, type Advice } from '../replay/advice/advice.ts';
import { BACKEND_NAMES } from '../replay/backends/catalogue.ts';
import {
  compareReplays,
  runReplay,
  writeDot,
  writeFio,
  writeXml,
  type WrittenReplay,
} from '../session/replay/recorded-replays.ts';
import { parseByteSize } from '../session/reading/memory-budget.ts';
import type { ReplayEngine } from '../session/replay/run-program.ts';
import { REPLAYED_LAYERS, type ReplayedCalls } from '../replay/from-recording/choose-calls.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { UsageError, withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { untilInterrupted } from './interrupt.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';

const FORMATS = ['fio', 'dios', 'dot', 'run'] as const;

interface ReplayCommandOptions extends OpenOptions {
  format: (typeof FORMATS)[number];
  output: string;
  coalesce?: number;
  align?: number;
  openOnce?: true;
  dropSync?: true;
  thinkTime?: number;
  layer: ReplayedCalls;
  compare?: true;
  repeat: number;
  engine?: 'native' | 'mpi' | 'node';
  checkContent?: true;
  json?: true;
}

export function addReplay(program: Command): void {
  withOpenOptions(
    program
      .command('replay')
      .description('repeat what a recording shows, on files of a folder: for fio, as DIOS XML, or at once')
      .argument('<recording...>'),
  )
    .addOption(
      new Option('--format <format>', 'fio (iologs and a job file), dios (XML), dot (what depends on what) or run')
        .choices(FORMATS)
        .makeOptionMandatory(),
    )
    .requiredOption('-o, --output <folder>', 'where it is written, and runs: new, empty, or of an earlier replay')
    .option('--coalesce <size>', 'join transfers that follow each other up to this size', byteSize)
    .option('--align <size>', 'cut transfers that follow each other at multiples of this size', byteSize)
    .option('--open-once', 'keep files open that are closed and opened again')
    .option('--drop-sync', 'leave fsync and fdatasync out')
    .option(
      '--think-time <what>',
      'keep, drop or a factor for the time between calls (fio: keep, else drop)',
      thinkTime,
    )
    .addOption(
      new Option('--layer <layer>', 'whose calls; requests: what reached the file system')
        .choices(['requests', ...REPLAYED_LAYERS])
        .default('requests'),
    )
    .option('--compare', 'run it as recorded and as advised, in turns, and print the ratio')
    .option('--repeat <times>', 'runs of each with --compare', wholeNumber, 5)
    .addOption(
      new Option(
        '--engine <engine>',
        'with run: native (processes of a C program), mpi (the same by mpirun) or node; native where there is a C compiler',
      ).choices(['native', 'mpi', 'node']),
    )
    .option('--check-content', 'write bytes that differ by file, place and task, and check what is read')
    .option('--json', 'as JSON')
    .action(async (recordings: string[], options: ReplayCommandOptions) => {
      await untilInterrupted((signal) => replay(recordings, options, signal));
    });
}

async function replay(
  recordings: readonly string[],
  options: ReplayCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { format, layer, output } = options;
  const advice: Advice = options;
  const isAdvised =
    options.coalesce !== undefined ||
    options.align !== undefined ||
    options.openOnce === true ||
    options.dropSync === true;
  if (options.compare === true && (format !== 'run' || !isAdvised))
    throw new UsageError('--compare: with --format run, and advice such as --coalesce 1MiB');
  if (options.engine !== undefined && format !== 'run') throw new UsageError('--engine: with --format run');
  const session = localSession(resources);
  const [opened] = await openAll(session, [(await groupRecordings(recordings)).flat()], options);
  const scale = options.thinkTime ?? (format === 'fio' ? 1 : 0);
  // fio's times are those of the recording; everyone else sleeps.
  // fio and the advice know requests only.
  const isPlain = format === 'fio' || isAdvised;
  if (isPlain && layer === 'MPI-IO')
    say(
      `calls of MPI-IO are made as plain requests: ${format === 'fio' ? 'fio has no MPI' : 'advice changes requests'}`,
    );
  const recorded = await session.replay.recorded(opened!.id, layer, format === 'fio' ? 0 : scale, isPlain);
  for (const note of recorded.notes) say(note);
  const chosen = isAdvised ? advised(recorded, advice) : recorded;
  const engine: ReplayEngine | undefined = options.engine === 'node' ? 'threads' : options.engine;
  const checkContent = options.checkContent === true;
  const run = { folder: output, resources, backends: BACKENDS, checkContent, ...(engine && { engine }), signal };
  if (format === 'fio') tellWritten(writeFio(chosen, output, scale), chosen, options.json);
  else if (format === 'dios') tellWritten(writeXml(chosen, output), chosen, options.json);
  else if (format === 'dot') tellWritten(writeDot(chosen, output), chosen, options.json);
  else if (options.compare === true) {
    const compared = await compareReplays(recorded, advice, {
      ...run,
      repetitions: options.repeat,
      done: tellProgress,
    });
    process.stdout.write(
      options.json === true ? jsonText(replayComparisonDocument(compared)) : replayComparisonText(compared),
    );
  } else {
    const report = await runReplay(chosen, run);
    for (const { message } of report.failed) say(message);
    process.stdout.write(options.json === true ? jsonText(replayDocument(report)) : replayText(report));
    if ((report.content?.wrong ?? 0) > 0) process.exitCode = 1;
  }
}

const BACKENDS = BACKEND_NAMES.filter((name) => name !== 'EmptyLogger' && name !== 'EventLog');

function tellProgress(done: number, all: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done === all ? '\u001b[K' : `${done} of ${all} runs`}`);
}

function tellWritten({ folder, files, notes }: WrittenReplay, replay: RecordedReplay, asJson: true | undefined): void {
  for (const note of notes) say(note);
  const { synchronisations, tasks, inputs } = replay;
  const operations = tasks.reduce((sum, { steps }) => sum + steps.length, 0);
  if (asJson === true) {
    const document = {
      schema: 'iolens/written-replay@1',
      folder,
      files,
      tasks: tasks.length,
      operations,
      synchronisations,
    };
    process.stdout.write(jsonText({ ...document, inputs, notes: [...replay.notes, ...notes] }));
    return;
  }
  process.stdout.write(
    writtenReplayText(
      folder,
      files.map(({ name }) => name),
      { tasks: tasks.length, operations, inputs: inputs.length, synchronisations },
    ),
  );
}

function byteSize(text: string): number {
  const bytes = parseByteSize(text);
  if (bytes === undefined || bytes < 1) throw new InvalidArgumentError('a size such as 4KiB or 1MiB is expected');
  return bytes;
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('a whole number above 0 is expected');
  return Number(text);
}

function thinkTime(text: string): number {
  if (text === 'keep') return 1;
  if (text === 'drop') return 0;
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text))
    throw new InvalidArgumentError('keep, drop or a factor such as 0.5 is expected');
  return Number(text);
}
