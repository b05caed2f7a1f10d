import * as vscode from 'vscode';
import type { AskedRecording, LineNow, LineQuestion } from '../answers/agent/asked-recording.ts';
import { summaryAnswer } from '../answers/agent/asked-recording.ts';
import { findingsAnswer, type FindingsQuestion } from '../answers/agent/finding-answers.ts';
import { ABOUT_NAMES } from '../answers/agent/limits.ts';
import { callsAnswer, lineAnswer, type CallsQuestion } from '../answers/agent/line-answers.ts';
import { pathOf } from '../editor/locations.ts';
import type { Services } from '../editor/services.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

type Answer = vscode.LanguageModelToolResult;

type Needed = Pick<Services, 'recordings'>;

/** What the tools of package.json (`languageModelTools`) take. */
export interface OpenInput {
  /** A file or folder of the workspace. */
  readonly path: string;
}

/** An open recording by its name; the current one without. */
interface OfRecording {
  readonly recording?: string;
}

export type InsightsInput = FindingsQuestion & OfRecording;
export type LineInput = LineQuestion & OfRecording;
export type EventsInput = CallsQuestion & OfRecording;

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
  return { ...summaryAnswer(recording), isCurrent: recordings.current === recording };
}

/** @throws Error in words for the model. */
export async function listInsights({ recordings }: Needed, input: InsightsInput): Promise<Answer> {
  const { recording, now } = asked(recordings, input);
  return Promise.resolve(said({ ...summary(recordings, recording), ...findingsAnswer(recording, input, now) }));
}

/** @throws Error in words for the model. */
export async function explainLine({ recordings }: Needed, input: LineInput): Promise<Answer> {
  const { recording, now } = asked(recordings, input);
  return said(await lineAnswer(recordings.session, recording, input, now));
}

/** @throws Error in words for the model. */
export async function showEvents({ recordings }: Needed, input: EventsInput): Promise<Answer> {
  const { recording, now } = asked(recordings, input);
  return said(await callsAnswer(recordings.session, recording, input, now));
}

/**
 * The recording that an input names, or the current one, and where its lines stand in the editor's documents.
 * @throws Error in words for the model, with what is open.
 */
function asked(
  recordings: Recordings,
  { recording: name }: OfRecording,
): { readonly recording: OpenRecording & AskedRecording; readonly now: LineNow } {
  const all = recordings.all();
  if (all.length === 0) throw new Error('no recording is open: use iolens_open_recording, or ask the user to open one');
  const found =
    name === undefined ? recordings.current : all.find((open) => open.name === name || open.paths.includes(name));
  if (found === undefined)
    throw new Error(`no open recording is named ${name ?? ''}; open: ${all.map((open) => open.name).join(', ')}`);
  return { recording: found, now: (file, line) => recordings.lines.now(found, file, line) };
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
