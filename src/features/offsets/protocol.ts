import type {
  FileName,
  OffsetArea,
  OffsetChoices,
  OffsetColour,
  OffsetFileFacts,
  OffsetFiles,
  OffsetWindow,
} from '../../analysis/offsets/offsets.ts';
import type { OperationsSummary } from '../../analysis/timeline/summary.ts';
import type { TimelineEvent } from '../../analysis/timeline/timeline.ts';
import { isCount, isNumber, isPicture, isRecord, isText } from '../../base/guards.ts';

export type { FunctionSummary, OperationsSummary, SummaryAmount } from '../../analysis/timeline/summary.ts';

export type {
  FileName,
  OffsetArea,
  OffsetCategory,
  OffsetChoices,
  OffsetColour,
  OffsetFileFacts,
  OffsetFileRow,
  OffsetFiles,
  OffsetRegion,
  OffsetWindow,
} from '../../analysis/offsets/offsets.ts';

/** Raised when a message changes its meaning: a view that was restored from an older version says so. */
export const OFFSET_PROTOCOL = 1;

export const OFFSET_COLOURS: readonly OffsetColour[] = [
  'direction',
  'process',
  'repeats',
  'size',
  'call',
  'site',
  'insight',
];

export const DEFAULT_OFFSET_CHOICES: OffsetChoices = {
  layer: '',
  directions: 'both',
  axis: 'time',
  colourBy: 'direction',
  only: '',
};

/** What the view asks the worker, through the extension; an answer bears the question's number. */
export type OffsetQuestion =
  | { readonly ask: 'files'; readonly filter: string }
  | { readonly ask: 'operations' }
  | {
      readonly ask: 'window';
      readonly choices: OffsetChoices;
      readonly area: OffsetArea | null;
      readonly columns: number;
      readonly rows: number;
    }
  | {
      readonly ask: 'access';
      readonly choices: OffsetChoices;
      readonly position: number;
      readonly byte: number;
      readonly reachPosition: number;
      readonly reachBytes: number;
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

export type OffsetAnswer =
  | { readonly ask: 'files'; readonly value: OffsetFiles }
  | { readonly ask: 'operations'; readonly value: OperationsSummary }
  | { readonly ask: 'window'; readonly value: OffsetWindow }
  /** null: there is none. */
  | { readonly ask: 'access'; readonly value: ViewAccess | null };

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

/** From the extension to the view. */
export type ToOffsetView =
  /** First, and whenever the recording, the file or the selection is another: everything is to be asked for again. */
  | { readonly kind: 'subject'; readonly protocol: number; readonly subject: OffsetSubject }
  | { readonly kind: 'answer'; readonly request: number; readonly answer: OffsetAnswer }
  | { readonly kind: 'problem'; readonly request: number; readonly message: string }
  /** Brings the tables of operations into sight. */
  | { readonly kind: 'showOperations' }
  | { readonly kind: 'said'; readonly message: string };

export type OffsetSelected = 'line' | 'file' | 'process';

/** From the view to the extension. */
export type FromOffsetView =
  | { readonly kind: 'ready'; readonly protocol: number }
  | { readonly kind: 'question'; readonly request: number; readonly question: OffsetQuestion }
  /** A file of the list that was sent last, by its place in it. */
  | { readonly kind: 'chooseFile'; readonly index: number }
  /** Cells are on the screen. */
  | { readonly kind: 'drawn'; readonly accesses: number }
  | { readonly kind: 'select'; readonly number: number; readonly what: OffsetSelected }
  | { readonly kind: 'selectSpan'; readonly fromNs: number; readonly toNs: number }
  /** `stay`: the view keeps the focus. */
  | { readonly kind: 'openSource'; readonly number: number; readonly stay: boolean }
  | { readonly kind: 'openRecording'; readonly number: number }
  | { readonly kind: 'picture'; readonly format: 'svg'; readonly content: string }
  | { readonly kind: 'picture'; readonly format: 'png'; readonly content: Uint8Array };

/** What the view keeps over a reload of the window, and over being hidden. */
export interface OffsetViewState {
  readonly paths: readonly string[];
  readonly file: FileName | null;
  readonly choices: OffsetChoices;
  /** null for all. */
  readonly area: OffsetArea | null;
}

/** Whether something that came from the view is a message: webview content is not trusted blindly. */
export function isFromOffsetView(value: unknown): value is FromOffsetView {
  if (!isRecord(value)) return false;
  switch (value['kind']) {
    case 'ready':
      return isNumber(value['protocol']);
    case 'question':
      return isCount(value['request']) && isQuestion(value['question']);
    case 'chooseFile':
      return isCount(value['index']);
    case 'drawn':
      return isCount(value['accesses']);
    case 'select':
      return isCount(value['number']) && ['line', 'file', 'process'].includes(value['what'] as string);
    case 'selectSpan':
      return isNumber(value['fromNs']) && isNumber(value['toNs']);
    case 'openSource':
      return isCount(value['number']) && typeof value['stay'] === 'boolean';
    case 'openRecording':
      return isCount(value['number']);
    case 'picture':
      return isPicture(value['format'], value['content']);
    default:
      return false;
  }
}

export function isOffsetViewState(value: unknown): value is OffsetViewState {
  if (!isRecord(value)) return false;
  const { paths, file, choices, area } = value;
  return (
    Array.isArray(paths) &&
    paths.length > 0 &&
    paths.every(isText) &&
    (file === null || (isRecord(file) && isText(file['host']) && isText(file['path']))) &&
    isChoices(choices) &&
    (area === null || isArea(area))
  );
}

function isQuestion(value: unknown): value is OffsetQuestion {
  if (!isRecord(value)) return false;
  switch (value['ask']) {
    case 'files':
      return isText(value['filter']);
    case 'operations':
      return true;
    case 'window':
      return (
        isChoices(value['choices']) &&
        (value['area'] === null || isArea(value['area'])) &&
        isCount(value['columns']) &&
        isCount(value['rows'])
      );
    case 'access':
      return (
        isChoices(value['choices']) &&
        ['position', 'byte', 'reachPosition', 'reachBytes'].every((name) => isNumber(value[name]))
      );
    default:
      return false;
  }
}

function isChoices(value: unknown): value is OffsetChoices {
  if (!isRecord(value)) return false;
  return (
    isText(value['layer']) &&
    isText(value['only']) &&
    ['both', 'read', 'write'].includes(value['directions'] as string) &&
    ['time', 'order'].includes(value['axis'] as string) &&
    OFFSET_COLOURS.includes(value['colourBy'] as OffsetColour)
  );
}

function isArea(value: unknown): value is OffsetArea {
  if (!isRecord(value)) return false;
  const { from, to, fromByte, toByte } = value;
  return [from, to, fromByte, toByte].every(isNumber) && Number(to) > Number(from) && Number(toByte) > Number(fromByte);
}
