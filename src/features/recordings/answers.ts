import { machine } from '#machine';
import type { EventFormat } from '../../export/events/event-formats.ts';
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

/** The events of a recording, for other programs. */
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
}
