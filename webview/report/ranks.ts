import type { ViewReport } from '../../src/features/report/protocol.ts';
import { formatBytes, formatCount } from '../../src/base/quantities.ts';
import type { Charts } from '../kit/charts.ts';
import { formatSeconds } from '../kit/amounts.ts';
import { make, table } from '../kit/dom.ts';
import { selectButton } from './selection-marks.ts';
import { rankBytesChart, rankSource, rankTimeChart, type Ranks } from './view-model.ts';

/** What each process did, and which of them stand out. */
export function fillRanks(panel: HTMLElement, { job }: ViewReport, charts: Charts): void {
  const { processes } = job.job;
  if (job.ranks.length === 0) {
    const text = 'The log does not tell what each process did: all its files were used by all of them together.';
    panel.append(make('p', { class: 'nothing' }, text));
  }
  for (const ranks of job.ranks) {
    const bars = [rankBytesChart(ranks, processes), rankTimeChart(ranks, processes)].filter((chart) => chart !== null);
    const active = `${formatCount(ranks.active)} of ${formatCount(processes)} processes used it. ${rankSource(ranks)}`;
    panel.append(
      make('h2', {}, ranks.module),
      make('p', { class: 'soft' }, active),
      make('div', { class: 'grid' }, ...bars.map((chart) => charts.figure(chart))),
    );
    if (ranks.exemplars.length > 1) panel.append(make('div', { class: 'wide exemplars' }, exemplarTable(ranks)));
  }
}

function exemplarTable({ exemplars }: Ranks): HTMLTableElement {
  return table(
    [
      { title: 'Which' },
      { title: 'Rank', isNumber: true },
      { title: 'Bytes', isNumber: true },
      { title: 'Time', isNumber: true },
    ],
    exemplars.map(({ role, rank, bytes, seconds }) => [
      role,
      selectButton(String(rank), { kind: 'rank', rank }, `Select the calls of rank ${rank}`),
      formatBytes(bytes),
      seconds === null ? '–' : formatSeconds(seconds),
    ]),
  );
}
