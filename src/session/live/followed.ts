import type { LookupFactory } from '../../symbols/address-lookup.ts';
import type { OpenedRecording } from '../reading/opened-recording.ts';
import type { ReadingMeans } from '../reading/read-recording.ts';

/** What the session lends to a recording that is followed. */
export interface FollowMeans {
  readonly lookup: LookupFactory;
  readonly reading: ReadingMeans;
}

/** What a look showed. */
export interface Look {
  /** The new state; undefined when nothing came. */
  readonly now: OpenedRecording | undefined;
  readonly anew: boolean;
  readonly problem: string;
}

export const NOTHING_NEW: Look = { now: undefined, anew: false, problem: '' };

/** A recording that is followed, in the way that suits its format. */
export interface Followed {
  /** @param before the state that is asked now, with its sources as they were located last. */
  step(before: OpenedRecording): Promise<Look>;
  /** The recording read to its end, as opening gives it. */
  stop(before: OpenedRecording): Promise<OpenedRecording>;
  /** Lets go of what is kept between steps. */
  close(): Promise<void>;
}
