import { getOrCreate } from '../../base/grouping.ts';
import { evaluateSelection, type SelectedEvents } from '../../analysis/selection/evaluate-selection.ts';
import type { SelectionInputs } from '../../analysis/selection/selection-inputs.ts';
import type { Selection } from '../../analysis/selection/selection.ts';
import type { OpenedRecording } from './opened-recording.ts';

/** Selections of a recording that are remembered: the way back is short. A mask takes one bit for each event. */
const MOST_REMEMBERED = 8;

const remembered = new WeakMap<OpenedRecording, Map<string, SelectedEvents>>();

/** The events of a recording that are selected; worked out once for each selection, whoever asks. */
export function selectedEvents(recording: OpenedRecording, selection: Selection): SelectedEvents {
  const known = getOrCreate(remembered, recording, () => new Map<string, SelectedEvents>());
  const key = JSON.stringify(selection);
  let found = known.get(key);
  // What was asked for last is forgotten last.
  if (found === undefined) found = evaluateSelection(selectionInputs(recording), selection);
  else known.delete(key);
  known.set(key, found);
  if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value!);
  return found;
}

export function selectionInputs(recording: OpenedRecording): SelectionInputs {
  const { trace, resolved, metrics, insights, ignored } = recording;
  return {
    trace,
    resolved,
    callSites: recording.callSites(),
    metrics,
    insights,
    ignored,
    localFile: (recorded) => recording.localSource(recorded).file,
  };
}
