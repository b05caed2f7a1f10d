import type { OpenHooks } from '../reading/opened-recording.ts';
import type { OpenRequest } from '../reading/open-request.ts';
import type { OpenResult } from '../reading/open-recordings.ts';

/** What a look at a recording that is followed showed. */
export interface LiveStep {
  /** There is more than before: what was asked is to be asked again. */
  readonly changed: boolean;
  /** The recording began anew (its program was started again, or the file replaced): nothing of the old one is left. */
  readonly anew: boolean;
  /** Why nothing more can be read at the moment, in words for the user; '' when all is well. */
  readonly problem: string;
}

/** Recordings that are followed while they are written. Whoever follows one asks for each step: nobody works unasked. */
export interface LiveMethods {
  /**
   * Opens a recording to be followed.
   * @param id of an open recording that it takes the place of; undefined for a new one.
   * @throws as `open` does.
   */
  follow(request: OpenRequest, id: number | undefined, hooks?: OpenHooks): Promise<OpenResult>;
  /** Looks whether there is more. From then on all questions are answered by what there is. */
  step(id: number): Promise<LiveStep>;
  /** Reads the recording to its end; it stays open, as one that was opened after its program had ended. */
  stop(id: number): Promise<OpenResult>;
}
