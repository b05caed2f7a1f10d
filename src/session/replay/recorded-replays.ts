import { advised, type Advice } from '../../replay/advice/advice.ts';
import { writeDios } from '../../replay/dios/write-dios.ts';
import { fioReplay } from '../../replay/fio/fio-replay.ts';
import { dependencyDot, dependencyGraph } from '../../replay/from-recording/dependency-graph.ts';
import { programOfReplay } from '../../replay/from-recording/program-of-replay.ts';
import type { RecordedReplay } from '../../replay/from-recording/recorded-replay.ts';
import type { ReplayProgram } from '../../replay/program.ts';
import { OutputFolder } from './output-folder.ts';
import { runProgram, type ReplayOptions, type ReplayReport } from './run-program.ts';

/** What was written. */
export interface WrittenReplay {
  /** The folder, by its real path. */
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly notes: readonly string[];
}

/**
 * Writes a replay for fio into a folder: iologs, job file and a script that makes its inputs.
 * @param timeScale by what recorded times are multiplied; 0: no pauses.
 * @throws ReplayError or RangeError in words for the user.
 */
export function writeFio(replay: RecordedReplay, folder: string, timeScale: number): WrittenReplay {
  const output = OutputFolder.open(folder);
  const { files, notes } = fioReplay(replay, { folder: output.path, timeScale });
  const written = files.map(({ name, pieces, executable }) => ({
    name,
    bytes: output.write(name, pieces, executable === true),
  }));
  return { folder: output.path, files: written, notes: notes() };
}

/** Writes a replay as DIOS XML. @throws ReplayError in words for the user. */
export function writeXml(replay: RecordedReplay, folder: string): WrittenReplay {
  const output = OutputFolder.open(folder);
  const bytes = output.write('replay.xml', [writeDios(programOfReplay(replay))]);
  return { folder: output.path, files: [{ name: 'replay.xml', bytes }], notes: [] };
}

/** Writes the dependency graph of a replay for Graphviz. @throws ReplayError in words for the user. */
export function writeDot(replay: RecordedReplay, folder: string): WrittenReplay {
  const output = OutputFolder.open(folder);
  const bytes = output.write('replay.dot', [dependencyDot(dependencyGraph(replay))]);
  return { folder: output.path, files: [{ name: 'replay.dot', bytes }], notes: [] };
}

interface RunOptions extends Pick<ReplayOptions, 'resources' | 'backends' | 'checkContent' | 'engine' | 'signal'> {
  readonly folder: string;
}

/** Runs a replay in a folder; its files stay there. @throws ReplayError, CancelledError. */
export function runReplay(replay: RecordedReplay, options: RunOptions): Promise<ReplayReport> {
  const output = OutputFolder.open(options.folder);
  return runIn(output, programOfReplay(replay), replay.tasks.length, options);
}

function runIn(output: OutputFolder, program: ReplayProgram, size: number, options: RunOptions): Promise<ReplayReport> {
  const { resources, backends, checkContent, engine = 'quickest', signal } = options;
  return runProgram(program, {
    resources,
    ...(backends && { backends }),
    ...(checkContent !== undefined && { checkContent }),
    engine,
    ...(signal && { signal }),
    size,
    directory: output.emptyFolder(),
    // The environment is none of a recording's business: its expressions know their own variables only.
    variables: {},
  });
}

/** The same replay as recorded and as advised, in turns. */
interface ComparedReplays {
  readonly recorded: readonly ReplayReport[];
  readonly advised: readonly ReplayReport[];
}

/**
 * Runs a replay as recorded and with advice followed, in turns, each time in an empty folder. The first pair warms up and
 * does not count.
 *
 * @throws ReplayError, CancelledError.
 */
export async function compareReplays(
  replay: RecordedReplay,
  advice: Advice,
  options: RunOptions & { readonly repetitions: number; readonly done?: (runs: number, of: number) => void },
): Promise<ComparedReplays> {
  const { repetitions, done, ...run } = options;
  const output = OutputFolder.open(options.folder);
  const programs = [programOfReplay(replay), programOfReplay(advised(replay, advice))] as const;
  const reports: [ReplayReport[], ReplayReport[]] = [[], []];
  let runs = 0;
  for (let repetition = 0; repetition <= repetitions; repetition++)
    // The one that goes first changes, so that neither always finds what the other left behind.
    for (const side of repetition % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const report = await runIn(output, programs[side], replay.tasks.length, run);
      if (repetition > 0) reports[side].push(report);
      done?.(++runs, 2 * repetitions + 2);
    }
  output.removeFolder();
  return { recorded: reports[0], advised: reports[1] };
}
