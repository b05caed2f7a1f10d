import type { FileIndex } from '../../../trace/indices.ts';
import { counted, formatCount, formatDuration } from '../../../base/quantities.ts';
import type { Metric } from '../../metrics/metric-table.ts';
import type { Insight } from '../../triggers/insight.ts';
import { READS, WRITES, type CallKind } from '../call-kinds.ts';
import { NINETY_PERCENT } from '../cost.ts';
import { estimate, NOTHING, scaled, sumOf, type Estimate } from '../estimate.ts';
import type { SiteIndex } from '../../sites/call-sites.ts';
import type { CallGroup, Extent } from '../observed-calls.ts';
import type { Basis, UntracedCost, UntracedCosts } from '../untraced-costs.ts';

/** What one site does to one file, with the calls that it consists of. */
export interface GainCell {
  readonly file: FileIndex;
  get(metric: Metric): number;
  readonly groups: readonly CallGroup[];
}

interface GainView {
  readonly insight: Insight;
  readonly cells: readonly GainCell[];
  readonly costs: UntracedCosts;
  readonly readExtents: ReadonlyMap<number, Extent>;
  readonly writeExtents: ReadonlyMap<number, Extent>;
  /** What is done to a file by all places together. */
  readonly groupsOn: (file: FileIndex) => readonly CallGroup[];
  /** Name of a call by its index into `Trace.calls`. */
  readonly callName: (call: number) => string;
  /** Share of what these calls cost that is time of the run: processes that run side by side wait for the slowest. */
  readonly laneShare: number;
  /** What calls cost without a tracer in each of the lanes that make some; empty where all processes run in turn. */
  readonly laneTimes: (groups: readonly CallGroup[]) => readonly number[];
}

/** What is saved, and in which words; or why nothing can be told. */
export interface Saving {
  readonly ns: Estimate;
  /** What the calls took in the recording, of which some are saved; nanoseconds. */
  readonly recordedNs: number;
  /** `3,999 of 4,000 writes fewer, at 0.6 µs each`. */
  readonly how: string;
  readonly basis: Basis;
  /** The calls of which some are saved, where they are not those of the finding alone. */
  readonly groups?: readonly CallGroup[];
  /** Nanoseconds of `ns` that are a language's own work, no time of the calls; and its name. */
  readonly language?: { readonly name: string; readonly ns: number };
}

/** What is saved lies between nothing and what the calls cost; one run does not show where. */
export interface Bounds {
  /** A sentence without its full stop. */
  readonly why: string;
  /** Nanoseconds of the run that are saved at most, where that is less than what the calls cost. */
  readonly mostNs?: number;
}
/** A text is the reason why there are bounds alone. */
export type GainModel = (view: GainView) => Saving | Bounds | string;

export const NOT_KNOWN = 'the recording does not tell how long these calls take, and nothing else does';
export const CONTRADICTED = 'the recorded times of these calls do not tell what fewer of them would save';
export const NO_FEWER = 'the advice does not make these calls fewer';

/** A sum of calls that are saved, at what they cost. */
export class Savings {
  calls = 0;
  private unknown = 0;
  private readonly parts: Estimate[] = [];
  private readonly groups = new Set<CallGroup>();
  private readonly bases = new Map<Basis, number>();
  /** What the calls that are saved took in the recording; nanoseconds. */
  private recordedNs = 0;
  private language = NOTHING;
  private languageName = '';
  private along = '';

  constructor(private readonly costs: UntracedCosts) {}

  /** @param perByte nanoseconds for each byte that is no longer moved, and how many; none when the bytes remain. */
  add(group: CallGroup, calls: number, bytes = 0, perByte?: (cost: UntracedCost) => Estimate): void {
    if (calls <= 0) return;
    const cost = this.costs.of(group.of);
    if (cost === undefined) {
      this.unknown += calls;
      return;
    }
    this.calls += calls;
    this.recordedNs += group.events > 0 ? (group.timeNs * Math.min(calls, group.events)) / group.events : 0;
    this.groups.add(group);
    const saved = scaled(cost.fixed, calls);
    this.parts.push(saved);
    if (perByte !== undefined) this.parts.push(scaled(perByte(cost), bytes));
    this.bases.set(cost.basis, (this.bases.get(cost.basis) ?? 0) + saved.value);
    this.addLanguage(group.site, scaled(this.costs.work.of(group.site, group.call), calls));
  }

  /** Calls that go with those that are saved, as a part of the language's own work. */
  addBesides(group: CallGroup, calls: number): void {
    const cost = this.costs.of(group.of);
    if (cost === undefined) return;
    this.addLanguage(group.site, scaled(sumOf([cost.fixed, this.costs.work.of(group.site, group.call)]), calls));
  }

  /** Calls that go with those that are saved, and are none of their number. */
  addAlong(group: CallGroup, calls: number, words: string): void {
    const cost = this.costs.of(group.of);
    if (calls <= 0 || cost === undefined) return;
    const counted = this.calls;
    this.add(group, calls);
    this.calls = counted;
    this.along = words;
  }

  /** What the language of a place does besides the calls that are saved. */
  private addLanguage(site: SiteIndex, work: Estimate): void {
    if (work.value === 0) return;
    this.language = sumOf([this.language, work]);
    this.languageName = this.costs.work.languageOf(site) ?? '';
  }

  /**
   * Of calls that differ from others of their group (files that are made anew beside files that are there).
   * @param recordedNs what they took: without a tracer they cost no more.
   */
  addOffending(recordedNs: number, ...[group, calls, bytes, perByte]: Parameters<Savings['add']>): void {
    const before = this.parts.length;
    this.add(group, calls, bytes, perByte);
    const added = this.parts.splice(before);
    const { value } = sumOf(added);
    const most = this.costs.isUntraced && value > recordedNs ? recordedNs / value : 1;
    this.parts.push(...added.map((part) => scaled(part, most)));
  }

  /** What is to be done instead. */
  subtract(part: Estimate): void {
    this.parts.push(estimate(-part.value, part.deviation));
  }

  get total(): Estimate {
    return sumOf(this.parts);
  }

  /**
   * Where the calls may go, or not: what they cost is a bound.
   * @param laneShare of the calls, see `GainView`.
   */
  atMost(why: string, laneShare: number): Bounds {
    if (this.calls === 0 || this.unknown > 0) return { why };
    const { value, deviation } = this.total;
    // Without a tracer the recorded times are the calls' own: processes that share a file wait for each other in them.
    const most = Math.max(value + NINETY_PERCENT * deviation, this.costs.isUntraced ? this.recordedNs : 0);
    return { why, mostNs: Math.max(0, most) * laneShare };
  }

  /** @param all how many there are now. */
  result(all: number, noun: string, nouns = `${noun}s`): Saving | string {
    // A part of the calls would pass for all of them.
    if (this.unknown > this.calls / 10) return NOT_KNOWN;
    if (this.calls === 0) return NO_FEWER;
    const total = this.total;
    if (total.value <= 0) return CONTRADICTED;
    const recordedNs = [...this.groups].reduce((sum, { timeNs }) => sum + timeNs, 0);
    // Without a tracer the calls take what was recorded: an error beyond it is no knowledge.
    if (this.costs.isUntraced && total.deviation > recordedNs) return CONTRADICTED;
    const each = formatDuration(total.value / this.calls);
    const [basis] = [...this.bases].sort((a, b) => b[1] - a[1])[0]!;
    const fewer =
      this.calls < all ? `${formatCount(this.calls)} of ${counted(all, noun, nouns)}` : counted(all, noun, nouns);
    const { value: languageNs, deviation } = this.language;
    return {
      ns: sumOf([total, this.language]),
      recordedNs: recordedNs + languageNs + NINETY_PERCENT * deviation,
      how: `${fewer} fewer, at about ${each} each${this.along}`,
      basis,
      groups: [...this.groups],
      ...(languageNs > 0 && { language: { name: this.languageName, ns: languageNs } }),
    };
  }
}

export function groupsOf(cell: GainCell, kinds: readonly CallKind[]): CallGroup[] {
  return cell.groups.filter(({ of, events }) => kinds.includes(of.kind) && events > 0);
}

const SAME: Partial<Readonly<Record<CallKind, readonly CallKind[]>>> = { read: READS, write: WRITES };

/** The group that makes most calls of a kind: what a cell's metric of that kind is about. */
export function mainGroup(cell: GainCell, kind: CallKind): CallGroup | undefined {
  return largest(groupsOf(cell, SAME[kind] ?? [kind]));
}

/** The group that makes most transfers, whether reads or writes. */
export function mainTransfers(cell: GainCell): CallGroup | undefined {
  return largest(groupsOf(cell, [...READS, ...WRITES]));
}

function largest(groups: readonly CallGroup[]): CallGroup | undefined {
  return groups.toSorted((a, b) => b.events - a.events)[0];
}

export function total(cells: readonly GainCell[], metric: Metric): number {
  return cells.reduce((sum, cell) => sum + cell.get(metric), 0);
}
