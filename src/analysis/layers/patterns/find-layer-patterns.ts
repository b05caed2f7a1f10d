import { addToGroup } from '../../../base/grouping.ts';
import { NONE } from '../../../trace/events.ts';
import type { StreamIndex } from '../../../trace/indices.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { Metrics } from '../../metrics/access-metrics.ts';
import type { CallSites, SiteIndex } from '../../sites/call-sites.ts';
import {
  severityOfShare,
  type Amount,
  type Insight,
  type InsightFile,
  type InsightSite,
  type Severity,
  type TimeOfStreams,
} from '../../triggers/insight.ts';
import { joined, say, slot, type Message } from '../../triggers/message.ts';
import type { Thresholds } from '../../triggers/thresholds.ts';
import { BYTE_AMPLIFICATION } from './byte-amplification.ts';
import { DATA_SIEVING } from './data-sieving.ts';
import { gatherLayerCalls, type LayerCalls } from './layer-calls.ts';
import type { LayerPattern, PatternPlace } from './pattern.ts';
import { LAYER_PATTERNS } from './pattern-catalogue.ts';

/** Findings that patterns across layers make, and those that were there with the causes that patterns name. */
export function addLayerPatterns(
  insights: readonly Insight[],
  trace: Trace,
  metrics: Metrics,
  thresholds: Thresholds,
  callSites: CallSites,
): Insight[] {
  const counts = new Uint8Array(trace.files.length);
  for (const file of metrics.fileOfCell) counts[file] = 1;
  const calls = gatherLayerCalls({ trace, callSites, counts, tinyBytes: thresholds.tiny_bytes });
  const evaluation = new Evaluation(calls, metrics, thresholds, insights);
  const found = LAYER_PATTERNS.map((pattern) => evaluation.find(pattern)).filter((insight) => insight !== undefined);
  // Calls tell more of sieving than counters.
  const isTold = found.some(({ code }) => code === DATA_SIEVING.code || code === BYTE_AMPLIFICATION.code);
  const others = isTold ? insights.filter(({ code }) => code !== DATA_SIEVING.code) : insights;
  return [...others.map((insight) => evaluation.explain(insight)), ...found];
}

class Evaluation {
  /** Places that each code names: sites, and files where stacks lead nowhere. */
  private readonly named = new Map<string, ReadonlySet<string>>();
  /** Cells by site and file. */
  private cells: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(
    private readonly calls: LayerCalls,
    private readonly metrics: Metrics,
    private readonly thresholds: Thresholds,
    insights: readonly Insight[],
  ) {
    for (const { code, sites } of insights) this.named.set(code, new Set(sites.map(({ site }) => `site ${site}`)));
  }

  find(pattern: LayerPattern): Insight | undefined {
    const found = pattern.find(this.calls, this.thresholds).filter((place) => !this.isNamed(pattern.unless, place));
    const places = (
      pattern.isOfAllPlaces === true ? this.allOrNone(found) : found.filter((place) => this.counts(place))
    ).sort((a, b) => b.lostNs - a.lostNs || b.amount.events - a.amount.events);
    if (places.length === 0) return undefined;
    const around = places.flatMap((place) => (place.around ?? []).map((site) => `site ${site}`));
    this.named.set(pattern.code, new Set([...places.flatMap(keysOf), ...around]));
    return this.insight(pattern, places);
  }

  private allOrNone(places: readonly PatternPlace[]): PatternPlace[] {
    const weight = places.reduce((sum, place) => sum + place.weight, 0);
    const lostNs = places.reduce((sum, place) => sum + place.lostNs, 0);
    return places.length > 0 && this.counts({ ...places[0]!, weight, lostNs }) ? [...places] : [];
  }

  /** What costs next to nothing is no finding; what is good costs nothing by its nature. */
  private counts(place: PatternPlace): boolean {
    const { weight, severity, lostNs } = place;
    const { site_events, site_share, run_share } = this.thresholds;
    if (weight < site_events) return false;
    if (severity === 'ok') return true;
    const { trace } = this.calls;
    if (!trace.capabilities.duration) return true;
    return lostNs > 0 && this.shareOf([place]) >= site_share && lostNs >= run_share * trace.durationNs;
  }

  /** What is lost at places as a share of the program's I/O time, and of what is lost beside it. */
  private shareOf(places: readonly PatternPlace[]): number {
    let lost = 0;
    let beside = 0;
    for (const { lostNs, isBesideCalls } of places) {
      lost += lostNs;
      if (isBesideCalls === true) beside += lostNs;
    }
    return lost === 0 ? 0 : Math.min(1, lost / (this.calls.ioTimeNs + beside));
  }

  private isNamed(codes: readonly string[] | undefined, place: PatternPlace): boolean {
    return codes?.some((code) => keysOf(place).some((key) => this.named.get(code)?.has(key))) === true;
  }

  private insight(
    { code, name, title, explainedBy, isOwnWork }: LayerPattern,
    places: readonly PatternPlace[],
  ): Insight {
    const first = places[0]!;
    const total = sumOf(places.map(({ amount }) => amount));
    const share = this.shareOf(places);
    const picture = first.picture();
    return {
      code,
      trigger: name,
      severity: this.worstOf(places),
      ...(places.every(({ severity }) => severity !== undefined) && { isAtMost: true as const }),
      title,
      message: this.messageOfAll(places),
      evidence: {
        count: total.events,
        bytes: total.bytes,
        timeNs: total.timeNs,
        share,
        ...(Number.isNaN(first.medianBytes) ? {} : { medianBytes: first.medianBytes }),
        ...first.evidence,
      },
      files: filesOf(places),
      sites: this.sitesOf(places, total, explainedBy),
      recommendations: first.recommendations,
      ...timesOf(places),
      ...(isOwnWork === true && { isOwnWork }),
      ...(picture !== undefined && { picture }),
    };
  }

  /** Two places are told, of more the costliest. */
  private messageOfAll(places: readonly PatternPlace[]): Message {
    const [first, second, ...more] = places.map((place) => this.messageOf(place));
    if (second === undefined) return first!;
    return more.length === 0
      ? joined(first!, ' Likewise: ', second)
      : joined(first!, say` The same at ${slot('furtherPlaces', more.length + 1)} further places.`);
  }

  private messageOf(place: PatternPlace): Message {
    const { subject, remark = [], amount, lostNs } = place;
    const cost = this.calls.trace.capabilities.duration
      ? { amount: { ...amount, timeNs: lostNs }, shareOfTime: this.shareOf([place]) }
      : 'take a time that the recording does not hold';
    return remark.length === 0 ? say`${subject} ${cost}.` : say`${subject} ${cost}. ${remark}`;
  }

  private worstOf(places: readonly PatternPlace[]): Severity {
    return places.map((place) => this.severityOf(place)).reduce((a, b) => (WEIGHT[b] > WEIGHT[a] ? b : a));
  }

  private severityOf(place: PatternPlace): Severity {
    return place.severity ?? severityOfShare(this.shareOf([place]));
  }

  /** Places of one line are one mark: the costliest says what there is to say. */
  private sitesOf(
    places: readonly PatternPlace[],
    total: Amount,
    explainedBy: readonly string[] | undefined,
  ): InsightSite[] {
    const bySite = new Map<number, PatternPlace[]>();
    for (const place of places) {
      if (place.site === NONE) continue;
      addToGroup(bySite, place.site, place);
    }
    return [...bySite].map(([site, here]) => {
      const first = here[0]!;
      const sum = sumOf(here.map(({ amount }) => amount));
      const cause = explainedBy?.find((code) => this.named.get(code)?.has(`site ${site}`));
      return {
        site,
        ...sum,
        share: total.events === 0 ? 0 : sum.events / total.events,
        shareOfTime: this.shareOf(here),
        streams: Math.max(...here.map(({ streams }) => streams)),
        medianBytes: first.medianBytes,
        cells: this.cellsOf(site, here),
        message: this.messageOf(first),
        severity: this.worstOf(here),
        ...timesOf(here),
        ...(cause !== undefined && { explainedBy: cause }),
      };
    });
  }

  private cellsOf(site: SiteIndex, places: readonly PatternPlace[]): number[] {
    this.cells ??= cellsBySite(this.metrics);
    const files = new Set(places.flatMap((place) => [...place.files.keys()]));
    return (this.cells.get(site) ?? []).filter((cell) => files.has(this.metrics.fileOfCell[cell]!));
  }

  /** A finding of another trigger whose cause a pattern names carries its code at that place. */
  explain(insight: Insight): Insight {
    const causes = LAYER_PATTERNS.filter(({ explains = [] }) => explains.includes(insight.code));
    if (causes.length === 0 || insight.sites.length === 0) return insight;
    const sites = insight.sites.map((site): InsightSite => {
      if (site.explainedBy !== undefined) return site;
      const cause = causes.find(({ code }) => this.named.get(code)?.has(`site ${site.site}`));
      return cause === undefined ? site : { ...site, explainedBy: cause.code };
    });
    return { ...insight, sites };
  }
}

/** Where one place does not know how its time is spread nothing is said of all. */
function timesOf(places: readonly PatternPlace[]): { timeOfStreams?: TimeOfStreams } {
  const sums = new Map<StreamIndex, number>();
  for (const { timeOfStreams } of places) {
    if (timeOfStreams === undefined) return {};
    for (const [stream, ns] of timeOfStreams) sums.set(stream, (sums.get(stream) ?? 0) + ns);
  }
  return { timeOfStreams: sums };
}

/** What a place is told by: its site, else its files. */
function keysOf({ site, files }: PatternPlace): string[] {
  return site === NONE ? [...files.keys()].map((file) => `file ${file}`) : [`site ${site}`];
}

function cellsBySite({ siteOfCell }: Metrics): Map<number, number[]> {
  const cells = new Map<number, number[]>();
  siteOfCell.forEach((site, cell) => {
    addToGroup(cells, site, cell);
  });
  return cells;
}

const WEIGHT: Readonly<Record<Severity, number>> = { high: 3, warn: 2, info: 1, ok: 0 };

function sumOf(amounts: readonly Amount[]): Amount {
  const sum: Amount = { events: 0, bytes: 0, timeNs: 0 };
  for (const { events, bytes, timeNs } of amounts) {
    sum.events += events;
    sum.bytes += bytes;
    sum.timeNs += timeNs;
  }
  return sum;
}

function filesOf(places: readonly PatternPlace[]): InsightFile[] {
  const byFile = new Map<number, Amount[]>();
  for (const { files } of places) {
    for (const [file, amount] of files) {
      addToGroup(byFile, file, amount);
    }
  }
  return [...byFile]
    .map(([file, amounts]) => ({ file, ...sumOf(amounts) }))
    .sort((a, b) => b.timeNs - a.timeNs || b.events - a.events);
}
