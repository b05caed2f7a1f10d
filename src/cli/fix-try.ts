import fs from 'node:fs';
import path from 'node:path';
import { isSea } from 'node:sea';
import type { TrialFinding } from '../analysis/trials/trial-result.ts';
import { findingsOf } from '../export/analysis/findings.ts';
import type { FixDocument } from '../export/fixes/fixes-document.ts';
import { isProven, placeName, trialDocument } from '../export/fixes/trial-document.ts';
import { trialText } from '../export/fixes/trial-text.ts';
import type { Session } from '../features/answers/all-answers.ts';
import type { OpenRequest } from '../session/reading/open-request.ts';
import { shellWords } from '../session/trial/shell-command.ts';
import { TrialError, TrialRefusedError } from '../session/trial/trial-error.ts';
import { tryChange, type JudgedRun, type TrialRecorder } from '../session/trial/trial.ts';
import { outsideOf } from '../session/trial/written-outside.ts';
import { openRequest, UsageError, type OpenOptions } from './arguments.ts';
import { json } from './commands.ts';
import { STATUS } from './exit-status.ts';
import { fixedText, type SourceToFix } from './fix-files.ts';
import { untilInterrupted } from './interrupt.ts';
import { say } from './say.ts';

export interface TryOptions extends OpenOptions {
  try?: true;
  build?: string;
  run?: string;
  cwd?: string;
  env?: string[];
  outputs?: string[];
  repeat?: number;
  faults?: true;
  allowOutside?: true;
  json?: true;
}

const FEWEST_RUNS = 2;
const USUAL_RUNS = 5;

/** Fixes with the sources that they change, and the files of the recording that they are for. */
interface FixesToTry {
  readonly fixes: readonly FixDocument[];
  readonly sources: readonly SourceToFix[];
  readonly folder: string;
  readonly session: Session;
  readonly id: number;
  readonly recordings: readonly string[];
}

/** Tries fixes in a copy of the working folder, and sets the exit status by what comes of it. */
export async function tryFixes(given: FixesToTry, options: TryOptions): Promise<void> {
  const { build, run, repeat = USUAL_RUNS } = options;
  if (build === undefined || run === undefined)
    throw new UsageError("--try: say how it is built and run: --build 'make' --run './app input'");
  if (repeat < FEWEST_RUNS) throw new UsageError(`--repeat ${repeat}: two runs show what varies by itself`);
  const { folder, session, id } = given;
  const outside = outsideOf(await session.fixes.written(id), folder, options.sourceMap);
  if (outside.length > 0 && options.allowOutside !== true) {
    refuse(`it writes files outside of ${folder}: ${someOf(outside)} (--allow-outside lets it)`);
    return;
  }
  const tells = options.progress === 'plain' || (options.progress === 'auto' && process.stderr.isTTY);
  await untilInterrupted(async (signal) => {
    try {
      const result = await tryChange(
        {
          folder,
          changed: new Map(given.sources.map((source) => [source.name, fixedText(source)])),
          build,
          run,
          environment: { ...process.env, ...variables(options.env ?? []) },
          outputs: options.outputs ?? [],
          repeat,
          without: given.recordings.filter((file) => fs.existsSync(file)).map((file) => fs.realpathSync.native(file)),
          allowOutside: options.allowOutside === true,
          faults: options.faults === true,
          signal,
          progress: (what) => {
            if (tells) say(what);
          },
        },
        recorderFor(session, folder, options),
      );
      const document = trialDocument(given.fixes, result);
      process.stdout.write(options.json === true ? json(document) : trialText(document));
      if (!isProven(document)) process.exitCode = STATUS.notProven;
    } catch (error) {
      if (error instanceof TrialError) throw new UsageError(error.message);
      if (!(error instanceof TrialRefusedError)) throw error;
      refuse(error.message);
    }
  });
}

function refuse(why: string): void {
  say(`refused: ${why}`);
  process.exitCode = STATUS.refused;
}

const MOST_NAMED = 5;

function someOf(files: readonly string[]): string {
  const more = files.length - MOST_NAMED;
  return `${files.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function variables(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at <= 0) throw new UsageError(`--env ${text}: the form is NAME=VALUE`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** Words that a shell would leave as they are: started directly, a static program is known for one, and recorded by strace. */
const PLAIN_WORDS = /^[\w@%+:,./-][\w@%+=:,./-]*( +[\w@%+=:,./-]+)*$/;

/** Records as `iolens record` does, by itself: program and recorder are in one group of processes, which ends as one. */
function recorderFor(session: Session, folder: string, options: TryOptions): TrialRecorder {
  const own = isSea() ? [process.execPath] : [process.execPath, process.argv[1]!];
  return {
    recording: (command, recording) => {
      const words = PLAIN_WORDS.test(command) ? command.split(/ +/) : shellWords(command);
      return [...own, 'record', '--quiet', '--no-calibration', '-o', recording, '--', ...words];
    },
    judge: (recording, root) => {
      if (!fs.existsSync(recording)) return Promise.resolve(undefined);
      // What was built before the copy was made names the sources of the folder itself.
      const places = { workspaceFolders: [root], pathRules: [{ from: folder, to: root }], cacheBytes: 0 };
      const others = { ...options, add: [], addOffset: [], binary: [] };
      return judge(session, { ...openRequest([recording], others), ...places });
    },
  };
}

async function judge(session: Session, request: OpenRequest): Promise<JudgedRun> {
  const { id } = await session.recordings.open(request);
  const { insights } = await session.findings.analysis([id]);
  const findings = findingsOf(insights).map(({ code, title, sites }): TrialFinding => ({
    code,
    title,
    places: sites.filter(({ file }) => file !== '').map((site) => placeName(site.file, site.function)),
  }));
  const { sites } = await session.lines.sites(id, 'function');
  const callsAt = new Map<string, number>();
  for (const { file, function: name, events } of sites) addTo(callsAt, placeName(file, name), events);
  const calls = sites.reduce((sum, { events }) => sum + events, 0);
  const written = await session.fixes.written(id);
  await session.recordings.close(id);
  return { findings, calls, callsAt, written };
}

function addTo(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

/** The folder that is tried in. @throws UsageError when there is none. */
export function folderToTry({ cwd = '.' }: TryOptions): string {
  const folder = path.resolve(cwd);
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--cwd ${cwd}: there is no such folder`);
  return fs.realpathSync.native(folder);
}
