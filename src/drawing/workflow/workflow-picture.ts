import type { Point } from '../graph/graph-layout.ts';

/** How the jobs of a workflow are arranged (Tschüter, section 4.4.3 and figure 4.7). */
export type WorkflowMode = 'dependency' | 'duration' | 'timeline';

export const WORKFLOW_MODES: readonly WorkflowMode[] = ['dependency', 'duration', 'timeline'];

/** What a layout needs to know of a job or of one of its steps. Times are seconds since 1970; null where they are not known. */
interface DrawnTimes {
  readonly start: number | null;
  readonly end: number | null;
  readonly elapsed: number | null;
}

export interface DrawnJob extends DrawnTimes {
  /** Seconds in the queue before the start. */
  readonly queued: number | null;
  readonly steps: readonly DrawnTimes[];
}

export type ArrowKind = 'declared' | 'data' | 'time';

export interface DrawnDependency {
  readonly kind: ArrowKind;
  /** Indices of jobs. */
  readonly from: number;
  readonly to: number;
}

export interface DrawnWorkflow {
  readonly jobs: readonly DrawnJob[];
  readonly dependencies: readonly DrawnDependency[];
  readonly criticalChain: readonly number[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @property step index within its job. */
export interface StepBox extends Box {
  readonly step: number;
}

export interface JobBox extends Box {
  readonly job: number;
  readonly steps: readonly StepBox[];
  /** Steps that found no room: the shortest. */
  readonly leftOut: number;
  /** The time in the queue before it, on a timeline; null elsewhere. */
  readonly queue: Box | null;
}

/** All dependencies of one kind between two jobs. */
export interface Arrow {
  readonly kind: ArrowKind;
  readonly from: number;
  readonly to: number;
  /** Indices of the dependencies that it stands for. */
  readonly dependencies: readonly number[];
  /** Both ends follow each other on the critical chain. */
  readonly isCritical: boolean;
  /** From the right side of one box to the left side of the other. */
  readonly points: readonly Point[];
}

/** The axis of a timeline: where its seconds stand. */
export interface TimeAxis {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
}

/** A workflow with a place for everything. */
export interface WorkflowPicture extends Box {
  readonly boxes: readonly JobBox[];
  readonly arrows: readonly Arrow[];
  /** Arrows that were left out because there are too many. */
  readonly arrowsLeftOut: number;
  readonly axis: TimeAxis | null;
}

/** Of a job's box: its label, its steps, and room around them. */
export const LABEL_HEIGHT = 22;
export const STEP_HEIGHT = 60;
export const JOB_PADDING = 6;
export const JOB_HEIGHT = LABEL_HEIGHT + STEP_HEIGHT + JOB_PADDING;
export const ROW_HEIGHT = JOB_HEIGHT + 30;
/** Between the columns: room for the arrows. */
export const COLUMN_GAP = 76;
