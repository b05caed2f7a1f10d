import { getOrCreate } from '../../base/grouping.ts';
import { NONE, NOT_COUNTED } from '../../trace/events.ts';
import { LAYERS, OPERATIONS } from '../../trace/calls.ts';
import type { Trace } from '../../trace/trace.ts';
import { isLibrarySource } from '../../symbols/library-modules.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import type { DirectlyFollowsGraph } from '../dfg/graph.ts';
import type { Cost } from '../gain/cost.ts';
import type { CostSums } from '../gain/cost-sums.ts';
import type { EstimatedInsight } from '../gain/gain.ts';
import type { RunCosts } from '../gain/run-costs.ts';
import { milder } from '../gain/weigh.ts';
import { type Metrics } from '../metrics/access-metrics.ts';
import { counts } from '../metrics/ignored-files.ts';
import type { MetricTable } from '../metrics/metric-table.ts';
import { chainOf, StartUpCalls, type CallSites } from '../sites/call-sites.ts';
import { counterFacts } from './counter-facts.ts';
import type {
  Amounts,
  CostedAmounts,
  FindingFacts,
  GraphFacts,
  LineFacts,
  NamedAmounts,
  RunFacts,
} from './run-facts.ts';

/** A run that was read, resolved and analysed. */
interface AnalysedRun {
  readonly recording: string;
  readonly trace: Trace;
  readonly resolved: ResolvedStacks;
  /** By line. */
  readonly callSites: CallSites;
  readonly metrics: Metrics;
  readonly ignored: Uint8Array;
  readonly insights: readonly EstimatedInsight[];
  /** Insights with the bounds `WITHOUT_SHARES`. */
  readonly candidates: readonly EstimatedInsight[];
  readonly graph: GraphFacts;
  readonly costs: RunCosts;
  /** What is known of a source file, by its recorded path. */
  source(recorded: string): SourceFacts;
}

interface SourceFacts {
  readonly file: string;
  readonly isHere: boolean;
  /** It is as it was recorded, or its lines were moved along with known changes. */
  readonly isCurrent: boolean;
  /** Text of a line as the file stands now; '' when it cannot be read. */
  text(line: number): string;
}

/** Bounds that ask of a finding to take a share of the run, which changes when anything else in the run does. */
export const WITHOUT_SHARES = { site_share: 0, run_share: 0, metadata_share: 0 } as const;

/** Callers' chains of one line that are kept: a recursion makes one for each depth. */
const MOST_CHAINS = 50;
/** Data files of a finding that are compared one by one; of more the finding is compared as a whole. */
const MOST_FINDING_FILES = 100;

interface MutableAmounts {
  events: number;
  bytes: number;
  timeNs: number;
}

/** What the comparison wants to know of a run. */
export function gatherFacts(run: AnalysedRun): RunFacts {
  const { trace, metrics } = run;
  const { cells, siteOfCell, fileOfCell } = metrics;
  const bySite = new Map<number, MutableAmounts>();
  const byFile = new Map<string, MutableAmounts>();
  const total = none();
  for (let cell = 0; cell < cells.length; cell++) {
    for (const sum of [
      total,
      entry(bySite, siteOfCell[cell]!),
      entry(byFile, trace.files.at(fileOfCell[cell]!).path),
    ]) {
      sum.events += cells.get(cell, 'events');
      sum.bytes += bytesOf(cells, cell);
      sum.timeNs += cells.get(cell, 'time');
    }
  }
  const { calls, layers, callsOfSite } = countCalls(run);
  const { lines, lineOfSite } = lineFacts(run, bySite, callsOfSite);
  const counted = counterFacts(trace, run.ignored);
  const { costs } = run;
  const costOf = costs.ofSites(run.callSites, metrics);
  const withoutLine = bySite.get(NONE) ?? none();
  return {
    recording: run.recording,
    hasTimes: trace.capabilities.duration || counted !== undefined,
    traced: costs.run.traced,
    run: costs.interval,
    durationNs: costs.run.durationNs,
    total: { ...total, ...costPart(costs.cost(total.timeNs, costs.perNs)) },
    lines,
    withoutLine: { ...withoutLine, ...costPart(costOf(NONE, withoutLine.timeNs)) },
    files: filesOf(run, byFile),
    calls,
    layers,
    findings: run.insights.flatMap((insight) => findingFacts(insight, run, lineOfSite)),
    candidates: run.candidates.flatMap((insight) => findingFacts(insight, run, lineOfSite)),
    graph: run.graph,
    notes: [],
    ...counted,
  };
}

function none(): MutableAmounts {
  return { events: 0, bytes: 0, timeNs: 0 };
}

function entry<Key>(sums: Map<Key, MutableAmounts>, key: Key): MutableAmounts {
  const sum = getOrCreate(sums, key, none);
  return sum;
}

function listOf(sums: ReadonlyMap<string, Amounts>): NamedAmounts[] {
  return [...sums].map(([name, amounts]) => ({ name, ...amounts }));
}

function costPart(cost: Cost | undefined): Pick<CostedAmounts, 'cost'> {
  if (cost === undefined) return {};
  const { untracedNs, lowNs, highNs, traced } = cost;
  return { cost: { untracedNs, lowNs, highNs, traced } };
}

function filesOf({ trace, metrics, costs }: AnalysedRun, byPath: ReadonlyMap<string, Amounts>): RunFacts['files'] {
  const files = new Map<string, number>();
  for (const file of metrics.fileOfCell) files.set(trace.files.at(file).path, file);
  return listOf(byPath).map((amounts) => ({
    ...amounts,
    ...costPart(costs.ofFile(files.get(amounts.name)!, amounts.timeNs)),
  }));
}

function bytesOf(cells: MetricTable, cell: number): number {
  return cells.get(cell, 'readBytes') + cells.get(cell, 'writtenBytes') + cells.get(cell, 'copiedBytes');
}

/** Sums of each call and layer, and how often each site makes each call; of the calls that findings count. */
function countCalls({ trace, callSites, ignored, costs }: AnalysedRun): {
  calls: RunFacts['calls'];
  layers: RunFacts['layers'];
  callsOfSite: Map<number, Map<number, number>>;
} {
  const calls = new Map<string, MutableAmounts>();
  const layers = new Map<string, MutableAmounts>();
  const callsOfSite = new Map<number, Map<number, number>>();
  // Layers may have calls of one name.
  const rowOfCall = trace.calls.names.map((name) => trace.calls.names.indexOf(name));
  const spent = { calls: costs.sums(), layers: costs.sums() };
  const startUp = new StartUpCalls(trace, callSites);
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const node = chunk.stack[i]!;
      if (chunk.flags[i]! & NOT_COUNTED || !counts(ignored, chunk.file[i]!)) continue;
      const call = chunk.call[i]!;
      if (startUp.has(call, node)) continue;
      const site = node === NONE ? NONE : callSites.siteOfNode[node]!;
      const ofSite = callsOfSite.get(site) ?? new Map<number, number>();
      callsOfSite.set(site, ofSite.set(call, (ofSite.get(call) ?? 0) + 1));
      for (const sum of [entry(calls, trace.calls.names[call]!), entry(layers, LAYERS[chunk.layer[i]!]!)]) {
        sum.events++;
        sum.bytes += chunk.bytes[i]!;
        if (chunk.duration[i]! > 0) sum.timeNs += chunk.duration[i]!;
      }
      spent.calls.add(rowOfCall[call]!, chunk, i);
      spent.layers.add(chunk.layer[i]!, chunk, i);
    }
  });
  const costed = (amounts: NamedAmounts, row: number, sums: CostSums): NamedAmounts & CostedAmounts => ({
    ...amounts,
    ...costPart(costs.cost(1, sums.spent(row))),
  });
  return {
    calls: listOf(calls).map((each) => costed(each, trace.calls.names.indexOf(each.name), spent.calls)),
    layers: listOf(layers).map((each) =>
      costed(each, LAYERS.indexOf(each.name as (typeof LAYERS)[number]), spent.layers),
    ),
    callsOfSite,
  };
}

function lineFacts(
  run: AnalysedRun,
  bySite: ReadonlyMap<number, Amounts>,
  callsOfSite: ReadonlyMap<number, ReadonlyMap<number, number>>,
): { lines: LineFacts[]; lineOfSite: Map<number, number> } {
  const chains = chainsOfSites(run);
  const lines: LineFacts[] = [];
  const lineOfSite = new Map<number, number>();
  // Findings on pipes have places whose calls count nowhere else.
  const costOf = run.costs.ofSites(run.callSites, run.metrics);
  const named = new Set([...run.insights, ...run.candidates].flatMap(({ sites }) => sites.map(({ site }) => site)));
  run.callSites.sites.forEach((site, index) => {
    const amounts = bySite.get(index) ?? (named.has(index) ? none() : undefined);
    if (amounts === undefined) return;
    const source = run.source(site.file);
    const isKnown = source.isHere && source.isCurrent && site.line > 0;
    const calls = [...(callsOfSite.get(index) ?? [])];
    lineOfSite.set(index, lines.length);
    lines.push({
      recordedFile: site.file,
      file: source.file,
      isHere: source.isHere,
      line: site.line,
      function: site.functionName,
      module: site.module,
      isCurrent: isKnown,
      // A line that was changed stands for what was there.
      text: isKnown && !site.changed ? source.text(site.line).trim().replace(/\s+/g, ' ') : '',
      callers: [...(chains.get(index) ?? [])].sort(),
      calls: Object.fromEntries(calls.map(([call, count]) => [run.trace.calls.names[call]!, count])),
      kind: commonestKind(run.trace, calls),
      ...amounts,
      ...costPart(costOf(index, amounts.timeNs)),
    });
  });
  return { lines, lineOfSite };
}

function commonestKind({ calls }: Trace, ofSite: readonly (readonly [call: number, count: number])[]): string {
  const most = [...ofSite].sort((a, b) => b[1] - a[1])[0];
  return most === undefined ? 'other' : OPERATIONS[calls.operation[most[0]]!]!;
}

function chainsOfSites({ trace, resolved, callSites, metrics }: AnalysedRun): Map<number, Set<string>> {
  const chains = new Map<number, Set<string>>();
  callSites.siteOfNode.forEach((site, node) => {
    if (site === NONE || metrics.eventsOfNode[node] === 0) return;
    const ofSite = getOrCreate(chains, site, () => new Set());
    if (ofSite.size >= MOST_CHAINS) return;
    const place = callSites.sites[site]!;
    const chain = chainOf(trace, resolved, node);
    const depth = chain.findIndex(
      (frame) =>
        frame.file === place.file && frame.line === place.line && (place.line > 0 || frame.module === place.module),
    );
    const users = chain.slice(depth + 1).filter((frame) => !frame.isLibrary && !isLibrarySource(frame.file));
    ofSite.add(users.map(({ functionName }) => functionName).join(' < '));
  });
  return chains;
}

function findingFacts(
  insight: EstimatedInsight,
  { trace, costs }: AnalysedRun,
  lineOfSite: ReadonlyMap<number, number>,
): FindingFacts[] {
  const { code, trigger, title, severity, message, surely } = insight;
  const same = { code, trigger, title };
  if (insight.sites.length > 0) {
    return insight.sites.map((place) => {
      const { site, severity: weight, message: told, events, bytes, timeNs } = place;
      const line = lineOfSite.get(site);
      return {
        ...same,
        ...costPart(place.cost),
        severity: weight,
        surely: milder(weight, surely),
        message: told,
        events,
        bytes,
        timeNs,
        ...(line !== undefined && { line }),
      };
    });
  }
  if (insight.files.length > 0 && insight.files.length <= MOST_FINDING_FILES) {
    return insight.files.map(({ file, events, bytes, timeNs }) => {
      const { path } = trace.files.at(file);
      const cost = costPart(costs.ofFile(file, timeNs));
      return { ...same, severity, surely, message, events, bytes, timeNs, ...cost, file: path };
    });
  }
  const sum = none();
  for (const file of insight.files) {
    sum.events += file.events;
    sum.bytes += file.bytes;
    sum.timeNs += file.timeNs;
  }
  return [{ ...same, severity, surely, message, ...sum, ...costPart(insight.cost) }];
}

/** What is compared of a graph. @param mapping how its activities are named. */
export function graphFacts({ nodes, edges }: DirectlyFollowsGraph, mapping: string): GraphFacts {
  return {
    mapping,
    nodes: nodes.map(({ activity, events, bytes, durationNs, cost }) => ({
      activity,
      events,
      bytes,
      timeNs: durationNs,
      ...costPart(cost),
    })),
    edges: edges.map(({ from, to, count }) => ({ from, to, count })),
  };
}
