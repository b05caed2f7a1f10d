import * as v from 'valibot';
import type { ActivityTimeline } from '../../analysis/dfg/activity-timeline.ts';
import type { GraphEdge, GraphNode, HiddenEvents } from '../../analysis/dfg/graph.ts';
import type { MappingPreview } from '../../analysis/dfg/mapping-preview.ts';
import type { PageLine, ViewState } from '../../base/page-line.ts';
import { COUNT, list, NOTHING, NUMBER, PICTURE, text } from '../../base/page-values.ts';
import type { SelectionWords } from '../selection/protocol.ts';

export type { ActivityTimeline } from '../../analysis/dfg/activity-timeline.ts';
export type { GraphEdge } from '../../analysis/dfg/graph.ts';
export type { MappingPreview } from '../../analysis/dfg/mapping-preview.ts';

const RULES = text(1 << 20);
const TEXTS = list(v.string(), 1_000);

/** How the graph is to be made; kept in the view's state. */
const CHOICES = v.object({
  mapping: v.picklist(['call+path', 'path', 'call', 'call+file', 'site', 'rules']),
  /** Directory levels, for the mappings that have them. */
  levels: v.pipe(NUMBER, v.minValue(1), v.maxValue(20)),
  /** The JSON text of a mapping document, for `rules`. */
  rules: RULES,
  /** Folders that are one activity. */
  collapsed: TEXTS,
  pathFilter: v.string(),
  /** Also the files of the system, the loader and the libraries. */
  systemFiles: v.boolean(),
  grouping: v.picklist(['file', 'pid', 'rank']),
  /** Calls of which layers: `outermost`, `requests`, `all`, or the name of a layer. */
  layer: v.string(),
  /** Globs of case names; both empty for no partition. */
  green: v.string(),
  red: v.string(),
  /** Files of the open recording that this one is compared with; none for no comparison. */
  base: TEXTS,
});
export type GraphChoices = Readonly<v.InferOutput<typeof CHOICES>>;

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

const LEAST = v.nullable(v.pipe(NUMBER, v.minValue(0)));

/** How the graph that was made is shown; the view alone knows. */
const DISPLAY = v.object({
  /** Least share of the cost (0 to 1) and least count of what is shown; null lets the size of the graph decide. */
  leastShare: LEAST,
  leastCount: LEAST,
  /** Folders as boxes. */
  boxes: v.boolean(),
  /** Edges back and forth as one line; null lets their number decide. */
  joined: v.nullable(v.boolean()),
});
export type GraphDisplay = Readonly<v.InferOutput<typeof DISPLAY>>;

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
  /** `Cost: 12 ms, 34 % of the run` without the tracer; '' where no tracer was. */
  readonly cost: string;
  /** `Load: 34 % (14.6 KiB)`; where a tracer was, `Recorded load: …`. */
  readonly load: string;
  /** `DR: 2 × 40.9 MB/s`, or '' where nothing is moved; where a tracer was, `Recorded DR: …`. */
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

interface OtherRecording {
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
  /** Events that the filters hide. */
  readonly hidden: HiddenEvents;
  /** The folder, with its slash, that nodes and boxes do not repeat; '' for none. */
  readonly within: string;
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
export interface GraphMarks extends SelectionWords {
  /** False when nothing is selected, or nothing of this recording. */
  readonly isMarked: boolean;
  readonly activities: readonly { readonly activity: string; readonly share: number }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly share: number }[];
}

export interface NamedTimeline {
  readonly recording: string;
  readonly timeline: ActivityTimeline;
}

/** A graph that was made, and how. */
export interface MadeGraph {
  readonly choices: GraphChoices;
  readonly graph: ViewGraph;
  readonly offers: GraphOffers;
}

interface GraphToPage {
  readonly says: {
    readonly graph: MadeGraph;
    readonly offers: GraphOffers;
    /** The graph is being made. */
    readonly working: undefined;
    readonly failed: string;
    readonly selection: GraphMarks;
    /** The source line that the cursor stands on belongs to these activities. */
    readonly select: readonly string[];
  };
  readonly answers: {
    /** None where the recording has no clock, or not this activity; of two recordings compared first the base. */
    readonly timeline: readonly NamedTimeline[];
    readonly preview: MappingPreview;
    readonly layoutEngine: string;
  };
}

/** What an older version left is completed. */
function completed<Value>(schema: v.GenericSchema<Value>, defaults: Value): v.GenericSchema<unknown, Value> {
  const whole = v.transform((kept: unknown): unknown => ({ ...defaults, ...(kept as object | undefined) }));
  return v.pipe(v.unknown(), whole, schema);
}

export const GRAPH = {
  version: 3,
  state: v.object({
    paths: TEXTS,
    choices: v.optional(completed(CHOICES, DEFAULT_CHOICES), {}),
    display: v.optional(completed(DISPLAY, DEFAULT_DISPLAY), {}),
    /** All of it is shown, though its text be too small to be read. */
    fits: v.optional(v.boolean(), false),
    /** Also where there is little room, instead of the neighbourhood of an activity. */
    whole: v.optional(v.boolean(), false),
  }),
};

export const FROM_GRAPH = {
  asks: {
    /** When an activity's events were, in so many bins. */
    timeline: v.object({ activity: v.string(), bins: COUNT }),
    /** What would this mapping make? */
    preview: v.object({ rules: RULES }),
    /** The script of the layout's worker. It is not loaded by its address: see webview-page.ts. */
    layoutEngine: NOTHING,
  },
  says: {
    choose: CHOICES,
    selectActivity: v.object({ activity: v.string() }),
    selectEdge: v.object({ from: v.string(), to: v.string() }),
    /** The graph that was sent last is laid out and on the screen. */
    drawn: NOTHING,
    /** A source line of a node. */
    open: v.object({ activity: v.string(), place: COUNT }),
    saveMapping: v.object({ name: text(100), rules: RULES }),
    picture: PICTURE,
  },
};

export type GraphLine = PageLine<typeof GRAPH, typeof FROM_GRAPH, GraphToPage>;
export type GraphViewState = ViewState<GraphLine>;
