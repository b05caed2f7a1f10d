import { setFlagsFromString } from 'node:v8';
import type { FixesDocument } from '../export/fixes/fixes-document.ts';
import type { Session } from '../features/answers/all-answers.ts';

/**
 * The fixes for the findings of recordings.
 *
 * V8 would optimise the parsers beside our work: Fortran's takes it ten seconds, and no process ends before that is done.
 * Its first, plain code parses a source in milliseconds. What was loaded before is not concerned.
 */
export function listedFixes(session: Session, ids: readonly number[]): Promise<FixesDocument> {
  setFlagsFromString('--liftoff-only');
  return session.fixes.list(ids);
}
