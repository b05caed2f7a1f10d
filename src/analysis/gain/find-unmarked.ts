import { groupBy } from '../../base/grouping.ts';
import { counted, formatCount, formatDuration } from '../../base/quantities.ts';
import { OPERATION, OPERATIONS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { FileIndex, StreamIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import { siteEntry, type Metrics } from '../metrics/access-metrics.ts';
import type { Wait, Waits } from '../metrics/waits.ts';
import type { SiteIndex } from '../sites/call-sites.ts';
import type { Insight } from '../triggers/insight.ts';
import { costOf, type CallCosts, type Cost, type RunCost } from './cost.ts';
import { estimate, scaled, sumOf, type Estimate } from './estimate.ts';
import { judgeCalls, type AlikeCalls, type Judgement } from './judge-calls.ts';
import { MarkedTimes } from './marked-times.ts';
import { cellKey, type CallGroup } from './observed-calls.ts';
import type { OwnWork } from './work/own-work.ts';
import type { Unmarked } from './unmarked.ts';
import { IO_MATTERS } from './weigh.ts';

/** Share of the run's I/O from which calls have a finding, or a sentence why they have none. */
const DEAR = 0.1;

/** From this share of their time on, calls are told by a finding that is about some of them. */
const MOSTLY = 0.5;

/** Triggers on reads in an unlucky order. */
const READ_AT_ONCE: ReadonlySet<string> = new Set(['posix-random-reads', 'backward-reads', 'strided-small-reads']);

/** What is known of a recording when its findings are weighed. */
interface WeighedRecording {
  readonly trace: Trace;
  readonly metrics: Metrics;
  readonly costs: CallCosts;
  /** Nanoseconds that the tracer adds to a call. */
  readonly tracerNs: number;
  readonly run: RunCost;
  readonly ownWork: readonly OwnWork[];
}

/** Calls of one operation at one place: a call site, or a file where stacks lead nowhere. */
interface PlaceCalls {
  readonly site: SiteIndex;
  readonly operation: number;
  readonly groups: CallGroup[];
  /** Of what they cost, which is told of few of perhaps a million places. */
  readonly untracedNs: number;
  readonly shareOfIo: number;
}

/**
 * What costs a tenth of the run's I/O or more, at one place or at many together, and has no finding. What is left when
 * these are told is less than a tenth.
 */
export function findUnmarked(recording: WeighedRecording, insights: readonly Insight[]): Unmarked[] {
  const { trace, run } = recording;
  if (!trace.capabilities.duration || !(run.untracedNs > 0)) return [];
  const search = new UnmarkedSearch(recording, insights);
  const calls = run.ioShare < IO_MATTERS ? [] : search.calls();
  return [...calls, ...search.waits()].sort((a, b) => b.cost.untracedNs - a.cost.untracedNs);
}

class UnmarkedSearch {
  private readonly marked: MarkedTimes;
  private readonly rowOfCell = new Map<number, number>();

  constructor(
    private readonly recording: WeighedRecording,
    private readonly insights: readonly Insight[],
  ) {
    const { metrics } = recording;
    this.marked = new MarkedTimes(insights);
    this.coverSeeks();
    for (let cell = 0; cell < metrics.cells.length; cell++)
      this.rowOfCell.set(cellKey(metrics.siteOfCell[cell]!, metrics.fileOfCell[cell]!), cell);
  }

  /** What is read at once is not sought piece by piece, on whatever line. */
  private coverSeeks(): void {
    const atOnce = this.insights.filter(({ trigger }) => READ_AT_ONCE.has(trigger));
    const files = new Set(atOnce.flatMap((insight) => insight.files.map(({ file }) => file)));
    if (files.size === 0) return;
    const { costs, trace } = this.recording;
    for (const { site, file, call } of costs.groups)
      if (site !== NONE && trace.calls.operation[call] === OPERATION.seek && files.has(file))
        this.marked.cover(site, OPERATION.seek);
  }

  calls(): Unmarked[] {
    const all = this.places();
    const dear = new Set(all.filter((place) => this.leftShare(place) >= DEAR));
    const rest = all.filter((place) => !dear.has(place) && this.markedTime(place) === 0);
    return [...[...dear].map((place) => this.told([place])), ...this.sums(rest), ...this.ofLibraries()];
  }

  /** What libraries do themselves: each call by itself where it is dear, what is left by its sum. */
  private ofLibraries(): Unmarked[] {
    const { ownWork, trace } = this.recording;
    const left = ownWork.filter((work) => {
      const operation = trace.calls.operation[work.call]!;
      const places =
        work.site === NONE ? [...work.files].map((file) => ({ site: NONE, file })) : [{ ...work, file: NONE }];
      return places.reduce((sum, place) => sum + this.marked.of(place, operation), 0) < MOSTLY * work.timeNs;
    });
    const costs = new Map(left.map((work) => [work, this.costOfWork([work])]));
    const dear = left.filter((work) => costs.get(work)!.shareOfIo >= DEAR);
    const rest = left.filter((work) => !dear.includes(work));
    const remainder = this.costOfWork(rest);
    return [
      ...dear.map((work) => this.toldWork([work], costs.get(work)!)),
      ...(remainder.shareOfIo < DEAR ? [] : [this.toldWork(rest, remainder)]),
    ];
  }

  private toldWork(works: readonly OwnWork[], cost: Cost): Unmarked {
    const sorted = works.toSorted((a, b) => b.timeNs - a.timeNs);
    const events = works.reduce((sum, work) => sum + work.events, 0);
    const timeNs = works.reduce((sum, work) => sum + work.timeNs, 0);
    const names = [...new Set(sorted.map(({ call }) => this.recording.trace.calls.names[call]!))];
    const each = `${formatDuration(timeNs / events)} each in the library itself`;
    const what = `no rule covers ${counted(events, 'call')} of ${names.slice(0, MOST_NAMES).join(', ')} (${each}, without the requests below)`;
    const sites = [...new Set(sorted.map(({ site }) => site))].filter((site) => site !== NONE);
    const files = [...new Set(sorted.flatMap((work) => [...work.files]))];
    return { events, bytes: 0, timeNs, kind: 'unjudged', sites, files, cost, what };
  }

  private costOfWork(works: readonly OwnWork[]): Cost {
    const { costs, run } = this.recording;
    const times = new Map<StreamIndex, number>();
    let timeNs = 0;
    for (const work of works) {
      timeNs += work.timeNs;
      for (const [stream, ns] of work.timeOfStreams) times.set(stream, (times.get(stream) ?? 0) + Math.max(0, ns));
    }
    return costOf(scaled(WITHIN, timeNs * costs.shareOfStreams(times)), run);
  }

  private markedTime({ groups, operation }: PlaceCalls): number {
    return this.marked.of(groups[0]!, operation);
  }

  /** Share of the I/O that no finding speaks of, at the least. */
  private leftShare(place: PlaceCalls): number {
    const recorded = place.groups.reduce((sum, { timeNs }) => sum + timeNs, 0);
    const marked = this.markedTime(place);
    if (marked >= MOSTLY * recorded) return 0;
    const left = recorded - marked;
    return recorded > 0 ? (place.shareOfIo * left) / recorded : 0;
  }

  private places(): PlaceCalls[] {
    const { costs, trace } = this.recording;
    const keyOf = (group: CallGroup): number => placeOf(group) * OPERATIONS.length + trace.calls.operation[group.call]!;
    const places = groupBy(costs.groups, keyOf);
    return [...places.values()].map((groups): PlaceCalls => {
      const { site, call } = groups[0]!;
      const { untracedNs, shareOfIo } = this.costOfGroups(groups);
      return { site, operation: trace.calls.operation[call]!, groups, untracedNs, shareOfIo };
    });
  }

  /** Places each of which is cheap, told together where their sum is not; what is still left, in one sentence. */
  private sums(places: readonly PlaceCalls[]): Unmarked[] {
    const alike = groupBy(places, (place) => `${this.judged(place).kind} ${place.operation}`);
    const [told, left]: [Unmarked[], PlaceCalls[]] = [[], []];
    for (const group of alike.values()) {
      const sum = this.told(group);
      if (sum.cost.shareOfIo >= DEAR) told.push(sum);
      else left.push(...group);
    }
    const remainder = this.costOfGroups(left.flatMap(({ groups }) => groups));
    return remainder.shareOfIo < DEAR ? told : [...told, this.mixed(left, remainder)];
  }

  private told(places: readonly PlaceCalls[]): Unmarked {
    const sorted = byCost(places);
    const groups = sorted.flatMap((place) => place.groups);
    const cost = this.costOfGroups(groups);
    const calls = this.alike(places[0]!.operation, groups);
    return { ...this.amounts(groups), ...judgeCalls(calls), sites: sitesOf(sorted), files: filesOf(groups), cost };
  }

  private judged({ operation, groups }: PlaceCalls): Judgement {
    return judgeCalls(this.alike(operation, groups));
  }

  private mixed(places: readonly PlaceCalls[], cost: Cost): Unmarked {
    const sorted = byCost(places);
    const groups = sorted.flatMap((place) => place.groups);
    const amounts = this.amounts(groups);
    const files = filesOf(groups);
    const calls = `${counted(amounts.events, 'call')} (${this.namesOf(groups).slice(0, MOST_NAMES).join(', ')})`;
    const what = `${calls} on ${counted(files.length, 'file')}, each kind and place a small part`;
    return { ...amounts, kind: 'spread', sites: sitesOf(sorted), files, cost, what };
  }

  private alike(operation: number, groups: readonly CallGroup[]): AlikeCalls {
    const { metrics, costs } = this.recording;
    const { events, bytes } = this.amounts(groups);
    const keys = new Set(groups.map(({ site, file }) => cellKey(site, file)));
    const rows = [...keys].map((key) => this.rowOfCell.get(key)).filter((row) => row !== undefined);
    const missing = groups.filter(({ of }) => of.kind.startsWith('missing'));
    return {
      operation,
      names: this.namesOf(groups),
      events,
      bytes,
      files: new Set(groups.map(({ file }) => file)).size,
      isOneSize: events === 1 || this.isOneSize(operation, groups[0]!.site, bytes / events),
      missing: missing.reduce((sum, group) => sum + group.events, 0),
      eachNs: groups.reduce((sum, group) => sum + costs.of(group).value, 0) / events,
      get: (metric) => rows.reduce((sum, row) => sum + metrics.cells.get(row, metric), 0),
    };
  }

  /** All transfers of a call site asked for as many bytes as they moved on average. */
  private isOneSize(operation: number, site: SiteIndex, mean: number): boolean {
    const { readSizes, writeSizes } = this.recording.metrics;
    const sizes = (operation === OPERATION.read ? readSizes : writeSizes)[siteEntry(site)]?.below();
    return site !== NONE && sizes?.length === 1 && sizes[0]![0] === mean;
  }

  /** Names of calls, those of the dearest first. */
  private namesOf(groups: readonly CallGroup[]): string[] {
    const { trace, costs } = this.recording;
    const dearest = groups.toSorted((a, b) => costs.of(b).value - costs.of(a).value);
    return [...new Set(dearest.map(({ call }) => trace.calls.names[call]!))];
  }

  private amounts(groups: readonly CallGroup[]): { events: number; bytes: number; timeNs: number } {
    const sum = { events: 0, bytes: 0, timeNs: 0 };
    for (const { events, bytes, timeNs } of groups) {
      sum.events += events;
      sum.bytes += bytes;
      sum.timeNs += timeNs;
    }
    return sum;
  }

  private costOfGroups(groups: readonly CallGroup[]): Cost {
    const { costs, run } = this.recording;
    const whole = sumOf(groups.map((group) => costs.of(group)));
    const part = costs.laneShare(groups);
    return costOf(estimate(whole.value * part, whole.deviation * part), run);
  }

  /** Calls that take a tenth of the run or more, and are none of its I/O on files. */
  waits(): Unmarked[] {
    const { pipes, asynchronous } = this.recording.metrics;
    const named = new Set(
      this.insights.flatMap(({ sites }) => sites.filter(({ cells }) => cells.length === 0).map(({ site }) => site)),
    );
    const ofPipes = this.long(pipes.waits, ({ events, failed }) =>
      failed > events / 2
        ? `on pipes and sockets, ${formatCount(failed)} of which came back with an error at once: they do not wait for the process at the other end, but ask again and again (poll or epoll waits)`
        : 'on pipes and sockets, which wait for the process at the other end, not for storage',
    );
    return [
      ...ofPipes.filter(({ sites }) => !sites.some((site) => named.has(site))),
      ...this.long(
        asynchronous,
        () => 'of io_uring or Linux AIO, which make requests and wait for them: no rule is about these',
      ),
    ];
  }

  private long(waits: Waits, words: (wait: Readonly<Wait>) => string): Unmarked[] {
    const { run, tracerNs } = this.recording;
    return [...waits].flatMap(([site, byStream]): Unmarked[] => {
      // Processes wait side by side.
      const longest = [...byStream.values()].reduce((most, each) => (each.timeNs > most.timeNs ? each : most));
      const ns = Math.max(0, longest.timeNs - longest.events * tracerNs);
      const cost = { ...costOf(scaled(WITHIN, ns), run), shareOfIo: 0 };
      if (cost.shareOfRun < DEAR) return [];
      const what = `${counted(longest.events, 'call')} ${words(longest)}`;
      const { events, bytes, timeNs } = longest;
      return [
        { ...{ events, bytes, timeNs }, kind: 'waiting', sites: site === NONE ? [] : [site], files: [], cost, what },
      ];
    });
  }
}

/** Names of calls that are told of a mixture. */
const MOST_NAMES = 4;
/** What one run says of the waiting of the next. */
const WITHIN: Estimate = estimate(1, 0.1);

function byCost(places: readonly PlaceCalls[]): PlaceCalls[] {
  return places.toSorted((a, b) => b.untracedNs - a.untracedNs);
}

/** Sites have even numbers, files odd ones. */
function placeOf({ site, file }: CallGroup): number {
  return site === NONE ? file * 2 + 1 : site * 2;
}

function sitesOf(places: readonly PlaceCalls[]): SiteIndex[] {
  return [...new Set(places.map(({ site }) => site))].filter((site) => site !== NONE);
}

/** The dearest first, as far as they were recorded. */
function filesOf(groups: readonly CallGroup[]): FileIndex[] {
  const times = new Map<FileIndex, number>();
  for (const { file, timeNs } of groups) times.set(file, (times.get(file) ?? 0) + timeNs);
  return [...times].sort(([, a], [, b]) => b - a).map(([file]) => file);
}
