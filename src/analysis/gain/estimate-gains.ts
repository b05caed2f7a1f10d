import { groupBy } from '../../base/grouping.ts';
import { formatDuration } from '../../base/quantities.ts';
import { OPERATIONS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import { processNoun, type ProcessNoun } from '../metrics/process-noun.ts';
import type { SiteIndex } from '../sites/call-sites.ts';
import { TRAIT } from '../sites/stack-traits.ts';
import {
  isMadeByLibrary,
  isSummary,
  ownSites,
  type Amount,
  type Insight,
  type InsightSite,
} from '../triggers/insight.ts';
import { recordedWords, told, type CostPart, type Message, type Sentence, type Told } from '../triggers/message.ts';
import type { CallCosts } from './cost.ts';
import { costOf, costWords, NINETY_PERCENT, OTHER_RUN, type Cost, type RunCost } from './cost.ts';
import { estimate, scaled, type Estimate } from './estimate.ts';
import type { EstimatedInsight, EstimatedSite, Estimates, Gain } from './gain.ts';
import { findUnmarked } from './find-unmarked.ts';
import { GAIN_MODELS } from './gain-models.ts';
import { NO_FEWER, type Bounds, type GainCell, type Saving } from './models/model.ts';
import { timeHeldUp } from './models/balance.ts';
import { mostShare, OF_WHOLE_FILES, REASONS } from './models/reasons.ts';
import type { OwnWork } from './work/own-work.ts';
import { unseenLibrary } from './work/unseen-library.ts';
import { cellKey, type CallGroup, type ObservedCalls } from './observed-calls.ts';
import { RunCosts, type CostInputs } from './run-costs.ts';
import type { Basis, UntracedCosts } from './untraced-costs.ts';
import { foldersOf, withAllOfFiles, withLanguageWork } from './wider-bounds.ts';
import {
  bySaving,
  milder,
  severityOf,
  severityOfPipes,
  siteSeverity,
  surelyOf,
  withCandidateCauses,
  withConsequences,
} from './weigh.ts';

const BASES: Readonly<Record<Basis, string>> = {
  recording: "their cost is the recording's own, less the tracer's part",
  measured: 'their cost was measured without a tracer beside the recording',
  usual: 'their cost is that on usual machines, as the recording was made without a calibration',
};

/** Recorders within the program (Darshan) add nothing worth a word to the times that they measure. */
const MEASURED_WITHIN = 'their cost is what the recorder measured, without a tracer';

const OF_COUNTERS = 'counters sum up what calls took, and do not tell what fewer or other ones would take';

/** What the run costs, and each insight of it; and what following its advice would save, without a tracer (docs/gain.md). */
export function estimateGains(
  inputs: CostInputs<Metrics>,
  insights: readonly Insight[],
  costs: RunCosts = new RunCosts(inputs),
): Estimates {
  return inputs.trace.events.length === 0
    ? new CountedEstimation(costs).all(insights)
    : new Estimation(inputs, costs).all(insights);
}

const POLLING = { code: 'L38', name: 'polling' } as const;

/** Begin of the codes of findings on counters of MPI-IO. */
const ABOUT_MPI_IO = 'M';

/** Findings of counters alone: times of calls are known, where at all, as sums over processes. */
class CountedEstimation {
  private readonly run: RunCost;

  constructor(private readonly costs: RunCosts) {
    this.run = { ...costs.run, savableNs: null, savableShare: null };
  }

  all(insights: readonly Insight[]): Estimates {
    const estimated = insights.map((insight): EstimatedInsight => {
      const why = REASONS[isMadeByLibrary(insight) ? 'data-sieving' : insight.trigger] ?? OF_COUNTERS;
      const timeNs = recordedTime(insight);
      const rate = insight.code.startsWith(ABOUT_MPI_IO) ? this.costs.perNsOfMpi : this.costs.perNs;
      const spent = timeHeldUp(insight) ?? (timeNs === undefined ? undefined : scaled(rate, timeNs));
      const cost = spent && costOf(spent, this.run);
      const most = cost?.untracedNs ?? this.run.ioNs;
      const isOpen = insight.severity !== 'ok' && !isSummary(insight) && most > 0;
      const gain = isOpen ? atMost(most * mostShare(insight), this.run.ioNs, why) : noGain(null, why);
      // What Drishti has for information is that, whatever it costs.
      const severity = milder(insight.severity, severityOf(insight, gain, cost, this.run));
      const words = ({ amount, shareOfTime }: CostPart): Sentence =>
        wordsOf(scaled(rate, amount.timeNs), shareOfTime, this.run, true);
      const sites = insight.sites.map((site) => ({ ...site, ...told(site.message, words) }));
      return {
        ...insight,
        ...told(insight.message, words),
        sites,
        severity,
        surely: severity,
        gain,
        ...(cost && { cost }),
      };
    });
    return { run: this.run, insights: estimated.sort(bySaving), unmarked: [] };
  }
}

/** What stands for a cost in a message. */
function wordsOf(
  spent: Estimate,
  shareOfTime: number,
  run: Pick<RunCost, 'untracedNs' | 'ioNs' | 'traced'>,
  isEstimated: boolean,
): Sentence {
  return run.untracedNs > 0 ? costWords(costOf(spent, run), isEstimated) : recordedWords(shareOfTime);
}

/** What the calls of an insight took, all processes together; undefined where that is not recorded. */
function recordedTime({ evidence, files }: Insight): number | undefined {
  const timeNs = evidence['timeNs'] ?? files.reduce((sum, file) => sum + file.timeNs, 0);
  return timeNs > 0 ? timeNs : undefined;
}

/** What of a finding is on each of its files. */
type AmountOfFile = ReadonlyMap<FileIndex, Amount>;

class Estimation {
  private readonly trace: Trace;
  private readonly metrics: Metrics;
  private readonly observed: ObservedCalls;
  private readonly costs: UntracedCosts;
  private readonly calls: CallCosts;
  private readonly run: RunCosts['run'];
  private ofFiles: ReadonlyMap<FileIndex, readonly CallGroup[]> | undefined;
  /** Calls that go with those of a finding, such as the seeks before its reads. */
  private readonly goingAlong = new Map<Insight, readonly CallGroup[]>();
  private ownWork: readonly OwnWork[] | undefined;

  constructor(
    private readonly inputs: CostInputs<Metrics>,
    private readonly ofRun: RunCosts,
  ) {
    this.trace = inputs.trace;
    this.metrics = inputs.metrics;
    this.observed = ofRun.observed;
    this.costs = ofRun.costs;
    this.calls = ofRun.calls;
    this.run = ofRun.run;
  }

  all(insights: readonly Insight[]): Estimates {
    const estimated = insights.map((insight) => this.estimated(insight)).filter(({ insight }) => this.isWorth(insight));
    const savableNs = this.savable(estimated.map(({ insight, groups }) => [insight, groups]));
    const { untracedNs } = this.run;
    const savableShare = savableNs === null || untracedNs <= 0 ? null : savableNs / untracedNs;
    const run = { ...this.run, savableNs, savableShare };
    const weighed = estimated.map(({ insight }) => this.weighed(insight, run));
    const { trace, metrics, costs, calls } = this;
    const recording = {
      trace,
      metrics,
      costs: calls,
      tracerNs: costs.tracer.value,
      run,
      ownWork: (this.ownWork ??= this.ofRun.ownWork()),
    };
    const said = new Set(weighed.map(({ trigger }) => trigger));
    const unmarked = findUnmarked(
      recording,
      insights.filter(({ trigger }) => said.has(trigger)),
    );
    return { run, insights: withConsequences(withCandidateCauses(weighed)).sort(bySaving), unmarked };
  }

  private isWorth({ isCandidate, gain, cost, severity }: EstimatedInsight): boolean {
    if (isCandidate !== true) return true;
    const weighed = severityOf({ severity }, gain, cost, this.run);
    return gain.savedNs !== null && (weighed === 'high' || weighed === 'warn');
  }

  private estimated(insight: Insight): { insight: EstimatedInsight; groups: readonly CallGroup[] } {
    const cells = cellsOf(insight, this.metrics, this.observed);
    const groups = [...new Set(cells.flatMap((cell) => cell.groups))];
    const meant = this.meantBy(insight, groups);
    const files: AmountOfFile = new Map(insight.files.map((file) => [file.file, file]));
    const cost = this.costOfInsight(insight, meant, files);
    const gain = this.gainOf(insight, cells, groups, cost);
    const said = this.told(insight.message, meant, files, this.shareOf(insight));
    const sites = insight.sites.map((site) => this.estimatedSite(site, insight, files));
    return {
      insight: { ...insight, ...said, sites, surely: insight.severity, gain, ...(cost && { cost }) },
      groups: [...new Set([...groups, ...(this.goingAlong.get(insight) ?? [])])],
    };
  }

  private estimatedSite(site: InsightSite, insight: Insight, files: AmountOfFile): EstimatedSite {
    const groups = this.meantBy(insight, groupsOf(site.cells, this.metrics, this.observed));
    const part = this.shareOf(site);
    const said = this.told(site.message, groups, files, part);
    if (!this.trace.capabilities.duration || this.isOfPipes(insight)) return { ...site, ...said };
    const spent = this.spent(groups, site, files, part);
    // Of a copy that begins at a pipe the calls are none of a file: what they cost is not known.
    return spent.value > 0 ? { ...site, ...said, cost: costOf(spent, this.run) } : { ...site, ...said };
  }

  /** Of calls at the places of an insight those that it is about: at one place dear ones may stand beside cheap ones. */
  private meantBy({ operations }: Insight, groups: readonly CallGroup[]): readonly CallGroup[] {
    const { operation } = this.trace.calls;
    const meant = groups.filter(({ call }) => operations?.includes(OPERATIONS[operation[call]!]!) === true);
    return meant.length > 0 ? meant : groups;
  }

  /** Share of what is spent in calls of a library that is time of the run; undefined where their requests tell it. */
  private shareOf({ timeOfStreams }: Pick<Insight, 'timeOfStreams'>): number | undefined {
    const isKnown = timeOfStreams !== undefined && this.costs.isUntraced;
    return isKnown ? this.calls.shareOfStreams(timeOfStreams) : undefined;
  }

  private spent(
    groups: readonly CallGroup[],
    amount: Readonly<Amount>,
    files: AmountOfFile,
    part: number | undefined,
  ): Estimate {
    if (part === undefined) return this.ofRun.spentOn(groups, amount, files);
    return scaled(estimate(part, part * OTHER_RUN), amount.timeNs);
  }

  private told(message: Message, groups: readonly CallGroup[], files: AmountOfFile, part: number | undefined): Told {
    return told(message, ({ amount, shareOfTime }) => {
      const spent = this.spent(groups, amount, files, part);
      const isKnown = spent.value > 0 || amount.timeNs <= 0;
      return isKnown ? wordsOf(spent, shareOfTime, this.run, this.run.traced) : recordedWords(shareOfTime);
    });
  }

  private costOfInsight(insight: Insight, groups: readonly CallGroup[], files: AmountOfFile): Cost | undefined {
    const timeNs = recordedTime(insight);
    if (timeNs === undefined || !this.trace.capabilities.duration) return undefined;
    const held = this.trace.counters && insight.sites.length === 0 ? timeHeldUp(insight) : undefined;
    if (held !== undefined) return costOf(held, this.run);
    if (this.isOfPipes(insight)) {
      const tracerNs = this.costs.tracer.value * (insight.evidence['count'] ?? 0);
      const left = Math.max(0, timeNs - tracerNs);
      return costOf(estimate(left, OTHER_RUN * left), this.run);
    }
    const { count: events = 0, bytes = 0 } = insight.evidence;
    return costOf(this.spent(groups, { events, bytes, timeNs }, files, this.shareOf(insight)), this.run);
  }

  private gainOf(
    insight: Insight,
    cells: readonly GainCell[],
    groups: readonly CallGroup[],
    cost: Cost | undefined,
  ): Gain {
    const whole = this.trace.capabilities.duration && !this.isOfPipes(insight) ? this.run.ioNs : null;
    if (insight.severity === 'ok') return noGain(whole, 'nothing has to be changed here');
    if (isSummary(insight)) return noGain(whole, 'a summary names no calls that could be saved');
    const part = this.shareOf(insight) ?? this.calls.laneShare(groups);
    const isHidden = this.calls.isHidden(groups);
    const saving = this.savingOf(insight, cells, part);
    if ('why' in saving) {
      const bounds = this.bounded(saving, cost, whole ?? Infinity, mostShare(insight));
      const ofFiles = OF_WHOLE_FILES.has(insight.trigger);
      const wider = ofFiles ? withAllOfFiles(bounds, insight, this.wholeIo()) : bounds;
      const own = ownSites(insight.sites).map(({ site }) => site);
      const others = ofFiles ? insight.files.flatMap(({ file }) => this.groupsOn(file).map(({ site }) => site)) : [];
      return withLanguageWork(wider, [...own, ...others], this.costs.work, part, this.run.untracedNs);
    }
    this.goingAlong.set(insight, saving.groups ?? []);
    const { costs, trace } = this;
    const basis = saving.basis === 'recording' && costs.isUntraced ? MEASURED_WITHIN : BASES[saving.basis];
    const languageNs = (saving.language?.ns ?? 0) * part;
    const besides =
      languageNs > 0 ? `, and about ${formatDuration(languageNs)} of ${saving.language!.name}'s own work` : '';
    const method = `${saving.how}${besides}; ${basis}${parallel(insight, processNoun(trace))}${tracedPart(trace)}${this.untoldOf(insight)}${isHidden ? HIDDEN : ''}`;
    // How much of what is done beside the computing is waited for is known badly.
    const deviation = Math.max(saving.ns.deviation * part, isHidden ? HIDDEN_DOUBT * saving.ns.value : 0);
    const ns = estimate(saving.ns.value * part, deviation);
    const recordedNs = costs.isUntraced ? saving.recordedNs * part : Infinity;
    const gain = within(ns, { recordedNs, ofNs: whole, languageNs }, method);
    return languageNs > 0 ? { ...gain, languageNs } : gain;
  }

  private savingOf(insight: Insight, cells: readonly GainCell[], laneShare: number): Saving | Bounds {
    const { calls, costs, observed, trace } = this;
    // What the program waits for is asked, or read, as often as it waits: whatever else is said of these calls.
    if (insight.sites.length > 0 && insight.sites.every(({ explainedBy }) => explainedBy === POLLING.code))
      return { why: REASONS[POLLING.name]! };
    if (isMadeByLibrary(insight)) return { why: REASONS['data-sieving']! };
    const model = GAIN_MODELS[insight.trigger];
    if (model === undefined) return { why: 'there is no model of what this advice saves' };
    const files = {
      readExtents: observed.readExtents,
      writeExtents: observed.writeExtents,
      callName: (call: number) => trace.calls.names[call]!,
      groupsOn: this.groupsOn,
    };
    const saving = model({
      ...{ insight, cells, costs, laneShare, ...files },
      laneTimes: (groups) => [...calls.laneTimes(groups).values()],
    });
    if (typeof saving !== 'string') return saving;
    const isSeen = cells.some(({ groups }) => groups.length > 0);
    return { why: saving === NO_FEWER && !isSeen && trace.counters !== undefined ? OF_COUNTERS : saving };
  }

  private readonly groupsOn = (file: FileIndex): readonly CallGroup[] => {
    this.ofFiles ??= groupBy(this.calls.groups, (group) => group.file);
    return this.ofFiles.get(file) ?? [];
  };

  /** What cannot be estimated is no more than what the calls cost; all I/O of the run where that is not known. */
  private bounded({ why, mostNs = Infinity }: Bounds, cost: Cost | undefined, wholeNs: number, share: number): Gain {
    if (!this.trace.capabilities.duration) return noGain(null, why);
    const { ioNs } = this.run;
    const most = this.costs.isUntraced ? Math.min(cost?.untracedNs ?? ioNs, wholeNs) : cost?.highNs;
    return atMost(Math.min(mostNs, share * (most ?? ioNs), this.run.mostNs), ioNs, why);
  }

  /** A stack of strace holds no lines of Python: how long its interpreter works for each statement nobody saw. */
  private untoldOf({ sites }: Insight): string {
    const { callSites } = this.inputs;
    const library = unseenLibrary(this.trace, callSites, new Set(sites.map(({ site }) => site)));
    if (library !== undefined)
      return `; what ${library} itself does for them, often more than these calls take, is not included: its own calls are not recorded`;
    if (this.costs.isUntraced) return '';
    const isOfPython =
      sites.length === 0
        ? callSites.traitsOfNode?.some((traits) => (traits & TRAIT.python) !== 0)
        : sites.some(({ site }) => callSites.sites[site]!.standsForPython === true);
    return isOfPython === true ? '; what Python does besides, often more than its calls take, is not included' : '';
  }

  private wholeIo(): Parameters<typeof withAllOfFiles>[2] {
    const [{ groups }, { ioNs }, folderOf] = [this.calls, this.run, foldersOf(this.trace.files)];
    return { groups, ownWork: (this.ownWork ??= this.ofRun.ownWork()), ioNs, folderOf };
  }

  /** Its places are none of files: what it saves is no I/O of the run. */
  private isOfPipes({ sites, files }: Pick<Insight, 'sites' | 'files'>): boolean {
    if (sites.length > 0) return sites.every(({ cells }) => cells.length === 0);
    return files.length > 0 && files.every(({ file }) => this.trace.files.at(file).kind !== 'regular');
  }

  private weighed(insight: EstimatedInsight, run: RunCost): EstimatedInsight {
    // Without times there is nothing to weigh by.
    if (!this.trace.capabilities.duration) return insight;
    if (this.isOfPipes(insight)) {
      const severity = severityOfPipes(insight, insight.cost);
      return { ...insight, severity, surely: severity, sites: insight.sites.map((site) => ({ ...site, severity })) };
    }
    const byRun = severityOf(insight, insight.gain, insight.cost, run);
    // What counters alone say is no graver than Drishti has it.
    const isOfCounters = this.trace.counters !== undefined && insight.sites.length === 0;
    const isAtMost = insight.isAtMost === true || isOfCounters;
    const severity = isAtMost ? milder(insight.severity, byRun) : byRun;
    const own = new Set(ownSites(insight.sites));
    const all = [...own].reduce((sum, { cost }) => sum + (cost?.untracedNs ?? 0), 0);
    const sites = insight.sites.map((site): EstimatedSite => {
      const part = all > 0 && own.has(site) ? (site.cost?.untracedNs ?? 0) / all : 0;
      return { ...site, severity: milder(severity, siteSeverity(site, part, insight, run)) };
    });
    const isElsewhere = ({ explainedBy }: EstimatedSite): number => Number(explainedBy !== undefined);
    sites.sort((a, b) => isElsewhere(a) - isElsewhere(b) || (b.cost?.untracedNs ?? 0) - (a.cost?.untracedNs ?? 0));
    const surely = milder(severity, surelyOf(insight, insight.gain, insight.cost, run));
    return { ...insight, severity, surely, sites };
  }

  /** Of each call what the best of the findings saves that are about it. */
  private savable(insights: readonly (readonly [EstimatedInsight, readonly CallGroup[]])[]): number | null {
    const shares = new Map<CallGroup, number>();
    const own = new Map<SiteIndex, number>();
    const ofLanguages = new Map<SiteIndex, number>();
    for (const [{ gain, isOwnWork, sites }, groups] of insights) {
      if (gain.savedNs === null) continue;
      const { languageNs = 0 } = gain;
      const site = sites[0]?.site ?? NONE;
      ofLanguages.set(site, Math.max(ofLanguages.get(site) ?? 0, languageNs));
      const ofCalls = gain.savedNs - languageNs;
      if (isOwnWork === true) {
        own.set(site, Math.max(own.get(site) ?? 0, ofCalls));
        continue;
      }
      const { dearest } = this.calls.dearestLane(groups, (group) => this.calls.of(group).value);
      if (dearest <= 0) continue;
      const share = Math.min(1, ofCalls / dearest);
      for (const group of groups) shares.set(group, Math.max(shares.get(group) ?? 0, share));
    }
    if (shares.size === 0 && own.size === 0) return null;
    const sum = (parts: ReadonlyMap<SiteIndex, number>): number => [...parts.values()].reduce((all, ns) => all + ns, 0);
    const { dearest } = this.calls.dearestLane(
      [...shares.keys()],
      (group) => this.calls.of(group).value * shares.get(group)!,
    );
    // What libraries do themselves is none of the requests' time, and what languages do no I/O.
    const ofIo = Math.min(this.run.ioNs, dearest + sum(own));
    return Math.min(this.run.untracedNs, ofIo + sum(ofLanguages));
  }
}

/** Said, and doubted by so much of the whole, where threads do I/O while the program computes. */
const HIDDEN = '; most or all of it goes on alongside computing, and only what the program waits for counts';
const HIDDEN_DOUBT = 0.1;

/** What processes that run side by side save is time of the run once. */
function parallel({ sites }: Insight, { many }: ProcessNoun): string {
  const streams = Math.max(0, ...sites.map((site) => site.streams));
  return streams > 1
    ? `; of ${streams} ${many === 'ranks' ? many : 'processes or threads'}, those that run one after the other count`
    : '';
}

/** Darshan may have had no room for all segments: what it left out would be saved besides. */
function tracedPart({ counters }: Trace): string {
  const isPart = counters?.regions.some(({ name, incomplete }) => incomplete && name.startsWith('DXT_')) === true;
  return isPart ? '; for the traced calls alone, as the recorder had no room for all' : '';
}

/** What bounds a saving; nanoseconds. */
interface Whole {
  /** What the calls took of which some are saved, where that is known. */
  readonly recordedNs: number;
  /** All I/O of the run; null where that is not known. */
  readonly ofNs: number | null;
  /** Of what is saved, no part of the I/O. */
  readonly languageNs: number;
}

function within(ns: Estimate, { recordedNs, ofNs, languageNs }: Whole, method: string): Gain {
  // What this run recorded is no bound of the next: storage and processors are slower and faster by the minute.
  const half = NINETY_PERCENT * Math.max(ns.deviation, OTHER_RUN * ns.value);
  // No more can be saved than there is.
  const bounded = (value: number): number => Math.min(Math.max(0, value), (ofNs ?? Infinity) + languageNs, recordedNs);
  const savedNs = bounded(ns.value);
  return { savedNs, lowNs: bounded(ns.value - half), highNs: savedNs + half, ofNs, method };
}

/** @param why one run does not show more. */
function atMost(highNs: number, ofNs: number, why: string): Gain {
  return { savedNs: null, lowNs: 0, highNs, ofNs, method: why };
}

function noGain(ofNs: number | null, method: string): Gain {
  return { savedNs: null, lowNs: null, highNs: null, ofNs, method };
}

/** What is known of the calls of cells. */
function groupsOf(cells: readonly number[], { siteOfCell, fileOfCell }: Metrics, observed: ObservedCalls): CallGroup[] {
  return cells.flatMap((cell) => observed.groups.get(cellKey(siteOfCell[cell]!, fileOfCell[cell]!)) ?? []);
}

/** The cells that an insight is about: those of its sites, and where stacks lead nowhere those of its files. */
function cellsOf(insight: Insight, metrics: Metrics, observed: ObservedCalls): GainCell[] {
  const sites = ownSites(insight.sites);
  const cells = sites.flatMap((site) => [...site.cells]);
  const placed = sites.reduce((sum, { events }) => sum + events, 0);
  if (placed < (insight.evidence['count'] ?? 0)) {
    const files = new Set(insight.files.map(({ file }) => file));
    for (let cell = 0; cell < metrics.cells.length; cell++)
      if (metrics.siteOfCell[cell] === NONE && files.has(metrics.fileOfCell[cell]!)) cells.push(cell);
  }
  return cells.map((cell) => {
    const file = metrics.fileOfCell[cell]!;
    return {
      file,
      get: (metric) => metrics.cells.get(cell, metric),
      groups: observed.groups.get(cellKey(metrics.siteOfCell[cell]!, file)) ?? [],
    };
  });
}
