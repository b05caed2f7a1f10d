import { counted } from '../../base/quantities.ts';
import type { FleetHistory, JobStanding, KindHistory, MeasureName } from '../../fleet/history/history.ts';
import { printable } from '../report/report-text.ts';
import {
  changeSentence,
  dayText,
  kindText,
  lookedAtText,
  MEASURE_TITLES,
  placeText,
  spanText,
  spreadText,
} from './history-words.ts';

/** How kinds of jobs fared over time, for people. */
export function historyText(history: FleetHistory): string {
  const { kinds, told, standings, ...lookedAt } = printable(history);
  if (kinds === 0) return `${lookedAtText({ kinds, ...lookedAt })}\n`;
  const left = kinds - told.length;
  const lines = [
    lookedAtText({ kinds, ...lookedAt }),
    ...standings.flatMap((standing) => ['', ...standingLines(standing)]),
    ...told.flatMap((kind) => ['', ...kindLines(kind)]),
    ...(left > 0 ? ['', `… and ${counted(left, 'kind')} without a change (--kinds tells more).`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function kindLines(kind: KindHistory): string[] {
  const { runs, measures } = kind;
  return [
    `${kindText(kind)}: ${spanText(kind)}`,
    ...measures.map((one) => `  ${MEASURE_TITLES[one.measure].padEnd(27)} ${spreadText(one, runs.length)}`),
    ...measures.flatMap(({ measure, changes }) => changes.map((change) => `  ▸ ${changeSentence(measure, change)}`)),
  ];
}

function standingLines(standing: JobStanding): string[] {
  const { jobId, log, start, kind, runs } = standing;
  const measures: readonly MeasureName[] = ['bandwidth', 'ioShare', 'metadataRate'];
  return [
    `job ${jobId ?? log} of ${dayText(start)} among ${counted(runs, 'run')} of its kind (${kindText(kind)}):`,
    ...measures.map(
      (measure) => `  ${MEASURE_TITLES[measure].padEnd(27)} ${placeText(measure, standing) ?? 'unknown'}`,
    ),
  ];
}
