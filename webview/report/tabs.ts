import type { ViewReport } from '../../src/features/report/protocol.ts';
import { tableOf, wide } from '../../src/drawing/markup/tables.ts';
import { branch, type Branch, type Markup } from '../../src/drawing/markup/tree.ts';
import { findingCard, findingList, summaryCard, UNMARKED_TITLE } from '../../src/drawing/report/findings.ts';
import { headlines, incompleteText, interfaces, jobFacts, tiles } from '../../src/drawing/report/job-parts.ts';
import { logPieces, logTexts } from '../../src/drawing/report/log-parts.ts';
import type { Medium } from '../../src/drawing/report/medium.ts';

/** Findings that stand on the first page. */
const FIRST_FINDINGS = 6;

/** What somebody sees first: the worst findings, the job, and where its time and bytes went. @param all shows all findings. */
export function overviewTab(report: ViewReport, medium: Medium<Node>, all: Node): Markup<Node>[] {
  const { job, findings, nothingFound } = report;
  const own = findings.filter(({ isSummary }) => !isSummary);
  const found = own.length === 0 ? [branch('p', {}, nothingFound)] : findingList(own, FIRST_FINDINGS, medium);
  const more = own.length > FIRST_FINDINGS ? branch('p', {}, { part: all }) : null;
  const card = (title: string, ...content: readonly (Markup<Node> | null)[]): Branch<Node> =>
    branch('section', { class: 'card' }, branch('h2', {}, title), ...content);
  return [
    tiles(headlines(job)),
    branch('div', { class: 'columns' }, card('Findings', ...found, more), card('Job', jobFacts(job, medium))),
    branch('h2', {}, 'Interfaces'),
    ...interfaces(job, medium),
    ...job.heatmaps.map((heatmap) => medium.heatmap(heatmap, job.job.processes)),
  ];
}

/** All findings, worst first, then in short what kind of I/O the run does. */
export function findingTab(
  { findings, patches, nothingFound, unmarked }: ViewReport,
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

/** What the log itself is: its pieces, what it says of its machine, what was lost and what it cannot tell. */
export function logTab({ job, damage, lacks, notes }: ViewReport): Branch[] {
  const columns = ['Where', 'What', 'Lost'].map((title) => ({ title }));
  const rows = damage.map(({ where, what, lost }) => [where, what, lost]);
  return [
    ...(rows.length === 0 ? [] : [branch('h2', {}, 'Damage'), wide(tableOf(columns, rows))]),
    ...logPieces(job),
    ...titledList(
      'What the log does not tell',
      lacks.map(({ what, consequence, remedy }) => `${what}: ${consequence}. ${remedy}.`),
    ),
    ...titledList('Notes', notes),
    ...logTexts(job),
  ];
}

function titledList(title: string, items: readonly string[]): Branch[] {
  if (items.length === 0) return [];
  return [branch('h2', {}, title), branch('ul', {}, ...items.map((item) => branch('li', {}, item)))];
}

/** What makes the numbers below it less than the whole truth. */
export function warnings({ damage, job }: ViewReport): string[] {
  const said: string[] = [];
  const [first] = damage;
  if (first !== undefined) {
    const others = damage.length - 1;
    const more =
      others === 0
        ? ''
        : ` ${others === 1 ? '1 more report of damage stands' : `${others} more reports of damage stand`} under “Log”.`;
    said.push(`The log was read in part: ${first.where}: ${first.what}. Lost: ${first.lost}.${more}`);
  }
  return [...said, incompleteText(job)].filter((text) => text !== '');
}
