import type { LoopCalls } from '../../analysis/loops/loop-options.ts';
import { LAYERS } from '../../trace/calls.ts';
import type { LoopGroup, LoopLine, RecordingLoops } from '../../export/loops/loop-document.ts';

/** Which of several children are wanted. */
export interface LoopPage {
  readonly from: number;
  readonly most: number;
}

export interface LoopLinesPage {
  readonly lines: readonly LoopLine[];
  readonly total: number;
}

export interface LoopGroupsPage {
  /** Without their lines. */
  readonly groups: readonly LoopGroup[];
  readonly total: number;
}

/** Questions about the loops in the calls of a recording. */
export interface LoopMethods {
  /** Everything, for a document. */
  document(id: number, calls: LoopCalls): Promise<RecordingLoops>;
  /** Groups of streams, those that take the most time first. */
  groups(id: number, calls: LoopCalls, page: LoopPage): Promise<LoopGroupsPage>;
  /**
   * The lines of a group, or of a loop in it.
   * @param path number of the group as `groups` orders them, then of the line of each loop on the way.
   */
  lines(id: number, calls: LoopCalls, path: readonly number[], page: LoopPage): Promise<LoopLinesPage>;
}

/** Choices of calls that make a sequence, as users name them. */
export const LOOP_CALLS: readonly LoopCalls[] = ['outermost', 'requests', ...LAYERS];
