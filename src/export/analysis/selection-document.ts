import type { Cost } from '../../analysis/gain/cost.ts';
import { formatRanks } from '../../analysis/metrics/process-noun.ts';
import type { SelectedEvents } from '../../analysis/selection/evaluate-selection.ts';
import {
  selectedActivities,
  type SelectedActivity,
  type SelectedEdge,
} from '../../analysis/selection/selected-activities.ts';
import type { Selected, SelectedAmounts } from '../../analysis/selection/selected-amounts.ts';
import type { SelectionInputs } from '../../analysis/selection/selection-inputs.ts';
import type { ActivityNaming, SelectionPart } from '../../analysis/selection/selection.ts';
import { NONE } from '../../trace/events.ts';
import type { AmountDocument } from './documents.ts';
import type { LocateSource } from './site-documents.ts';

/** Something that takes part in a selection; `selects` names it, so that the selection can be narrowed to it. */
interface SelectedThing extends AmountDocument {
  /** What those of the calls cost of the run that findings count; absent where none do, or the recording holds no times. */
  readonly cost?: Cost;
  readonly selects?: SelectionPart;
}

interface SelectedLine extends SelectedThing {
  /** On this machine where it is here; '' where the calls lead to no place in the source. */
  readonly file: string;
  /** Path of the file as recorded. */
  readonly recordedFile: string;
  /** Counted from 1; 0 when unknown. */
  readonly line: number;
  readonly function: string;
  readonly isHere: boolean;
}

interface SelectedFile extends SelectedThing {
  readonly path: string;
}

interface SelectedStream extends SelectedThing {
  readonly host: string;
  readonly process: number;
  readonly thread: number;
  readonly rank: number | null;
}

interface SelectedInsight extends SelectedThing {
  readonly code: string;
  readonly title: string;
}

/** A list that is cut where it is long, with how many there are in all. */
interface CutList<Item> {
  readonly first: readonly Item[];
  readonly total: number;
}

/** What a selection means in one recording: what views highlight. Times in nanoseconds. */
export interface SelectionDocument {
  /** Why nothing is selected, in words for the user; empty when something is. */
  readonly reasons: readonly string[];
  readonly totals: AmountDocument & {
    /** Events of the recording that are selected: rows of all layers, those of no measurable call included. */
    readonly rows: number;
    /** Of the calls those that findings count: on files that are not ignored, not of start-up. */
    readonly counted: number;
    /** What these cost of the run; absent where there are none, or the recording holds no times. */
    readonly cost?: Cost;
    /** Share of the program's recorded I/O time (of its calls, where there are no times), 0 to 1. */
    readonly share: number;
  };
  /** Each by cost, the dearest first. */
  readonly lines: CutList<SelectedLine>;
  readonly files: CutList<SelectedFile>;
  readonly streams: CutList<SelectedStream>;
  readonly insights: readonly SelectedInsight[];
  /** `ranks 0-3, 7`; '' where the recording knows no ranks. */
  readonly ranks: string;
  /** By number, at most a few thousand. */
  readonly rankNumbers: readonly number[];
  /** Of the graph that was asked for; both empty when none was, or its mapping cannot be read. */
  readonly activities: readonly SelectedActivity[];
  readonly edges: readonly SelectedEdge[];
}

const MOST_LISTED = 500;
const MOST_RANKS = 4096;
/** No graph with more can be looked at. */
const MOST_EDGES = 20_000;

/** @param naming of the graph whose nodes and edges are wanted. */
export function selectionDocument(
  inputs: SelectionInputs,
  { mask, reasons, amounts }: SelectedEvents & { readonly amounts: SelectedAmounts },
  locate: LocateSource,
  io: { readonly timeNs: number; readonly events: number },
  naming?: ActivityNaming,
): SelectionDocument {
  const { trace, insights } = inputs;
  const { counted } = amounts;
  const ranks = amounts.streams.map(({ index }) => trace.streams[index]!.rank).filter((rank) => rank !== undefined);
  const numbers = [...new Set(ranks)].sort((a, b) => a - b);
  const graph = naming === undefined || mask.count === 0 ? NO_GRAPH : graphOf(inputs, mask, naming);
  return {
    reasons,
    totals: {
      rows: mask.count,
      ...amounts.total,
      counted: counted.events,
      share: io.timeNs > 0 ? counted.timeNs / io.timeNs : io.events > 0 ? counted.events / io.events : 0,
    },
    lines: cut(amounts.sites, (selected) => lineOf(inputs, selected, locate)),
    files: cut(amounts.files, ({ index, ...amount }) => {
      const { path } = trace.files.at(index);
      return { path, ...amount, selects: { kind: 'file', path } };
    }),
    streams: cut(amounts.streams, (selected) => streamOf(inputs, selected)),
    insights: amounts.insights.map(({ index, ...amount }) => {
      const { code, title } = insights[index]!;
      return { code, title, ...amount, selects: { kind: 'insight', code } };
    }),
    ranks: numbers.length === 0 ? '' : formatRanks(numbers),
    rankNumbers: numbers.slice(0, MOST_RANKS),
    ...graph,
  };
}

const NO_GRAPH: Pick<SelectionDocument, 'activities' | 'edges'> = { activities: [], edges: [] };

function graphOf(
  inputs: SelectionInputs,
  mask: SelectedEvents['mask'],
  naming: ActivityNaming,
): Pick<SelectionDocument, 'activities' | 'edges'> {
  try {
    const { activities, edges } = selectedActivities(inputs, mask, naming);
    return { activities, edges: edges.slice(0, MOST_EDGES) };
  } catch (error) {
    // A mapping that is a module of the user's names the nodes of a graph, but no selection.
    if (error instanceof RangeError) return NO_GRAPH;
    throw error;
  }
}

function cut<Item>(all: readonly Selected[], describe: (selected: Selected) => Item): CutList<Item> {
  return { first: all.slice(0, MOST_LISTED).map(describe), total: all.length };
}

function lineOf(inputs: SelectionInputs, { index, ...amount }: Selected, locate: LocateSource): SelectedLine {
  if (index === NONE) return { file: '', recordedFile: '', line: 0, function: '', isHere: false, ...amount };
  const { file: recordedFile, line, functionName } = inputs.callSites.sites[index]!;
  const { file, isHere } = locate(recordedFile);
  const selects: SelectionPart =
    line > 0 ? { kind: 'line', file, line } : { kind: 'function', file: recordedFile, name: functionName };
  return { file, recordedFile, line, function: functionName, isHere, ...amount, selects };
}

function streamOf(inputs: SelectionInputs, { index, ...amount }: Selected): SelectedStream {
  const { host, pid: thread, processId: process, rank = null } = inputs.trace.streams[index]!;
  const selects: SelectionPart = rank === null ? { kind: 'process', host, process, thread } : { kind: 'rank', rank };
  return { host, process, thread, rank, ...amount, selects };
}
