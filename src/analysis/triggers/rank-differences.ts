import { getOrCreate } from '../../base/grouping.ts';
import { OPERATION } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import { LAYER_ROLE } from '../metrics/layer-role.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, StreamIndex } from '../../trace/indices.ts';
import type { Metrics, ProcessUse } from '../metrics/access-metrics.ts';
import { hasRanks } from '../metrics/process-noun.ts';
import type { CallSites } from '../sites/call-sites.ts';
import type { Insight, InsightSite } from './insight.ts';
import { describeByRank } from './describe-ranks.ts';
import { joined, say, type Sentence } from './message.ts';
import type { Thresholds } from './thresholds.ts';

type Measure = 'bytes' | 'readBytes' | 'writtenBytes' | 'time';

/** Findings on balance, and what the processes have unequal amounts of. */
const MEASURES: Readonly<Record<string, Measure>> = {
  'posix-data-imbalance': 'bytes',
  'posix-time-imbalance': 'time',
  'posix-write-imbalance-individual': 'writtenBytes',
  'posix-read-imbalance-individual': 'readBytes',
};

/** A line whose ranks differ by less than this share of what the worst line's differ by is not where the imbalance is. */
const FROM_HERE = 0.1;

/** What one rank moves, and the nanoseconds that it takes. */
type Moved = Pick<ProcessUse, 'readBytes' | 'writtenBytes' | 'time'>;
type ByRank = Map<number, Moved>;

function measured(of: Moved, measure: Measure): number {
  return measure === 'bytes' ? of.readBytes + of.writtenBytes : of[measure];
}

/** Adds to findings on balance which ranks differ, and leaves the lines at which they do. */
export class RankDifferences {
  private bySite: ReadonlyMap<number, ByRank> | undefined;

  constructor(
    private readonly trace: Trace,
    private readonly metrics: Metrics,
    private readonly callSites: CallSites,
    private readonly thresholds: Thresholds,
  ) {}

  addTo(insights: readonly Insight[]): Insight[] {
    if (!hasRanks(this.trace) || this.trace.streams.length < 2) return [...insights];
    return insights.map((insight) => {
      const measure = MEASURES[insight.trigger];
      return measure === undefined ? insight : this.explain(insight, measure);
    });
  }

  private explain(insight: Insight, measure: Measure): Insight {
    if (insight.sites.length === 0) {
      const byRank = sum(insight.files.map(({ file }) => this.ofFile(file, measure)));
      return { ...insight, message: joined(insight.message, say` By rank: ${this.describe(byRank, measure)}.`) };
    }
    const described = insight.sites.map((site) => ({ site, byRank: this.ofSite(site, measure) }));
    const worst = Math.max(0, ...described.map(({ byRank }) => difference(byRank)));
    const sites = described
      .filter(({ byRank }) => difference(byRank) >= FROM_HERE * worst)
      .map(({ site, byRank }) => ({
        ...site,
        message: joined(site.message, say` Here: ${this.describe(byRank, measure)}.`),
      }));
    const all = sum(described.map(({ byRank }) => byRank));
    const more = all.size === 0 ? '' : say` By rank: ${this.describe(all, measure)}.`;
    return { ...insight, message: joined(insight.message, more), sites };
  }

  private describe(byRank: ReadonlyMap<number, number>, measure: Measure): Sentence {
    return describeByRank(byRank, this.thresholds.imbalance_size, measure === 'time' ? 'timeOfRank' : 'bytesOfRank');
  }

  private ofSite({ site, cells }: InsightSite, measure: Measure): Map<number, number> {
    this.bySite ??= this.measure();
    const files = new Set(cells.map((cell) => this.metrics.fileOfCell[cell]!));
    // Ranks that use the files elsewhere only move nothing here.
    const byRank = new Map<number, number>();
    for (const file of files) {
      for (const stream of this.metrics.fileUse.get(file)?.byProcess.keys() ?? []) byRank.set(this.rankOf(stream), 0);
    }
    for (const [rank, amount] of this.bySite.get(site) ?? []) byRank.set(rank, measured(amount, measure));
    return byRank;
  }

  private ofFile(file: FileIndex, measure: Measure): Map<number, number> {
    const uses = this.metrics.fileUse.get(file)?.byProcess ?? new Map<number, ProcessUse>();
    return new Map([...uses].map(([stream, use]) => [this.rankOf(stream), measured(use, measure)]));
  }

  private rankOf(stream: StreamIndex): number {
    return this.trace.streams[stream]!.rank!;
  }

  /** What each rank moves at each line, and how long that takes. */
  private measure(): Map<number, ByRank> {
    const { trace, callSites } = this;
    const { roles } = this.metrics;
    const { operation } = trace.calls;
    const bySite = new Map<number, ByRank>();
    trace.events.chunks.forEach((chunk, number) => {
      const rows = trace.events.rowsIn(number);
      for (let i = 0; i < rows; i++) {
        const node = chunk.stack[i]!;
        const site = node === NONE ? NONE : callSites.siteOfNode[node]!;
        if (site === NONE || (roles !== undefined && !(roles.of(chunk, i) & LAYER_ROLE.request))) continue;
        const reads = operation[chunk.call[i]!] === OPERATION.read;
        if (!reads && operation[chunk.call[i]!] !== OPERATION.write) continue;
        const amounts = getOrCreate(bySite, site, () => new Map<number, Moved>());
        const rank = this.rankOf(chunk.stream[i]!);
        const amount = getOrCreate(amounts, rank, () => ({ readBytes: 0, writtenBytes: 0, time: 0 }));
        amount[reads ? 'readBytes' : 'writtenBytes'] += chunk.bytes[i]!;
        if (chunk.duration[i]! > 0) amount.time += chunk.duration[i]!;
      }
    });
    return bySite;
  }
}

function difference(byRank: ReadonlyMap<number, number>): number {
  let least = Infinity;
  let most = 0;
  for (const amount of byRank.values()) {
    if (amount < least) least = amount;
    if (amount > most) most = amount;
  }
  return byRank.size === 0 ? 0 : most - least;
}

function sum(maps: readonly ReadonlyMap<number, number>[]): Map<number, number> {
  const total = new Map<number, number>();
  for (const byRank of maps) {
    for (const [rank, amount] of byRank) total.set(rank, (total.get(rank) ?? 0) + amount);
  }
  return total;
}
