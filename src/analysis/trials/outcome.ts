/** What a run leaves behind. */
export interface Outcome {
  /** `exit status 0`, or `ended by SIGTERM`. */
  readonly end: string;
  readonly output: Content;
  /** What it says on standard error. */
  readonly errors: Content;
  /** The files that were written, changed or removed, by their path below the folder. */
  readonly files: ReadonlyMap<string, Content>;
  /** Bytes by which these files grew. */
  readonly grown: number;
}

/** What a file holds. */
export interface Content {
  readonly kind: 'file' | 'folder' | 'link' | 'removed';
  readonly size: number;
  /** The same for the same bytes only. */
  readonly hash: string;
  /** Undefined where there are too many. */
  readonly bytes: Uint8Array | undefined;
}

/** What comparing the outcomes before a change with those after it shows, in words. */
export interface OutcomeComparison {
  readonly differences: readonly string[];
  /** What differs between two runs of the original already, and how it was compared all the same. */
  readonly varying: readonly string[];
  /** What could therefore not be compared. */
  readonly uncompared: readonly string[];
}
