import type { OffsetChoices, OffsetColour, OffsetFileFacts } from '../../src/features/offsets/protocol.ts';
import { actionButton } from '../kit/action-button.ts';
import { make } from '../kit/dom.ts';
import { OneRow } from '../kit/one-row.ts';

const COLOUR_NAMES: Readonly<Record<OffsetColour, string>> = {
  direction: 'Read or written',
  process: 'Rank or process',
  repeats: 'First, again, or over another’s',
  size: 'Size',
  call: 'Call',
  site: 'Source line',
  insight: 'Finding',
};

interface ToolbarActions {
  readonly choose: (choices: Partial<OffsetChoices>) => void;
  readonly zoom: (factor: number) => void;
  readonly whole: () => void;
  readonly selectSpan: () => void;
  readonly save: (format: 'png' | 'svg') => void;
}

/** What is shown, and how: made anew when the file is another one. */
export function toolbar(choices: OffsetChoices, facts: OffsetFileFacts, actions: ToolbarActions): HTMLElement {
  const { choose } = actions;
  const axes = facts.hasTimes
    ? ([
        ['time', 'Time'],
        ['order', 'Order of accesses'],
      ] as const)
    : ([['order', 'Order of accesses']] as const);
  const layers = facts.layers.map((layer, at) => [at === facts.layers.length - 1 ? '' : layer, layer] as const);
  const items: readonly (HTMLElement | null)[] = [
    select('Colour', Object.entries(COLOUR_NAMES), choices.colourBy, (colourBy) =>
      choose({ colourBy: colourBy as OffsetColour, only: '' }),
    ),
    select(
      'Show',
      [
        ['both', 'Reads and writes'],
        ['read', 'Reads'],
        ['write', 'Writes'],
      ],
      choices.directions,
      (directions) => choose({ directions: directions as OffsetChoices['directions'] }),
    ),
    select('Across', axes, choices.axis, (axis) => choose({ axis: axis as OffsetChoices['axis'] })),
    layers.length < 2 ? null : select('Layer', layers, choices.layer, (layer) => choose({ layer })),
    actionButton('+', { 'aria-label': 'Zoom in', title: 'Zoom in (W)' }, () => actions.zoom(1.6)),
    actionButton('−', { 'aria-label': 'Zoom out', title: 'Zoom out (S)' }, () => actions.zoom(1 / 1.6)),
    actionButton('Whole File', { title: 'Everything (0, or a double click)' }, actions.whole),
    choices.axis === 'time'
      ? actionButton('Select This Time', { title: 'Narrows all views to the visible time' }, actions.selectSpan)
      : null,
    actionButton('PNG', { 'aria-label': 'Save the picture as PNG', title: 'Save the picture as PNG' }, () =>
      actions.save('png'),
    ),
    actionButton('SVG', { 'aria-label': 'Save the picture as SVG', title: 'Save the picture as SVG' }, () =>
      actions.save('svg'),
    ),
  ];
  const bar = make('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Offsets over time' });
  const shown = items.filter((item) => item !== null);
  new OneRow(
    bar,
    shown.map((element, at) => ({ element, worth: shown.length - at })),
  );
  return bar;
}

function select(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  current: string,
  changed: (value: string) => void,
): HTMLElement {
  const list = make(
    'select',
    { 'aria-label': label },
    ...options.map(([value, text]) => make('option', { value }, text)),
  );
  list.value = current;
  list.addEventListener('change', () => changed(list.value));
  return make('label', {}, `${label} `, list);
}
