import * as v from 'valibot';
import type { PageLine } from '../../base/page-line.ts';
import { COUNT, DIRECTION, PATHS, PICTURE } from '../../base/page-values.ts';
import type { RecordingCauses } from '../../export/fleet/causes-document.ts';
export type { CauseFileDocument, DirectionCauses, RecordingCauses } from '../../export/fleet/causes-document.ts';

/** A source line that uses a file: the view names it by its place in the list. */
export interface CauseLine {
  readonly file: string;
  /** 0 when unknown. */
  readonly line: number;
  readonly function: string;
  readonly events: number;
  readonly bytes: number;
  readonly timeNs: number;
  readonly isHere: boolean;
}

export interface CausesSubject {
  readonly recording: string;
  readonly paths: readonly string[];
  readonly causes: RecordingCauses;
}

interface CausesToPage {
  readonly says: {
    readonly subject: CausesSubject;
    readonly said: string;
  };
  readonly answers: {
    readonly lines: readonly CauseLine[];
  };
}

/** A file of a direction by its place in `DirectionCauses.files`: the view never names a path. */
const FILE = v.object({ direction: DIRECTION, file: COUNT });
export type CauseFileName = v.InferOutput<typeof FILE>;

/** What is done with a file: its offsets over time, selected in all views, the report of the recording. */
const ACTION = v.picklist(['offsets', 'select', 'report']);
export type CauseAction = v.InferOutput<typeof ACTION>;

export const CAUSES = {
  version: 2,
  state: v.object({ paths: PATHS, direction: DIRECTION }),
};

export const FROM_CAUSES = {
  asks: {
    /** The lines that use a file. */
    lines: FILE,
  },
  says: {
    /** Intervals are on the screen. */
    drawn: v.object({ files: COUNT }),
    act: v.object({ direction: DIRECTION, file: COUNT, action: ACTION }),
    /** A line of the answer that was given last. */
    openSource: v.object({ line: COUNT }),
    picture: PICTURE,
  },
};

export type CausesLine = PageLine<typeof CAUSES, typeof FROM_CAUSES, CausesToPage>;
