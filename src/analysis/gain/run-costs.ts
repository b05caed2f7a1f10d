import { addToGroup } from '../../base/grouping.ts';
import type { Calibration } from '../../trace/calibration.ts';
import { NONE } from '../../trace/events.ts';
import type { FileIndex, StackNode } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import type { MetricsOutline } from '../metrics/metrics-outline.ts';
import type { CallSites, SiteIndex } from '../sites/call-sites.ts';
import type { Amount } from '../triggers/insight.ts';
import { TRANSFERS } from './call-kinds.ts';
import { CallPrices } from './call-prices.ts';
import { CallCosts, costOf, runCost, type Cost, type IoTime, type RunCost } from './cost.ts';
import { CostSums } from './cost-sums.ts';
import { countedIo } from './counted-io.ts';
import { ioOfJob, ioOfRanks, type IoOfProcesses } from './io-of-processes.ts';
import { runInterval, type RunInterval } from './run-interval.ts';
import { tracerTime } from './tracer-time.ts';
import { LanguageWork } from './work/language-work.ts';
import { estimate, NOTHING, scaled, sumOf, type Estimate } from './estimate.ts';
import { cellKey, observeCalls, type CallGroup, type ObservedCalls } from './observed-calls.ts';
import { ownWorkOf, type OwnWork } from './work/own-work.ts';
import { UntracedCosts } from './untraced-costs.ts';

/** What costs and gains are estimated from. */
export interface CostInputs<Measured extends MetricsOutline = MetricsOutline> {
  readonly trace: Trace;
  readonly callSites: CallSites;
  readonly metrics: Measured;
  /** 1 for files that do not count, as for the metrics. */
  readonly ignored: Uint8Array;
  /** What calls cost on the machine of the recording, where that was measured. */
  readonly calibration?: Calibration;
}

const NO_TIME: IoTime = { transferNs: 0, metadataNs: 0, bufferedNs: 0 };

/** What a run and its calls cost without a tracer, whatever is found about them. */
export class RunCosts {
  readonly observed: ObservedCalls;
  readonly costs: UntracedCosts;
  readonly calls: CallCosts;
  readonly run: Omit<RunCost, 'savableNs' | 'savableShare'>;
  /** Time of the run for each nanosecond that was recorded, over all calls. */
  readonly perNs: Estimate;
  /** The same of what counters say of MPI-IO. */
  readonly perNsOfMpi: Estimate;
  /** The same with the bounds between which the program would run again. */
  readonly interval: RunInterval;
  private siteRates: ReadonlyMap<SiteIndex, Estimate> | undefined;
  private prices: CallPrices | undefined;
  private fileRates: ReadonlyMap<FileIndex, Estimate> | undefined;

  constructor(private readonly inputs: CostInputs) {
    const { trace } = inputs;
    this.observed = observeCalls(inputs);
    const work = new LanguageWork(trace, inputs.callSites, inputs.metrics.roles);
    this.costs = new UntracedCosts(trace, this.observed, inputs.calibration, work);
    this.calls = new CallCosts(this.observed, this.costs, trace);
    // Counters know of calls that were not traced one by one.
    const counted = countedIo(trace, inputs.ignored);
    const traced = this.ioTime();
    const io = total(counted.io) > total(traced) ? counted.io : traced;
    const tracer = tracerTime(this.observed, this.calls, trace);
    const ioOfProcesses = io === counted.io ? ioOfJob(trace, counted) : this.ioOfRanks();
    this.run = { ...runCost(trace, io, tracer, inputs.metrics.unseen), ...(ioOfProcesses && { ioOfProcesses }) };
    this.interval = runInterval(this.run, this.ioDeviation(), tracer, trace);
    const { perNs, perNsOfMpi } = counted;
    this.perNs = trace.events.length === 0 ? estimate(perNs, perNs) : this.measuredRate(this.calls.groups);
    this.perNsOfMpi = estimate(perNsOfMpi, perNsOfMpi);
  }

  /** What libraries do themselves beside their requests. */
  ownWork(): readonly OwnWork[] {
    const { trace, callSites, metrics, ignored } = this.inputs;
    return this.costs.isUntraced ? ownWorkOf(trace, callSites, metrics, ignored) : [];
  }

  /** What calls cost of which so much was recorded; undefined where the recording holds no times. */
  cost(timeNs: number, perNs: Estimate): Cost | undefined {
    const isKnown = this.inputs.trace.capabilities.duration && this.run.untracedNs > 0;
    return isKnown ? costOf(scaled(perNs, timeNs), this.run) : undefined;
  }

  /** What calls on a file cost. */
  ofFile(file: FileIndex, timeNs: number): Cost | undefined {
    this.fileRates ??= this.ratesBy((group) => group.file);
    return this.cost(timeNs, this.fileRates.get(file) ?? this.perNs);
  }

  /** What the calls of a place on a file cost. */
  ofCell(site: SiteIndex, file: FileIndex, timeNs: number): Cost | undefined {
    return this.cost(timeNs, this.rateOf(this.observed.groups.get(cellKey(site, file)) ?? []));
  }

  /** What calls of places cost, however places are grouped: stacks cost what the lines do that they end at. */
  ofSites(
    { siteOfNode }: CallSites,
    { timeOfNode }: Pick<Metrics, 'timeOfNode'>,
  ): (site: SiteIndex, timeNs: number) => Cost | undefined {
    const sums = new Map<SiteIndex, { timeNs: number; spent: Estimate }>();
    for (let node = 0; node < timeOfNode.length; node++) {
      const timeNs = timeOfNode[node]!;
      if (timeNs === 0) continue;
      const known = sums.get(siteOfNode[node]!) ?? { timeNs: 0, spent: NOTHING };
      const spent = sumOf([known.spent, this.spentAt(node, timeNs)]);
      sums.set(siteOfNode[node]!, { timeNs: known.timeNs + timeNs, spent });
    }
    return (site, timeNs) => {
      const sum = site === NONE ? undefined : sums.get(site);
      return this.cost(timeNs, sum === undefined ? this.rateOfSite(site) : scaled(sum.spent, 1 / sum.timeNs));
    };
  }

  /** To add up what single calls cost; what a row of it takes of the run `cost` tells as that of a nanosecond. */
  sums(): CostSums {
    this.prices ??= new CallPrices(this.inputs.callSites, this.observed, this.calls);
    return new CostSums(this.prices, this.observed.lanes, this.calls);
  }

  /** Time of the run that calls with a stack take of which so much was recorded. */
  spentAt(node: StackNode, timeNs: number): Estimate {
    return scaled(this.rateOfSite(this.inputs.callSites.siteOfNode[node]!), timeNs);
  }

  private rateOfSite(site: SiteIndex): Estimate {
    this.siteRates ??= this.ratesBy((group) => group.site);
    return this.siteRates.get(site) ?? this.perNs;
  }

  private ratesBy(keyOf: (group: CallGroup) => number): Map<number, Estimate> {
    return new Map([...groupedBy(this.calls.groups, keyOf)].map(([key, ofKey]) => [key, this.rateOf(ofKey)]));
  }

  /**
   * Time of the run that some calls of groups take.
   * @param files how such calls are spread: the same line may write small records to one file and large ones to another.
   */
  spentOn(
    groups: readonly CallGroup[],
    amount: Readonly<Amount>,
    files: ReadonlyMap<FileIndex, Readonly<Amount>>,
  ): Estimate {
    const ofFile = groupedBy(groups, ({ file }) => file);
    const touched = [...ofFile].flatMap(([file, here]) => {
      const part = files.get(file);
      return part === undefined || part.events === 0 ? [] : [{ here, part }];
    });
    const used = touched.length === 0 ? groups : touched.flatMap(({ here }) => here);
    if (!this.run.traced || used.length === 0 || amount.events === 0) return scaled(this.rateOf(used), amount.timeNs);
    const all = sumOfAmounts(touched.map(({ part }) => part));
    const parts = touched.map(({ here, part }) =>
      this.calls.ofSome(here, {
        events: share(part.events, all.events) * amount.events,
        bytes: share(part.bytes, all.bytes) * amount.bytes,
        timeNs: share(part.timeNs, all.timeNs) * amount.timeNs,
      }),
    );
    const spent = parts.length === 0 ? this.calls.ofSome(used, amount) : sumOf(parts);
    return scaled(spent, this.calls.laneShare(used));
  }

  /** Time of the run for each nanosecond that was recorded of such calls. */
  rateOf(groups: readonly CallGroup[]): Estimate {
    return groups.length === 0 ? this.perNs : this.measuredRate(groups);
  }

  private measuredRate(groups: readonly CallGroup[]): Estimate {
    let [value, deviation, recorded] = [0, 0, 0];
    for (const group of groups) {
      const cost = this.calls.of(group);
      value += cost.value;
      deviation += cost.deviation;
      recorded += group.timeNs;
    }
    const part = this.calls.laneShare(groups);
    return recorded > 0 ? estimate((value / recorded) * part, (deviation / recorded) * part) : estimate(0, 0);
  }

  private ioTime(): IoTime {
    return this.costs.isUntraced ? this.recordedIo() : this.estimatedIo();
  }

  /** As it was recorded: of the calls that the program made itself, with all that they do. */
  private recordedIo(): IoTime {
    const lanes = new Map<number, IoTime>();
    this.inputs.metrics.streams?.forEach(({ time, metadataTime }, stream) => {
      const lane = this.observed.lanes.of[stream]!;
      const { transferNs, metadataNs } = lanes.get(lane) ?? NO_TIME;
      const bufferedNs = this.observed.streamWork.ofLane(lane);
      lanes.set(lane, {
        transferNs: transferNs + time - metadataTime,
        metadataNs: metadataNs + metadataTime,
        bufferedNs,
      });
    });
    return [...lanes.values()].reduce((most, lane) => (total(lane) > total(most) ? lane : most), NO_TIME);
  }

  private ioOfRanks(): IoOfProcesses | undefined {
    const { metrics } = this.inputs;
    if (this.costs.isUntraced) return ioOfRanks(metrics, (stream) => metrics.streams?.[stream]?.time ?? 0);
    const times = this.calls.laneTimes(this.calls.groups);
    return ioOfRanks(metrics, (stream) => times.get(this.observed.lanes.of[stream]!) ?? 0);
  }

  /** Of the time of the run's I/O, as far as it is estimated. */
  private ioDeviation(): number {
    const { groups } = this.calls;
    const { value, deviation } = sumOf(groups.map((group) => this.calls.of(group)));
    return value > 0 ? (deviation / value) * this.run.ioNs : 0;
  }

  private estimatedIo(): IoTime {
    const isTransfer = ({ of }: CallGroup): boolean => TRANSFERS.includes(of.kind);
    const { groups } = this.calls;
    const { dearest, whole } = this.calls.dearestLane(groups, (group) => this.calls.of(group).value);
    const transfers = groups.filter(isTransfer).reduce((sum, group) => sum + this.calls.of(group).value, 0);
    const transferNs = whole === 0 ? 0 : (dearest * transfers) / whole;
    return { transferNs, metadataNs: dearest - transferNs, bufferedNs: 0 };
  }
}

function groupedBy(groups: readonly CallGroup[], keyOf: (group: CallGroup) => number): Map<number, CallGroup[]> {
  const found = new Map<number, CallGroup[]>();
  for (const group of groups) addToGroup(found, keyOf(group), group);
  return found;
}

function sumOfAmounts(amounts: readonly Readonly<Amount>[]): Amount {
  const sum: Amount = { events: 0, bytes: 0, timeNs: 0 };
  for (const { events, bytes, timeNs } of amounts) {
    sum.events += events;
    sum.bytes += bytes;
    sum.timeNs += timeNs;
  }
  return sum;
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function total({ transferNs, metadataNs }: IoTime): number {
  return transferNs + metadataNs;
}
