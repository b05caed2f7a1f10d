import { machine } from '#machine';
import type { EventFormat } from '../../export/events/event-formats.ts';
import { keepPlaces, type Kept } from '../../session/reading/kept/write-places.ts';
import type { OpenRecordings, RecordingsById } from '../../session/reading/open-recordings.ts';

/** Opening and closing, as others may: the recordings themselves stay where they are. */
export class RecordingAnswers implements Pick<OpenRecordings, 'open' | 'relocate' | 'close'> {
  readonly open: OpenRecordings['open'];
  readonly relocate: OpenRecordings['relocate'];
  readonly close: OpenRecordings['close'];

  constructor(recordings: OpenRecordings) {
    this.open = (request, hooks) => recordings.open(request, hooks);
    this.relocate = (id, learnedRules) => recordings.relocate(id, learnedRules);
    this.close = (id) => recordings.close(id);
  }
}

/** What is written of a recording: its events for other programs, and what shall outlast its binaries. */
export class ExportAnswers {
  constructor(private readonly recordings: RecordingsById) {}

  /**
   * Writes all events to a file (`-`: standard output).
   * @returns bytes that were written.
   */
  async events(id: number, format: EventFormat, file: string): Promise<number> {
    const recording = this.recordings.of(id);
    const locate = (recorded: string): string => recording.localSource(recorded).file;
    return machine.writeEvents({ trace: recording.trace, callSites: recording.callSites(), locate }, format, file);
  }

  /**
   * Keeps beside the recording what its addresses are, and (`withTexts`) the lines of sources around its calls.
   * @returns undefined where nothing is known of its addresses.
   */
  async places(id: number, withTexts: boolean): Promise<Kept | undefined> {
    return keepPlaces(this.recordings.of(id), withTexts);
  }
}
