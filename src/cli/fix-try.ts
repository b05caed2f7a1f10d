import { jsonText } from '../export/json-text.ts';
import fs from 'node:fs';
import path from 'node:path';
import type { FixDocument } from '../export/fixes/fixes-document.ts';
import { trialCommand } from '../export/fixes/trial-command.ts';
import type { TrialDocument } from '../export/fixes/trial-document.ts';
import { trialMarkdown } from '../export/fixes/trial-markdown.ts';
import { trialText } from '../export/fixes/trial-text.ts';
import { PLAIN, relativeTo } from '../export/report/report-text.ts';
import type { Session } from '../features/answers/all-answers.ts';
import { TrialError, TrialRefusedError } from '../session/trial/trial-error.ts';
import { openRequest, UsageError, type OpenOptions } from './arguments.ts';
import { only, print } from './commands.ts';
import { STATUS } from './exit-status.ts';
import { untilInterrupted } from './interrupt.ts';
import { checkOutput } from './output-file.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';
import { tryFixes } from './try-fixes.ts';

export const TRIAL_FORMATS = ['text', 'json', 'markdown'] as const;

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
  format?: string;
  json?: true;
  output?: string;
}

const FEWEST_RUNS = 2;
const USUAL_RUNS = 5;

/** Fixes, and the files of the recording that they are for. */
interface FixesToTry {
  readonly fixes: readonly FixDocument[];
  readonly folder: string;
  readonly session: Session;
  readonly id: number;
  readonly recordings: readonly string[];
  /** The recording as the user named it. */
  readonly named: readonly string[];
}

/** Tries fixes in copies of the working folder, and sets the exit status by what comes of it. */
export async function tryAndTell(given: FixesToTry, options: TryOptions): Promise<void> {
  const { build, run, repeat = USUAL_RUNS } = options;
  if (build === undefined || run === undefined)
    throw new UsageError("--try: say how it is built and run: --build 'make' --run './app input'");
  if (repeat < FEWEST_RUNS) throw new UsageError(`--repeat ${repeat}: at least two runs show what varies by itself`);
  const example = given.fixes.find(({ kind }) => kind === 'example');
  if (example !== undefined)
    throw new UsageError(`${example.id} is an example: it inserts a comment, and there is nothing to try`);
  const format = options.json === true ? 'json' : only('format', options.format ?? 'text', TRIAL_FORMATS);
  checkOutput(options.output, given.recordings);
  const { fixes, folder, session, id, recordings } = given;
  const tells = options.progress === 'plain' || (options.progress === 'auto' && process.stderr.isTTY);
  const trial = {
    fixes,
    folder,
    build,
    run,
    environment: { ...process.env, ...variables(options.env ?? []) },
    outputs: options.outputs ?? [],
    repeat,
    faults: options.faults === true,
    allowOutside: options.allowOutside === true,
    written: await session.fixes.written(id),
    recordings,
    opening: openRequest([], { ...options, add: [], addOffset: [], binary: [] }),
    command: trialCommand({
      recordings: given.named,
      fixes,
      sourceMap: options.sourceMap,
      build,
      run,
      cwd: options.cwd,
      env: options.env ?? [],
      outputs: options.outputs ?? [],
      repeat: options.repeat,
      faults: options.faults === true,
      allowOutside: options.allowOutside === true,
    }),
  };
  await untilInterrupted(async (signal) => {
    try {
      const document = await tryFixes(trial, resources, {
        signal,
        progress: (what) => {
          if (tells) say(what);
        },
      });
      print(textOf(document, format, folder), options.output);
      if (!document.proven) process.exitCode = STATUS.notProven;
    } catch (error) {
      if (error instanceof TrialError) throw new UsageError(error.message);
      if (!(error instanceof TrialRefusedError)) throw error;
      say(`refused: ${error.message}`);
      process.exitCode = STATUS.refused;
    }
  });
}

function textOf(document: TrialDocument, format: (typeof TRIAL_FORMATS)[number], folder: string): string {
  switch (format) {
    case 'text':
      return trialText(document);
    case 'json':
      return jsonText(document);
    case 'markdown':
      return trialMarkdown(document, (file) => relativeTo(folder, PLAIN).place(file));
  }
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

/** The folder that is tried in. @throws UsageError when there is none. */
export function folderToTry({ cwd = '.' }: TryOptions): string {
  const folder = path.resolve(cwd);
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--cwd ${cwd}: there is no such folder`);
  return fs.realpathSync.native(folder);
}
