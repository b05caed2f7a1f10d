import type { WorkflowDocument } from '../../fleet/workflow/workflow-document.ts';
import { isCount, isRecord } from '../../base/guards.ts';

export type {
  AccessMode,
  FileUse,
  RuntimeShare,
  WorkflowDependency,
  WorkflowDocument,
  WorkflowInsight,
  WorkflowJob,
  WorkflowStep,
} from '../../fleet/workflow/workflow-document.ts';

/** Raised when a message changes its meaning: a view that was restored from an older version says so. */
export const WORKFLOW_PROTOCOL = 1;

const MODES = ['dependency', 'duration', 'timeline'] as const;
const TABS = ['workflow', 'job', 'step', 'files'] as const;

/** From the extension to the view. */
export type ToWorkflowView =
  | { readonly kind: 'workflow'; readonly protocol: number; readonly document: WorkflowDocument }
  | { readonly kind: 'working'; readonly folder: string }
  | { readonly kind: 'error'; readonly message: string };

/** How a recording is shown that is opened. */
export type RecordingView = 'findings' | 'timeline';

/** From the view to the extension. It names jobs and steps by their places in the document, never a file. */
export type FromWorkflowView =
  | { readonly kind: 'ready'; readonly protocol: number }
  /** Boxes are on the screen. */
  | { readonly kind: 'drawn'; readonly jobs: number; readonly mode: (typeof MODES)[number] }
  | { readonly kind: 'openRecording'; readonly job: number; readonly step: number; readonly as: RecordingView }
  /** Reads the folder anew. */
  | { readonly kind: 'readAgain' }
  | { readonly kind: 'picture'; readonly format: 'svg' | 'png'; readonly content: string };

/** What the view keeps over a reload of the window, and over being hidden. */
export interface WorkflowViewState {
  readonly folder: string;
  readonly mode: (typeof MODES)[number];
  readonly tab: (typeof TABS)[number];
}

const MOST_PICTURE_CHARACTERS = 64 * 1024 * 1024;
const MOST_PATH = 4_096;

/** Whether something that came from the view is a message: webview content is not trusted blindly. */
export function isFromWorkflowView(value: unknown): value is FromWorkflowView {
  if (!isRecord(value)) return false;
  switch (value['kind']) {
    case 'ready':
      return typeof value['protocol'] === 'number';
    case 'drawn':
      return isCount(value['jobs']) && isOneOf(MODES, value['mode']);
    case 'openRecording':
      return isCount(value['job']) && isCount(value['step']) && isOneOf(['findings', 'timeline'], value['as']);
    case 'readAgain':
      return true;
    case 'picture':
      return (
        isOneOf(['svg', 'png'], value['format']) &&
        typeof value['content'] === 'string' &&
        value['content'].length <= MOST_PICTURE_CHARACTERS
      );
    default:
      return false;
  }
}

export function isWorkflowViewState(value: unknown): value is WorkflowViewState {
  if (!isRecord(value)) return false;
  const { folder, mode, tab } = value;
  const isPath = typeof folder === 'string' && folder !== '' && folder.length <= MOST_PATH;
  return isPath && isOneOf(MODES, mode) && isOneOf(TABS, tab);
}

function isOneOf(all: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && all.includes(value);
}
