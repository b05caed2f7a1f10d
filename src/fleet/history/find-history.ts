import type { JobFilter } from '../query/job-filter.ts';
import type { QueryEngine } from '../query/query-engine.ts';
import { changePoints, LEAST_ON_A_SIDE, strongestStretch, type ChangePoint } from './change-points.ts';
import type {
  Change,
  FleetHistory,
  HistoryRequest,
  JobStanding,
  KindHistory,
  KindRun,
  MeasureHistory,
  MeasureName,
} from './history.ts';
import { runsOfKinds, type KindRuns } from './kinds.ts';
import { percentileOf, quantile } from './ranks.ts';
import { compareServers } from './server-comparison.ts';

/** How likely one change or more is told although nothing changed, over all kinds and measures together. */
const MOST_CHANCE = 0.01;
/** What changes by less is not told, however sure it is. */
const LEAST_RATIO = 1.25;
/** The same of shares of the run: 1 % that become 2 % are no news. */
const LEAST_SHARE = 0.05;
const HOUR = 3600;

const MEASURES: readonly { readonly name: MeasureName; readonly isBetterHigh: boolean }[] = [
  { name: 'bandwidth', isBetterHigh: true },
  { name: 'ioShare', isBetterHigh: false },
  { name: 'metadataRate', isBetterHigh: true },
];

type HistoryEngine = Pick<QueryEngine, 'query' | 'stream'>;

/** A measure of a kind over time. */
interface Series {
  readonly measure: (typeof MEASURES)[number];
  /** With a value. */
  readonly runs: readonly KindRun[];
  /** A value an hour: what runs side by side meets the same state of the file system, and is one piece of evidence. */
  readonly hours: readonly { readonly value: number; readonly firstRun: number }[];
  /** Undefined where there are too few hours to tell. */
  readonly pValue: number | undefined;
}

/**
 * How the kinds of jobs that a filter leaves did over time, and since when one is slower or faster.
 * @throws RangeError in words for the user: no such job.
 */
export async function findHistory(
  engine: HistoryEngine,
  request: HistoryRequest,
  filter: JobFilter,
  signal?: AbortSignal,
): Promise<FleetHistory> {
  const { job = '', mostKinds, changesSince = -Infinity } = request;
  const leastRuns = job === '' ? 2 * LEAST_ON_A_SIDE : 1;
  const kinds: { readonly of: KindRuns; readonly series: readonly Series[] }[] = [];
  for await (const of of runsOfKinds(engine, { leastRuns, job, filter }, signal))
    kinds.push({ of, series: MEASURES.map((measure) => seriesOf(of.runs, measure)) });
  if (job !== '' && kinds.length === 0)
    throw new RangeError(`There is no job ${job} with an application and a start among those that are looked at.`);
  const bounds = boundsOf(kinds.flatMap(({ series }) => series));
  const told: KindHistory[] = [];
  for (const { of, series } of kinds) {
    const measures: MeasureHistory[] = [];
    for (const one of series) {
      const values = valuesOf(one);
      if (values.length === 0) continue;
      const [lowerQuartile, median, upperQuartile] = [0.25, 0.5, 0.75].map((share) => quantile(values, share)!);
      const changes = await changesOf(engine, one, bounds.get(one), signal);
      measures.push({
        ...{ measure: one.measure.name, runs: values.length },
        ...{ lowerQuartile: lowerQuartile!, median: median!, upperQuartile: upperQuartile! },
        changes: changes.filter(({ since }) => since >= changesSince),
      });
    }
    told.push({ ...of, measures });
  }
  told.sort((a, b) => Number(hasChanges(b)) - Number(hasChanges(a)) || b.runs.length - a.runs.length);
  return {
    kinds: kinds.length,
    jobs: kinds.reduce((sum, { of }) => sum + of.runs.length, 0),
    tested: kinds.flatMap(({ series }) => series).filter(({ pValue }) => pValue !== undefined).length,
    told: told.filter((kind, index) => hasChanges(kind) || index < mostKinds),
    standings: job === '' ? [] : told.flatMap((kind) => standingsOf(kind, job)),
  };
}

function hasChanges({ measures }: KindHistory): boolean {
  return measures.some(({ changes }) => changes.length > 0);
}

function valuesOf({ runs, measure }: Pick<Series, 'runs' | 'measure'>): number[] {
  return runs.map((run) => run[measure.name]!);
}

function seriesOf(all: readonly KindRun[], measure: Series['measure']): Series {
  const runs = all.filter((run) => run[measure.name] !== null);
  const hours: { value: number; firstRun: number }[] = [];
  for (let first = 0; first < runs.length;) {
    const hour = Math.floor(runs[first]!.start / HOUR);
    let next = first + 1;
    while (next < runs.length && Math.floor(runs[next]!.start / HOUR) === hour) next++;
    const values = valuesOf({ runs: runs.slice(first, next), measure });
    hours.push({ value: quantile(values, 0.5)!, firstRun: first });
    first = next;
  }
  return { measure, runs, hours, pValue: strongestStretch(hours.map(({ value }) => value))?.pValue };
}

/**
 * The probabilities below which series have changed, so that all of them together are wrong as seldom as one would be
 * (Holm). Series without one have not.
 */
function boundsOf(all: readonly Series[]): ReadonlyMap<Series, number> {
  const tested = all.filter((series) => series.pValue !== undefined).sort((a, b) => a.pValue! - b.pValue!);
  const bounds = new Map<Series, number>();
  for (const [index, series] of tested.entries()) {
    const bound = MOST_CHANCE / (tested.length - index);
    if (series.pValue! > bound) break;
    bounds.set(series, bound);
  }
  return bounds;
}

async function changesOf(
  engine: HistoryEngine,
  series: Series,
  bound: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Change[]> {
  if (bound === undefined) return [];
  const { hours, runs, measure } = series;
  const points = changePoints(
    hours.map(({ value }) => value),
    bound,
  );
  const changes: Change[] = [];
  for (const point of points) {
    const sides = sidesOf(series, point);
    const [before, after] = sides.map((side) => quantile(valuesOf({ runs: side, measure }), 0.5)!) as [number, number];
    if (!isNews(measure.name, before, after)) continue;
    changes.push({
      since: runs[hours[point.at]!.firstRun]!.start,
      before: { runs: sides[0].length, median: before },
      after: { runs: sides[1].length, median: after },
      ratio: before === 0 ? null : after / before,
      isWorse: after < before === measure.isBetterHigh,
      isLasting: point.to === hours.length,
      pValue: Math.min(1, (point.pValue * MOST_CHANCE) / bound),
      servers: await compareServers(engine, sides[0], sides[1], signal),
    });
  }
  return changes;
}

function sidesOf({ hours, runs }: Series, { from, at, to }: ChangePoint): [KindRun[], KindRun[]] {
  const runAt = (hour: number): number => hours[hour]?.firstRun ?? runs.length;
  return [runs.slice(runAt(from), runAt(at)), runs.slice(runAt(at), runAt(to))];
}

function isNews(measure: MeasureName, before: number, after: number): boolean {
  if (measure === 'ioShare' && Math.abs(after - before) < LEAST_SHARE) return false;
  return Math.max(before, after) >= LEAST_RATIO * Math.min(before, after);
}

function standingsOf({ application, processes, input, runs, measures }: KindHistory, job: string): JobStanding[] {
  return runs
    .filter(({ log, jobId }) => log === job || jobId === job)
    .map((run) => {
      const percentiles = Object.fromEntries(
        MEASURES.map(({ name }) => {
          const isTold = run[name] !== null && measures.some(({ measure }) => measure === name);
          const values = runs.flatMap((other) => other[name] ?? []);
          return [name, isTold ? percentileOf(run[name]!, values) : null];
        }),
      ) as JobStanding['percentiles'];
      return { ...run, kind: { application, processes, input }, runs: runs.length, percentiles };
    });
}
