import type { ReplayedCalls } from '../../replay/from-recording/choose-calls.ts';
import type { RecordedReplay } from '../../replay/from-recording/recorded-replay.ts';
import { replayOfRecording } from '../../replay/from-recording/replay-of-recording.ts';
import type { RecordingsById } from '../../session/reading/open-recordings.ts';

export class ReplayAnswers {
  constructor(private readonly recordings: RecordingsById) {}

  // Not a plain function: what it throws is a rejection, as everywhere.
  /**
   * What the program did to its files, to be done again.
   * @param plainRequests whether calls of MPI-IO become requests of POSIX.
   */
  async recorded(id: number, calls: ReplayedCalls, thinkTime: number, plainRequests: boolean): Promise<RecordedReplay> {
    const { trace, ignored } = this.recordings.of(id);
    return Promise.resolve(replayOfRecording(trace, { calls, thinkTime, ignored, plainRequests }));
  }
}
