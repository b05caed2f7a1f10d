import type { FixDocument } from '../../export/fixes/fixes-document.ts';
import type { OpenRequest } from '../reading/open-request.ts';
import type { TrialRequest } from './trial.ts';

/** Fixes that are to be tried, and how. Plain data: it crosses from the editor to the process that tries them. */
export interface FixTrial extends Pick<
  TrialRequest,
  'folder' | 'build' | 'run' | 'environment' | 'outputs' | 'repeat' | 'faults' | 'allowOutside'
> {
  readonly fixes: readonly FixDocument[];
  /** Paths of the files that the recorded program wrote, as recorded. */
  readonly written: readonly string[];
  /** Files of the recording: they are none of the program's. */
  readonly recordings: readonly string[];
  /** How the recordings that are made are judged. */
  readonly opening: Omit<OpenRequest, 'paths'>;
  /** A command line that tries it again; null where none can. */
  readonly command: string | null;
}

/** What the process that tries fixes says to the editor; the last of them ends it. */
export type TrialMessage<Document> =
  | { readonly progress: string }
  | { readonly document: Document }
  /** In words for the user; `refused`: it could do harm. */
  | { readonly error: string; readonly refused: boolean };
