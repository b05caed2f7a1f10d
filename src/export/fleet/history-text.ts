import { counted, formatCount } from '../../base/quantities.ts';
import type { FleetHistory, JobStanding, KindHistory, MeasureName } from '../../fleet/history/history.ts';
import { printable } from '../report/report-text.ts';
import { changeText, dayText, kindText, measureText, MEASURE_TITLES, serversText } from './history-words.ts';

/** How kinds of jobs fared over time, for people. */
export function historyText(history: FleetHistory): string {
  const { kinds, jobs, tested, told, standings } = printable(history);
  if (kinds === 0) return 'No kind of jobs (application, processes, bytes read) has enough runs.\n';
  const left = kinds - told.length;
  const lines = [
    `${counted(kinds, 'kind')} of jobs, ${counted(jobs, 'run')}; ${counted(tested, 'series', 'series')} looked through for changes.`,
    ...standings.flatMap((standing) => ['', ...standingLines(standing)]),
    ...told.flatMap((kind) => ['', ...kindLines(kind)]),
    ...(left > 0 ? ['', `… and ${counted(left, 'kind')} without a change (--kinds tells more).`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function kindLines(kind: KindHistory): string[] {
  const { runs, measures } = kind;
  const span = `${dayText(runs[0]!.start)} to ${dayText(runs.at(-1)!.start)}`;
  return [
    `${kindText(kind)}: ${counted(runs.length, 'run')}, ${span}`,
    ...measures.map(({ measure, runs: known, lowerQuartile, median, upperQuartile }) => {
      const [low, middle, high] = [lowerQuartile, median, upperQuartile].map((value) => measureText(measure, value));
      const some = known === runs.length ? '' : ` of ${formatCount(known)} runs`;
      return `  ${MEASURE_TITLES[measure].padEnd(27)} median ${middle!}, half of them ${low!} to ${high!}${some}`;
    }),
    ...measures.flatMap(({ measure, changes }) =>
      changes.map((change) => {
        const lasts = change.isLasting ? '' : ', which did not last';
        return `  ▸ ${changeText(measure, change)}${lasts}; ${serversText(change.servers)}.`;
      }),
    ),
  ];
}

function standingLines({ jobId, log, start, kind, runs, percentiles, ...values }: JobStanding): string[] {
  const measures: readonly MeasureName[] = ['bandwidth', 'ioShare', 'metadataRate'];
  return [
    `job ${jobId ?? log} of ${dayText(start)} among ${counted(runs, 'run')} of its kind (${kindText(kind)}):`,
    ...measures.map((measure) => {
      const [value, percentile] = [values[measure], percentiles[measure]];
      if (value === null || percentile === null) return `  ${MEASURE_TITLES[measure].padEnd(27)} unknown`;
      const place = `${(100 * percentile).toFixed(0)} % of them have less`;
      return `  ${MEASURE_TITLES[measure].padEnd(27)} ${measureText(measure, value)}: ${place}`;
    }),
  ];
}
