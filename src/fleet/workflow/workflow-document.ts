/**
 * A workflow as plain data: what the command line prints and the view draws (Tschüter, sections 3.3.2 and 4.4). Times are
 * seconds since 1970, durations seconds; null where nothing is known.
 */

/** Seconds by function group, summed over processes (section 4.4.2, "Runtime Share"). */
export interface RuntimeShare {
  readonly computation: number;
  readonly communication: number;
  readonly io: number;
  /** The same by paradigm: `MPI`, `OpenMP`, `POSIX`, `HDF5`, …; what the recording does not tell apart is missing. */
  readonly byParadigm: readonly ParadigmTime[];
}

export interface ParadigmTime {
  readonly group: 'computation' | 'communication' | 'io';
  readonly paradigm: string;
  readonly seconds: number;
  /** Calls or operations; null where they are not counted. */
  readonly calls: number | null;
  /** Bytes; null where nothing moves. */
  readonly bytes: number | null;
}

export type AccessMode = 'read' | 'write' | 'read-write';

/** A file as a job step used it. */
export interface FileUse {
  /** Index into `WorkflowDocument.files`. */
  readonly file: number;
  readonly mode: AccessMode;
  readonly paradigms: readonly string[];
  readonly bytesRead: number | null;
  readonly bytesWritten: number | null;
  /** When it was first and last touched; null when the recording has no dates. */
  readonly from: number | null;
  readonly to: number | null;
}

export interface WorkflowStep {
  /** `42.0`; of a job without steps the number of the job. */
  readonly id: string;
  /** Number within its job, as text. */
  readonly step: string;
  readonly name: string;
  readonly state: string;
  readonly exitCode: number | null;
  readonly start: number | null;
  readonly end: number | null;
  readonly elapsed: number | null;
  readonly nodes: number | null;
  readonly cpus: number | null;
  readonly tasks: number | null;
  readonly nodeList: readonly string[];
  /** Null when nothing was recorded. */
  readonly share: RuntimeShare | null;
  readonly files: readonly FileUse[];
  /** Absolute paths that the editor can open as one recording; none when there is none, or a profile only. */
  readonly recording: readonly string[];
  /** Name of the format of what was recorded; null without. */
  readonly recordingFormat: string | null;
}

export interface WorkflowJob {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly exitCode: number | null;
  readonly submit: number | null;
  readonly start: number | null;
  readonly end: number | null;
  readonly elapsed: number | null;
  /** Seconds before the start in which nothing but the queue kept it: neither a dependency nor a time to begin at. */
  readonly queued: number | null;
  readonly nodes: number | null;
  readonly cpus: number | null;
  readonly tasks: number | null;
  readonly nodeList: readonly string[];
  /** As the user declared it, such as `afterok:42`; null when nothing survived. */
  readonly declared: string | null;
  readonly steps: readonly WorkflowStep[];
  /** Of all its steps. */
  readonly share: RuntimeShare | null;
}

export interface WorkflowFile {
  readonly path: string;
  readonly parent: number | null;
  /** Steps that use it, in the order of time: indices of jobs and of steps within them. */
  readonly users: readonly { readonly job: number; readonly step: number; readonly mode: AccessMode }[];
}

/**
 * - `declared`: the batch system was told (drawn solid)
 * - `data`: one wrote what the other read later (dashed)
 * - `time`: one began as soon as the other had ended, and nothing else says why (dotted)
 */
export type DependencyKind = 'declared' | 'data' | 'time';

export interface WorkflowDependency {
  readonly kind: DependencyKind;
  /** Indices of jobs; `from` must end first. */
  readonly from: number;
  readonly to: number;
  /** Indices of steps within them, where it is known which. */
  readonly fromStep: number | null;
  readonly toStep: number | null;
  /** Indices of the files that it is inferred from. */
  readonly files: readonly number[];
  /** `afterok`, `afterany`, … of a declared one; '' otherwise. */
  readonly type: string;
}

type WorkflowInsightKind =
  | 'critical-chain'
  | 'unused-parallelism'
  | 'undeclared-dependency'
  | 'needless-dependency'
  | 'waiting-in-queue'
  | 'dominating-step'
  | 'io-bound-step'
  | 'communication-bound-step'
  | 'failed-job';

export interface WorkflowInsight {
  readonly kind: WorkflowInsightKind;
  readonly severity: 'high' | 'warn' | 'info';
  readonly title: string;
  readonly message: string;
  /** What to do. */
  readonly recommendation: string;
  /** Indices. */
  readonly jobs: readonly number[];
  /** Seconds that could be saved at most; null when nothing can be said. */
  readonly seconds: number | null;
}

export interface WorkflowDocument {
  readonly schema: 'iolens/workflow@1';
  /** The folder that it was read from. */
  readonly folder: string;
  /** By start, then number. */
  readonly jobs: readonly WorkflowJob[];
  readonly files: readonly WorkflowFile[];
  readonly dependencies: readonly WorkflowDependency[];
  /** Indices of the jobs that the length of the whole hangs on, in their order. */
  readonly criticalChain: readonly number[];
  readonly start: number | null;
  readonly end: number | null;
  readonly share: RuntimeShare | null;
  readonly insights: readonly WorkflowInsight[];
  /** What could not be read, and what is missing, in words for the user. */
  readonly notes: readonly string[];
}
