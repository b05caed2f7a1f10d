import type { WorkflowDocument } from '../../src/features/workflow/protocol.ts';
import type { Charts } from '../kit/charts.ts';
import { facts, make, type Cell } from '../kit/dom.ts';
import { fileLink } from './files-tab.ts';
import { jobLink, stepLink, titledTable, type InfoActions } from './info.ts';
import { paradigmChart, runTimeChart } from './share-charts.ts';
import { bytesText, countText, dateText, dependencyText, MODE_NAMES, secondsText, shareText } from './words.ts';

/** One job: its configuration, run times of its steps, what it waited for, files that its steps use. */
export function fillJobTab(
  panel: HTMLElement,
  document: WorkflowDocument,
  job: number | undefined,
  charts: Charts,
  actions: InfoActions,
): void {
  const found = job === undefined ? undefined : document.jobs[job];
  if (job === undefined || found === undefined) {
    panel.replaceChildren(make('p', { class: 'soft nothing' }, 'Choose a job in the graph or in the table of jobs.'));
    return;
  }
  const timed = found.steps.map(({ id, elapsed, share }) => ({ label: id, elapsed, share }));
  const drawn = [runTimeChart('Run times of steps', 'Step', timed), paradigmChart(found.share)];
  panel.replaceChildren(
    make('h2', {}, `Job ${found.id}${found.name === '' ? '' : `: ${found.name}`}`),
    make(
      'div',
      { class: 'grid' },
      ...drawn.map((chart) => (chart === null ? null : charts.figure(chart))),
      make('section', { 'aria-label': 'The job' }, make('h3', {}, 'The job'), facts(jobFacts(document, job))),
    ),
    dependencyTable(document, job, actions),
    stepTable(document, job, actions),
    fileTable(document, job, actions),
  );
}

function jobFacts({ jobs, criticalChain }: WorkflowDocument, at: number): (readonly [string, Cell])[] {
  const job = jobs[at]!;
  return [
    ['State', `${job.state}${job.exitCode === null ? '' : `, exit code ${job.exitCode}`}`],
    ['Submitted', dateText(job.submit)],
    ['Started', dateText(job.start)],
    ['Ended', dateText(job.end)],
    ['Run time', secondsText(job.elapsed)],
    ['In the queue', secondsText(job.queued)],
    ['Nodes, CPUs, tasks', [job.nodes, job.cpus, job.tasks].map(countText).join(', ')],
    ['Node list', job.nodeList.length === 0 ? '–' : job.nodeList.slice(0, 40).join(', ')],
    ['Declared dependency', job.declared ?? 'none known'],
    ['Critical chain', criticalChain.includes(at) ? 'is part of it' : 'is not part of it'],
    ['Time went to', shareText(job.share)],
  ];
}

function dependencyTable(document: WorkflowDocument, job: number, actions: InfoActions): HTMLElement {
  const sound = document.dependencies.filter(({ from, to }) => document.jobs[from] && document.jobs[to] && from !== to);
  const rows = [
    ...sound.filter(({ to }) => to === job).map((each) => ['after', each.from, each] as const),
    ...sound.filter(({ from }) => from === job).map((each) => ['before', each.to, each] as const),
  ].map(([order, other, dependency]) => [
    order,
    jobLink(document, other, actions),
    dependencyText(dependency, document),
  ]);
  return titledTable('Dependencies', [{ title: 'Runs' }, { title: 'Job' }, { title: 'Why' }], rows);
}

function stepTable(document: WorkflowDocument, job: number, actions: InfoActions): HTMLElement {
  const columns = [
    { title: 'Step' },
    { title: 'Name' },
    { title: 'State' },
    { title: 'Run time', isNumber: true },
    { title: 'Tasks', isNumber: true },
    { title: 'Time went to' },
    { title: 'Recording' },
  ];
  const rows = document.jobs[job]!.steps.map((step, at) => [
    stepLink(document, job, at, actions),
    step.name,
    step.state,
    secondsText(step.elapsed),
    countText(step.tasks),
    shareText(step.share),
    step.recordingFormat ?? 'none',
  ]);
  return titledTable('Steps', columns, rows);
}

function fileTable(document: WorkflowDocument, job: number, actions: InfoActions): HTMLElement {
  const columns = [
    { title: 'File' },
    { title: 'Step' },
    { title: 'Access' },
    { title: 'Read', isNumber: true },
    { title: 'Written', isNumber: true },
  ];
  const rows = document.jobs[job]!.steps.flatMap((step, at) =>
    step.files.map((use) => [
      fileLink(document, use.file, actions),
      stepLink(document, job, at, actions),
      MODE_NAMES[use.mode],
      bytesText(use.bytesRead),
      bytesText(use.bytesWritten),
    ]),
  );
  return titledTable('Files', columns, rows);
}
