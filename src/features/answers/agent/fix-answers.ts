import type { EditDocument, FixDocument } from '../../../export/fixes/fixes-document.ts';
import type { Session } from '../all-answers.ts';
import { fileOf, type AskedRecording } from './asked-recording.ts';
import { fitting, within } from './limits.ts';

export interface FixesQuestion {
  /** Code of a finding. */
  readonly code?: string;
  /** Source file: its whole path, or an end of it that fits one file only. */
  readonly file?: string;
  readonly limit?: number;
}

/** A fix without its edits: a diff shows these better. */
export interface FixAnswer extends Omit<FixDocument, 'edits'> {
  readonly changes: readonly Pick<EditDocument, 'file' | 'line'>[];
}

export interface FixesAnswer {
  readonly fixes: readonly FixAnswer[];
  /** Fixes that are left out of the list. */
  readonly more: number;
}

const USUAL_FIXES = 20;
const MOST_FIXES = 100;

/**
 * What can be changed about the findings of a recording.
 * @throws Error in words for the model.
 */
export async function fixesAnswer(
  session: Session,
  recording: AskedRecording,
  { code, file: named, limit = USUAL_FIXES }: FixesQuestion,
): Promise<FixesAnswer> {
  const file = named === undefined ? undefined : fileOf(recording, named);
  const { fixes } = await session.fixes.list([recording.id]);
  const wanted = fixes.filter((fix) => (code ?? fix.code) === fix.code && (file ?? fix.file) === fix.file);
  const { told, more } = fitting(wanted.map(fixAnswer), within(limit, MOST_FIXES));
  return { fixes: told, more };
}

function fixAnswer({ edits, ...fix }: FixDocument): FixAnswer {
  return { ...fix, changes: edits.map(({ file, line }) => ({ file, line })) };
}
