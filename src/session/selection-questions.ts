import type { ActivityNaming, Selection } from '../analysis/selection/selection.ts';
import { selectionDocument, type SelectionDocument } from '../export/selection-document.ts';
import type { OpenedRecording } from './opened-recording.ts';
import { selectedEvents, selectionInputs } from './selected-events.ts';
import type { SelectionMethods } from './selection-methods.ts';

/** Answers what selections mean in the recordings of a session. */
export class SelectionQuestions implements SelectionMethods {
  constructor(private readonly recording: (id: number) => OpenedRecording) {}

  // Not a plain function: what it throws is a rejection, as everywhere.
  async selected(id: number, selection: Selection, naming?: ActivityNaming): Promise<SelectionDocument> {
    const recording = this.recording(id);
    const { cells } = recording.metrics;
    const io = { timeNs: 0, events: 0 };
    for (let cell = 0; cell < cells.length; cell++) {
      io.timeNs += cells.get(cell, 'time');
      io.events += cells.get(cell, 'events');
    }
    const events = selectedEvents(recording, selection);
    const locate = (file: string): { file: string; isHere: boolean } => recording.localSource(file);
    return Promise.resolve(selectionDocument(selectionInputs(recording), events, locate, io, naming));
  }
}
