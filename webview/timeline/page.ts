import { make } from '../kit/dom.ts';

/** The parts of the page. */
export interface PageParts {
  readonly toolbar: HTMLElement;
  readonly status: HTMLElement;
  readonly notes: HTMLElement;
  readonly timeline: HTMLElement;
  readonly overview: HTMLCanvasElement;
  readonly overviewLabel: HTMLElement;
  readonly overviewBox: HTMLElement;
  readonly plot: HTMLElement;
  readonly head: HTMLCanvasElement;
  readonly scroller: HTMLElement;
  readonly extent: HTMLElement;
  readonly labels: HTMLElement;
  readonly rows: HTMLCanvasElement;
  readonly overlay: HTMLElement;
  readonly labelSplitter: HTMLElement;
  readonly legend: HTMLElement;
  readonly detailSplitter: HTMLElement;
  readonly details: HTMLElement;
  readonly tooltip: HTMLElement;
  readonly announcement: HTMLElement;
}

export function makePage(root: HTMLElement): PageParts {
  const parts: PageParts = {
    toolbar: make('div', { id: 'toolbar', role: 'toolbar', 'aria-label': 'Timeline' }),
    status: make('div', { id: 'status', role: 'status', 'aria-live': 'polite' }),
    notes: make('div', { id: 'notes', role: 'note', 'aria-label': 'What cannot be shown' }),
    timeline: make('div', { id: 'timeline' }),
    overview: make('canvas', { id: 'overview', role: 'img', 'aria-label': 'The whole run' }),
    overviewLabel: make('div', { id: 'overview-label' }),
    overviewBox: make('div', {
      id: 'overview-box',
      role: 'slider',
      tabindex: '0',
      'aria-label': 'Visible part of the run',
      'aria-valuemin': '0',
      'aria-valuemax': '0',
      'aria-valuenow': '0',
    }),
    plot: make('div', { id: 'plot' }),
    head: make('canvas', { id: 'head', role: 'img', 'aria-label': 'Axis of time and lanes' }),
    scroller: make('div', { id: 'scroller' }),
    extent: make('div', { id: 'extent' }),
    labels: make('div', { id: 'labels', role: 'tree', tabindex: '0', 'aria-label': 'Rows' }),
    rows: make('canvas', {
      id: 'rows',
      role: 'application',
      tabindex: '0',
      'aria-label': 'Events by time. Arrow keys go from event to event, Enter opens the source line, Escape leaves.',
      'aria-roledescription': 'timeline',
    }),
    overlay: make('div', { id: 'overlay', 'aria-hidden': 'true' }),
    labelSplitter: splitter('label-splitter', 'vertical', 'Width of the row names'),
    legend: make('div', { id: 'legend', role: 'group', 'aria-label': 'Colours' }),
    detailSplitter: splitter('detail-splitter', 'horizontal', 'Height of the details'),
    details: make('section', { id: 'details', 'aria-label': 'Details' }),
    tooltip: make('div', { id: 'tooltip', role: 'tooltip', hidden: '' }),
    announcement: make('div', { id: 'announcement', class: 'unseen', 'aria-live': 'polite' }),
  };
  const sticky = make('div', { id: 'sticky' }, parts.labels, parts.rows);
  parts.extent.append(sticky);
  parts.scroller.append(parts.extent);
  parts.plot.append(parts.head, parts.scroller, parts.overlay, parts.labelSplitter);
  const overview = make('div', { id: 'overview-row' }, parts.overviewLabel, parts.overview, parts.overviewBox);
  parts.timeline.append(overview, parts.plot);
  const { toolbar, status, notes, timeline, legend, detailSplitter, details, tooltip, announcement } = parts;
  const heading = make('h1', { class: 'unseen' }, 'I/O timeline');
  root.append(
    make('main', {}, heading, toolbar, status, notes, timeline, legend, detailSplitter, details, tooltip, announcement),
  );
  return parts;
}

function splitter(id: string, orientation: 'vertical' | 'horizontal', label: string): HTMLElement {
  return make('div', {
    id,
    role: 'separator',
    tabindex: '0',
    'aria-orientation': orientation,
    'aria-label': label,
    'aria-valuenow': '0',
    'aria-valuemin': '0',
    'aria-valuemax': '1000',
  });
}

/** Lets a splitter be dragged, or moved with the arrow keys. */
export function onSplit(
  splitter: HTMLElement,
  isVertical: boolean,
  current: () => number,
  change: (size: number) => void,
): void {
  // The names lie before their splitter, the details behind theirs.
  const sign = isVertical ? 1 : -1;
  splitter.addEventListener('pointerdown', (down) => {
    down.preventDefault();
    const start = current();
    const at = isVertical ? down.clientX : down.clientY;
    const follow = (event: PointerEvent): void =>
      change(start + sign * ((isVertical ? event.clientX : event.clientY) - at));
    const end = (): void => {
      window.removeEventListener('pointermove', follow);
      window.removeEventListener('pointerup', end);
    };
    window.addEventListener('pointermove', follow);
    window.addEventListener('pointerup', end);
  });
  splitter.addEventListener('keydown', (event) => {
    const more = isVertical ? 'ArrowRight' : 'ArrowUp';
    const less = isVertical ? 'ArrowLeft' : 'ArrowDown';
    if (event.key !== more && event.key !== less) return;
    event.preventDefault();
    event.stopPropagation();
    change(current() + (event.key === more ? 20 : -20));
  });
}
