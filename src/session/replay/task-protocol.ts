import type { Variables } from '../../replay/expressions/evaluate.ts';
import type { ReplayProgram } from '../../replay/program.ts';
import type { ContentReport } from '../../replay/run/surroundings.ts';

/** What a task's thread is started with. */
export interface TaskStart {
  readonly program: ReplayProgram;
  readonly size: number;
  readonly rank: number;
  readonly variables: Variables;
  /** Real path of the folder that everything stays below. */
  readonly root: string;
  readonly existing: boolean;
  readonly backends: readonly string[];
  readonly checkContent: boolean;
  readonly keepGoing: boolean;
  readonly mostOperations: number;
  readonly synchronisation: SharedArrayBuffer;
  readonly contentNames: SharedArrayBuffer;
}

/** A call that failed in a replay that goes on. */
export interface FailedCall {
  readonly rank: number;
  readonly message: string;
}

/** What a thread says at its end. */
export type TaskEnd =
  | {
      readonly kind: 'done';
      readonly rank: number;
      /** Of a clock that all threads share, in seconds. */
      readonly began: number;
      readonly ended: number;
      readonly operations: number;
      readonly failures: number;
      /** The first of them. */
      readonly failed: readonly FailedCall[];
      /** Of the back ends, in their order. */
      readonly states: readonly unknown[];
      readonly content: ContentReport;
    }
  | { readonly kind: 'failed'; readonly rank: number; readonly message: string }
  /** It stopped because another one failed. */
  | { readonly kind: 'stopped'; readonly rank: number };

/** The end of a task that did all its operations. */
export type DoneTask = TaskEnd & { readonly kind: 'done' };
