import * as vscode from 'vscode';
import { ABOUT_NAMES, eventAnswers, insightAnswers, lineAnswer } from './language-model-texts.ts';
import { pathOf } from '../editor/locations.ts';
import type { Services } from '../editor/services.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

type Answer = vscode.LanguageModelToolResult;

type Needed = Pick<Services, 'recordings' | 'lineCosts'>;

/** What the tools of package.json (`languageModelTools`) take. */
export interface OpenInput {
  /** A file or folder of the workspace. */
  readonly path: string;
}

export interface InsightsInput {
  readonly recording?: string;
  readonly severity?: string;
  readonly file?: string;
  readonly limit?: number;
}

export interface LineInput {
  readonly file: string;
  readonly line: number;
  readonly recording?: string;
}

export interface EventsInput extends LineInput {
  readonly limit?: number;
}

const USUAL_INSIGHTS = 10;
const MOST_INSIGHTS = 50;
const USUAL_EVENTS = 20;
const MOST_EVENTS = 200;

function said(answer: object): Answer {
  const text = `${ABOUT_NAMES}\n${JSON.stringify(answer, null, 1)}`;
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** @throws Error in words for the model. */
export async function openRecording({ recordings }: Needed, { path }: OpenInput): Promise<Answer> {
  const uri = inWorkspace(path);
  if (uri === undefined) throw new Error(`${path} is not in a folder of the workspace: the user can open it`);
  const open = recordings.withPaths([pathOf(uri)]) ?? (await recordings.add([pathOf(uri)]));
  if (open === undefined) throw new Error(`${path} cannot be read; the reason is in the log of I/O Lens`);
  return said(summary(recordings, open));
}

function summary(recordings: Recordings, recording: OpenRecording): object {
  const { name, info } = recording;
  return {
    recording: name,
    program: info.program,
    format: info.format,
    calls: info.events,
    streams: info.streams,
    processes: info.processes,
    durationNs: info.durationNs,
    lacks: info.lacks.map(({ what }) => what),
    isCurrent: recordings.current === recording,
  };
}

/** @throws Error in words for the model. */
export async function listInsights({ recordings }: Needed, input: InsightsInput): Promise<Answer> {
  const recording = recordingOf(recordings, input.recording);
  const { lines } = recordings;
  const file = input.file === undefined ? undefined : fileOf(recording, input.file);
  const limit = within(input.limit ?? USUAL_INSIGHTS, MOST_INSIGHTS);
  const wanted = { ...(input.severity !== undefined && { severity: input.severity }), ...(file && { file }) };
  const insights = insightAnswers(recording, (path, line) => lines.now(recording, path, line), wanted);
  const shown = { insights: insights.slice(0, limit), more: Math.max(0, insights.length - limit) };
  return Promise.resolve(said({ ...summary(recordings, recording), ...shown }));
}

/** @throws Error in words for the model. */
export async function explainLine({ recordings, lineCosts }: Needed, input: LineInput): Promise<Answer> {
  const { recording, file, recorded } = placeOf(recordings, input);
  const costs = lineCosts.in(file).filter((cost) => cost.site.line === recorded);
  const findings = recording.analysis.insights.flatMap((insight) =>
    insight.sites.filter((site) => site.file === file && site.line === recorded).map((site) => ({ insight, site })),
  );
  const callers = await recordings.session.lines.callers(recording.id, file, recorded);
  if (costs.length === 0 && findings.length === 0 && callers === undefined)
    throw new Error(`no recorded I/O call comes through ${file}:${input.line} in ${recording.name}`);
  return said({ file, line: input.line, ...lineAnswer(costs, findings, callers) });
}

/** @throws Error in words for the model. */
export async function showEvents({ recordings }: Needed, input: EventsInput): Promise<Answer> {
  const { recording, file, recorded } = placeOf(recordings, input);
  const limit = within(input.limit ?? USUAL_EVENTS, MOST_EVENTS);
  const events = await recordings.session.lines.events(recording.id, file, recorded, limit + 1);
  if (events.length === 0) throw new Error(`${file}:${input.line} makes no recorded I/O call in ${recording.name}`);
  const shown = { events: eventAnswers(events.slice(0, limit)), areMore: events.length > limit };
  return said({ file, line: input.line, ...shown });
}

/**
 * The recording that an input names, or the current one.
 * @throws Error in words for the model, with what is open.
 */
function recordingOf(recordings: Recordings, name: string | undefined): OpenRecording {
  const all = recordings.all();
  if (all.length === 0) throw new Error('no recording is open: use iolens_open_recording, or ask the user to open one');
  if (name === undefined) return recordings.current!;
  const found = all.find((open) => open.name === name || open.paths.includes(name));
  if (found === undefined)
    throw new Error(`no open recording is named ${name}; open: ${all.map((open) => open.name).join(', ')}`);
  return found;
}

/** A place as the recording names it; a model names the line as it stands now. */
function placeOf(
  recordings: Recordings,
  { file: named, line, recording: name }: LineInput,
): { recording: OpenRecording; file: string; recorded: number } {
  const recording = recordingOf(recordings, name);
  const file = fileOf(recording, named);
  const { lines } = recordings;
  const recorded = recording.sites.find((site) => site.file === file && lines.now(recording, file, site.line) === line);
  return { recording, file, recorded: recorded?.line ?? line };
}

/**
 * The source file of a recording that is meant: by its whole path, or by an end of it that fits one file only.
 * @throws Error in words for the model.
 */
function fileOf({ sites, name }: OpenRecording, wanted: string): string {
  const files = [...new Set(sites.flatMap(({ file, stack }) => [file, ...stack.map((frame) => frame.file)]))];
  if (files.includes(wanted)) return wanted;
  const end = `/${wanted.replace(/^(\.?\/)+/, '')}`;
  const fitting = files.filter((file) => file.endsWith(end));
  if (fitting.length === 1) return fitting[0]!;
  throw new Error(
    fitting.length === 0
      ? `${wanted} makes no recorded I/O call in ${name}`
      : `${wanted} may be any of ${fitting.join(', ')}: name one`,
  );
}

function within(wanted: number, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(wanted)));
}

/** A file or folder of the workspace; undefined for what lies elsewhere. */
function inWorkspace(path: string): vscode.Uri | undefined {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    // Joining takes the "..": what leads out of the folder is found to be elsewhere.
    const plain = vscode.Uri.joinPath(path.startsWith('/') ? uri.with({ path: '/' }) : uri, path);
    if (plain.path.startsWith(`${uri.path}/`)) return plain;
  }
  return undefined;
}
