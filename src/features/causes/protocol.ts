import type { Direction } from '../../fleet/causes/causes.ts';
import type { RecordingCauses } from '../../export/fleet/causes-document.ts';
import { isCount, isPicture, isRecord, isText } from '../../base/guards.ts';

export type { Direction } from '../../fleet/causes/causes.ts';
export type { CauseFileDocument, DirectionCauses, RecordingCauses } from '../../export/fleet/causes-document.ts';

/** Raised when a message changes its meaning: a view that was restored from an older version says so. */
export const CAUSES_PROTOCOL = 1;

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

/** A file of a direction by its place in `DirectionCauses.files`: the view never names a path. */
export interface CauseFileName {
  readonly direction: Direction;
  readonly file: number;
}

/** From the extension to the view. */
export type ToCausesView =
  | {
      readonly kind: 'subject';
      readonly protocol: number;
      readonly recording: string;
      readonly paths: readonly string[];
      readonly causes: RecordingCauses;
    }
  | ({ readonly kind: 'lines'; readonly lines: readonly CauseLine[] } & CauseFileName)
  | { readonly kind: 'said'; readonly message: string };

/** What is done with a file: its offsets over time, selected in all views, the report of the recording. */
export const CAUSE_ACTIONS = ['offsets', 'select', 'report'] as const;
export type CauseAction = (typeof CAUSE_ACTIONS)[number];

/** From the view to the extension. */
export type FromCausesView =
  | { readonly kind: 'ready'; readonly protocol: number }
  /** Intervals are on the screen. */
  | { readonly kind: 'drawn'; readonly files: number }
  /** The lines that use a file are wanted. */
  | ({ readonly kind: 'chooseFile' } & CauseFileName)
  | ({ readonly kind: 'act'; readonly action: CauseAction } & CauseFileName)
  /** A line of the list that was sent last. */
  | { readonly kind: 'openSource'; readonly line: number }
  | { readonly kind: 'picture'; readonly format: 'svg'; readonly content: string }
  | { readonly kind: 'picture'; readonly format: 'png'; readonly content: Uint8Array };

/** What the view keeps over a reload of the window. */
export interface CausesViewState {
  readonly paths: readonly string[];
  readonly direction: Direction;
}

/** Whether something that came from the view is a message: webview content is not trusted blindly. */
export function isFromCausesView(value: unknown): value is FromCausesView {
  if (!isRecord(value)) return false;
  switch (value['kind']) {
    case 'ready':
      return typeof value['protocol'] === 'number';
    case 'drawn':
      return isCount(value['files']);
    case 'chooseFile':
      return isFileName(value);
    case 'act':
      return isFileName(value) && CAUSE_ACTIONS.includes(value['action'] as CauseAction);
    case 'openSource':
      return isCount(value['line']);
    case 'picture':
      return isPicture(value['format'], value['content']);
    default:
      return false;
  }
}

export function isCausesViewState(value: unknown): value is CausesViewState {
  if (!isRecord(value)) return false;
  const { paths, direction } = value;
  return Array.isArray(paths) && paths.length > 0 && paths.every(isText) && isDirection(direction);
}

function isFileName(value: Record<string, unknown>): boolean {
  return isDirection(value['direction']) && isCount(value['file']);
}

function isDirection(value: unknown): value is Direction {
  return value === 'read' || value === 'write';
}
