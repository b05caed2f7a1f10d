import { WORKFLOW_MODES, type WorkflowMode } from '../../src/drawing/workflow/workflow-picture.ts';
import { actionButton } from '../kit/action-button.ts';
import { make } from '../kit/dom.ts';
import { OneRow } from '../kit/one-row.ts';

const MODE_NAMES: Readonly<Record<WorkflowMode, string>> = {
  dependency: 'Dependencies',
  duration: 'Dependencies, scaled by duration',
  timeline: 'Timeline',
};

interface ToolbarActions {
  readonly choose: (mode: WorkflowMode) => void;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly readAgain: () => void;
  readonly save: (format: 'png' | 'svg') => void;
}

/** How the graph is arranged, and what is done with it. */
export function fillToolbar(room: HTMLElement, mode: WorkflowMode, actions: ToolbarActions): void {
  const list = make(
    'select',
    { 'aria-label': 'Arrange by' },
    ...WORKFLOW_MODES.map((value) => make('option', { value }, MODE_NAMES[value])),
  );
  list.value = mode;
  list.addEventListener('change', () => actions.choose(list.value as WorkflowMode));
  const items = [
    make('label', {}, 'Arrange by ', list),
    actionButton('+', { 'aria-label': 'Zoom in', title: 'Zoom in (+)' }, () => actions.zoom(1.25)),
    actionButton('−', { 'aria-label': 'Zoom out', title: 'Zoom out (-)' }, () => actions.zoom(0.8)),
    actionButton('Fit', { title: 'Show all (0)' }, actions.fit),
    actionButton('Read Again', { title: 'Read the folder again' }, actions.readAgain),
    actionButton('PNG', { 'aria-label': 'Save the picture as PNG', title: 'Save the picture as PNG' }, () =>
      actions.save('png'),
    ),
    actionButton('SVG', { 'aria-label': 'Save the picture as SVG', title: 'Save the picture as SVG' }, () =>
      actions.save('svg'),
    ),
  ];
  new OneRow(
    room,
    items.map((element, at) => ({ element, worth: items.length - at })),
  );
}
