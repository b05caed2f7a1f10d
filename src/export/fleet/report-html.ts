import { tableOf, wide } from '../../drawing/markup/tables.ts';
import { branch, printed, type Branch } from '../../drawing/markup/tree.ts';
import type { FleetReport } from '../../fleet/report/fleet-report.ts';
import { chartFigure } from '../report/chart-svg.ts';
import { htmlPage } from '../report/html-page.ts';
import { section } from '../report/report-html-parts.ts';
import { REPORT_STYLE } from '../report/report-html-style.ts';
import { JOB_STYLE } from '../report/report-job-style.ts';
import { reportFigures, reportSections, reportTitle, type ReportSection } from './report-sections.ts';

/** The report of a store in one file: no script, no request, nothing of the recordings as markup. */
export function fleetReportHtml(report: FleetReport, store: string, origin: string): Promise<string> {
  const title = reportTitle(report);
  const tiles = reportFigures(report).map(([name, value]) =>
    branch(
      'div',
      { class: 'tile' },
      branch('span', { class: 'label' }, name),
      branch('span', { class: 'value' }, value),
    ),
  );
  const parts = [
    branch(
      'header',
      {},
      branch('h1', {}, title),
      branch('p', { class: 'soft' }, branch('code', {}, store)),
      branch('div', { class: 'tiles' }, ...tiles),
    ),
    ...reportSections(report).map(sectionHtml),
    branch('footer', {}, origin),
  ];
  return htmlPage(
    title,
    `${REPORT_STYLE}${JOB_STYLE}`,
    parts.map((part) => printed(part)),
  );
}

function sectionHtml({ title, about, lines = [], charts = [], table }: ReportSection): Branch {
  return section(
    title,
    ...(about === undefined ? [] : [branch('p', { class: 'soft' }, about)]),
    ...(lines.length === 0 ? [] : [branch('ul', {}, ...lines.map((line) => branch('li', {}, line)))]),
    ...(charts.length === 0 ? [] : [branch('div', { class: 'grid' }, ...charts.map(chartFigure))]),
    ...(table === undefined || table.rows.length === 0 ? [] : [wide(tableOf(table.columns, table.rows), 'full')]),
  );
}
