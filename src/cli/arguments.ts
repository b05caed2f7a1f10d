import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { messageOf } from '../base/error-message.ts';
import type { PathRule } from '../symbols/symbol-files.ts';
import { serversOf } from '../session/machine/debug-servers.ts';
import { reasonOf } from '../session/machine/regular-file.ts';
import { parseByteSize } from '../session/reading/memory-budget.ts';
import {
  plainRequest,
  readConfiguration,
  type AddedRecording,
  type OpenRequest,
} from '../session/reading/open-request.ts';
import { say } from './say.ts';

/** Options that every command that opens recordings takes. */
export interface OpenOptions {
  add: string[];
  addOffset: number[];
  binary: string[];
  debugDir: string[];
  sourceMap: PathRule[];
  debuginfod?: true;
  debuginfodUrl: string[];
  shared: string[];
  ignore: string[] | undefined;
  config: string | undefined;
  nodes: number | undefined;
  /** Modules with the user's own triggers; of `analyze` only. */
  triggers?: string[];
  memoryBudget: number | undefined;
  cache: boolean;
  progress: 'never' | 'auto' | 'plain';
}

/** For options that can be given several times. */
export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** The value of such an option that was not given. */
export const NONE_GIVEN: string[] = [];

export const NO_RULES: PathRule[] = [];
const NO_SECONDS: number[] = [];

export function pathRule(text: string, previous: PathRule[] | undefined): PathRule[] {
  const at = text.indexOf('=');
  if (at <= 0) throw new InvalidArgumentError('the form is FROM=TO');
  return [...(previous ?? []), { from: text.slice(0, at), to: path.resolve(text.slice(at + 1)) }];
}

/** Bytes of an option such as `512MiB`. */
export function byteSize(text: string): number {
  const bytes = parseByteSize(text);
  if (bytes === undefined) throw new InvalidArgumentError('a size such as 512MiB or 2GiB is expected');
  return bytes;
}

/** An option's number from 1 to 9,999,999. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('a whole number above 0 is expected');
  return Number(text);
}

/** An option's moment, in seconds from the first call. */
export function secondsFromStart(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('a number of seconds is expected');
  return value;
}

function seconds(text: string, previous: number[] | undefined): number[] {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('a number of seconds is expected');
  return [...(previous ?? []), value];
}

export function withOpenOptions(command: Command): Command {
  return command
    .option(
      '--add <recording>',
      'recording of the same run by another tool, joined to this one (repeatable)',
      collect,
      NONE_GIVEN,
    )
    .option(
      '--add-offset <seconds>',
      'what to add to its times, instead of working it out (repeatable, in the order of --add)',
      seconds,
      NO_SECONDS,
    )
    .option('--binary <path>', 'binary to use for recorded modules of its file name (repeatable)', collect, NONE_GIVEN)
    .option('--debug-dir <dir>', 'folder with separate debug files (repeatable)', collect, NONE_GIVEN)
    .option('--source-map <from=to>', 'recorded path prefix and what it is here (repeatable)', pathRule, NO_RULES)
    .option('--debuginfod', 'fetch missing debug files by build id from the servers of DEBUGINFOD_URLS')
    .option('--debuginfod-url <url>', 'fetch them from this server instead (repeatable)', collect, NONE_GIVEN)
    .option('--shared <dir>', 'folder that is the same file system on all hosts (repeatable)', collect, NONE_GIVEN)
    .option('--ignore <glob>', 'files that do not count, instead of the default list (repeatable)', collect)
    .option('--config <file>', "thresholds of the triggers as JSON; Drishti's own form is understood")
    .option('--nodes <number>', 'compute nodes of the job, where the recording does not say', wholeNumber)
    .option('--memory-budget <size>', 'events beyond it go to a temporary file (default: 2GiB)', byteSize)
    .option('--no-cache', 'read the recording again, and keep nothing for the next time')
    .addOption(
      new Option('--progress <when>', 'never, auto (a bar on a terminal) or plain')
        .choices(['never', 'auto', 'plain'])
        .default('auto'),
    );
}

/**
 * @throws Error in words for the user when the configuration cannot be used.
 */
export function openRequest(paths: readonly string[], options: OpenOptions): OpenRequest {
  if (paths.includes('')) throw new UsageError('the name of a recording is empty');
  const relative = options.shared.find((folder) => !path.posix.isAbsolute(folder));
  if (relative !== undefined)
    throw new UsageError(`--shared ${relative}: give the path on the hosts of the recording, with a leading slash`);
  const added = addedRecordings(options);
  return {
    ...plainRequest(...paths),
    ...(added.length > 0 && { added }),
    binaries: options.binary.map((file) => existing('--binary', file)),
    debugFolders: options.debugDir.map((folder) => existing('--debug-dir', folder)),
    pathRules: options.sourceMap,
    debugServers: debugServers(options),
    workspaceFolders: [process.cwd()],
    sharedPaths: options.shared,
    ...(options.ignore && { ignoredFiles: options.ignore }),
    ...(options.memoryBudget !== undefined && { memoryBudget: options.memoryBudget }),
    ...(!options.cache && { cacheBytes: 0 }),
    thresholds: thresholds(options),
    triggers: (options.triggers ?? []).map((file) => existing('--triggers', file)),
  };
}

/** @throws UsageError when an offset has no recording that it is of. */
function addedRecordings({ add, addOffset }: OpenOptions): AddedRecording[] {
  if (addOffset.length > add.length) throw new UsageError('--add-offset: given more often than --add');
  return add.map((name, i) => ({
    paths: [existing('--add', name)],
    ...(addOffset[i] !== undefined && { offsetNs: Math.round(addOffset[i] * 1e9) }),
  }));
}

/** @throws UsageError when there is no such file or folder: a typing error must not look like missing debug information. */
function existing(option: string, file: string): string {
  if (!existsSync(file)) throw new UsageError(`${option} ${file}: there is no such file or folder`);
  return file;
}

/** @throws UsageError when servers are wanted and none is named. */
function debugServers({ debuginfod, debuginfodUrl }: OpenOptions): readonly string[] {
  const servers = debuginfodUrl.length > 0 || debuginfod === undefined ? debuginfodUrl : serversOf(process.env);
  if (debuginfod === true && servers.length === 0)
    throw new UsageError('--debuginfod: set DEBUGINFOD_URLS, or name a server with --debuginfod-url');
  const other = servers.find((server) => !/^https?:\/\//.test(server));
  if (other !== undefined) throw new UsageError(`debuginfod server ${other}: an http or https address is expected`);
  return servers;
}

/** Wrong usage or configuration: exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

function thresholds({ config, nodes }: OpenOptions): Record<string, number> {
  return { ...(config !== undefined && readThresholds(config)), ...(nodes !== undefined && { nodes }) };
}

/** @throws UsageError that quotes nothing of the file: it may be anything. */
function readJson(option: string, file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option} ${file}: ${reasonOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec(messageOf(error))?.[0];
    throw new UsageError(`${option} ${file}: it is not JSON${place === undefined ? '' : ` ${place}`}`);
  }
}

function readThresholds(file: string): Record<string, number> {
  const parsed = readJson('--config', file);
  const { thresholds, problems, notes } = readConfiguration(parsed);
  if (problems.length > 0) throw new UsageError(problems.map((problem) => `${file}: ${problem}`).join('\n'));
  for (const note of notes) say(`${file}: ${note}`);
  return { ...thresholds };
}
