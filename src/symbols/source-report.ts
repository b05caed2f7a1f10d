/** What the user is told of a source file that the recording's stacks name. */
export interface SourceReport {
  /** Path as recorded. */
  readonly source: string;
  /** Path on this machine, or ''. */
  readonly file: string;
  readonly status: SourceStatus;
  /** Files of the workspace that have its name; filled where none was taken. */
  readonly candidates: readonly string[];
  /** It was edited since, and how far its lines moved is not known. */
  readonly stale: boolean;
  /** Full name of the revision that was recorded, '' when unknown. */
  readonly revision: string;
  /** How it differs from what was recorded; '' when nothing speaks for that. */
  readonly note: string;
}

type SourceStatus =
  | 'here'
  /** No file here has its name. */
  | 'missing'
  /** Files of its name are here, and which is meant cannot be told. */
  | 'unclear';
