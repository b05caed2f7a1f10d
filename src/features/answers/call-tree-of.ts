import type { CallTree } from '../../analysis/call-tree/call-tree.ts';
import { gatherCallTree } from '../../analysis/call-tree/gather-call-tree.ts';
import type { Selection } from '../../analysis/selection/selection.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { selectedEvents } from '../../session/reading/selected-events.ts';

/** All call stacks of a recording as one tree. @param selection only these calls; all where nothing is selected. */
export function callTreeOf(recording: OpenedRecording, selection: Selection = []): CallTree {
  const { trace, resolved, ignored, tracedCosts: costs } = recording;
  const localSource = (recorded: string): { file: string; isHere: boolean } => recording.localSource(recorded);
  const inputs = { trace, resolved, ignored, costs, localSource, callSites: recording.callSites() };
  return gatherCallTree(inputs, selection.length === 0 ? undefined : selectedEvents(recording, selection).mask);
}
