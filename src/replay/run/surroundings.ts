import type { Backend } from '../backends/backend.ts';
import type { ContentNames } from './content-names.ts';
import type { Clock, FileCalls } from './file-calls.ts';
import type { PoolFiles } from './pool-files.ts';
import type { Synchronisation } from './synchronisation.ts';

/** What a task is run with. */
export interface TaskSurroundings {
  readonly rank: number;
  readonly size: number;
  readonly calls: FileCalls;
  readonly clock: Clock;
  readonly synchronisation: Synchronisation;
  /** Number of the barrier that some tasks meet at, and who they are (barrierKey). */
  readonly barriers: ReadonlyMap<string, { readonly number: number; readonly tasks: readonly number[] }>;
  readonly pools: ReadonlyMap<string, PoolFiles>;
  readonly backends: readonly Backend[];
  /** Undefined: contents are neither made nor checked. */
  readonly contentNames: ContentNames | undefined;
  /** What the operation under way is, for messages. */
  readonly place: () => string;
}

/** What reads brought, in bytes, where contents are checked. */
export interface ContentReport {
  right: number;
  /** Nobody wrote them: holes, or writes that were lost. */
  unwritten: number;
  wrong: number;
  /** Of files whose content is not known: they were appended to. */
  unchecked: number;
  /** The first wrong bytes. */
  wrongPlaces: { readonly path: string; readonly offset: number; readonly place: string }[];
}
