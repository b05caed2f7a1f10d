import { getOrCreate } from '../../base/grouping.ts';
import type { ActivityNaming, Selection } from '../../analysis/selection/selection.ts';
import type { SelectedEvents } from '../../analysis/selection/evaluate-selection.ts';
import { selectedAmounts, type SelectedAmounts } from '../../analysis/selection/selected-amounts.ts';
import { selectionDocument, type SelectionDocument } from '../../export/analysis/selection-document.ts';
import type { RecordingsById } from '../../session/reading/open-recordings.ts';
import { selectedEvents, selectionInputs } from '../../session/reading/selected-events.ts';
import type { SelectionMethods } from './methods.ts';

/** Answers what selections mean in the recordings of a session. */
export class SelectionAnswers implements SelectionMethods {
  /** Several views ask for the same selection, one after the other. */
  private readonly amounts = new WeakMap<SelectedEvents, SelectedAmounts>();

  constructor(private readonly recordings: RecordingsById) {}

  // Not a plain function: what it throws is a rejection, as everywhere.
  async selected(id: number, selection: Selection, naming?: ActivityNaming): Promise<SelectionDocument> {
    const recording = this.recordings.of(id);
    const { cells } = recording.metrics;
    const io = { timeNs: 0, events: 0 };
    for (let cell = 0; cell < cells.length; cell++) {
      io.timeNs += cells.get(cell, 'time');
      io.events += cells.get(cell, 'events');
    }
    const inputs = selectionInputs(recording);
    const events = selectedEvents(recording, selection);
    const amounts = getOrCreate(this.amounts, events, () => selectedAmounts(inputs, events.mask, recording.costs));
    const locate = (file: string): { file: string; isHere: boolean } => recording.localSource(file);
    return Promise.resolve(selectionDocument(inputs, { ...events, amounts }, locate, io, naming));
  }
}
