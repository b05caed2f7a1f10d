import type { RecordingFacts } from '../recording-facts.ts';
import type { WorkflowJob, WorkflowStep } from '../workflow-document.ts';

type Accounted = Pick<
  WorkflowJob,
  'name' | 'state' | 'exitCode' | 'start' | 'end' | 'elapsed' | 'nodes' | 'cpus' | 'tasks' | 'nodeList'
>;

/** A step while the workflow is put together: times may be moved, and recordings come to it. */
export interface StepDraft extends Omit<WorkflowStep, 'share' | 'files' | 'recording' | 'recordingFormat'> {
  readonly recordings: RecordingFacts[];
}

/** A job while the workflow is put together. */
export interface JobDraft extends Accounted {
  /** As shown: `42`, of an array task `30_1`. */
  readonly id: string;
  /** Its own number; the same as the id except for tasks of an array. */
  readonly number: string;
  readonly array: string | null;
  readonly task: number | null;
  readonly user: string | null;
  readonly submit: number | null;
  /** When nothing but the queue kept it from starting. */
  readonly eligible: number | null;
  readonly declared: string | null;
  readonly workDirectory: string | null;
  readonly steps: readonly StepDraft[];
}
