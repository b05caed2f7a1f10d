import type { WorkflowDocument, WorkflowInsight } from '../../src/features/workflow/protocol.ts';
import { formatShare } from '../../src/base/quantities.ts';
import type { Charts } from '../kit/charts.ts';
import { button, facts, make, type Cell } from '../kit/dom.ts';
import { jobLink, links, titledTable, type InfoActions } from './info.ts';
import { paradigmChart, runTimeChart } from './share-charts.ts';
import { countText, dateText, secondsText, shareText } from './words.ts';

/** Statistics of the whole: what was found, run times of jobs, function groups, general information. */
export function fillWorkflowTab(
  panel: HTMLElement,
  document: WorkflowDocument,
  charts: Charts,
  actions: InfoActions,
): void {
  const { jobs } = document;
  const timed = jobs.map(({ id, elapsed, share }) => ({ label: `Job ${id}`, elapsed, share }));
  const drawn = [runTimeChart('Run times of jobs', 'Job', timed), paradigmChart(document.share)];
  panel.replaceChildren(
    make('h2', { class: 'unseen' }, 'Workflow'),
    insightList(document, actions),
    make(
      'div',
      { class: 'grid' },
      ...drawn.map((chart) => (chart === null ? null : charts.figure(chart))),
      make(
        'section',
        { 'aria-label': 'The workflow' },
        make('h3', {}, 'The workflow'),
        facts(workflowFacts(document, actions)),
      ),
    ),
    titledTable(
      'Jobs',
      [
        { title: 'Job' },
        { title: 'Name' },
        { title: 'State' },
        { title: 'Run time', isNumber: true },
        { title: 'Share of all', isNumber: true, hint: 'of the run times of all jobs' },
        { title: 'In the queue', isNumber: true },
        { title: 'Started' },
        { title: 'Time went to' },
      ],
      jobRows(document, actions),
    ),
  );
}

function jobRows(document: WorkflowDocument, actions: InfoActions): Cell[][] {
  const total = document.jobs.reduce((sum, { elapsed }) => sum + (elapsed ?? 0), 0);
  return document.jobs.map((job, at) => [
    jobLink(document, at, actions),
    job.name,
    job.state,
    secondsText(job.elapsed),
    job.elapsed === null || total === 0 ? '–' : formatShare(job.elapsed / total),
    secondsText(job.queued),
    dateText(job.start),
    shareText(job.share),
  ]);
}

function workflowFacts(document: WorkflowDocument, actions: InfoActions): (readonly [string, Cell])[] {
  const { jobs, files, start, end, dependencies, criticalChain } = document;
  const kinds = (['declared', 'data', 'time'] as const)
    .map((kind) => [dependencies.filter((each) => each.kind === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${countText(count)} ${kind === 'time' ? 'by times' : kind}`);
  const chain = criticalChain.filter((job) => jobs[job] !== undefined).map((job) => jobLink(document, job, actions));
  return [
    ['Folder', document.folder],
    ['Jobs', countText(jobs.length)],
    ['Job steps', countText(jobs.reduce((sum, { steps }) => sum + steps.length, 0))],
    ['Files', countText(files.length)],
    ['Started', dateText(start)],
    ['Ended', dateText(end)],
    ['Time to completion', secondsText(start === null || end === null ? null : end - start)],
    ['Run time of all jobs', secondsText(jobs.reduce((sum, { elapsed }) => sum + (elapsed ?? 0), 0))],
    ['Dependencies', kinds.length === 0 ? 'none found' : kinds.join(', ')],
    ['Critical chain', links(chain, 20)],
    ['Time went to', shareText(document.share)],
  ];
}

function insightList({ insights, notes }: WorkflowDocument, actions: InfoActions): HTMLElement {
  const rows = insights.map((insight) => insightRow(insight, actions));
  return make(
    'section',
    { 'aria-label': 'Insights' },
    make('h3', {}, 'Insights'),
    rows.length === 0
      ? make('p', { class: 'soft' }, 'Nothing stands out.')
      : make('ul', { class: 'insights' }, ...rows),
    ...notes.map((note) => make('p', { class: 'note', role: 'note' }, note)),
  );
}

function insightRow(insight: WorkflowInsight, { mark }: InfoActions): HTMLElement {
  const { severity, title, message, recommendation, jobs, seconds } = insight;
  const head =
    jobs.length === 0
      ? make('strong', {}, title)
      : button(title, { class: 'link', title: 'Marks the jobs in the graph' }, () => mark(jobs));
  const saved = seconds === null ? '' : ` Saves ${secondsText(seconds)} at most.`;
  return make(
    'li',
    { class: `insight ${severity}` },
    make('span', { class: `severity ${severity}` }, make('span', { 'aria-hidden': 'true' }, '● '), severity),
    make('div', {}, head, make('p', {}, message), make('p', { class: 'advice' }, `${recommendation}${saved}`)),
  );
}
