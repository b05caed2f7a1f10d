import * as v from 'valibot';
import type { OffsetChoices, OffsetFileFacts, OffsetFiles, OffsetWindow } from '../../analysis/offsets/offsets.ts';
import type { OperationsSummary } from '../../analysis/timeline/summary.ts';
import type { TimelineEvent } from '../../analysis/timeline/timeline.ts';
import type { PageLine, ViewState } from '../../base/page-line.ts';
import { COUNT, NOTHING, NUMBER, PATHS, PICTURE, TEXT } from '../../base/page-values.ts';

export type { FunctionSummary, OperationsSummary, SummaryAmount } from '../../analysis/timeline/summary.ts';

export type {
  FileName,
  OffsetArea,
  OffsetChoices,
  OffsetColour,
  OffsetFileFacts,
  OffsetFiles,
  OffsetRegion,
  OffsetWindow,
} from '../../analysis/offsets/offsets.ts';

const OFFSET_COLOURS = ['direction', 'process', 'repeats', 'size', 'call', 'site', 'insight'] as const;

export const DEFAULT_OFFSET_CHOICES: OffsetChoices = {
  layer: '',
  directions: 'both',
  axis: 'time',
  colourBy: 'direction',
  only: '',
};

/** An access with the number by which the view may ask for its places: the view never names a file. */
export interface ViewAccess {
  readonly number: number;
  readonly event: TimelineEvent;
  readonly others: number;
  readonly bytesAgain: number;
  readonly writesOver: boolean;
  /** `stripe 5, OST 12`; '' where that is not known. */
  readonly stripe: string;
  readonly from: number;
  readonly to: number;
  /** Its call site is on this machine. */
  readonly hasSource: boolean;
  /** The recording is a text that an editor can show. */
  readonly hasRecordingLine: boolean;
}

/** What the view is about. */
export interface OffsetSubject {
  readonly recording: string;
  /** Files and folders of the recording: what is opened again after a reload of the window. */
  readonly paths: readonly string[];
  /** null: none was chosen yet. */
  readonly facts: OffsetFileFacts | null;
  /** The part of the selection that is a span of time. */
  readonly span: { readonly fromNs: number; readonly toNs: number } | null;
}

interface OffsetsToPage {
  readonly says: {
    /** First, and whenever the recording, the file or the selection is another: everything is to be asked for again. */
    readonly subject: OffsetSubject;
    /** Brings the tables of operations into sight. */
    readonly showOperations: undefined;
    readonly said: string;
  };
  readonly answers: {
    readonly files: OffsetFiles;
    readonly operations: OperationsSummary;
    readonly window: OffsetWindow;
    /** null: there is none. */
    readonly access: ViewAccess | null;
  };
}

const CHOICES = v.object({
  layer: TEXT,
  directions: v.picklist(['both', 'read', 'write']),
  axis: v.picklist(['time', 'order']),
  colourBy: v.picklist(OFFSET_COLOURS),
  only: TEXT,
});
/** null for all. */
const AREA = v.nullable(
  v.pipe(
    v.object({ from: NUMBER, to: NUMBER, fromByte: NUMBER, toByte: NUMBER }),
    v.check(({ from, to, fromByte, toByte }) => to > from && toByte > fromByte),
  ),
);
/** A call by the number of an answer. */
const ACCESS = v.object({ number: COUNT });
const SELECTED = v.picklist(['line', 'file', 'process']);
export type OffsetSelected = v.InferOutput<typeof SELECTED>;

export const OFFSETS = {
  version: 2,
  state: v.object({
    paths: PATHS,
    file: v.nullable(v.object({ host: TEXT, path: TEXT })),
    choices: CHOICES,
    area: AREA,
  }),
};

export const FROM_OFFSETS = {
  asks: {
    files: v.object({ filter: TEXT }),
    operations: NOTHING,
    window: v.object({ choices: CHOICES, area: AREA, columns: COUNT, rows: COUNT }),
    access: v.object({
      choices: CHOICES,
      position: NUMBER,
      byte: NUMBER,
      reachPosition: NUMBER,
      reachBytes: NUMBER,
    }),
  },
  says: {
    /** A file of the list that was answered last, by its place in it. */
    chooseFile: v.object({ index: COUNT }),
    /** Cells are on the screen. */
    drawn: v.object({ accesses: COUNT }),
    select: v.object({ number: COUNT, what: SELECTED }),
    selectSpan: v.object({ fromNs: NUMBER, toNs: NUMBER }),
    /** `stay`: the view keeps the focus. */
    openSource: v.object({ number: COUNT, stay: v.boolean() }),
    openRecording: ACCESS,
    picture: PICTURE,
  },
};

export type OffsetsLine = PageLine<typeof OFFSETS, typeof FROM_OFFSETS, OffsetsToPage>;

export type OffsetViewState = ViewState<OffsetsLine>;
