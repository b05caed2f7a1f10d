import type { RecordingFile } from '../../trace/byte-source.ts';
import { messageOf } from '../../base/error-message.ts';
import { UnreadableRecordingError } from '../../trace/trace.ts';

/**
 * Reads a file without which there is no archive.
 * @throws UnreadableRecordingError that names the file: what the system says of it ("permission denied") does not.
 */
export async function readNamed<Result>(file: RecordingFile, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableRecordingError) throw error;
    throw new UnreadableRecordingError(`${file.name} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
