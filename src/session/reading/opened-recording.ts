import { getOrCreate } from '../../base/grouping.ts';
import { machine } from '#machine';
import { estimateGains } from '../../analysis/gain/estimate-gains.ts';
import type { RunCost } from '../../analysis/gain/cost.ts';
import { RunCosts, type CostInputs } from '../../analysis/gain/run-costs.ts';
import type { EstimatedInsight, Estimates } from '../../analysis/gain/gain.ts';
import type { Unmarked } from '../../analysis/gain/unmarked.ts';
import { findLacks, type Lack } from '../../analysis/lacks/lacks.ts';
import { traceOfStreams } from '../../analysis/comparison/trace-of-streams.ts';
import { findLoops } from '../../analysis/loops/find-loops.ts';
import type { LoopCalls, LoopOptions } from '../../analysis/loops/loop-options.ts';
import type { StreamPattern } from '../../analysis/loops/pattern.ts';
import { findSiteLoops } from '../../analysis/loops/site-loops.ts';
import { measure, type Metrics } from '../../analysis/metrics/access-metrics.ts';
import { outlineOf, type MetricsOutline } from '../../analysis/metrics/metrics-outline.ts';
import { ignoredFiles } from '../../analysis/metrics/ignored-files.ts';
import { AdviceContexts } from '../../analysis/triggers/advice-context.ts';
import { isMpiProgram, viewedFiles } from '../../analysis/triggers/shown-mpi.ts';
import { namedPipes } from '../../analysis/metrics/pipes/named-pipes.ts';
import { findCallSites, type CallSites, type SiteGrouping } from '../../analysis/sites/call-sites.ts';
import { counterNotes } from '../../analysis/triggers/counters/find-counter-insights.ts';
import { drishtiCodes } from '../../analysis/triggers/drishti-codes.ts';
import { examinedBy, type Examined } from '../../analysis/triggers/examined.ts';
import type { Insight } from '../../analysis/triggers/insight.ts';
import { LOOKED_AT_CALLS, placesOfLoops, withLoops } from '../../analysis/triggers/loop-evidence.ts';
import { findInsights } from '../../analysis/triggers/evaluate.ts';
import { findOwnInsights, type OwnInsights } from '../../analysis/triggers/own/find-own-insights.ts';
import { DEFAULT_THRESHOLDS, sizeLimits, type Thresholds } from '../../analysis/triggers/thresholds.ts';
import type { JobDocument, JobSummary } from '../../export/report/job-document.ts';
import { jobDocument, jobSummary } from '../../export/report/job-documents.ts';
import type { LookupFactory } from '../../symbols/address-lookup.ts';
import type { GrowingStacks } from '../../symbols/growing-stacks.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import type { LocatedSource } from '../../symbols/source-locator.ts';
import { resolveStacks } from '../../symbols/stack-resolver.ts';
import type { SourceReport } from '../../symbols/source-report.ts';
import type { PathRule } from '../../symbols/symbol-files.ts';
import type { StorageSamples } from '../../trace/storage-samples.ts';
import type { MachineLoad, Trace } from '../../trace/trace.ts';
import { localSymbolFiles, type WorkspaceSources } from '../machine/local-files.ts';
import { DEFAULT_MEMORY_BUDGET, MemoryBudget } from './memory-budget.ts';
import type { OpenRequest } from './open-request.ts';
import type { OwnTrigger } from '../../analysis/triggers/own/own-trigger.ts';
import type { FoundCalibration } from './read-calibration.ts';
import type { ReadingMeans, ReadRecording } from './read-recording.ts';
import { readRequest, withWhatLiesBeside } from './read-request.ts';
import type { KeptWithIt } from './kept/read-places.ts';
import { recogniseRecording } from './recognise-recording.ts';
import {
  contextOf,
  endOf,
  findSources,
  searchOf,
  type FoundSources,
  type RecordingContext,
} from './recording-context.ts';
import type { Hooks } from '../worker/topics.ts';

export type { Hooks as OpenHooks } from '../worker/topics.ts';

/** How long the parts of opening took, in milliseconds. */
export interface OpenPhases {
  readonly readingMs: number;
  readonly resolvingMs: number;
}

/** What was asked for, what was read of it, and what is known besides. */
interface AskedRecording {
  readonly request: OpenRequest;
  readonly read: ReadRecording;
  readonly context: RecordingContext;
}

/** A recording that was read: the trace, its resolved stacks, and what was worked out of them so far. */
export class OpenedRecording {
  private readonly sites = new Map<SiteGrouping, CallSites>();
  private measured: Metrics | undefined;
  private found: Estimates | undefined;
  private costsOfCalls: RunCosts | undefined;
  private lacking: readonly Lack[] | undefined;
  private readonly repeated = new Map<LoopCalls, readonly StreamPattern[]>();
  private own: OwnInsights | undefined;
  private ofJob: JobDocument | undefined;

  private constructor(
    private readonly asked: AskedRecording,
    readonly resolved: ResolvedStacks,
    private readonly located: FoundSources,
    readonly phases: OpenPhases,
  ) {}

  /**
   * Reads a recording and resolves its stacks.
   *
   * @param finish gives the trace of a recording that was read while it was written, in the place of reading it.
   * @throws UnreadableRecordingError, or an Error in words for the user, when nothing can be read.
   */
  static async open(
    request: OpenRequest,
    lookup: LookupFactory,
    hooks: Hooks = {},
    means: ReadingMeans = { budget: new MemoryBudget(DEFAULT_MEMORY_BUDGET), cache: undefined },
    finish?: () => Promise<Trace>,
  ): Promise<OpenedRecording> {
    const started = performance.now();
    const recognised = await recogniseRecording(request.paths, hooks.signal, means.files);
    const read = await readRequest(request, recognised, hooks, means, finish);
    try {
      const complete = await withWhatLiesBeside(read, recognised, request, hooks);
      const context = await contextOf(request, recognised.files, complete.trace);
      return await OpenedRecording.resolve(
        { request, read: complete, context },
        lookup,
        hooks,
        performance.now() - started,
      );
    } catch (error) {
      await read.close();
      throw error;
    }
  }

  private static async resolve(
    asked: AskedRecording,
    lookup: LookupFactory,
    hooks: Hooks,
    readingMs: number,
  ): Promise<OpenedRecording> {
    const started = performance.now();
    const { request, read, context } = asked;
    const { trace } = read;
    const search = await searchOf(trace, request, context, hooks.signal);
    const resolved = await resolveStacks(trace, localSymbolFiles, search, lookup, hooks.signal);
    const located = await findSources(request, trace, resolved, context);
    hooks.progress?.(1);
    return new OpenedRecording(asked, resolved, located, { readingMs, resolvingMs: performance.now() - started });
  }

  /**
   * A state of a recording that is still being written.
   * @param before the state before it: what is the same is taken over from there.
   */
  static async grown(
    request: OpenRequest,
    read: ReadRecording,
    known: RecordingContext,
    { stacks, tree }: GrowingMeans,
    before?: OpenedRecording,
  ): Promise<OpenedRecording> {
    const started = performance.now();
    const { trace } = read;
    const context = { ...known, recordedUntil: endOf(trace) ?? known.recordedUntil };
    const resolved = await stacks.resolve(trace, await searchOf(trace, request, context));
    const located =
      before?.resolved === resolved ? before.located : await findSources(request, trace, resolved, context, tree);
    const phases = { readingMs: 0, resolvingMs: performance.now() - started };
    return new OpenedRecording({ request, read, context }, resolved, located, phases);
  }

  /** The same recording with its sources looked for by other learned rules; nothing is read again. */
  async relocated(learnedRules: readonly PathRule[]): Promise<OpenedRecording> {
    const { asked, trace, resolved, phases } = this;
    const request = { ...asked.request, learnedRules };
    const located = await findSources(request, trace, resolved, asked.context);
    return new OpenedRecording({ ...asked, request }, resolved, located, phases);
  }

  get request(): OpenRequest {
    return this.asked.request;
  }

  get sources(): ReadonlyMap<string, LocatedSource> {
    return this.located.sources;
  }

  get sourceReports(): readonly SourceReport[] {
    return this.located.reports;
  }

  get calibrated(): FoundCalibration {
    return this.asked.context.calibrated;
  }

  /** How busy other programs kept the machine while it was recorded. */
  get load(): MachineLoad | undefined {
    const load = this.asked.context.note?.load;
    if (load?.ownNs === undefined) return load;
    // Processes of the program for which nobody waited are no others: where they were recorded, what they took is known.
    const recordedNs = this.trace.parts.reduce((sum, { life }) => sum + (life ? life.userNs + life.systemNs : 0), 0);
    return { ...load, othersNs: Math.max(0, load.othersNs - Math.max(0, recordedNs - load.ownNs)) };
  }

  /** What the machine's storage did while it was recorded, where `iolens record` looked. */
  get storage(): StorageSamples | undefined {
    return this.asked.context.note?.storage;
  }

  get trace(): Trace {
    return this.asked.read.trace;
  }

  /** What some of the streams did, as a recording of its own; to be closed by itself, and before this one. */
  ofStreams(keeps: (stream: number) => boolean, budget: MemoryBudget): OpenedRecording {
    const { asked, resolved, located, phases } = this;
    const store = machine.spill(budget);
    const close = (): Promise<void> => {
      store.close();
      return Promise.resolve();
    };
    const read = { ...asked.read, trace: traceOfStreams(asked.read.trace, keeps, store), close };
    return new OpenedRecording({ ...asked, read }, resolved, located, phases);
  }

  /** What the user should know about how it was read; no damage of the recording. */
  get notes(): readonly string[] {
    return [...this.asked.read.notes, ...this.kept.notes];
  }

  /** Seconds since 1970 when it ended; undefined when nobody knows. */
  get recordedUntil(): number | undefined {
    return this.asked.context.recordedUntil;
  }

  /** Functions, lines and texts that the recording keeps. */
  get kept(): KeptWithIt {
    return this.asked.context.kept;
  }

  /** The text of a line as the recording keeps it, for sources that are not here; undefined where it keeps none. */
  keptLine(recorded: string, line: number): string | undefined {
    if (this.localSource(recorded).isHere) return undefined;
    return this.kept.sources.get(recorded)?.lines.get(line);
  }

  close(): Promise<void> {
    return this.asked.read.close();
  }

  callSites(grouping: SiteGrouping = 'line'): CallSites {
    let sites = this.sites.get(grouping);
    if (sites === undefined) {
      const isWorkspaceFile = (file: string): boolean => this.sources.get(file)?.inWorkspace === true;
      sites = findCallSites(this.trace, this.resolved, grouping, isWorkspaceFile);
      this.sites.set(grouping, sites);
    }
    return sites;
  }

  get thresholds(): Thresholds {
    return { ...DEFAULT_THRESHOLDS, ...this.request.thresholds };
  }

  get ignored(): Uint8Array {
    return ignoredFiles(this.trace.files, this.request.ignoredFiles, namedPipes(this.trace));
  }

  metricsBy(grouping: SiteGrouping): Metrics {
    return measure(this.trace, this.callSites(grouping), this.ignored, sizeLimits(this.thresholds));
  }

  get metrics(): Metrics {
    this.measured ??= this.metricsBy('line');
    return this.measured;
  }

  /** What the run costs, and what is wrong with it. */
  private get estimates(): Estimates {
    this.found ??= this.estimated();
    return this.found;
  }

  get insights(): readonly EstimatedInsight[] {
    return this.estimates.insights;
  }

  /** What costs much and has no finding. */
  get unmarked(): readonly Unmarked[] {
    return this.estimates.unmarked;
  }

  get run(): RunCost {
    return this.estimates.run;
  }

  /** What calls cost in the run, whatever is found about them. */
  get costs(): RunCosts {
    this.costsOfCalls ??= new RunCosts(this.costInputsWith(this.metrics));
    return this.costsOfCalls;
  }

  /** The same where a tracer is in the recorded times, and nothing where these are what calls cost. */
  get tracedCosts(): RunCosts | undefined {
    const { trace, ignored } = this;
    if (!trace.form.tracerStopsProgram) return undefined;
    if (this.measured !== undefined) return this.costs;
    // Who wants nothing but costs does not wait for all metrics.
    const outline = outlineOf(trace, this.callSites(), ignored);
    if (outline !== undefined) this.costsOfCalls ??= new RunCosts(this.costInputsWith(outline));
    return this.costs;
  }

  private costInputsWith<Measured extends MetricsOutline>(metrics: Measured): CostInputs<Measured> {
    const { trace, ignored } = this;
    const { calibration } = this.calibrated;
    return { trace, callSites: this.callSites(), metrics, ignored, ...(calibration && { calibration }) };
  }

  /** What a Darshan log says of its job; undefined for other recordings. */
  get job(): JobDocument | undefined {
    this.ofJob ??= jobDocument(this.trace, this.request.paths.join(' '));
    return this.ofJob;
  }

  /** The part of it that a text says. */
  get jobSummary(): JobSummary | undefined {
    return jobSummary(this.trace);
  }

  get lacks(): readonly Lack[] {
    const { trace, resolved, sourceReports: sources } = this;
    const sitesIn = new Set(this.callSites().sites.map(({ file }) => file));
    this.lacking ??= findLacks({
      trace,
      resolved,
      sources,
      sitesIn,
      asksServers: this.request.debugServers.length > 0,
    });
    return this.lacking;
  }

  private estimated(): Estimates {
    return this.estimatesOf(this.withLoops(this.findings()));
  }

  /** What findings of this recording cost, and would save. */
  estimatesOf(insights: readonly Insight[]): Estimates {
    return estimateGains(this.costInputsWith(this.metrics), insights, this.costs);
  }

  /** The findings as they are counted: without loops, and without what following them would gain. */
  findings(): Insight[] {
    const { trace, metrics, thresholds } = this;
    return [...findInsights(trace, metrics, thresholds, this.callSites()), ...this.ownInsights.insights];
  }

  /** Findings that are about loops, with these; others need none. */
  private withLoops(insights: Insight[]): Insight[] {
    const places = placesOfLoops(insights);
    if (places.length === 0) return insights;
    const options = { ...this.loopOptions('requests'), mostCalls: LOOKED_AT_CALLS, places };
    const program = {
      isMpi: isMpiProgram(this.trace, this.metrics),
      viewed: viewedFiles(this.trace),
      contexts: new AdviceContexts(this.trace, this.callSites()),
    };
    return withLoops(insights, findSiteLoops(this.trace, options), program);
  }

  /** Without start-up and files that do not count. */
  private loopOptions(calls: LoopCalls): LoopOptions & { readonly siteOfNode: Int32Array } {
    const { siteOfNode, isStartUp } = this.callSites();
    return { calls, siteOfNode, leftOutNodes: isStartUp, leftOutFiles: this.ignored };
  }

  /** What each stream repeats, without start-up and files that do not count. */
  loops(calls: LoopCalls): readonly StreamPattern[] {
    const found = getOrCreate(this.repeated, calls, () => findLoops(this.trace, this.loopOptions(calls)));
    return found;
  }

  private get ownInsights(): OwnInsights {
    const { asked, trace, metrics, thresholds } = this;
    this.own ??= findOwnInsights(asked.context.ownTriggers.triggers, trace, metrics, thresholds, this.callSites());
    return this.own;
  }

  /** What triggers could not say of the recording, and why; in words for the user. */
  get triggerNotes(): readonly string[] {
    const { trace, thresholds, ignored } = this;
    return trace.counters === undefined ? [] : counterNotes(trace, trace.counters, thresholds, ignored);
  }

  /** The triggers that the user wrote. */
  get ownTriggers(): readonly OwnTrigger[] {
    return this.asked.context.ownTriggers.triggers.map(({ trigger }) => trigger);
  }

  /** What the triggers had to look at. */
  get examined(): Examined {
    return examinedBy(this.trace, this.metrics, this.callSites(), this.ownInsights.evaluated);
  }

  /** Which of the user's own triggers could not be read, or failed. */
  get triggerProblems(): readonly string[] {
    return [...this.asked.context.ownTriggers.problems, ...this.ownInsights.problems];
  }

  /** Codes of the findings as Drishti would have them. */
  get drishtiCodes(): ReadonlySet<string> {
    return drishtiCodes(this.trace, this.metrics, this.thresholds, this.insights);
  }

  /** The path of a source file on this machine, or as recorded where it is not here. */
  localSource(recorded: string): { file: string; isHere: boolean } {
    const local = this.sources.get(recorded)?.local;
    return { file: local ?? recorded, isHere: local !== undefined };
  }
}

/** What is kept between the states of a recording that grows. */
interface GrowingMeans {
  readonly stacks: GrowingStacks;
  readonly tree: WorkspaceSources;
}
