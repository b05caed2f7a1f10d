import type { ViewReport, ViewSummary } from '../../src/features/report/protocol.ts';
import { formatCount } from '../../src/base/quantities.ts';
import { tableOf, wide } from '../../src/drawing/markup/tables.ts';
import { branch, type Branch, type Markup } from '../../src/drawing/markup/tree.ts';
import { findingCard, findingList, summaryCard, UNMARKED_TITLE } from '../../src/drawing/report/findings.ts';
import { headlines, incompleteText, interfaces, jobFacts, tiles } from '../../src/drawing/report/job-parts.ts';
import { logPieces, logTexts } from '../../src/drawing/report/log-parts.ts';
import type { Medium } from '../../src/drawing/report/medium.ts';
import { lineTable, runFacts, usedFileTable } from '../../src/drawing/report/run-parts.ts';

/** Findings that stand on the first page. */
const FIRST_FINDINGS = 6;

/** Lines that stand on the first page. */
const FIRST_LINES = 10;

type Report = ViewReport | ViewSummary;

/** What somebody sees first: the worst findings, the job, and where its time and bytes went. @param all shows all findings. */
export function overviewTab(report: ViewReport, medium: Medium<Node>, all: Node): Markup<Node>[] {
  const { job } = report;
  return [
    tiles(headlines(job)),
    head(report),
    branch('div', { class: 'columns' }, firstFindings(report, medium, all), card('Job', jobFacts(job, medium))),
    branch('h2', {}, 'Interfaces'),
    ...interfaces(job, medium),
    ...job.heatmaps.map((heatmap) => medium.heatmap(heatmap, job.job.processes)),
  ];
}

/** The same of a recording that describes no job: its dearest lines stand in the place of the job's interfaces. */
export function runTab(report: ViewSummary, medium: Medium<Node>, all: Node): Markup<Node>[] {
  const { run } = report;
  const lines = run.lines.slice(0, FIRST_LINES);
  return [
    tiles(run.headlines),
    head(report),
    branch('div', { class: 'columns' }, firstFindings(report, medium, all), card('Run', runFacts(run, medium))),
    ...(lines.length === 0 ? [] : [branch('h2', {}, 'Where the time goes'), lineTable(run, lines, medium)]),
  ];
}

export function linesTab({ run }: ViewSummary, medium: Medium<Node>): Markup<Node>[] {
  if (run.lines.length === 0)
    return [branch('p', { class: 'nothing' }, 'No call of the recording leads to a source line or a function.')];
  return [lineTable(run, run.lines, medium), ...leftOut(run.linesLeftOut, 'lines that cost less')];
}

export function usedFilesTab({ run }: ViewSummary, medium: Medium<Node>): Markup<Node>[] {
  if (run.files.length === 0) return [branch('p', { class: 'nothing' }, 'No file counts as one of the program’s own.')];
  return [usedFileTable(run, run.files, medium), ...leftOut(run.filesLeftOut, 'files that cost less')];
}

function leftOut(more: number, what: string): Branch[] {
  const text = `${formatCount(more)} more ${what} are not listed: the views of the side bar and the export have them.`;
  return more === 0 ? [] : [branch('p', { class: 'soft' }, text)];
}

/** What the run goes into, as at the head of every report. */
function head({ head: sentences }: Report): Branch {
  return branch('div', { class: 'head' }, ...sentences.map((sentence) => branch('p', {}, sentence)));
}

function card(title: string, ...content: readonly (Markup<Node> | null)[]): Branch<Node> {
  return branch('section', { class: 'card' }, branch('h2', {}, title), ...content);
}

function firstFindings({ findings, nothingFound }: Report, medium: Medium<Node>, all: Node): Branch<Node> {
  const own = findings.filter(({ isSummary }) => !isSummary);
  const found = own.length === 0 ? [branch('p', {}, nothingFound)] : findingList(own, FIRST_FINDINGS, medium);
  return card('Findings', ...found, own.length > FIRST_FINDINGS ? branch('p', {}, { part: all }) : null);
}

/** All findings, worst first, then in short what kind of I/O the run does. */
export function findingTab(
  { findings, patches, nothingFound, unmarked }: Report,
  medium: Medium<Node>,
): Markup<Node>[] {
  const own = findings.filter(({ isSummary }) => !isSummary);
  const summaries = findings.filter(({ isSummary }) => isSummary);
  return [
    ...(own.length === 0 ? [branch('p', { class: 'nothing' }, nothingFound)] : []),
    ...own.map((finding, number) => findingCard(finding, number, medium)),
    ...titledList(UNMARKED_TITLE, unmarked),
    ...(patches.length === 0 ? [] : [patchSection(patches, medium)]),
    ...(summaries.length === 0 ? [] : [branch('h2', {}, 'In short')]),
    ...summaries.map((summary, at) => summaryCard(summary, at, medium)),
  ];
}

/** Everything for whoever starts the job, in one place. */
function patchSection(patches: ViewReport['patches'], medium: Medium<Node>): Branch<Node> {
  return branch(
    'section',
    { 'aria-labelledby': 'patches' },
    branch('h2', { id: 'patches' }, 'For the job script'),
    ...patches.flatMap(({ codes, snippet }): Markup<Node>[] => [
      branch('p', { class: 'soft' }, `For ${codes.join(', ')}`),
      medium.snippets([snippet]),
    ]),
  );
}

/** What the recording itself is: its pieces, what it says of its machine, what was lost and what it cannot tell. */
export function logTab(report: Report): Branch[] {
  const { damage, lacks, notes } = report;
  const job = 'job' in report ? report.job : undefined;
  const columns = ['Where', 'What', 'Lost'].map((title) => ({ title }));
  const rows = damage.map(({ where, what, lost }) => [where, what, lost]);
  return [
    ...(rows.length === 0 ? [] : [branch('h2', {}, 'Damage'), wide(tableOf(columns, rows))]),
    ...(job === undefined ? [] : logPieces(job)),
    ...titledList(
      job === undefined ? 'What the recording does not tell' : 'What the log does not tell',
      lacks.map(({ what, consequence, remedy }) => `${what}: ${consequence}. ${remedy}.`),
    ),
    ...titledList('Notes', notes),
    ...(job === undefined ? [] : logTexts(job)),
  ];
}

function titledList(title: string, items: readonly string[]): Branch[] {
  if (items.length === 0) return [];
  return [branch('h2', {}, title), branch('ul', {}, ...items.map((item) => branch('li', {}, item)))];
}

/** What makes the numbers below it less than the whole truth. */
export function warnings(report: Report): string[] {
  const { damage } = report;
  const thing = 'job' in report ? 'log' : 'recording';
  const said: string[] = [];
  const [first] = damage;
  if (first !== undefined) {
    const others = damage.length - 1;
    const more =
      others === 0
        ? ''
        : ` ${others === 1 ? '1 more report of damage is' : `${others} more reports of damage are`} under “${tabTitle(report)}”.`;
    said.push(`The ${thing} was read in part: ${first.where}: ${first.what}. Lost: ${first.lost}.${more}`);
  }
  return [...said, 'job' in report ? incompleteText(report.job) : ''].filter((text) => text !== '');
}

/** The tab on the recording itself. */
export function tabTitle(report: Report): string {
  return 'job' in report ? 'Log' : 'Recording';
}
