import { machine } from '#machine';
import { activityLog } from '../analysis/dfg/activity-log.ts';
import { activitySites } from '../analysis/dfg/activity-sites.ts';
import type { CaseGrouping } from '../analysis/dfg/cases.ts';
import { directlyFollowsGraph } from '../analysis/dfg/directly-follows-graph.ts';
import type { SiteVariable } from '../analysis/dfg/site-paths.ts';
import type { FixFinder } from '../analysis/fixes/find-fixes.ts';
import type { Fix, FixRequest, ParseRequest } from '../analysis/fixes/fix.ts';
import { layersOf } from '../analysis/layers/layers-present.ts';
import type { SiteGrouping } from '../analysis/sites/call-sites.ts';
import { callerTree } from '../analysis/sites/caller-tree.ts';
import { functionCosts } from '../analysis/sites/function-costs.ts';
import { analysisDocument, type AnalysedRecording } from '../export/analysis-document.ts';
import type { AnalysisDocument, GraphDocument, InfoDocument, SitesDocument } from '../export/documents.ts';
import {
  callerDocument,
  functionDocuments,
  type CallerDocument,
  type FunctionDocument,
} from '../export/caller-documents.ts';
import type { EventFormat } from '../export/events/event-formats.ts';
import { filesDocument, type FileOrder, type FilesDocument } from '../export/file-documents.ts';
import type { DrishtiRow } from '../export/drishti-csv.ts';
import { graphDocument } from '../export/graph-document.ts';
import { infoDocument } from '../export/info-document.ts';
import type { JobDocument } from '../export/job-document.ts';
import { layersDocument, type LayersDocument } from '../export/layer-documents.ts';
import { recordPage, type RecordPage } from '../export/record-page.ts';
import type { ReportMaterial } from '../export/report-material.ts';
import { sitesDocument } from '../export/site-documents.ts';
import type { TableQuery } from '../export/table-query.ts';
import type { ReplayedCalls } from '../replay/from-recording/choose-calls.ts';
import type { RecordedReplay } from '../replay/from-recording/recorded-replay.ts';
import { replayOfRecording } from '../replay/from-recording/replay-of-recording.ts';
import type { LookupFactory } from '../symbols/address-lookup.ts';
import type { PathRule } from '../symbols/symbol-files.ts';
import { LAYERS } from '../trace/calls.ts';
import type { ActivityMethods } from './activity-methods.ts';
import { ActivityQuestions } from './activity-questions.ts';
import { graphOptions } from './graph-options.ts';
import { chooseLookup, type ReadResource } from './lookup-tools.ts';
import { readLines } from './local-files.ts';
import { MemoryBudget } from './memory-budget.ts';
import { FLEET_METHODS, type FleetMethods } from './fleet/fleet-methods.ts';
import { callNamed, remoteTopic } from './topics.ts';
import type { LoopMethods } from './loop-methods.ts';
import { LoopQuestions } from './loop-questions.ts';
import type { LiveMethods } from './live-methods.ts';
import { LiveQuestions } from './live-questions.ts';
import { cacheOf, type ReadingMeans } from './read-recording.ts';
import { eventsAtLine, type RecordedEvent } from './event-lines.ts';
import type { OffsetMethods } from './offset-methods.ts';
import { OffsetQuestions } from './offset-questions.ts';
import type { OpenRequest } from './open-request.ts';
import { StackLines, type StackLineFrame, type StackQuestion } from './stack-lines.ts';
import { reportMaterial } from './report-material.ts';
import { reportText, shippedLayoutEngine, type PrintedReport } from './report-text.ts';
import type { TimelineMethods } from './timeline-methods.ts';
import { TimelineQuestions } from './timeline-questions.ts';
import type { BudgetMethods } from './budget-methods.ts';
import { BudgetQuestions } from './budget-questions.ts';
import type { CausesMethods } from './causes-methods.ts';
import { CausesQuestions } from './causes-questions.ts';
import type { ComparisonMethods } from './comparison-methods.ts';
import { unpackedResource } from './compression/packed-resource.ts';
import { ComparisonQuestions } from './comparison-questions.ts';
import type { SelectionMethods } from './selection-methods.ts';
import { SelectionQuestions } from './selection-questions.ts';
import type { WorkflowMethods } from './fleet/workflow-methods.ts';
import { WorkflowQuestions } from './fleet/workflow-questions.ts';
import { OpenedRecording, type OpenHooks, type OpenPhases } from './opened-recording.ts';

/** How a graph is wanted; plain data, see GraphOptions. */
export interface GraphRequest {
  /**
   * `call+path:2` and the like, the JSON text of a `MappingDocument`, or the path of a JavaScript module whose default
   * export maps an event to a name.
   */
  readonly mapping: string;
  readonly siteVariables: readonly SiteVariable[];
  readonly pathFilter: string;
  readonly withoutCalls: readonly string[];
  /** Leaves out the files that findings leave out (system, loader, libraries). */
  readonly ownFilesOnly: boolean;
  readonly grouping: CaseGrouping;
  /** Calls of which layers: `outermost` (the default), `requests`, `all`, or the name of a layer. */
  readonly layer?: string;
  /** Globs of case names; both or neither. */
  readonly green: readonly string[];
  readonly red: readonly string[];
}

export const PLAIN_GRAPH: GraphRequest = {
  mapping: 'call+path:2',
  siteVariables: [],
  pathFilter: '',
  withoutCalls: [],
  ownFilesOnly: false,
  grouping: 'file',
  green: [],
  red: [],
};

/** A recording that was opened. */
export interface OpenResult {
  readonly id: number;
  readonly info: InfoDocument;
  /** Milliseconds that reading and resolving took. */
  readonly phases: OpenPhases;
  /** What the user should know about how it was read; no damage of the recording. */
  readonly notes: readonly string[];
}

/** Questions about sources; they need no open recording. */
export interface FixMethods {
  /** Changes of the source that repair a finding. */
  fixes(request: FixRequest): Promise<Fix[]>;
  /** Parses sources that will soon be asked about. */
  prepareFixes(request: ParseRequest): Promise<void>;
}

/** What users of the session can ask; the same whether it runs here or in a worker. */
export interface SessionMethods extends FixMethods {
  readonly live: LiveMethods;
  open(request: OpenRequest, hooks?: OpenHooks): Promise<OpenResult>;
  analysis(ids: readonly number[]): Promise<AnalysisDocument>;
  sites(id: number, by: SiteGrouping): Promise<SitesDocument>;
  /** What the calls of each line became in the layers below. */
  layers(id: number): Promise<LayersDocument>;
  /** What each function of the user's code costs, by itself and with everything that it calls. */
  functions(id: number): Promise<FunctionDocument[]>;
  /** The first files of the program in an order. */
  files(id: number, order: FileOrder, most: number): Promise<FilesDocument>;
  /** Who touches which bytes of a file when. */
  readonly offsets: OffsetMethods;
  /** All ways to a line of a source file on this machine; undefined when no call came through it. */
  callers(id: number, file: string, line: number): Promise<CallerDocument | undefined>;
  graph(id: number, request: GraphRequest): Promise<GraphDocument>;
  readonly activities: ActivityMethods;
  /** What Drishti's table of codes says of recordings. */
  drishtiRows(ids: readonly number[]): Promise<DrishtiRow[]>;
  /** Everything that a report shows: findings, sites, files, graphs, and the source lines around them. */
  report(ids: readonly number[]): Promise<ReportMaterial>;
  /** The same as a text for people. */
  reportText(ids: readonly number[], printed: PrintedReport): Promise<string>;
  /** What a Darshan log says of its job; undefined for other recordings. */
  job(id: number): Promise<JobDocument | undefined>;
  /** A part of the records of one of Darshan's modules. */
  records(id: number, module: string, query: TableQuery): Promise<RecordPage>;
  /** The first events that come from a line of a source file on this machine. */
  eventsAt(id: number, file: string, line: number, most: number): Promise<RecordedEvent[]>;
  /**
   * Writes all events to a file (`-`: standard output).
   * @returns bytes that were written.
   */
  exportEvents(id: number, format: EventFormat, file: string): Promise<number>;
  /** The source frames behind each line of a stack in a recording's text; the recording need not be open. */
  stackLines(question: StackQuestion): Promise<StackLineFrame[][]>;
  /** Looks for the sources by other learned rules; what was answered before is to be asked again. */
  relocate(id: number, learnedRules: readonly PathRule[]): Promise<void>;
  close(id: number): Promise<void>;
  readonly timeline: TimelineMethods;
  /** What each stream repeats. */
  readonly loops: LoopMethods;
  /** What makes reads and writes slow. */
  readonly causes: CausesMethods;
  /** Stores of many logs. */
  readonly fleet: FleetMethods;
  readonly comparison: ComparisonMethods;
  readonly budget: BudgetMethods;
  /** What a selection means. */
  readonly selection: SelectionMethods;
  /** Jobs that belong together, and what they wait for. */
  readonly workflow: WorkflowMethods;
}

export interface SessionResources {
  /** The folder with addr2line.wasm and the grammars (dist). */
  readonly folder: string;
  /** How a file of that folder is read; from the disk by default. */
  readonly read?: ReadResource;
  /** Where the SQL engine of stores may lie besides the modules of the program. */
  readonly engineFolders?: readonly string[];
  /** Number of the first recording that is opened; 1 by default. */
  readonly firstId?: number;
}

/** The recordings that are open, and their answers. */
export class Session implements SessionMethods {
  readonly activities: ActivityMethods = new ActivityQuestions((id) => this.recording(id));
  readonly selection: SelectionMethods = new SelectionQuestions((id) => this.recording(id));
  private readonly recordings = new Map<number, OpenedRecording>();
  private lookup: Promise<LookupFactory> | undefined;
  private memory: MemoryBudget | undefined;
  private stores: Promise<FleetMethods> | undefined;
  private finder: Promise<FixFinder> | undefined;
  private readonly stacks: StackLines;
  private next: number;
  private readonly read: ReadResource;
  readonly offsets: OffsetMethods = new OffsetQuestions((id) => this.recording(id));
  readonly timeline = new TimelineQuestions((id) => this.recording(id));
  readonly budget: BudgetMethods = new BudgetQuestions((id) => this.recording(id));
  readonly loops: LoopMethods = new LoopQuestions((id) => this.recording(id));
  readonly causes: CausesMethods = new CausesQuestions((id) => this.recording(id));
  /** Its code and its engine are loaded with the first question. */
  readonly fleet = remoteTopic<FleetMethods>('fleet', FLEET_METHODS, async (name, values) => {
    this.stores ??= machine.fleet(this.resources.engineFolders ?? []);
    return callNamed({ fleet: await this.stores }, name, values);
  });
  readonly comparison: ComparisonMethods = new ComparisonQuestions(
    (id) => this.recording(id),
    () => (this.memory ??= new MemoryBudget()),
  );
  readonly live: LiveQuestions;
  readonly workflow = new WorkflowQuestions((options) => this.means(options));

  constructor(private readonly resources: SessionResources) {
    this.next = resources.firstId ?? 1;
    this.read = resources.read ?? ((file) => machine.readResource(file));
    this.stacks = new StackLines((maySpawn) => this.lookupFactory(maySpawn));
    this.live = new LiveQuestions({
      recordings: this.recordings,
      nextId: () => this.next++,
      lookup: (maySpawn) => this.lookupFactory(maySpawn),
      means: (request) => this.means(request),
      resultOf,
    });
  }

  async open(request: OpenRequest, hooks: OpenHooks = {}): Promise<OpenResult> {
    const lookup = await this.lookupFactory(request.maySpawn);
    const recording = await OpenedRecording.open(request, lookup, hooks, this.means(request));
    const id = this.next++;
    this.recordings.set(id, recording);
    return resultOf(id, recording);
  }

  private means(request: Pick<OpenRequest, 'memoryBudget' | 'cacheBytes'>): ReadingMeans {
    this.memory ??= new MemoryBudget(request.memoryBudget);
    return { budget: this.memory, cache: cacheOf(request.cacheBytes) };
  }

  async analysis(ids: readonly number[]): Promise<AnalysisDocument> {
    return analysisDocument(await Promise.all(ids.map((id) => this.analysed(this.recording(id)))));
  }

  /**
   * What the program did to its files, to be done again.
   * @param plainRequests whether calls of MPI-IO become requests of POSIX.
   */
  replay(id: number, calls: ReplayedCalls, thinkTime: number, plainRequests: boolean): Promise<RecordedReplay> {
    const { trace, ignored } = this.recording(id);
    return Promise.resolve(replayOfRecording(trace, { calls, thinkTime, ignored, plainRequests }));
  }

  sites(id: number, by: SiteGrouping): Promise<SitesDocument> {
    const recording = this.recording(id);
    const { trace, resolved } = recording;
    const callSites = recording.callSites(by);
    const metrics = by === 'line' ? recording.metrics : recording.metricsBy(by);
    const locate = (file: string): { file: string; isHere: boolean } => recording.localSource(file);
    return Promise.resolve(sitesDocument(trace, resolved, callSites, metrics, by, recording.ignored, locate));
  }

  functions(id: number): Promise<FunctionDocument[]> {
    const recording = this.recording(id);
    const { trace, resolved, metrics } = recording;
    const costs = functionCosts(trace, resolved, recording.callSites(), metrics);
    return Promise.resolve(functionDocuments(costs, (file) => recording.localSource(file)));
  }

  files(id: number, order: FileOrder, most: number): Promise<FilesDocument> {
    const recording = this.recording(id);
    const { trace, metrics } = recording;
    const locate = (file: string): { file: string; isHere: boolean } => recording.localSource(file);
    return Promise.resolve(filesDocument(trace, recording.callSites(), metrics, order, most, locate));
  }

  callers(id: number, file: string, line: number): Promise<CallerDocument | undefined> {
    const recording = this.recording(id);
    const { trace, resolved, metrics } = recording;
    const locate = (recorded: string): { file: string; isHere: boolean } => recording.localSource(recorded);
    const tree = callerTree(
      trace,
      resolved,
      metrics,
      (frame) => frame.line === line && locate(frame.file).file === file,
    );
    return Promise.resolve(tree === undefined ? undefined : callerDocument(tree, locate));
  }

  layers(id: number): Promise<LayersDocument> {
    const recording = this.recording(id);
    const { trace, ignored } = recording;
    return Promise.resolve(
      layersDocument(trace, recording.callSites(), ignored, (file) => recording.localSource(file)),
    );
  }

  async graph(id: number, request: GraphRequest): Promise<GraphDocument> {
    const recording = this.recording(id);
    const callSites = recording.callSites();
    const options = await graphOptions(request, recording);
    const graph = directlyFollowsGraph(recording.trace, callSites, options);
    const log = activityLog(recording.trace, callSites, options);
    const sites = activitySites(recording.trace, callSites, options);
    const layers = layersOf(recording.trace).map((layer) => LAYERS[layer]!);
    return graphDocument(graph, log, sites, callSites, (file) => recording.localSource(file), layers);
  }

  drishtiRows(ids: readonly number[]): Promise<DrishtiRow[]> {
    return Promise.resolve(
      ids.map((id) => {
        const { trace, drishtiCodes } = this.recording(id);
        return { job: trace.counters?.job.jobId ?? '', codes: [...drishtiCodes] };
      }),
    );
  }

  report(ids: readonly number[]): Promise<ReportMaterial> {
    return reportMaterial(
      this,
      ids.map((id) => ({ id, recording: this.recording(id) })),
    );
  }

  async reportText(ids: readonly number[], printed: PrintedReport): Promise<string> {
    const material = await this.report(ids);
    return reportText(material, printed, () => shippedLayoutEngine(this.resources.folder, this.read));
  }

  job(id: number): Promise<JobDocument | undefined> {
    return Promise.resolve(this.recording(id).job);
  }

  // Not a plain function: what it throws is a rejection, as everywhere.
  async records(id: number, module: string, query: TableQuery): Promise<RecordPage> {
    return Promise.resolve(recordPage(this.recording(id).trace, module, query));
  }

  eventsAt(id: number, file: string, line: number, most: number): Promise<RecordedEvent[]> {
    return Promise.resolve(eventsAtLine(this.recording(id), file, line, most));
  }

  exportEvents(id: number, format: EventFormat, file: string): Promise<number> {
    const recording = this.recording(id);
    const locate = (recorded: string): string => recording.localSource(recorded).file;
    return machine.writeEvents({ trace: recording.trace, callSites: recording.callSites(), locate }, format, file);
  }

  stackLines(question: StackQuestion): Promise<StackLineFrame[][]> {
    const open = question.recording === undefined ? undefined : this.recordings.get(question.recording);
    return this.stacks.resolve(question, open);
  }

  async fixes(request: FixRequest): Promise<Fix[]> {
    return (await this.fixFinder()).find(request);
  }

  async prepareFixes(request: ParseRequest): Promise<void> {
    await (await this.fixFinder()).prepare(request);
  }

  /** The parsers are loaded when the first fix is asked for: most commands ask for none. */
  private fixFinder(): Promise<FixFinder> {
    const load = async (name: string): Promise<Uint8Array> =>
      unpackedResource(await this.read(`${this.resources.folder}/${name}.wasm`));
    this.finder ??= import('../analysis/fixes/find-fixes.ts').then(({ FixFinder }) => new FixFinder({ load }));
    return this.finder;
  }

  async relocate(id: number, learnedRules: readonly PathRule[]): Promise<void> {
    this.recordings.set(id, await this.recording(id).relocated(learnedRules));
  }

  async close(id: number): Promise<void> {
    const recording = this.recordings.get(id);
    this.recordings.delete(id);
    this.timeline.forgetClosed();
    await this.live.letGo(id);
    await recording?.close();
  }

  private lookupFactory(maySpawn: boolean): Promise<LookupFactory> {
    this.lookup ??= chooseLookup(`${this.resources.folder}/addr2line.wasm`, maySpawn, this.read);
    return this.lookup;
  }

  private recording(id: number): OpenedRecording {
    const recording = this.recordings.get(id);
    if (recording === undefined) throw new Error('this recording is not open any more: open it again');
    return recording;
  }

  private async analysed(recording: OpenedRecording): Promise<AnalysedRecording> {
    const { request, trace, resolved, metrics, insights } = recording;
    const callSites = recording.callSites();
    const places = insights.flatMap((insight) => insight.sites.map(({ site }) => callSites.sites[site]!));
    const lines = await readLines(places.map(({ file }) => recording.localSource(file).file));
    return {
      recording: request.paths.join(' '),
      trace,
      resolved,
      callSites,
      metrics,
      insights,
      lacks: recording.lacks,
      triggerNotes: recording.triggerNotes,
      triggerProblems: recording.triggerProblems,
      sources: new Map(recording.sourceReports.map((report) => [report.source, report])),
      calibrated: recording.calibrated,
      locate: (file) => recording.localSource(file),
      sourceLine: (file, line) => lines.get(file)?.[line - 1] ?? '',
    };
  }
}

function resultOf(id: number, { request, trace, phases, notes, lacks }: OpenedRecording): OpenResult {
  return { id, info: infoDocument(trace, request.paths.join(' '), lacks), phases, notes };
}
