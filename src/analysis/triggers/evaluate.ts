import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { addLayerPatterns } from '../layers/patterns/find-layer-patterns.ts';
import { siteEntry, type Metrics } from '../metrics/access-metrics.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { languageOfSite, type SourceLanguage } from '../sites/source-language.ts';
import { AdviceContexts } from './advice-context.ts';
import { adviseProgram } from './advice-for-program.ts';
import { sizesOfOffence, type CallSize } from './call-sizes.ts';
import { CATALOGUE } from './catalogue.ts';
import { reportedCounterInsights } from './counters/find-counter-insights.ts';
import { mergeInsights } from './counters/merge-insights.ts';
import { adviceForPlaces, noteOnStandIns, withWayToLines } from './place-advice.ts';
import { cellView, gatherFiles, groupCells, type Cells, type Group } from './groups.ts';
import {
  isSummary,
  severityOfShare,
  type Amount,
  type Insight,
  type InsightFile,
  type InsightSite,
  type Recommendation,
  type Severity,
} from './insight.ts';
import { mergedView } from './merged-view.ts';
import { say, slot, type Message, type Sentence } from './message.ts';
import { RankDifferences } from './rank-differences.ts';
import { runView } from './run-view.ts';
import { isMpiProgram } from './shown-mpi.ts';
import { Situations } from './situations.ts';
import { ThresholdWatch } from './counters/threshold-watch.ts';
import type { Thresholds } from './thresholds.ts';
import { operationsOf, type GroupView, type RunTrigger, type RunView, type SiteTrigger } from './trigger.ts';

/** What a group's calls offend by. */
interface Offender {
  readonly group: Group;
  readonly view: GroupView;
  readonly shareOfTime: number;
  /** Code of the trigger that names the cause. */
  readonly explainedBy: string | undefined;
}

/**
 * Evaluates the triggers over a recording's metrics. A finding names every call site that takes part in it, with its
 * events, bytes and time over **all** events; what names neither sites nor files is a summary.
 *
 * Where a log has counters (Darshan), they alone say whether a trigger of Drishti's holds for the run; events say on which
 * lines, and may add what counts at one line (docs/decisions/0048).
 */
export function findInsights(trace: Trace, metrics: Metrics, thresholds: Thresholds, callSites: CallSites): Insight[] {
  const counted = trace.counters?.modules.length
    ? reportedCounterInsights(trace, trace.counters, thresholds, metrics.ignored)
    : undefined;
  const watch = new ThresholdWatch(thresholds);
  const evaluation = new Evaluation(trace, metrics, watch.thresholds, callSites, counted);
  const insights = CATALOGUE.map((trigger) =>
    watch.during(() => (trigger.kind === 'site' ? evaluation.sites(trigger) : evaluation.run(trigger))),
  ).filter((insight) => insight !== undefined);
  const ranks = new RankDifferences(trace, metrics, callSites, thresholds);
  const merged = mergeInsights(counted ?? [], ranks.addTo(insights));
  const complete = counted === undefined || trace.capabilities.stacks ? merged : merged.map(withWayToLines);
  const contexts = new AdviceContexts(trace, callSites);
  const program = { isMpi: isMpiProgram(trace, metrics), alignment: thresholds.alignment };
  return addLayerPatterns(complete, trace, metrics, thresholds, callSites)
    .map((insight) => adviseProgram(insight, contexts, program))
    .sort(byWeight);
}

/** Ours are called L: events may say them, whatever the counters say. */
function isDrishtis({ code }: { code: string }): boolean {
  return !code.startsWith('L');
}

/** Evaluates one trigger by itself, apart from the catalogue. */
export function evaluateSiteTrigger(
  trigger: SiteTrigger<Message>,
  trace: Trace,
  metrics: Metrics,
  thresholds: Thresholds,
  callSites: CallSites,
): Insight | undefined {
  return new Evaluation(trace, metrics, thresholds, callSites, undefined).sites(trigger);
}

/** A statement of these takes so many times what its calls do, as measured (docs/gain.md). */
const WORK_BESIDES: Partial<Readonly<Record<SourceLanguage, number>>> = { python: 5, fortran: 2 };

const SIZES = { read: 'readSizes', write: 'writeSizes', flushed: 'flushedSizes' } as const;
const WEIGHT: Readonly<Record<Severity, number>> = { high: 3, warn: 2, info: 1, ok: 0 };

/** Of `site_share`: what takes as much may save enough for a warning. */
const OF_CANDIDATES = 0.4;

/** The order of findings: the worst first, summaries last. */
function byWeight(a: Insight, b: Insight): number {
  return (
    Number(isSummary(a)) - Number(isSummary(b)) ||
    WEIGHT[b.severity] - WEIGHT[a.severity] ||
    (b.evidence['timeNs'] ?? 0) - (a.evidence['timeNs'] ?? 0)
  );
}

class Evaluation {
  private readonly fileGroups: Group[];
  private readonly gatheredGroups: Group[];
  private readonly pipeGroups: Group[];
  private readonly situations: Situations;
  private readonly runView: RunView;
  private readonly runTime: number;
  private readonly runEvents: number;
  /** The code of each trigger that spoke, and the groups that it named. */
  private readonly named = new Map<string, { code: string; groups: Set<Group> }>();
  /**
   * Codes of the findings that the counters make, each with its files unless these are too many to be named; undefined
   * where there are no counters and events have to do.
   */
  private readonly counted: ReadonlyMap<string, ReadonlySet<number> | undefined> | undefined;

  constructor(
    private readonly trace: Trace,
    private readonly metrics: Metrics,
    private readonly thresholds: Thresholds,
    private readonly callSites: CallSites,
    counted: readonly Insight[] | undefined,
  ) {
    this.counted = counted && new Map(counted.map((insight) => [insight.code, namedFiles(insight)]));
    this.fileGroups = groupCells(metrics);
    const hasLines = trace.capabilities.stacks || counted !== undefined;
    this.gatheredGroups = hasLines ? this.fileGroups : gatherFiles(metrics, this.fileGroups);
    this.pipeGroups = groupCells(metrics.pipes);
    this.situations = new Situations(trace, metrics, thresholds);
    this.runView = runView(trace, metrics, this.situations);
    this.runTime = this.runView.get('time');
    this.runEvents = this.runView.get('events');
  }

  run(trigger: RunTrigger): Insight | undefined {
    if (this.counted !== undefined && isDrishtis(trigger)) return undefined;
    const found = trigger.examine(this.runView, this.thresholds);
    if (found === undefined) return undefined;
    const { code, name, title, recommendations } = trigger;
    return { code, trigger: name, title, ...found, sites: [], recommendations };
  }

  sites(trigger: SiteTrigger<Message>): Insight | undefined {
    if (trigger.when?.(this.runView, this.thresholds) === false) return undefined;
    const drishti = this.counted?.has(trigger.code) ?? trigger.drishti?.(this.runView, this.thresholds) === true;
    // Without lines to point at, what the counters do not say is not said.
    const isMute = this.counted !== undefined && !this.trace.capabilities.stacks;
    if (isMute && !drishti && isDrishtis(trigger)) return undefined;
    // The counters' finding is about what Drishti counts: so are its lines, where there are any.
    const asCounted = this.counted !== undefined && drishti && trigger.byDrishti;
    if (asCounted) {
      const wider = { ...trigger, ...asCounted, sizesBelow: undefined };
      const offenders = this.counting(wider, this.offenders(wider), drishti);
      if (offenders.length > 0) return this.report(wider, offenders, drishti);
    }
    const offenders = this.offenders(trigger);
    return (
      this.report(trigger, this.counting(trigger, offenders, drishti), drishti) ?? this.candidate(trigger, offenders)
    );
  }

  /** What counts only if it turns out to save much. Whether it is a cause of others is seen when that is known (`withCandidateCauses`). */
  private candidate(trigger: SiteTrigger<Message>, offenders: readonly Offender[]): Insight | undefined {
    if (this.counted !== undefined || this.runTime <= 0 || trigger.over === 'pipes') return undefined;
    const needed = OF_CANDIDATES * this.thresholds.site_share;
    const own = offenders.filter(({ explainedBy }) => explainedBy === undefined);
    const found = this.counting(trigger, own, false, needed);
    if (found.length === 0) return undefined;
    found.sort((a, b) => byAmount(a.view.offence, b.view.offence));
    return { ...this.insight(trigger, found, false), isCandidate: true };
  }

  /** Places with offending calls, however few. */
  private offenders(trigger: SiteTrigger<Message>): readonly Offender[] {
    const files = trigger.acrossFiles === true ? this.gatheredGroups : this.fileGroups;
    const groups = trigger.over === 'pipes' ? this.pipeGroups : files;
    return groups.map((group) => this.offender(trigger, group)).filter((offender) => offender !== undefined);
  }

  /**
   * Those of them that are worth a word.
   * @param needed the smallest share of the I/O time.
   */
  private counting(
    trigger: SiteTrigger<Message>,
    found: readonly Offender[],
    drishti: boolean,
    needed = this.thresholds[trigger.fewestShare ?? 'site_share'],
  ): Offender[] {
    const all = found.reduce((sum, { view }) => sum + view.offence.events, 0);
    const { site_share, pattern_share } = this.thresholds;
    const counts = (offender: Offender, ofRun: number, ofPlace: number): boolean => {
      const besides = this.workBesides(offender.group);
      return (
        (drishti && this.countsForRun(trigger, offender, all, ofRun / besides)) ||
        this.countsLocally(trigger, offender, ofPlace / besides)
      );
    };
    const counting = new Set(found.filter((offender) => counts(offender, site_share, needed)));
    const rest = found.filter((offender) => !counting.has(offender));
    const alike = this.alike(trigger, rest, drishti);
    // What is spread over many places, each of which is too small to count, is found by its sum.
    const sumCounts =
      alike.length > 1 && counts(this.sumOf(trigger, alike), pattern_share, Math.max(needed, pattern_share));
    return sumCounts ? [...counting, ...alike] : [...counting];
  }

  /** How much more the calls of a place cost with what their language does for each: a bound on shares is so much lower. */
  private workBesides({ site }: Group): number {
    const place = this.callSites.sites[site];
    return (place && WORK_BESIDES[languageOfSite(place) ?? 'c']) ?? 1;
  }

  /** Of places that are too small by themselves, those whose calls offend alike. */
  private alike(trigger: SiteTrigger<Message>, offenders: readonly Offender[], drishti: boolean): readonly Offender[] {
    if (drishti) return offenders;
    // Where stacks are known, what asks for many files without any code of the user's is an interpreter or a library.
    const isAsked = trigger.fewestShare === 'metadata_share' && this.trace.capabilities.stacks;
    const own = isAsked ? offenders.filter(({ group }) => group.site !== NONE) : offenders;
    const local = own.filter(({ view }) => trigger.local?.(view, this.thresholds) === true);
    // A condition on the number of calls holds for none of them, and may for their sum.
    return local.length > 0 ? local : own;
  }

  /** Many places as if they were one. */
  private sumOf(trigger: SiteTrigger<Message>, offenders: readonly Offender[]): Offender {
    const offence: Amount = { events: 0, bytes: 0, timeNs: 0 };
    for (const { view } of offenders) add(offence, view.offence);
    const shareOfTime = this.shareOfTime(trigger, offence);
    const view = mergedView(
      offenders.map((offender) => offender.view),
      offence,
    );
    return { group: offenders[0]!.group, view, shareOfTime, explainedBy: undefined };
  }

  private report(trigger: SiteTrigger<Message>, offenders: Offender[], drishti: boolean): Insight | undefined {
    if (offenders.length === 0) return undefined;
    const groups = new Set(offenders.flatMap(({ group }) => [group, ...this.filesWithin(trigger, group)]));
    this.named.set(trigger.name, { code: trigger.code, groups });
    offenders.sort((a, b) => byAmount(a.view.offence, b.view.offence));
    // What another finding names the cause of is told and weighed there, unless nothing else is left; its places are listed.
    const own = offenders.filter(({ explainedBy }) => explainedBy === undefined);
    if (own.length === 0 || own.length === offenders.length) return this.insight(trigger, offenders, drishti);
    const insight = this.insight(trigger, own, drishti);
    const explained = offenders.filter(({ explainedBy, group }) => explainedBy !== undefined && group.site !== NONE);
    const all: Amount = { events: 0, bytes: 0, timeNs: 0 };
    for (const { view } of offenders) add(all, view.offence);
    const elsewhere = explained.map((offender) => this.site(trigger, offender, all, drishti));
    return { ...insight, sites: [...insight.sites, ...elsewhere] };
  }

  /** The single files that offend, of all files together: triggers on one file look at each by itself. */
  private filesWithin(trigger: SiteTrigger<Message>, group: Group): Group[] {
    if (this.gatheredGroups === this.fileGroups || group !== this.gatheredGroups.at(-1)) return [];
    return this.fileGroups.filter((file) => file.site === NONE && this.groupView(trigger, file) !== undefined);
  }

  private offender(trigger: SiteTrigger<Message>, group: Group): Offender | undefined {
    if (trigger.unless?.some((name) => this.named.get(name)?.groups.has(group)) === true) return undefined;
    // Who moves bytes through a pipe without any code of the user's is the shell or a library.
    if (trigger.over === 'pipes' && group.site === NONE && this.trace.capabilities.stacks) return undefined;
    const explainer = trigger.explainedBy?.find((name) => this.named.get(name)?.groups.has(group));
    // Without a line there is no mark to tell apart: the cause alone is reported.
    if (explainer !== undefined && group.site === NONE) return undefined;
    const view = this.groupView(trigger, group);
    if (view === undefined) return undefined;
    const shareOfTime = this.shareOfTime(trigger, view.offence);
    const explainedBy = explainer === undefined ? undefined : this.named.get(explainer)!.code;
    // What the counters complain about has its lines, whatever helps there.
    const isSaid = this.counted?.has(trigger.code) === true;
    return !isSaid && trigger.never?.(view) === true ? undefined : { group, view, shareOfTime, explainedBy };
  }

  private groupView(trigger: SiteTrigger<Message>, group: Group): GroupView | undefined {
    const cells = this.cellsOf(trigger);
    const offence: Amount = { events: 0, bytes: 0, timeNs: 0 };
    const files = [];
    const counted = this.countedFiles(trigger);
    for (const cell of group.cells) {
      if (counted?.has(cells.fileOfCell[cell]!) === false) continue;
      const file = this.situations.file(cells.fileOfCell[cell]!);
      const part = trigger.offending(cellView(cells, cell), file, this.thresholds);
      if (part.events === 0) continue;
      add(offence, part);
      files.push(file);
    }
    if (offence.events === 0) return undefined;
    return {
      get: (metric) => group.view.get(metric),
      offence,
      files,
      sharedByWriters: files.some((file) => file.sharedByWriters),
      imbalance: (direction) => this.situations.individualImbalance(group.cells, direction),
      medianBytes: this.median(trigger, group, offence),
      sizes: this.sizes(trigger, group, offence),
    };
  }

  /**
   * Drishti's condition holds for the run: does the group have a part in it?
   * @param all the offending calls of all groups. Counters weigh calls, not times, so a part of the calls is enough there.
   */
  private countsForRun(
    trigger: SiteTrigger<Message>,
    { view, shareOfTime }: Offender,
    all: number,
    needed: number,
  ): boolean {
    const { site_events } = this.thresholds;
    const { events } = view.offence;
    if (this.counted === undefined) return events >= site_events && shareOfTime >= needed;
    return events >= this.fewestEvents(trigger) && (shareOfTime >= needed || events >= needed * all);
  }

  private fewestEvents({ fewestEvents = 'site_events' }: SiteTrigger<Message>): number {
    return typeof fewestEvents === 'number' ? fewestEvents : this.thresholds[fewestEvents];
  }

  /** The files that the counters' finding is about, where they name all of them. */
  private countedFiles({ code }: SiteTrigger<Message>): ReadonlySet<number> | undefined {
    return this.counted?.get(code);
  }

  private countsLocally(trigger: SiteTrigger<Message>, { view, shareOfTime }: Offender, needed: number): boolean {
    const { run_share } = this.thresholds;
    // Segments of a job that met the page cache tell little about time: there a part of the calls counts as well.
    const shareOfCalls = this.counted === undefined ? 0 : view.offence.events / this.runEvents;
    if (view.offence.events < this.fewestEvents(trigger) || Math.max(shareOfTime, shareOfCalls) < needed) return false;
    const costs = view.offence.timeNs >= run_share * this.trace.durationNs;
    return (costs || !this.trace.capabilities.duration) && trigger.local?.(view, this.thresholds) === true;
  }

  /** Share of the program's I/O time; of its calls, where the recording has no durations or the time is one of waiting. */
  private shareOfTime(trigger: SiteTrigger<Message>, offence: Readonly<Amount>): number {
    if (trigger.over === 'pipes') return offence.events / (this.runEvents + this.metrics.pipes.transfers);
    if (this.runTime > 0) return offence.timeNs / this.runTime;
    return this.runEvents === 0 ? 0 : offence.events / this.runEvents;
  }

  private median(trigger: SiteTrigger<Message>, group: Group, offence: Readonly<Amount>): number {
    if (trigger.sizes === undefined) return NaN;
    if (trigger.over === 'pipes') return Math.round(offence.bytes / offence.events);
    const sizes = this.metrics[SIZES[trigger.sizes]][siteEntry(group.site)];
    return sizes?.median(this.sizeLimit(trigger)) ?? NaN;
  }

  private sizes(trigger: SiteTrigger<Message>, group: Group, offence: Readonly<Amount>): readonly CallSize[] {
    if (trigger.sizes === undefined || trigger.over === 'pipes') return [];
    const sizes = this.metrics[SIZES[trigger.sizes]][siteEntry(group.site)];
    return sizesOfOffence(sizes?.below(this.sizeLimit(trigger)) ?? [], offence);
  }

  private sizeLimit({ sizesBelow }: SiteTrigger<Message>): number {
    return sizesBelow === undefined ? Infinity : this.thresholds[sizesBelow];
  }

  private insight(trigger: SiteTrigger<Message>, offenders: readonly Offender[], drishti: boolean): Insight {
    const total: Amount = { events: 0, bytes: 0, timeNs: 0 };
    for (const { view } of offenders) add(total, view.offence);
    const first = offenders[0]!;
    const share = this.shareOfTime(trigger, total);
    const whole = mergedView(
      offenders.map(({ view }) => view),
      total,
    );
    const from = spreadOf(offenders, trigger.saysFiles === true);
    const median = whole.medianBytes;
    const operations = operationsOf(trigger);
    const fixed = trigger.severity ?? trigger.atMost?.(whole);
    const isOfFiles = trigger.saysFiles === true && first.group.site === NONE;
    return {
      ...(operations !== undefined && { operations }),
      code: trigger.code,
      trigger: trigger.name,
      severity: fixed ?? (drishti ? 'high' : severityOfShare(share)),
      ...(fixed !== undefined && { isAtMost: true as const }),
      title: trigger.title,
      message: this.message(trigger, say`${trigger.subject(whole, this.runView)}${from}`, total, offenders),
      evidence: {
        count: total.events,
        bytes: total.bytes,
        timeNs: total.timeNs,
        share,
        ...(Number.isNaN(median) ? {} : { medianBytes: median }),
        ...trigger.evidence?.(whole, this.runView),
      },
      files: this.filesOf(trigger, offenders),
      sites: offenders
        .filter(({ group }) => group.site !== NONE)
        .map((offender) => this.site(trigger, offender, total, drishti)),
      ...(trigger.explainedBy !== undefined && { mayFollow: trigger.explainedBy }),
      // Advice speaks of the dearest place; where none counts by itself, of all together.
      recommendations:
        isOfFiles || first.shareOfTime < this.thresholds.site_share
          ? trigger.recommend(whole, this.thresholds, this.runView)
          : this.adviceOf(trigger, offenders, total),
    };
  }

  private adviceOf(
    trigger: SiteTrigger<Message>,
    offenders: readonly Offender[],
    { timeNs }: Readonly<Amount>,
  ): readonly Recommendation[] {
    const places = offenders.map(({ group, view }) => ({
      place: this.callSites.sites[group.site],
      timeNs: view.offence.timeNs,
      advice: () => trigger.recommend(view, this.thresholds, this.runView),
    }));
    return adviceForPlaces(places, timeNs);
  }

  private site(trigger: SiteTrigger<Message>, offender: Offender, total: Amount, drishti: boolean): InsightSite {
    const { group, view, shareOfTime, explainedBy } = offender;
    return {
      site: group.site,
      ...view.offence,
      share: view.offence.events / total.events,
      shareOfTime,
      streams: this.metrics.streamsOfSite[siteEntry(group.site)]!.size,
      medianBytes: view.medianBytes,
      // Rows of pipes are none of the metrics of files.
      cells: trigger.over === 'pipes' ? [] : group.cells,
      message: this.message(trigger, say`${trigger.subject(view, this.runView)} from here`, view.offence, [offender]),
      severity: trigger.severity ?? (drishti ? 'high' : severityOfShare(shareOfTime)),
      ...(explainedBy !== undefined && { explainedBy }),
    };
  }

  private message(
    trigger: SiteTrigger<Message>,
    subject: Sentence,
    amount: Readonly<Amount>,
    offenders: readonly Offender[],
  ): Message {
    const note = noteOnStandIns(offenders.map(({ group }) => this.callSites.sites[group.site]));
    const shareOfTime = this.shareOfTime(trigger, amount);
    // Waiting for a pipe is no cost of the calls.
    if (trigger.over !== 'pipes' && this.runTime > 0) return say`${subject} ${{ amount, shareOfTime }}.${note}`;
    const why = trigger.over === 'pipes' ? '' : ' (the recording has no durations)';
    return say`${subject} take ${slot('shareOfIoCalls', shareOfTime)} of this program's I/O calls${why}.${note}`;
  }

  private filesOf(trigger: SiteTrigger<Message>, offenders: readonly Offender[]): InsightFile[] {
    const cells = this.cellsOf(trigger);
    const byFile = new Map<number, Amount>();
    for (const { group } of offenders) {
      for (const cell of group.cells) {
        const file = cells.fileOfCell[cell]!;
        const part = trigger.offending(cellView(cells, cell), this.situations.file(file), this.thresholds);
        if (part.events === 0) continue;
        const sum = byFile.get(file) ?? { events: 0, bytes: 0, timeNs: 0 };
        add(sum, part);
        byFile.set(file, sum);
      }
    }
    return [...byFile].map(([file, sum]) => ({ file, ...sum })).sort(byAmount);
  }

  private cellsOf(trigger: SiteTrigger<Message>): Cells {
    return trigger.over === 'pipes' ? this.metrics.pipes : this.metrics;
  }
}

/** The files of a finding, where it names all of them; undefined where they are too many. */
export function namedFiles({ files, evidence }: Insight): ReadonlySet<number> | undefined {
  const all = evidence['files'] ?? files.length;
  return files.length > 0 && files.length >= all ? new Set(files.map(({ file }) => file)) : undefined;
}

function add(sum: Amount, part: Readonly<Amount>): void {
  sum.events += part.events;
  sum.bytes += part.bytes;
  sum.timeNs += part.timeNs;
}

function byAmount(a: Readonly<Amount>, b: Readonly<Amount>): number {
  return b.timeNs - a.timeNs || b.events - a.events;
}

/** Over how many lines, or files where there are none, the calls are spread; nothing for one. */
function spreadOf(offenders: readonly Offender[], saysFiles: boolean): Sentence {
  const places = offenders.filter(({ group }) => group.site !== NONE).length;
  if (places > 0) return places > 1 ? say` from ${slot('places', places)} places` : [];
  return offenders.length > 1 && !saysFiles ? say` in ${slot('filesOfCalls', offenders.length)} files` : [];
}
