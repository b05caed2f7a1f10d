import type { GraphEdge, GraphNode } from '../analysis/dfg/graph.ts';
import type { SelectionMessage } from './selection-messages.ts';

/** Raised when a message changes its meaning: a view that was restored from an older version says so. */
export const GRAPH_PROTOCOL = 1;

/** How the graph is to be made; kept in the view's state. */
export interface GraphChoices {
  /** `call+path`, `path`, `call`, `call+file`, `site` */
  readonly mapping: string;
  /** Directory levels, for the mappings that have them. */
  readonly levels: number;
  readonly pathFilter: string;
  /** Also the files of the system, the loader and the libraries. */
  readonly systemFiles: boolean;
  readonly grouping: 'file' | 'pid' | 'rank';
  /** Globs of case names; both empty for no partition. */
  readonly green: string;
  readonly red: string;
}

export const DEFAULT_CHOICES: GraphChoices = {
  mapping: 'call+path',
  levels: 2,
  pathFilter: '',
  systemFiles: false,
  grouping: 'file',
  green: '',
  red: '',
};

/** A place in the source that a node leads to. */
interface NodePlace {
  /** What the user sees: `small_writes.c:11`. */
  readonly label: string;
  readonly file: string;
  readonly line: number;
}

/** What stands in a node, in words (the paper's figure 3a: call, path, load, data rate). */
interface NodeText {
  readonly title: string;
  readonly subtitle: string;
  /** `Load: 34 % (14.6 KiB)` */
  readonly load: string;
  /** `DR: 2 × 40.9 MB/s`, or '' where nothing is moved. */
  readonly rate: string;
  /** Everything, for hover and screen readers. */
  readonly description: string;
}

export type ViewEdge = GraphEdge;

export type ViewNode = GraphNode & { readonly text: NodeText; readonly places: readonly NodePlace[] };

interface ViewTrace {
  readonly multiplicity: number;
  readonly cases: readonly string[];
  readonly events: number;
  readonly trace: readonly (readonly [activity: string, times: number])[];
  readonly cut: boolean;
}

export interface ViewGraph {
  /** Name of the recording, for the heading. */
  readonly recording: string;
  /** Files and folders of the recording: what is opened again after a reload of the window. */
  readonly paths: readonly string[];
  readonly cases: number;
  readonly events: number;
  readonly nodes: readonly ViewNode[];
  readonly edges: readonly GraphEdge[];
  readonly activityLog: readonly ViewTrace[];
  readonly warnings: readonly string[];
}

/** What is selected, and how much of each node and edge takes part, 0 to 1; those that are not listed do not. */
export interface GraphSelectionMessage extends SelectionMessage {
  /** False when nothing is selected, or nothing of this recording. */
  readonly isMarked: boolean;
  readonly activities: readonly { readonly activity: string; readonly share: number }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly share: number }[];
}

/** From the extension to the view. */
export type ToGraphView =
  | { readonly kind: 'graph'; readonly protocol: number; readonly choices: GraphChoices; readonly graph: ViewGraph }
  | { readonly kind: 'working' }
  | GraphSelectionMessage
  | { readonly kind: 'error'; readonly message: string }
  /** The source line that the cursor stands on belongs to these activities. */
  | { readonly kind: 'select'; readonly activities: readonly string[] };

/** From the view to the extension. */
export type FromGraphView =
  | { readonly kind: 'ready'; readonly protocol: number }
  | { readonly kind: 'choose'; readonly choices: GraphChoices }
  | { readonly kind: 'selectActivity'; readonly activity: string }
  | { readonly kind: 'selectEdge'; readonly from: string; readonly to: string }
  /** The graph that was sent last is laid out and on the screen. */
  | { readonly kind: 'drawn' }
  | { readonly kind: 'open'; readonly activity: string; readonly place: number };

/** What the view keeps over a reload of the window. */
export interface GraphViewState {
  readonly paths: readonly string[];
  readonly choices: GraphChoices;
}

export function isGraphViewState(value: unknown): value is GraphViewState {
  if (typeof value !== 'object' || value === null) return false;
  const { paths, choices } = value as Record<string, unknown>;
  return Array.isArray(paths) && paths.every((path) => typeof path === 'string') && isChoices(choices);
}

/** Whether something that came from the view is a message: webview content is not trusted blindly. */
export function isFromGraphView(value: unknown): value is FromGraphView {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  const message = value as Record<string, unknown>;
  switch (message['kind']) {
    case 'ready':
      return typeof message['protocol'] === 'number';
    case 'drawn':
      return true;
    case 'choose':
      return isChoices(message['choices']);
    case 'selectActivity':
      return typeof message['activity'] === 'string';
    case 'selectEdge':
      return typeof message['from'] === 'string' && typeof message['to'] === 'string';
    case 'open':
      return typeof message['activity'] === 'string' && Number.isInteger(message['place']);
    default:
      return false;
  }
}

function isChoices(value: unknown): value is GraphChoices {
  if (typeof value !== 'object' || value === null) return false;
  const choices = value as Record<string, unknown>;
  const texts = ['mapping', 'pathFilter', 'grouping', 'green', 'red'];
  const levels = choices['levels'];
  return (
    texts.every((name) => typeof choices[name] === 'string') &&
    typeof levels === 'number' &&
    levels >= 1 &&
    levels <= 20 &&
    typeof choices['systemFiles'] === 'boolean' &&
    ['file', 'pid', 'rank'].includes(choices['grouping'] as string) &&
    ['call+path', 'path', 'call', 'call+file', 'site'].includes(choices['mapping'] as string)
  );
}
