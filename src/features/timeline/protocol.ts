import type {
  ColourBy,
  LayerStep,
  RangeTotals,
  RowGrouping,
  RowsRequest,
  TimelineEvent,
  TimelineRows,
  TimelineWindow,
  WindowRequest,
} from '../../analysis/timeline/timeline.ts';
import { isCount, isNumber, isPicture, isRecord } from '../../base/guards.ts';

export type {
  EventLayers,
  LayerStep,
  RangeShare,
  RangeTotals,
  TimelineEvent,
  TimelineRow,
  TimelineRows,
  TimelineWindow,
} from '../../analysis/timeline/timeline.ts';

/** Raised when a message changes its meaning: a view that was restored from an older version says so. */
export const TIMELINE_PROTOCOL = 1;

/** How the rows are made; the selection is the editor's, and is added there. */
export type TimelineChoices = Omit<RowsRequest, 'selection'>;

export const DEFAULT_TIMELINE_CHOICES: TimelineChoices = {
  grouping: 'stream',
  facets: false,
  order: 'recorded',
  exemplars: false,
  rowFilter: '',
  colourBy: 'operation',
  ownFilesOnly: true,
  onlySelected: false,
};

export const GROUPINGS: readonly RowGrouping[] = ['stream', 'file', 'layer', 'site', 'stack', 'handle'];
export const ORDERS: readonly RowsRequest['order'][] = ['recorded', 'time', 'events', 'bytes', 'outliers'];
export const COLOURS: readonly ColourBy[] = ['operation', 'layer', 'file', 'size', 'site', 'insight'];

/** What the view asks the worker, through the extension; an answer bears the question's number. */
export type TimelineQuestion =
  | { readonly ask: 'rows'; readonly choices: TimelineChoices }
  | { readonly ask: 'window'; readonly token: number; readonly window: WindowRequest }
  | {
      readonly ask: 'event';
      readonly token: number;
      readonly row: number;
      readonly timeNs: number;
      readonly toleranceNs: number;
    }
  | { readonly ask: 'totals'; readonly token: number; readonly fromNs: number; readonly toNs: number }
  | {
      readonly ask: 'search';
      readonly token: number;
      readonly text: string;
      readonly fromNs: number;
      readonly direction: 1 | -1;
    }
  /** From an event that was shown to one of another layer that it is linked with. */
  | {
      readonly ask: 'linked';
      readonly token: number;
      readonly recording: number;
      readonly event: number;
      readonly step: LayerStep;
    };

export const LAYER_STEPS: readonly LayerStep[] = ['up', 'down', 'next', 'previous'];

/** An event with the number by which the view may ask for its places: the view never names a file. */
export interface ViewEvent {
  readonly number: number;
  readonly event: TimelineEvent;
  /** Its call site is on this machine. */
  readonly hasSource: boolean;
}

/** Totals with the number by which the view narrows to one of their rows. */
export interface ViewTotals {
  readonly number: number;
  readonly totals: RangeTotals;
}

export interface TimelineAnswers {
  readonly rows: TimelineRows;
  readonly window: TimelineWindow;
  /** null: there is none. */
  readonly event: ViewEvent | null;
  readonly totals: ViewTotals;
  readonly search: ViewEvent | null;
  readonly linked: ViewEvent | null;
}

export type TimelineAnswer = {
  readonly [Ask in keyof TimelineAnswers]: { readonly ask: Ask; readonly value: TimelineAnswers[Ask] };
}[keyof TimelineAnswers];

/** What stands in the recordings that are shown; changes when one is read anew. */
export interface TimelineRecordings {
  readonly names: readonly string[];
  /** Files and folders of each: what is opened again after a reload of the window. */
  readonly paths: readonly (readonly string[])[];
}

/** The selection in words, innermost last, and what of it is a part of the time. */
export interface ShownSelection {
  readonly parts: readonly string[];
  readonly span?: { readonly fromNs: number; readonly toNs: number };
}

/** From the extension to the view. */
export type ToTimelineView =
  /** First, and whenever the recordings or the selection are others: rows are to be asked for again. */
  | {
      readonly kind: 'recordings';
      readonly protocol: number;
      readonly recordings: TimelineRecordings;
      readonly selection: ShownSelection;
    }
  | { readonly kind: 'answer'; readonly request: number; readonly answer: TimelineAnswer }
  /** The question has no answer. `isStale`: rows are to be asked for again, then it has one. */
  | { readonly kind: 'problem'; readonly request: number; readonly message: string; readonly isStale: boolean }
  | { readonly kind: 'said'; readonly message: string };

export type PictureFormat = 'png' | 'svg';

/** What a click chooses, by where it stands in what the view was told. */
export type Chosen =
  | { readonly what: 'row'; readonly token: number; readonly row: number }
  | { readonly what: 'event'; readonly number: number }
  /** The event and all calls of lower layers that it became. */
  | { readonly what: 'below'; readonly number: number }
  | { readonly what: 'share'; readonly number: number; readonly list: ShareList; readonly index: number }
  | { readonly what: 'category'; readonly token: number; readonly category: number }
  | { readonly what: 'span'; readonly fromNs: number; readonly toNs: number };

export type ShareList = 'calls' | 'paths' | 'sites';

/** From the view to the extension. */
export type FromTimelineView =
  | { readonly kind: 'ready'; readonly protocol: number }
  | { readonly kind: 'question'; readonly request: number; readonly question: TimelineQuestion }
  /** Rows and cells are on the screen; milliseconds since the page's script began, the first time only. */
  | { readonly kind: 'drawn'; readonly rows: number; readonly firstPaintMs?: number }
  /** Selects anew, or within what is selected already. */
  | { readonly kind: 'select'; readonly chosen: Chosen; readonly narrow: boolean }
  /** What is selected is no longer narrowed to a part of the time. */
  | { readonly kind: 'clearSpan' }
  | { readonly kind: 'back' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'openSource'; readonly number: number }
  | { readonly kind: 'openRecording'; readonly number: number }
  | { readonly kind: 'picture'; readonly format: 'svg'; readonly content: string }
  | { readonly kind: 'picture'; readonly format: 'png'; readonly content: Uint8Array };

/** What the view keeps over a reload of the window, and over being hidden. */
export interface TimelineViewState {
  readonly paths: readonly (readonly string[])[];
  readonly choices: TimelineChoices;
  /** Visible part of the time; null for the whole run, however long it becomes. */
  readonly visible: { readonly fromNs: number; readonly toNs: number } | null;
  readonly folded: readonly string[];
  /** Key of the row at the top. */
  readonly topRow: string;
  /** Pixels; 0 for a share of the width. */
  readonly labelWidth: number;
  readonly detailsHeight: number;
  readonly range: { readonly fromNs: number; readonly toNs: number } | null;
  readonly marks: readonly number[];
  /** Dragging moves instead of choosing a range. */
  readonly dragMoves: boolean;
}

/** Rows of one question: more do not fit on any screen. */
const MOST_ROWS = 4_096;
const MOST_BINS = 1 << 16;
const MOST_TEXT = 1_000;

/** Whether something that came from the view is a message: webview content is not trusted blindly. */
export function isFromTimelineView(value: unknown): value is FromTimelineView {
  if (!isRecord(value)) return false;
  switch (value['kind']) {
    case 'ready':
      return isNumber(value['protocol']);
    case 'question':
      return isCount(value['request']) && isQuestion(value['question']);
    case 'drawn':
      return isCount(value['rows']) && (value['firstPaintMs'] === undefined || isNumber(value['firstPaintMs']));
    case 'select':
      return typeof value['narrow'] === 'boolean' && isChosen(value['chosen']);
    case 'clearSpan':
    case 'back':
    case 'clear':
      return true;
    case 'openSource':
    case 'openRecording':
      return isCount(value['number']);
    case 'picture':
      return isPicture(value['format'], value['content']);
    default:
      return false;
  }
}

export function isTimelineViewState(value: unknown): value is TimelineViewState {
  if (!isRecord(value)) return false;
  const { paths, visible, folded, range, marks } = value;
  const isPaths = (each: unknown): boolean => Array.isArray(each) && each.length > 0 && each.every(isText);
  return (
    Array.isArray(paths) &&
    paths.length > 0 &&
    paths.every(isPaths) &&
    isChoices(value['choices']) &&
    (visible === null || isSpan(visible)) &&
    (range === null || isSpan(range)) &&
    Array.isArray(folded) &&
    folded.every(isText) &&
    isText(value['topRow']) &&
    isNumber(value['labelWidth']) &&
    isNumber(value['detailsHeight']) &&
    Array.isArray(marks) &&
    marks.every(isNumber) &&
    typeof value['dragMoves'] === 'boolean'
  );
}

function isQuestion(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value['ask'] === 'rows') return isChoices(value['choices']);
  if (!isCount(value['token'])) return false;
  switch (value['ask']) {
    case 'window':
      return isWindow(value['window']);
    case 'event':
      return isCount(value['row']) && isNumber(value['timeNs']) && isNumber(value['toleranceNs']);
    case 'totals':
      return isSpan(value);
    case 'search':
      return isShortText(value['text']) && isNumber(value['fromNs']) && [1, -1].includes(value['direction'] as number);
    case 'linked':
      return (
        isCount(value['recording']) &&
        isCount(value['event']) &&
        (LAYER_STEPS as readonly unknown[]).includes(value['step'])
      );
    default:
      return false;
  }
}

function isWindow(value: unknown): boolean {
  if (!isSpan(value)) return false;
  const { bins, rows } = value as unknown as Record<string, unknown>;
  return (
    isCount(bins) &&
    bins >= 1 &&
    bins <= MOST_BINS &&
    Array.isArray(rows) &&
    rows.length <= MOST_ROWS &&
    rows.every(isCount)
  );
}

function isChosen(value: unknown): value is Chosen {
  if (!isRecord(value)) return false;
  switch (value['what']) {
    case 'row':
      return isCount(value['token']) && isCount(value['row']);
    case 'event':
    case 'below':
      return isCount(value['number']);
    case 'share':
      return (
        isCount(value['number']) &&
        isCount(value['index']) &&
        ['calls', 'paths', 'sites'].includes(value['list'] as string)
      );
    case 'category':
      return isCount(value['token']) && isCount(value['category']);
    case 'span':
      return isSpan(value);
    default:
      return false;
  }
}

function isChoices(value: unknown): value is TimelineChoices {
  if (!isRecord(value)) return false;
  const { stream } = value;
  return (
    (GROUPINGS as readonly unknown[]).includes(value['grouping']) &&
    (ORDERS as readonly unknown[]).includes(value['order']) &&
    (COLOURS as readonly unknown[]).includes(value['colourBy']) &&
    isShortText(value['rowFilter']) &&
    ['facets', 'exemplars', 'ownFilesOnly', 'onlySelected'].every((name) => typeof value[name] === 'boolean') &&
    (stream === undefined || isCount(stream))
  );
}

function isSpan(value: unknown): value is { readonly fromNs: number; readonly toNs: number } {
  return isRecord(value) && isNumber(value['fromNs']) && isNumber(value['toNs']) && value['fromNs'] <= value['toNs'];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isShortText = (value: unknown): value is string => typeof value === 'string' && value.length <= MOST_TEXT;
