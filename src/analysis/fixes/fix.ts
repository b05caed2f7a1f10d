/** A change of one source file: the text between two positions is replaced. Positions count UTF-16 units from 0. */
export interface SourceEdit {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * What a fix promises. A repair keeps the program right for every caller, thread, handler, child and reader that sources
 * and recording know of: errors are reported no later and nothing is lost that was not lost before. A trade has the same
 * results, but changes what its title says: what is lost when the program is killed, or how late a full disk is noticed. An
 * example is a comment beside the call.
 */
export type FixKind = 'repair' | 'trade' | 'example';

/** A change that answers a finding. */
export interface Fix {
  readonly kind: FixKind;
  readonly title: string;
  /** What the programmer has to know before it is applied. */
  readonly note: string;
  readonly edits: readonly SourceEdit[];
  /** Why it is only an example although the call could be changed. */
  readonly reason?: string;
}

/** What a repair does to the code, in whatever language. */
type RepairMethod =
  | 'buffered stream'
  | 'dropped flush'
  | 'positioned access'
  | 'synchronised once'
  | 'data synchronised'
  | 'opened once'
  | 'written at once'
  | 'asked once';

export interface Repair extends Fix {
  readonly method: RepairMethod;
  readonly kind: 'repair' | 'trade';
}

/** A repair that is known and not made: an example stands for it, with the reason. */
export interface Refusal extends Pick<Fix, 'title' | 'note'> {
  /** What may need the code as it is, in a few words for the menu. */
  readonly reason: string;
}

interface SourcePlace {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

export type FixLanguage = 'c' | 'cpp' | 'fortran' | 'python';

/** Sources as they stand in the editor now. */
export interface ParseRequest {
  readonly language: FixLanguage;
  /** Texts by file. */
  readonly sources: Readonly<Record<string, string>>;
}

/** What a fix is made from: the finding, its numbers, and the sources of the program, that of the place among them. */
export interface FixRequest extends ParseRequest {
  readonly trigger: string;
  readonly place: SourcePlace;
  /** Why the program may have more sources than these, in a few words; absent where these are all. */
  readonly unseen?: string;
  /** All files of the finding have a path: no pipe, socket or terminal, by the recording. */
  readonly plainFiles: boolean;
  /** Calls that the finding is about. */
  readonly count: number;
  /** Median bytes of these calls; 0 when they move none. */
  readonly medianBytes: number;
  /** Several threads of one process make these calls. */
  readonly threaded: boolean;
  /** Where the recording closed the files that are accessed here. */
  readonly closedAt: readonly SourcePlace[];
  /** Other places where the recording saw these files read, written, moved in or synchronised; file '' is unknown. */
  readonly touchedAt: readonly SourcePlace[];
  /** Examples that can be inserted where the call is not recognised. */
  readonly examples: readonly { readonly title: string; readonly code: string }[];
}
