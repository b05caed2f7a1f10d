import { groupBy } from '../../base/grouping.ts';
import { growth, type LoadSample, type Quantity } from './load-sample.ts';
import { IntervalSums } from './interval-sums.ts';
import { countedSeries, type CountedSeries, type Labels } from './prometheus-names.ts';
import type { ServerTarget } from './server-target.ts';

/** A counter or gauge of one target, at moments. */
interface Series extends CountedSeries {
  /** What it is a series of within its target: series of one such key measure the same. */
  readonly key: string;
  readonly samples: Map<number, number>;
}

/** Series of a target by what they measure. */
interface OfTarget {
  readonly target: ServerTarget;
  readonly series: readonly Series[];
  /** All moments of any of them, in order. */
  readonly moments: readonly number[];
}

/** What is counted above other things that a server counts, too: what a target moves goes to disks, and counts once. */
const LEVELS: Readonly<Record<ServerTarget['kind'], number>> = { OST: 0, MDT: 0, NFS: 1, disk: 2 };
/** Labels that tell apart what adds up: the others are of who asked (`job`, `replica`). */
const PARTS = ['operation', 'method', 'proto', 'jobid'];

/** The series of Prometheus that tell of servers. */
export class CounterSeries {
  private readonly all = new Map<string, Series | undefined>();
  /** What was left out, in words. */
  readonly notes: string[] = [];

  get isEmpty(): boolean {
    return ![...this.all.values()].some((series) => series !== undefined);
  }

  /**
   * @param id the same for all samples of a series.
   * @returns moments and values to fill; undefined for a series that says nothing of a server.
   */
  samplesOf(id: string, name: string, labels: Labels): Map<number, number> | undefined {
    if (!this.all.has(id)) {
      const counted = countedSeries(name, labels);
      const key = [name, ...PARTS.map((part) => labels.get(part) ?? '')].join('\0');
      this.all.set(id, counted && { ...counted, key, samples: new Map() });
    }
    return this.all.get(id)?.samples;
  }

  /** What each target did between moments. */
  loads(): { readonly target: ServerTarget; readonly samples: LoadSample[] }[] {
    const targets = this.targets();
    const levels = new Map<string | null, number>();
    for (const { target } of targets) {
      const level = LEVELS[target.kind];
      levels.set(target.server, Math.min(level, levels.get(target.server) ?? level));
    }
    const counted = targets.filter(({ target }) => LEVELS[target.kind] === levels.get(target.server));
    return counted.map((one) => ({ target: one.target, samples: loadOf(one) }));
  }

  private targets(): OfTarget[] {
    const told = [...this.all.values()].filter((series) => series !== undefined);
    const groups = groupBy(told, ({ target: { kind, fileSystem, server, name } }) =>
      [kind, fileSystem, server, name].join('\0'),
    );
    return [...groups.values()].map((series) => {
      const moments = new Set<number>();
      for (const { samples } of series) for (const at of samples.keys()) moments.add(at);
      const single = this.single(series);
      return { target: series[0]!.target, series: single, moments: [...moments].sort((a, b) => a - b) };
    });
  }

  /** Series that add up: of those that measure the same the longest, and of jobs none where the target has its own. */
  private single(series: readonly Series[]): Series[] {
    const byKey = new Map<string, Series>();
    let copies = 0;
    for (const one of series) {
      const other = byKey.get(one.key);
      if (other !== undefined) copies++;
      if (other === undefined || one.samples.size > other.samples.size) byKey.set(one.key, one);
    }
    const { name, server } = series[0]!.target;
    if (copies > 0)
      this.notes.push(
        `${name} of ${server ?? 'an unknown server'}: ${copies} series that measure the same are left out`,
      );
    const kept = [...byKey.values()];
    const own = new Set(kept.filter(({ isOfJob }) => !isOfJob).flatMap(({ counts }) => counts));
    return kept.filter(({ isOfJob, counts }) => !isOfJob || !counts.some((quantity) => own.has(quantity)));
  }
}

function loadOf({ series, moments }: OfTarget): LoadSample[] {
  const sums = new IntervalSums();
  for (const { counts, isOfJob, samples } of series) {
    if (counts.length === 0) continue;
    const inOrder = [...samples].sort(([a], [b]) => a - b);
    for (const [index, [at, value]] of inOrder.entries()) {
      // The count of a job begins with the job: at the moment before there was none.
      const before = inOrder[index - 1] ?? (isOfJob ? startOfJob(moments, at) : undefined);
      if (before !== undefined) sums.add(before[0], at, amounts(counts, growth(before[1], value)));
    }
  }
  addUsed(sums, series, moments);
  return sums.samples();
}

function amounts(counts: readonly Quantity[], done: number | null): Partial<Record<Quantity, number | null>> {
  return Object.fromEntries(counts.map((quantity) => [quantity, done]));
}

/** The moment before, with a count of 0; undefined where there is none. */
function startOfJob(moments: readonly number[], at: number): readonly [number, number] | undefined {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : [moments[low - 1]!, 0];
}

/** What is stored is said beside what was done; a moment at which nothing was counted has no row. */
function addUsed(sums: IntervalSums, series: readonly Series[], moments: readonly number[]): void {
  const of = (gauge: Series['gauge']): ReadonlyMap<number, number> | undefined =>
    series.find((one) => one.gauge === gauge)?.samples;
  const [capacity, free] = [of('capacity'), of('free')];
  if (capacity === undefined || free === undefined) return;
  for (const at of moments) {
    const [all, left] = [capacity.get(at), free.get(at)];
    if (all !== undefined && left !== undefined && all >= left && sums.endsAt(at))
      sums.addBytesUsed(at, at, (all - left) * 1024);
  }
}
