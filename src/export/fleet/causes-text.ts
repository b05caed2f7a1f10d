import { counted, formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../../base/quantities.ts';
import type { ContributingFactors } from '../../fleet/causes/causes.ts';
import type { DirectionCauses, RecordingCauses } from './causes-document.ts';
import { printable } from '../report/report-text.ts';

const CRITICAL_FILES = 10;

/** The causes as a person reads them in a terminal. */
export function causesText(causes: RecordingCauses): string {
  const { recording, application, processes, nodes, read, write } = printable(causes);
  const machine = nodes === null ? '' : ` on ${counted(nodes, 'node')}`;
  const head = `${application ?? recording}: ${counted(processes, 'process', 'processes')}${machine}`;
  return `${[head, ...directionLines('Reads', read, processes), ...directionLines('Writes', write, processes)].join('\n')}\n`;
}

function directionLines(title: string, causes: DirectionCauses, processes: number): string[] {
  const { bytes, activeSeconds, spanSeconds, callSeconds, bandwidth, files, criticalFiles, totalFiles } = causes;
  if (totalFiles === 0 || (bytes === 0 && bandwidth === null)) return ['', `${title}: none`];
  if (bandwidth === null) return ['', `${title}: ${formatBytes(bytes)}; the recording does not say when`];
  const idle = spanSeconds > activeSeconds ? ` (of ${seconds(spanSeconds)} from the first to the last)` : '';
  const calls =
    callSeconds === null
      ? ''
      : `; the calls take ${seconds(callSeconds)}${processes > 1 ? ', summed over processes' : ''}`;
  // A file is active from its first call to its last, however little of that its calls take.
  const rate = `${formatBytes(bytes)}, ${seconds(activeSeconds)} with a file in use${idle}: ${formatRate(bandwidth)}${calls}`;
  const critical = files.filter(({ exclusiveSeconds }) => exclusiveSeconds > 0).slice(0, CRITICAL_FILES);
  const more = criticalFiles - critical.length;
  return [
    '',
    `${title}: ${rate}`,
    `  ${factorText(causes.factors)}`,
    ...causes.verdicts.map(({ kind, message }) => `  ▸ ${kind}: ${message}`),
    `  critical path: ${formatCount(criticalFiles)} of ${counted(totalFiles, 'file')}`,
    ...critical.map(({ path, exclusiveSeconds }) => {
      const share = formatShare(exclusiveSeconds / activeSeconds).padStart(7);
      return `  ${seconds(exclusiveSeconds).padStart(9)} ${share}  ${path}`;
    }),
    ...(more > 0 ? [`  ${counted(more, 'more critical file')}`] : []),
  ];
}

function factorText(factors: ContributingFactors): string {
  const { smallPercent, nonConsecutivePercent, collective, ostCount, processesPerOst } = factors;
  return [
    `small ${percent(smallPercent)}`,
    `non-consecutive ${percent(nonConsecutivePercent)}`,
    `collective ${collective === 1 ? 'yes' : 'no'}`,
    `storage targets ${ostCount === null ? 'unknown' : formatCount(ostCount)}`,
    `processes for each target ${processesPerOst === null ? 'unknown' : String(Number(processesPerOst.toPrecision(3)))}`,
  ].join(', ');
}

function percent(value: number | null): string {
  return value === null ? 'unknown' : formatShare(value / 100);
}

function seconds(value: number): string {
  return formatDuration(value * 1e9);
}
