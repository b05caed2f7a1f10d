import { escapeMarkdown } from '../report/markdown.ts';
import type { FleetReport } from '../../fleet/report/fleet-report.ts';
import { reportFigures, reportSections, reportTitle, type ReportSection } from './report-sections.ts';

/** The report of a store as Markdown: the tables say what the pictures of the page show. */
export function fleetReportMarkdown(report: FleetReport, store: string, origin: string): string {
  const figures = reportFigures(report).map(([name, value]) => [name, value]);
  const parts = [
    `# ${escapeMarkdown(reportTitle(report))}`,
    escapeMarkdown(store),
    tableText([{ title: '' }, { title: '', isNumber: true }], figures),
    ...reportSections(report).flatMap(sectionText),
    escapeMarkdown(origin),
  ];
  return `${parts.join('\n\n')}\n`;
}

function sectionText({ title, about, lines = [], table }: ReportSection): string[] {
  return [
    `## ${escapeMarkdown(title)}`,
    ...(about === undefined ? [] : [escapeMarkdown(about)]),
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${escapeMarkdown(line)}`).join('\n')]),
    ...(table === undefined || table.rows.length === 0 ? [] : [tableText(table.columns, table.rows)]),
  ];
}

function tableText(
  columns: NonNullable<ReportSection['table']>['columns'],
  rows: readonly (readonly string[])[],
): string {
  // Numbers are ours, with their units.
  const cell = (text: string, column: number): string =>
    columns[column]?.isNumber === true ? text : escapeMarkdown(text);
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  const rule = columns.map(({ isNumber }) => (isNumber === true ? '---:' : '---'));
  return [line(columns.map(({ title }) => title)), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}
