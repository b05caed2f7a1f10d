import type { ActivityTimeline } from '../../analysis/dfg/activity-timeline.ts';
import type { GraphEdge, GraphNode } from '../../analysis/dfg/graph.ts';
import type { MappingPreview } from '../../analysis/dfg/mapping-preview.ts';
import { isRecord } from '../../base/guards.ts';
import type { SelectionMessage } from '../selection/protocol.ts';

export type { ActivityTimeline } from '../../analysis/dfg/activity-timeline.ts';
export type { GraphEdge } from '../../analysis/dfg/graph.ts';
export type { MappingPreview } from '../../analysis/dfg/mapping-preview.ts';

/** Raised when a message changes its meaning: a view that was restored from an older version says so. */
export const GRAPH_PROTOCOL = 2;

/** How the graph is to be made; kept in the view's state. */
export interface GraphChoices {
  /** `call+path`, `path`, `call`, `call+file`, `site`, or `rules` */
  readonly mapping: string;
  /** Directory levels, for the mappings that have them. */
  readonly levels: number;
  /** The JSON text of a mapping document, for `rules`. */
  readonly rules: string;
  /** Folders that are one activity. */
  readonly collapsed: readonly string[];
  readonly pathFilter: string;
  /** Also the files of the system, the loader and the libraries. */
  readonly systemFiles: boolean;
  readonly grouping: 'file' | 'pid' | 'rank';
  /** Calls of which layers: `outermost`, `requests`, `all`, or the name of a layer. */
  readonly layer: string;
  /** Globs of case names; both empty for no partition. */
  readonly green: string;
  readonly red: string;
  /** Files of the open recording that this one is compared with; none for no comparison. */
  readonly base: readonly string[];
}

export const DEFAULT_CHOICES: GraphChoices = {
  mapping: 'call+path',
  levels: 2,
  rules: '',
  collapsed: [],
  pathFilter: '',
  systemFiles: false,
  grouping: 'file',
  layer: 'outermost',
  green: '',
  red: '',
  base: [],
};

/** How the graph that was made is shown; the view alone knows. */
export interface GraphDisplay {
  /** Least share of the time (0 to 1) and least count of what is shown; null lets the size of the graph decide. */
  readonly leastShare: number | null;
  readonly leastCount: number | null;
  /** Folders as boxes. */
  readonly boxes: boolean;
  /** Edges back and forth as one line; null lets their number decide. */
  readonly joined: boolean | null;
}

export const DEFAULT_DISPLAY: GraphDisplay = { leastShare: null, leastCount: null, boxes: true, joined: null };

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

export type ViewNode = GraphNode & { readonly text: NodeText; readonly places: readonly NodePlace[] };

interface ViewTrace {
  readonly multiplicity: number;
  readonly cases: readonly string[];
  readonly events: number;
  readonly trace: readonly (readonly [activity: string, times: number])[];
  readonly cut: boolean;
}

export interface NamedMapping {
  readonly name: string;
  /** The JSON text of its document. */
  readonly rules: string;
}

export interface OtherRecording {
  readonly name: string;
  readonly paths: readonly string[];
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
  /** Layers of the recording, the highest first. */
  readonly layers: readonly string[];
  /** Name of the recording that it is compared with: green is that one, red this one. */
  readonly base: string | null;
}

/** What the controls offer besides what is fixed. */
export interface GraphOffers {
  /** Mappings of the settings. */
  readonly mappings: readonly NamedMapping[];
  /** Other open recordings. */
  readonly recordings: readonly OtherRecording[];
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
  | {
      readonly kind: 'graph';
      readonly protocol: number;
      readonly choices: GraphChoices;
      readonly graph: ViewGraph;
      readonly offers: GraphOffers;
    }
  | { readonly kind: 'offers'; readonly offers: GraphOffers }
  | { readonly kind: 'working' }
  | GraphSelectionMessage
  | { readonly kind: 'error'; readonly message: string }
  /** The source line that the cursor stands on belongs to these activities. */
  | { readonly kind: 'select'; readonly activities: readonly string[] }
  /** null where the recording has no clock, or not this activity; of two recordings compared first the base. */
  | { readonly kind: 'timeline'; readonly activity: string; readonly timelines: readonly NamedTimeline[] }
  | { readonly kind: 'preview'; readonly request: number; readonly preview: MappingPreview | string };

export interface NamedTimeline {
  readonly recording: string;
  readonly timeline: ActivityTimeline;
}

/** From the view to the extension. */
export type FromGraphView =
  | { readonly kind: 'ready'; readonly protocol: number }
  | { readonly kind: 'choose'; readonly choices: GraphChoices }
  | { readonly kind: 'selectActivity'; readonly activity: string }
  | { readonly kind: 'selectEdge'; readonly from: string; readonly to: string }
  /** The graph that was sent last is laid out and on the screen. */
  | { readonly kind: 'drawn' }
  | { readonly kind: 'open'; readonly activity: string; readonly place: number }
  /** The user wants to see when an activity's events were, in so many bins. */
  | { readonly kind: 'timeline'; readonly activity: string; readonly bins: number }
  /** What would this mapping make? The answer is a preview, or what is wrong in words. */
  | { readonly kind: 'preview'; readonly request: number; readonly rules: string }
  | { readonly kind: 'saveMapping'; readonly name: string; readonly rules: string }
  /** The picture is to be saved: the text of an SVG file, or a PNG file in base 64. */
  | { readonly kind: 'picture'; readonly format: 'svg' | 'png'; readonly content: string };

/** What the view keeps over a reload of the window. */
export interface GraphViewState {
  readonly paths: readonly string[];
  readonly choices: GraphChoices;
  readonly display: GraphDisplay;
}

/** A picture is larger than anything else that a view sends. */
const LONGEST_PICTURE = 64 << 20;
const LONGEST_RULES = 1 << 20;

/** The state that a view left behind, or undefined when it is none; what an older version left is completed. */
export function graphViewState(value: unknown): GraphViewState | undefined {
  if (!isRecord(value) || !isTexts(value['paths'])) return undefined;
  const choices: unknown = { ...DEFAULT_CHOICES, ...(value['choices'] as object | undefined) };
  const display: unknown = { ...DEFAULT_DISPLAY, ...(value['display'] as object | undefined) };
  return isChoices(choices) && isDisplay(display) ? { paths: value['paths'], choices, display } : undefined;
}

/** Whether something that came from the view is a message: webview content is not trusted blindly. */
export function isFromGraphView(value: unknown): value is FromGraphView {
  if (!isRecord(value)) return false;
  switch (value['kind']) {
    case 'ready':
      return typeof value['protocol'] === 'number';
    case 'drawn':
      return true;
    case 'choose':
      return isChoices(value['choices']);
    case 'selectActivity':
      return typeof value['activity'] === 'string';
    case 'selectEdge':
      return typeof value['from'] === 'string' && typeof value['to'] === 'string';
    case 'open':
      return typeof value['activity'] === 'string' && Number.isInteger(value['place']);
    case 'timeline':
      return typeof value['activity'] === 'string' && Number.isInteger(value['bins']);
    case 'preview':
      return Number.isInteger(value['request']) && isShorter(value['rules'], LONGEST_RULES);
    case 'saveMapping':
      return isShorter(value['name'], 100) && isShorter(value['rules'], LONGEST_RULES);
    case 'picture':
      return ['svg', 'png'].includes(value['format'] as string) && isShorter(value['content'], LONGEST_PICTURE);
    default:
      return false;
  }
}

function isChoices(value: unknown): value is GraphChoices {
  if (!isRecord(value)) return false;
  const texts = ['mapping', 'pathFilter', 'grouping', 'layer', 'green', 'red'];
  const levels = value['levels'];
  return (
    texts.every((name) => typeof value[name] === 'string') &&
    isShorter(value['rules'], LONGEST_RULES) &&
    isTexts(value['collapsed']) &&
    isTexts(value['base']) &&
    typeof levels === 'number' &&
    levels >= 1 &&
    levels <= 20 &&
    typeof value['systemFiles'] === 'boolean' &&
    ['file', 'pid', 'rank'].includes(value['grouping'] as string) &&
    ['call+path', 'path', 'call', 'call+file', 'site', 'rules'].includes(value['mapping'] as string)
  );
}

function isDisplay(value: unknown): value is GraphDisplay {
  if (!isRecord(value)) return false;
  const isLeast = (least: unknown): boolean => least === null || (typeof least === 'number' && least >= 0);
  return (
    isLeast(value['leastShare']) &&
    isLeast(value['leastCount']) &&
    typeof value['boxes'] === 'boolean' &&
    (value['joined'] === null || typeof value['joined'] === 'boolean')
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= 1000 && value.every((text) => typeof text === 'string');
}

function isShorter(value: unknown, length: number): value is string {
  return typeof value === 'string' && value.length < length;
}
