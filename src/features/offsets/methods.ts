import type {
  FileName,
  OffsetChoices,
  OffsetFileFacts,
  OffsetFiles,
  OffsetRequest,
  OffsetWindow,
} from '../../analysis/offsets/offsets.ts';
import type { TimelineEvent } from '../../analysis/timeline/timeline.ts';

/** An access to a file, as hover shows it. */
export interface OffsetAccess {
  readonly event: TimelineEvent;
  /** Accesses that lie at the same point, or as near, below this one. */
  readonly others: number;
  /** Bytes of it that the process had read or written before. */
  readonly bytesAgain: number;
  /** It writes over what another process had written. */
  readonly writesOver: boolean;
  /** `stripe 5, OST 12`; '' where that is not known. */
  readonly stripe: string;
  /** Position on the axis, as the request's choices have it. */
  readonly from: number;
  readonly to: number;
}

/** A point of the plane of a request, and how far from it an access may be. */
export interface OffsetPoint {
  readonly position: number;
  readonly byte: number;
  readonly reachPosition: number;
  readonly reachBytes: number;
}

/** Questions about who touches which bytes of a file when. */
export interface OffsetMethods {
  /** Files whose path holds a text, most bytes first. */
  files(id: number, filter: string, most: number): Promise<OffsetFiles>;
  /** undefined when the recording knows no such file, or nothing is read or written in it. */
  facts(id: number, file: FileName): Promise<OffsetFileFacts | undefined>;
  window(id: number, request: OffsetRequest): Promise<OffsetWindow>;
  /** The access at a point, or the nearest one. */
  accessAt(id: number, file: FileName, choices: OffsetChoices, at: OffsetPoint): Promise<OffsetAccess | undefined>;
}
