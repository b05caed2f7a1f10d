import { filesDocument, type FileOrder, type FilesDocument } from '../../export/analysis/file-documents.ts';
import type { RecordingsById } from '../../session/reading/open-recordings.ts';

/** The files of the program that was recorded. */
export class FileAnswers {
  constructor(private readonly recordings: RecordingsById) {}

  // Not a plain function: what it throws is a rejection, as everywhere.
  /** The first files in an order. */
  async list(id: number, order: FileOrder, most: number): Promise<FilesDocument> {
    const recording = this.recordings.of(id);
    const locate = (file: string): { file: string; isHere: boolean } => recording.localSource(file);
    const { trace, metrics, costs } = recording;
    const callSites = recording.callSites();
    return Promise.resolve(filesDocument({ trace, callSites, metrics, costs }, order, most, locate));
  }
}
