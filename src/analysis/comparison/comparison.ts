/**
 * What a comparison of two sides says (docs/comparison.md). Each side is one recording, or several of the same program:
 * its repetitions. The base is what was before, the new side what came after.
 */
import type { Severity } from '../triggers/insight.ts';

/** How a line of one side was found again on the other. */
export type LineMatch =
  /** The line of this text (or, where no text is at hand, with these calls and callers) has the same number. */
  | 'same line'
  /** It has another number. */
  | 'moved'
  /** It is the only one left on both sides of its function that does this kind of thing; its text was changed. */
  | 'same function';

/** How a file, of the program's data or of its source, was found again on the other side. */
export type PathMatch =
  | 'same path'
  /** The same path below the folder that all files of its side have in common. */
  | 'same path below the working folder'
  /** The longest common end of the path; no other file has as long a one. */
  | 'same end of the path'
  /** Of functions: the file is another, and no other function of either side has the name. */
  | 'same name of the function'
  /** Of functions: the name is another; all lines that do I/O have their texts and calls in the same file. */
  | 'same lines of the function';

/** What a difference of one number means. */
export type Difference =
  | 'same'
  | 'less'
  | 'more'
  /** The values of both sides overlap: no difference. */
  | 'within the spread'
  /** The numbers differ, and without repetitions nobody knows whether by chance. Of times and costs only. */
  | 'noise unknown';

/** One number on both sides: the median of the side's repetitions. */
export interface Measure {
  readonly base: number;
  readonly new: number;
  /** `new` − `base`. */
  readonly change: number;
  /** Least and greatest value among the repetitions of each side; of one that was estimated once, its interval. */
  readonly baseRange: readonly [low: number, high: number];
  readonly newRange: readonly [low: number, high: number];
  readonly difference: Difference;
}

export type Verdict =
  | 'better'
  | 'worse'
  | 'unchanged'
  /** Only the base has it; only the new side has it. */
  | 'gone'
  | 'new'
  | 'within the spread'
  /** Counts and time did not change in the same direction, and there are no repetitions to decide by the time. */
  | 'mixed'
  /** Counts and bytes are the same, the time is not, and its noise is unknown. */
  | 'noise unknown';

/** Calls, bytes and time of something on both sides. A side that does not have it counts 0. */
export interface ComparedAmounts {
  readonly events: Measure;
  readonly bytes: Measure;
  /** Nanoseconds as they were recorded; null where a side's recording has no durations. */
  readonly timeNs: Measure | null;
  /**
   * What it costs of the run without the tracer, nanoseconds; null where no recording was made with one: then the recorded
   * time is what it costs. Of a side of one run the range is the interval of the estimate.
   */
  readonly costNs: Measure | null;
  /** What calls and bytes say by themselves. */
  readonly countVerdict: Verdict;
  /**
   * What the cost, or the recorded time, says by itself. With one run on each side it is `noise unknown`; null
   * without durations.
   */
  readonly timeVerdict: Verdict | null;
  readonly verdict: Verdict;
}

/** A call site as one side has it. */
export interface ComparedPlace {
  /** On this machine where the file is here, else as recorded; '' when the calls lead to no source file. */
  readonly file: string;
  /** Counted from 1, as the file stands now where its recorded revision is known; 0 when unknown. */
  readonly line: number;
  readonly function: string;
  readonly isHere: boolean;
  /** The number and text of the line are those of the file as it stands now. */
  readonly isCurrent: boolean;
  /** Text of the line; '' when the recorded text is not at hand. */
  readonly source: string;
  /** How often each call is made from here; medians of the repetitions. */
  readonly calls: Readonly<Record<string, number>>;
}

export interface ComparedLine extends ComparedAmounts {
  readonly base: ComparedPlace | null;
  readonly new: ComparedPlace | null;
  /** Null when only one side has it. */
  readonly match: LineMatch | null;
  /** What the match rests on, in words: `text, callers`; '' without a match. */
  readonly matchedBy: string;
}

/** A function, data file, call or layer. */
export interface ComparedThing extends ComparedAmounts {
  /** Its name on each side; null when only the other has it. */
  readonly base: string | null;
  readonly new: string | null;
  /** Of functions: the source file on this machine, or as recorded; '' for everything else. */
  readonly file: string;
  /** How files were matched; null for what is matched by its name, and without a match. */
  readonly match: PathMatch | null;
}

/** A finding at one place of a side. */
export interface ComparedFinding {
  readonly severity: Severity;
  readonly message: string;
  /** The line; null where the finding leads to none. */
  readonly place: Pick<ComparedPlace, 'file' | 'line' | 'function' | 'isHere' | 'isCurrent'> | null;
  /** Data file of a finding without lines; null otherwise. */
  readonly file: string | null;
  readonly events: number;
  readonly bytes: number;
  /** As recorded. */
  readonly timeNs: number;
  /** Without the tracer; null where the recorded times are what calls cost. */
  readonly costNs: number | null;
}

/**
 * `unchanged` are also findings of one side only, when the other does the same at that place: they stand out on one side
 * because the rest of the run costs more or less there.
 */
export type FindingChange = 'gone' | 'new' | 'better' | 'worse' | 'mixed' | 'unchanged';

/** A finding at a matched place. */
export interface ComparedInsight {
  readonly code: string;
  readonly trigger: string;
  readonly title: string;
  readonly change: FindingChange;
  /** What its calls and bytes, and what its time, say by themselves; null where one side has nothing of the kind. */
  readonly countVerdict: Verdict | null;
  readonly timeVerdict: Verdict | null;
  /** Why it is better or worse, or how little is known, in a sentence without its full stop. */
  readonly reason: string;
  readonly base: ComparedFinding | null;
  readonly new: ComparedFinding | null;
}

/** Which side an activity or an edge occurs on. */
export type Occurrence = 'base' | 'new' | 'both';

export interface ComparedNode extends ComparedAmounts {
  readonly activity: string;
  readonly occurrence: Occurrence;
}

export interface ComparedEdge {
  readonly from: string;
  readonly to: string;
  readonly occurrence: Occurrence;
  /** How often `to` follows `from`: medians of the repetitions, and their difference (`new` − `base`). */
  readonly base: number;
  readonly new: number;
  readonly difference: number;
}

/** The Directly-Follows-Graphs of both sides laid over each other. */
export interface ComparedGraph {
  /** How activities are named. */
  readonly mapping: string;
  readonly nodes: readonly ComparedNode[];
  readonly edges: readonly ComparedEdge[];
}

/** The run from its start to its end; nanoseconds. */
export interface ComparedRunTime {
  /** Without the tracer, where one was. */
  readonly untracedNs: Measure;
  /** As it was recorded. */
  readonly recordedNs: Measure;
}

export interface Comparison {
  /**
   * Everything that counts; files, loader and start-up that findings leave out are left out here too. Its verdict on time is
   * that of the run.
   */
  readonly total: ComparedAmounts;
  /** Null where a recording has no durations. */
  readonly run: ComparedRunTime | null;
  /** By the change of cost (or recorded time), largest first; then of calls. */
  readonly lines: readonly ComparedLine[];
  readonly functions: readonly ComparedThing[];
  readonly files: readonly ComparedThing[];
  readonly calls: readonly ComparedThing[];
  readonly layers: readonly ComparedThing[];
  /** Worse, new, better, gone, unchanged; each by time. */
  readonly insights: readonly ComparedInsight[];
  readonly graph: ComparedGraph;
  /** What the reader has to know: unknown noise, rules that could not decide, lists that were cut. */
  readonly notes: readonly string[];
}
