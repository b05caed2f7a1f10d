import { machine } from '#machine';
import type { EventFormat } from '../../export/events/event-formats.ts';
import type { EventSource } from '../../export/events/event-labels.ts';
import { RECORDED_TABLE_NAMES, type RecordedTableName } from '../../export/tables/recorded-tables.ts';
import { keepPlaces, type Kept } from '../../session/reading/kept/write-places.ts';
import type { OpenRecordings, RecordingsById } from '../../session/reading/open-recordings.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';

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
    const source = eventsOf(this.recordings.of(id));
    return machine.writeEvents(source, format, file);
  }

  /** Writes the tables for questions in SQL into a folder, each as Parquet; returns the names of the files by table. */
  async tables(id: number, folder: string): Promise<Readonly<Record<RecordedTableName, string>>> {
    const recording = this.recordings.of(id);
    const events = eventsOf(recording);
    const { metrics, costs, ignored, insights } = recording;
    const files = RECORDED_TABLE_NAMES.map((table) => [table, `${folder}/${table}.parquet`] as const);
    for (const [table, file] of files)
      await machine.writeTable({ events, metrics, costs, ignored, insights }, table, file);
    return Object.fromEntries(files) as Record<RecordedTableName, string>;
  }

  /**
   * Keeps beside the recording what its addresses are, and (`withTexts`) the lines of sources around its calls.
   * @returns undefined where nothing is known of its addresses.
   */
  async places(id: number, withTexts: boolean): Promise<Kept | undefined> {
    return keepPlaces(this.recordings.of(id), withTexts);
  }
}

function eventsOf(recording: OpenedRecording): EventSource {
  const locate = (recorded: string): string => recording.localSource(recorded).file;
  return { trace: recording.trace, callSites: recording.callSites(), locate };
}
