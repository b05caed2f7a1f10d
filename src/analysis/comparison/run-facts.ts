/** What is compared of one run: plain data, named as people name things, so that two runs have the same words. */
import type { Cost } from '../gain/cost.ts';
import type { RunInterval } from '../gain/run-interval.ts';
import type { Severity } from '../triggers/insight.ts';

export interface Amounts {
  readonly events: number;
  readonly bytes: number;
  /** Nanoseconds as recorded; 0 where the recording has no durations. */
  readonly timeNs: number;
}

export interface NamedAmounts extends Amounts {
  readonly name: string;
}

/** `traced`: a tracer's part was taken off what was recorded, so that it is another number. */
export type AmountCost = Pick<Cost, 'untracedNs' | 'lowNs' | 'highNs' | 'traced'>;

/** Calls with what they cost in the run; absent where nobody knows. Nanoseconds. */
export interface CostedAmounts extends Amounts {
  readonly cost?: AmountCost;
}

/** A call site of the run. */
export interface LineFacts extends CostedAmounts {
  /** As the debug information names it; '' when only the function is known. */
  readonly recordedFile: string;
  /** On this machine where it is here, else as recorded. */
  readonly file: string;
  readonly isHere: boolean;
  /** Counted from 1; 0 when unknown. */
  readonly line: number;
  readonly function: string;
  /** Path of the executable or library. */
  readonly module: string;
  /** The line is that of the file as it stands now: it was not edited, or its recorded revision is known. */
  readonly isCurrent: boolean;
  /** The line as recorded, without the white space around it; '' when that is not known. */
  readonly text: string;
  /** The different chains of callers within the user's code, innermost first; in the order of their texts. */
  readonly callers: readonly string[];
  /** How often each call is made. */
  readonly calls: Readonly<Record<string, number>>;
  /** What most of the calls do: a name of OPERATIONS. */
  readonly kind: string;
}

/** A finding at one of its places: a line of the user's code, else a data file, else the run. */
export interface FindingFacts extends CostedAmounts {
  readonly code: string;
  readonly trigger: string;
  readonly title: string;
  readonly severity: Severity;
  /** The same at the lower end of the intervals, where costs were estimated. */
  readonly surely?: Severity;
  readonly message: string;
  /** Index into `lines`; undefined where it leads to none. */
  readonly line?: number;
  /** Path of a data file, of findings without lines. */
  readonly file?: string;
}

export interface GraphFacts {
  readonly mapping: string;
  readonly nodes: readonly (CostedAmounts & { readonly activity: string })[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly count: number }[];
}

export interface RunFacts {
  /** As the user named it. */
  readonly recording: string;
  readonly hasTimes: boolean;
  /** A tracer is in the recorded times. */
  readonly traced: boolean;
  /** The run without it, and between which bounds it would take if it was made again; nanoseconds. */
  readonly run: RunInterval;
  /** From its start to its end as recorded; nanoseconds. */
  readonly durationNs: number;
  /** All calls that count. */
  readonly total: CostedAmounts;
  readonly lines: readonly LineFacts[];
  /** Calls that lead to no line or function of the user's. */
  readonly withoutLine: CostedAmounts;
  /** Data files by path. */
  readonly files: readonly (NamedAmounts & CostedAmounts)[];
  readonly calls: readonly (NamedAmounts & CostedAmounts)[];
  readonly layers: readonly (NamedAmounts & CostedAmounts)[];
  readonly findings: readonly FindingFacts[];
  /** What would be findings if none had to take a share of the run: they tell a line that changed from a run that did. */
  readonly candidates: readonly FindingFacts[];
  readonly graph: GraphFacts;
  /** What is left out of these, in words for the user. */
  readonly notes: readonly string[];
}
