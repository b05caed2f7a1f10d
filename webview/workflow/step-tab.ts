import type { RuntimeShare, WorkflowDocument, WorkflowStep } from '../../src/features/workflow/protocol.ts';
import { GROUP_NAMES } from '../../src/drawing/workflow/share-parts.ts';
import type { Charts } from '../kit/charts.ts';
import { actionButton } from '../kit/action-button.ts';
import { facts, make, type Cell } from '../kit/dom.ts';
import { fileLink } from './files-tab.ts';
import { jobLink, links, stepLink, titledTable, type InfoActions } from './info.ts';
import { historyOf } from './file-history.ts';
import { paradigmChart } from './share-charts.ts';
import { bytesText, countText, dateText, MODE_NAMES, secondsText, shareText } from './words.ts';
import type { Place } from './walk.ts';

/** One step: its recording, where its time went, and its files with those that wrote them before and read them later. */
export function fillStepTab(
  panel: HTMLElement,
  document: WorkflowDocument,
  place: Place | undefined,
  charts: Charts,
  actions: InfoActions,
): void {
  const step = typeof place?.step === 'number' ? document.jobs[place.job]?.steps[place.step] : undefined;
  if (typeof place?.step !== 'number' || step === undefined) {
    panel.replaceChildren(make('p', { class: 'soft nothing' }, 'Choose a step in the graph or in the table of a job.'));
    return;
  }
  const chart = paradigmChart(step.share);
  panel.replaceChildren(
    make('h2', {}, `Step ${step.id}${step.name === '' ? '' : `: ${step.name}`}`),
    recordingButtons(step, place.job, place.step, actions),
    make(
      'div',
      { class: 'grid' },
      chart === null ? null : charts.figure(chart),
      make(
        'section',
        { 'aria-label': 'The step' },
        make('h3', {}, 'The step'),
        facts(stepFacts(document, place.job, step, actions)),
      ),
    ),
    ...(step.share === null ? [] : [paradigmTable(step.share)]),
    fileTable(document, place.job, place.step, actions),
  );
}

function recordingButtons(
  { recording, recordingFormat }: WorkflowStep,
  job: number,
  step: number,
  { open }: InfoActions,
): HTMLElement {
  if (recording.length === 0) {
    const why =
      recordingFormat === null
        ? 'Nothing was recorded of this step.'
        : `Only a summary (${recordingFormat}) was recorded.`;
    return make('p', { class: 'soft' }, why);
  }
  return make(
    'p',
    { class: 'actions' },
    actionButton('Open Recording', { class: 'primary', title: recording.join('\n') }, () =>
      open(job, step, 'findings'),
    ),
    actionButton('Open in Timeline', {}, () => open(job, step, 'timeline')),
    make('span', { class: 'soft' }, recordingFormat ?? ''),
  );
}

function stepFacts(
  document: WorkflowDocument,
  job: number,
  step: WorkflowStep,
  actions: InfoActions,
): (readonly [string, Cell])[] {
  const whole = document.jobs[job]!.elapsed;
  const part =
    step.elapsed === null || whole === null || whole <= 0
      ? ''
      : `, ${Math.round((step.elapsed / whole) * 100)} % of the job`;
  return [
    ['Job', jobLink(document, job, actions)],
    ['State', `${step.state}${step.exitCode === null ? '' : `, exit code ${step.exitCode}`}`],
    ['Started', dateText(step.start)],
    ['Ended', dateText(step.end)],
    ['Run time', `${secondsText(step.elapsed)}${part}`],
    ['Nodes, CPUs, tasks', [step.nodes, step.cpus, step.tasks].map(countText).join(', ')],
    ['Node list', step.nodeList.length === 0 ? '–' : step.nodeList.slice(0, 40).join(', ')],
    ['Time went to', shareText(step.share)],
  ];
}

function paradigmTable({ byParadigm }: RuntimeShare): HTMLElement {
  const columns = [
    { title: 'Paradigm' },
    { title: 'Group' },
    { title: 'Time', isNumber: true, hint: 'summed over processes' },
    { title: 'Calls', isNumber: true },
    { title: 'Moved', isNumber: true },
  ];
  const rows = byParadigm.map(({ paradigm, group, seconds, calls, bytes }) => [
    paradigm,
    GROUP_NAMES[group],
    secondsText(seconds),
    countText(calls),
    bytesText(bytes),
  ]);
  return titledTable('Paradigms', columns, rows);
}

function fileTable(document: WorkflowDocument, job: number, at: number, actions: InfoActions): HTMLElement {
  const columns = [
    { title: 'File' },
    { title: 'Access' },
    { title: 'By' },
    { title: 'Read', isNumber: true },
    { title: 'Written', isNumber: true },
    { title: 'Written before by' },
    { title: 'Read later by' },
  ];
  const rows = document.jobs[job]!.steps[at]!.files.map((use) => {
    const history = historyOf(document.files[use.file]?.users ?? []).find(
      (each) => each.job === job && each.step === at,
    );
    const linked = (users: readonly { job: number; step: number }[]): HTMLElement =>
      links(users.map((user) => stepLink(document, user.job, user.step, actions)));
    return [
      fileLink(document, use.file, actions),
      MODE_NAMES[use.mode],
      use.paradigms.join(', '),
      bytesText(use.bytesRead),
      bytesText(use.bytesWritten),
      linked(history?.earlierWriters ?? []),
      linked(history?.laterReaders ?? []),
    ];
  });
  return titledTable('Files', columns, rows);
}
