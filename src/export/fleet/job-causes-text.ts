import { formatRate } from '../../base/quantities.ts';
import type { JobCauses } from '../../fleet/query/job-causes.ts';
import { printable } from '../report/report-text.ts';

/** Jobs with the causes of their low bandwidth, for people. */
export function jobCausesText(jobs: readonly JobCauses[]): string {
  if (jobs.length === 0) return 'No job has such a bandwidth.\n';
  return `${printable(jobs).map(jobText).join('\n')}${jobs.length === 1 ? '1 job' : `${jobs.length} jobs`}\n`;
}

function jobText({ log, jobId, application, processes, nodes, causes }: JobCauses): string {
  const { bandwidth, activeSeconds, spanSeconds, critical, factors, verdicts } = causes;
  const who = [
    `job ${jobId ?? '?'}`,
    application ?? 'unknown application',
    processes === null ? '' : `${processes} processes`,
    nodes === null ? '' : `${nodes} nodes`,
  ];
  const lines = [
    `${who.filter((part) => part !== '').join(', ')} (${log})`,
    `  ${formatRate(bandwidth ?? 0)} over ${activeSeconds.toFixed(2)} s of activity in ${spanSeconds.toFixed(2)} s; critical files: ${critical.length}`,
    `  small ${percent(factors.smallPercent)}, non-consecutive ${percent(factors.nonConsecutivePercent)}, collective ${factors.collective}, storage targets ${factors.ostCount ?? '?'}, processes a target ${factors.processesPerOst?.toFixed(1) ?? '?'}`,
    ...verdicts.map(({ message }) => `  - ${message}`),
  ];
  return `${lines.join('\n')}\n`;
}

function percent(value: number | null): string {
  return value === null ? '?' : `${value.toFixed(0)} %`;
}
