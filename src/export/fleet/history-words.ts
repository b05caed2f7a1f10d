import { counted, formatBytes, formatCount, formatRate, formatShare } from '../../base/quantities.ts';
import type {
  Change,
  FleetHistory,
  JobStanding,
  Kind,
  KindHistory,
  MeasureHistory,
  MeasureName,
  ServerComparison,
} from '../../fleet/history/history.ts';

/** How kinds of jobs fared, in words that text, alarms and reports share. Names in them are as recorded. */

export const MEASURE_TITLES: Readonly<Record<MeasureName, string>> = {
  bandwidth: 'bandwidth',
  ioShare: 'I/O share',
  metadataRate: 'files a second of metadata',
};

function measureText(measure: MeasureName, value: number): string {
  if (measure === 'bandwidth') return formatRate(value);
  return measure === 'ioShare'
    ? formatShare(value)
    : value >= 100
      ? formatCount(value)
      : `${Number(value.toPrecision(3))}`;
}

/** `vasp, 64 processes, reads about 1 GiB` */
export function kindText({ application, processes, input }: Kind): string {
  const scale = processes === null ? 'processes unknown' : counted(processes, 'process', 'processes');
  const reads = input === null ? 'reads unknown' : input === 0 ? 'reads nothing' : `reads about ${formatBytes(input)}`;
  return `${application}, ${scale}, ${reads}`;
}

/** `2026-10-12` (UTC). */
export function dayText(seconds: number): string {
  const date = new Date(seconds * 1000);
  // A damaged log may start in a year that no calendar has.
  return Number.isNaN(date.getTime()) ? 'an unknown day' : date.toISOString().slice(0, 10);
}

/** How much was looked at, as a sentence: an answer without a change is one of so many series. */
export function lookedAtText({ kinds, jobs, tested }: Pick<FleetHistory, 'kinds' | 'jobs' | 'tested'>): string {
  if (kinds === 0) return 'No kind of jobs (application, processes, bytes read) has enough runs.';
  return `${counted(kinds, 'kind')} of jobs, ${counted(jobs, 'run')}; ${counted(tested, 'series', 'series')} looked through for changes.`;
}

/** `75 runs, 2018-01-01 to 2018-03-27` */
export function spanText({ runs }: Pick<KindHistory, 'runs'>): string {
  return `${counted(runs.length, 'run')}, ${dayText(runs[0]!.start)} to ${dayText(runs.at(-1)!.start)}`;
}

/**
 * `median 920 MB/s, half of them 609 MB/s to 1.22 GB/s`
 * @param all runs of the kind: of how many of them the measure is known.
 */
export function spreadText(
  { measure, runs, lowerQuartile, median, upperQuartile }: MeasureHistory,
  all: number,
): string {
  const [low, middle, high] = [lowerQuartile, median, upperQuartile].map((value) => measureText(measure, value));
  const some = runs === all ? '' : ` of ${formatCount(runs)} runs`;
  return `median ${middle!}, half of them ${low!} to ${high!}${some}`;
}

/** A change with what the servers did meanwhile, as a sentence. */
export function changeSentence(measure: MeasureName, change: Change): string {
  const lasts = change.isLasting ? '' : ', which did not last';
  return `${changeText(measure, change)}${lasts}; ${serversText(change.servers)}.`;
}

/** `920 MB/s: 43 % of them have less`; undefined where the recording of the job does not say. */
export function placeText(measure: MeasureName, standing: JobStanding): string | undefined {
  const [value, percentile] = [standing[measure], standing.percentiles[measure]];
  if (value === null || percentile === null) return undefined;
  return `${measureText(measure, value)}: ${(100 * percentile).toFixed(0)} % of them have less`;
}

/** `since 2026-10-12 half as fast (median 1.2 GB/s → 600 MB/s, 40 → 35 jobs)` */
function changeText(measure: MeasureName, { since, before, after, ratio }: Change): string {
  const medians = `median ${measureText(measure, before.median)} → ${measureText(measure, after.median)}`;
  const jobs = `${formatCount(before.runs)} → ${formatCount(after.runs)} jobs`;
  return `since ${dayText(since)} ${becameText(measure, ratio)} (${medians}, ${jobs})`;
}

function becameText(measure: MeasureName, ratio: number | null): string {
  if (measure === 'ioShare') return `${timesText(ratio)} the I/O share`;
  return measure === 'bandwidth' ? `${timesText(ratio)} as fast` : `metadata ${timesText(ratio)} as fast`;
}

function timesText(ratio: number | null): string {
  if (ratio === null) return 'infinitely many times';
  if (Math.abs(ratio - 0.5) < 0.025) return 'half';
  return Math.abs(ratio - 2) < 0.1 ? 'twice' : `${Number(ratio.toPrecision(2))} times`;
}

/** What the servers did meanwhile, as a part of a sentence. */
function serversText(servers: ServerComparison): string {
  const { bytesBefore, bytesAfter, operationsBefore, operationsAfter } = servers;
  const moved =
    bytesBefore === null || bytesAfter === null
      ? []
      : [`${formatRate(bytesBefore)} → ${formatRate(bytesAfter)} for others`];
  const asked =
    operationsBefore === null || operationsAfter === null
      ? []
      : [`${formatCount(operationsBefore)} → ${formatCount(operationsAfter)} metadata operations a second`];
  const figures = ` (${[...moved, ...asked].join(', ')})`;
  switch (servers.verdict) {
    case 'busier':
      return `the file system's servers were busier${figures}`;
    case 'not-busier':
      return `the file system's servers were not busier${known(moved.length > 0, asked.length > 0)}${figures}`;
    case 'unclear':
      return `the file system's servers were busier, but that may be chance${figures}`;
    case 'not-sampled':
      return "too few of these runs have samples of the file system's servers";
    case 'no-load':
      return "the store has no samples of the file system's servers";
  }
}

/** What the servers did in the other way nobody sampled. */
function known(areBytes: boolean, areOperations: boolean): string {
  if (areBytes && areOperations) return '';
  return areBytes ? ', as far as bytes tell' : ', as far as metadata operations tell';
}

/** Changes for the worse that last, a line each: what an alarm is about. */
export function alarmLines(kinds: readonly KindHistory[]): string[] {
  return kinds.flatMap((kind) =>
    kind.measures.flatMap(({ measure, changes }) =>
      changes
        .filter(({ isWorse, isLasting }) => isWorse && isLasting)
        .map((change) => `${kindText(kind)}: ${changeText(measure, change)}; ${serversText(change.servers)}`),
    ),
  );
}
