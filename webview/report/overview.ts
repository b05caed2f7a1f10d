import type { ViewReport } from '../../src/features/report/protocol.ts';
import { formatBytes, formatCount } from '../../src/base/quantities.ts';
import { formatDate, formatSeconds } from '../kit/amounts.ts';
import type { Charts } from '../kit/charts.ts';
import { button, facts, make, table, type Cell } from '../kit/dom.ts';
import { placeLink, severityBadge } from './findings.ts';
import { HeatmapView } from './heatmap.ts';
import {
  costChart,
  fileSystemChart,
  formatBandwidth,
  severityCounts,
  type Headline,
  type Module,
} from './view-model.ts';

/** Findings that stand on the first page. */
const FIRST_FINDINGS = 6;

export interface OverviewEvents {
  showFindings(finding?: number): void;
  openPlace(place: number): void;
}

/** What somebody sees first: the worst findings, the job, and where its time and bytes went. */
export function fillOverview(
  panel: HTMLElement,
  report: ViewReport,
  charts: Charts,
  heatmaps: HeatmapView[],
  events: OverviewEvents,
): void {
  panel.append(
    make('div', { class: 'columns' }, findingList(report, events), jobFacts(report)),
    make('h2', {}, 'Interfaces'),
    make('div', { class: 'wide full' }, interfaceTable(report)),
  );
  const bars = [costChart(report.job), fileSystemChart(report.job)].filter((chart) => chart !== null);
  panel.append(make('div', { class: 'grid' }, ...bars.map((chart) => charts.figure(chart))));
  for (const data of report.job.heatmaps) {
    const view = new HeatmapView(data, report.job.job.processes);
    heatmaps.push(view);
    panel.append(view.element);
  }
}

function findingList({ findings, nothingFound }: ViewReport, events: OverviewEvents): HTMLElement {
  const own = findings.filter(({ isSummary }) => !isSummary);
  const counts = severityCounts(findings).map(([severity, count]) => `${count} ${severity}`);
  const rows = own.slice(0, FIRST_FINDINGS).map((finding, number) => {
    const link = button(finding.title, { class: 'link' }, () => events.showFindings(number));
    const where = finding.sites.find(({ isHere }) => isHere)?.place;
    return make(
      'li',
      {},
      severityBadge(finding.severity),
      make('span', {}, link, ' ', where === undefined ? null : placeLink(where, (place) => events.openPlace(place))),
    );
  });
  const section = make('section', { class: 'card' }, make('h2', {}, 'Findings'));
  if (own.length === 0) section.append(make('p', {}, nothingFound));
  else section.append(make('p', { class: 'soft' }, counts.join(', ')), make('ul', { class: 'findings' }, ...rows));
  if (own.length > FIRST_FINDINGS) {
    const more = button(`All ${own.length} findings`, { class: 'link' }, () => events.showFindings());
    section.append(make('p', {}, more));
  }
  return section;
}

function jobFacts({ job: { job, usedFiles } }: ViewReport): HTMLElement {
  const byModule = usedFiles.byModule.map(({ module, files }) => `${module} ${formatCount(files)}`).join(', ');
  const rows: [string, Cell][] = [
    ['Job', `${job.jobId} of user ${job.userId}`],
    ['Start', job.startTime === null ? 'not known' : formatDate(job.startTime)],
    [
      'End',
      job.endTime === null ? `not known${job.wasKilled ? ': the program was killed' : ''}` : formatDate(job.endTime),
    ],
    ['Run time', job.runSeconds === null ? 'not known' : formatSeconds(job.runSeconds)],
    ['Files', byModule === '' ? formatCount(usedFiles.files) : `${formatCount(usedFiles.files)} (${byModule})`],
    ['Darshan', [job.libraryVersion, `log format ${job.logVersion}`].filter((part) => part !== '').join(', ')],
  ];
  if (job.hints.length > 0)
    rows.push(['MPI-IO hints', make('code', {}, job.hints.map(([name, value]) => `${name}=${value}`).join(' '))]);
  return make('section', { class: 'card' }, make('h2', {}, 'Job'), facts(rows));
}

/** A row for each interface: PyDarshan's module overviews side by side. */
function interfaceTable({ job }: ViewReport): HTMLTableElement {
  const number = { isNumber: true };
  return table(
    [
      { title: 'Interface' },
      { title: 'Files', ...number },
      { title: 'Read', ...number },
      { title: 'Written', ...number },
      { title: 'Read time', ...number, hint: 'of all processes together' },
      { title: 'Write time', ...number, hint: 'of all processes together' },
      { title: 'Metadata time', ...number, hint: 'of all processes together' },
      { title: 'Bandwidth', ...number, hint: 'estimated by Darshan from the slowest process' },
    ],
    job.modules.map((module) => interfaceRow(module)),
  );
}

function interfaceRow(module: Module): Cell[] {
  const { time, categories, performance } = module;
  const seconds = (value: number | undefined): string => (value === undefined ? '–' : formatSeconds(value));
  return [
    moduleName(module),
    categories === null ? '–' : formatCount(categories.total.files),
    formatBytes(module.bytesRead),
    formatBytes(module.bytesWritten),
    seconds(time?.readSeconds),
    seconds(time?.writeSeconds),
    seconds(time?.metadataSeconds),
    performance === null ? '–' : formatBandwidth(performance.mebibytesPerSecond),
  ];
}

/** Numbers that are seen at a glance. */
export function tiles(shown: readonly Headline[]): HTMLElement {
  return make(
    'div',
    { class: 'tiles' },
    ...shown.map(({ label, value, note }) =>
      make(
        'div',
        { class: 'tile' },
        make('span', { class: 'label' }, label),
        make('span', { class: 'value' }, value),
        note === '' ? null : make('span', { class: 'soft' }, note),
      ),
    ),
  );
}

/** With a word where records are missing. */
export function moduleName({ module, incomplete }: { module: string; incomplete: boolean }): Cell {
  if (!incomplete) return module;
  const title = 'Darshan ran out of memory for this module: records are missing';
  return make('span', {}, module, ' ', make('span', { class: 'flag', title }, 'incomplete'));
}
