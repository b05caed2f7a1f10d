import type { Trace } from '../../trace/trace.ts';
import { NONE } from '../../trace/events.ts';
import { formatShare } from '../quantities.ts';
import { siteEntry, type Metrics } from '../metrics/access-metrics.ts';
import { MetricTable, type Metric } from '../metrics/metric-table.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Amount, Insight, InsightFile, InsightSite, Severity } from './insight.ts';
import type { Thresholds } from './thresholds.ts';
import type { FileSituation, GroupView, MetricView, RunView, Trigger } from './trigger.ts';

/** The cells of one call site; or, where stacks lead nowhere, those of one file. */
interface Group {
  readonly site: number;
  readonly cells: number[];
  readonly view: MetricView;
}

/** What a group's calls offend by. */
interface Offender {
  readonly group: Group;
  readonly view: GroupView;
  readonly shareOfTime: number;
}

/**
 * Evaluates the triggers over a recording's metrics. A finding names every call site that takes part in it, with its
 * events, bytes and time over **all** events.
 */
export function findInsights(trace: Trace, metrics: Metrics, thresholds: Thresholds): Insight[] {
  const evaluation = new Evaluation(trace, metrics, thresholds);
  const insights = CATALOGUE.map((trigger) => evaluation.evaluate(trigger));
  return insights.filter((insight) => insight !== undefined).sort(byWeight);
}

const WEIGHT: Readonly<Record<Severity, number>> = { high: 3, warn: 2, info: 1, ok: 0 };

function byWeight(a: Insight, b: Insight): number {
  return WEIGHT[b.severity] - WEIGHT[a.severity] || b.evidence['timeNs']! - a.evidence['timeNs']!;
}

class Evaluation {
  private readonly groups: Group[];
  private readonly run: RunView;
  private readonly runTime: number;
  private readonly runEvents: number;
  /** Groups that a trigger has named. */
  private readonly named = new Map<string, Set<Group>>();

  constructor(
    private readonly trace: Trace,
    private readonly metrics: Metrics,
    private readonly thresholds: Thresholds,
  ) {
    this.groups = groupCells(metrics);
    const total = sumOf(metrics, () => true);
    const shared = sumOf(metrics, (cell) => this.situation(cell).shared);
    this.run = {
      get: (metric) => total.get(0, metric),
      longestMetadataTime: metrics.streams.reduce((longest, { metadataTime }) => Math.max(longest, metadataTime), 0),
      sharedFiles: { get: (metric) => shared.get(0, metric) },
    };
    this.runTime = this.run.get('time');
    this.runEvents = this.run.get('events');
  }

  evaluate(trigger: Trigger): Insight | undefined {
    const drishti = trigger.drishti?.(this.run, this.thresholds) === true;
    const offenders: Offender[] = [];
    for (const group of this.groups) {
      if (trigger.unless?.some((name) => this.named.get(name)?.has(group)) === true) continue;
      const offender = this.offender(trigger, group, drishti);
      if (offender !== undefined) offenders.push(offender);
    }
    if (offenders.length === 0) return undefined;
    this.named.set(trigger.name, new Set(offenders.map(({ group }) => group)));
    offenders.sort((a, b) => byAmount(a.view.offence, b.view.offence));
    return this.insight(trigger, offenders, drishti);
  }

  private offender(trigger: Trigger, group: Group, drishti: boolean): Offender | undefined {
    const offence: Amount = { events: 0, bytes: 0, timeNs: 0 };
    for (const cell of group.cells) {
      add(offence, trigger.offending(this.cellView(cell), this.situation(cell), drishti));
    }
    if (offence.events === 0) return undefined;
    const get = (metric: Metric): number => group.view.get(metric);
    const sharedByWriters = group.cells.some((cell) => this.situation(cell).sharedByWriters);
    const view: GroupView = { get, offence, sharedByWriters, medianBytes: this.median(trigger, group, drishti) };
    const shareOfTime = this.shareOfTime(offence);
    const offender = { group, view, shareOfTime };
    if (drishti && offence.events >= this.thresholds.site_events && shareOfTime >= this.thresholds.site_share)
      return offender;
    return this.countsLocally(trigger, offender) ? offender : undefined;
  }

  private countsLocally(trigger: Trigger, { view, shareOfTime }: Offender): boolean {
    const { site_events, run_share } = this.thresholds;
    const needed = this.thresholds[trigger.fewestShare ?? 'site_share'];
    if (view.offence.events < (trigger.fewestEvents ?? site_events) || shareOfTime < needed) return false;
    const costs = view.offence.timeNs >= run_share * this.trace.durationNs;
    return (costs || !this.trace.capabilities.duration) && trigger.local(view, this.thresholds);
  }

  /** Share of the program's I/O time; of its calls, where the recording has no durations. */
  private shareOfTime(offence: Readonly<Amount>): number {
    if (this.runTime > 0) return offence.timeNs / this.runTime;
    return this.runEvents === 0 ? 0 : offence.events / this.runEvents;
  }

  private median(trigger: Trigger, group: Group, drishti: boolean): number {
    if (trigger.sizes === undefined) return NaN;
    const sizes = this.metrics[trigger.sizes === 'read' ? 'readSizes' : 'writeSizes'][siteEntry(group.site)];
    const limit = trigger.sizesBelow === undefined || drishti ? Infinity : this.thresholds[trigger.sizesBelow];
    return sizes?.median(limit) ?? NaN;
  }

  private insight(trigger: Trigger, offenders: readonly Offender[], drishti: boolean): Insight {
    const total: Amount = { events: 0, bytes: 0, timeNs: 0 };
    for (const { view } of offenders) add(total, view.offence);
    const first = offenders[0]!;
    const share = this.shareOfTime(total);
    const whole = mergedView(offenders, total, first.view.medianBytes);
    const places = offenders.filter(({ group }) => group.site !== NONE).length;
    const from = places > 1 ? ` from ${places} places` : '';
    return {
      code: trigger.code,
      trigger: trigger.name,
      severity: drishti ? 'high' : severityOf(share),
      title: trigger.title,
      message: `${trigger.subject(whole)}${from} take ${this.ofTheTime(share)}.`,
      evidence: {
        count: total.events,
        bytes: total.bytes,
        timeNs: total.timeNs,
        share,
        ...(Number.isNaN(first.view.medianBytes) ? {} : { medianBytes: first.view.medianBytes }),
      },
      files: this.filesOf(trigger, offenders, drishti),
      sites: offenders
        .filter(({ group }) => group.site !== NONE)
        .map((offender) => this.site(trigger, offender, total, drishti)),
      recommendations: trigger.recommend(first.view, this.thresholds),
    };
  }

  private site(trigger: Trigger, offender: Offender, total: Amount, drishti: boolean): InsightSite {
    const { group, view, shareOfTime } = offender;
    return {
      site: group.site,
      ...view.offence,
      share: view.offence.events / total.events,
      shareOfTime,
      streams: this.metrics.streamsOfSite[siteEntry(group.site)]!.size,
      medianBytes: view.medianBytes,
      cells: group.cells,
      message: `${trigger.subject(view)} from here take ${this.ofTheTime(shareOfTime)}.`,
      severity: drishti ? 'high' : severityOf(shareOfTime),
    };
  }

  private ofTheTime(share: number): string {
    return this.runTime > 0
      ? `${formatShare(share)} of this program's I/O time`
      : `${formatShare(share)} of this program's I/O calls (the recording has no durations)`;
  }

  private filesOf(trigger: Trigger, offenders: readonly Offender[], drishti: boolean): InsightFile[] {
    const byFile = new Map<number, Amount>();
    for (const { group } of offenders) {
      for (const cell of group.cells) {
        const part = trigger.offending(this.cellView(cell), this.situation(cell), drishti);
        if (part.events === 0) continue;
        const file = this.metrics.fileOfCell[cell]!;
        const sum = byFile.get(file) ?? { events: 0, bytes: 0, timeNs: 0 };
        add(sum, part);
        byFile.set(file, sum);
      }
    }
    return [...byFile].map(([file, sum]) => ({ file, ...sum })).sort(byAmount);
  }

  private cellView(cell: number): MetricView {
    return { get: (metric) => this.metrics.cells.get(cell, metric) };
  }

  private situation(cell: number): FileSituation {
    const use = this.metrics.fileUse.get(this.metrics.fileOfCell[cell]!);
    if (use === undefined) return { shared: false, sharedByWriters: false };
    return { shared: new Set([...use.readers, ...use.writers]).size > 1, sharedByWriters: use.writers.size > 1 };
  }
}

function severityOf(share: number): Severity {
  if (share >= 0.25) return 'high';
  return share >= 0.1 ? 'warn' : 'info';
}

function add(sum: Amount, part: Readonly<Amount>): void {
  sum.events += part.events;
  sum.bytes += part.bytes;
  sum.timeNs += part.timeNs;
}

function byAmount(a: Readonly<Amount>, b: Readonly<Amount>): number {
  return b.timeNs - a.timeNs || b.events - a.events;
}

function groupCells(metrics: Metrics): Group[] {
  const groups = new Map<string, Group>();
  const rows = new Map<Group, number>();
  const sums = new MetricTable();
  for (let cell = 0; cell < metrics.cells.length; cell++) {
    const site = metrics.siteOfCell[cell]!;
    const key = site === NONE ? `file ${metrics.fileOfCell[cell]!}` : `site ${site}`;
    let group = groups.get(key);
    if (group === undefined) {
      const row = sums.addRow();
      group = { site, cells: [], view: { get: (metric: Metric) => sums.get(row, metric) } };
      groups.set(key, group);
      rows.set(group, row);
    }
    sums.addFrom(rows.get(group)!, metrics.cells, cell);
    group.cells.push(cell);
  }
  return [...groups.values()];
}

function sumOf(metrics: Metrics, included: (cell: number) => boolean): MetricTable {
  const sum = new MetricTable();
  sum.addRow();
  for (let cell = 0; cell < metrics.cells.length; cell++) if (included(cell)) sum.addFrom(0, metrics.cells, cell);
  return sum;
}

function mergedView(offenders: readonly Offender[], offence: Amount, medianBytes: number): GroupView {
  const get = (metric: Metric): number => offenders.reduce((sum, { view }) => sum + view.get(metric), 0);
  return { get, offence, sharedByWriters: offenders.some(({ view }) => view.sharedByWriters), medianBytes };
}
