import type { LayerStep } from '../../src/features/timeline/protocol.ts';

/** What a key does. */
export interface KeyActions {
  zoom(factor: number): void;
  move(share: number): void;
  whole(): void;
  toStart(): void;
  toEnd(): void;
  /** The next or previous event of the row. */
  event(direction: 1 | -1): void;
  /** The next or previous row. */
  row(direction: 1 | -1): void;
  /** To the call of the layer above or below, or to the next or previous one that its caller made. */
  layer(step: LayerStep): void;
  openSource(): void;
  openRecording(): void;
  zoomToChosen(): void;
  mark(): void;
  search(): void;
  searchAgain(direction: 1 | -1): void;
  /** @returns false when there was nothing to take away: the focus leaves the timeline. */
  escape(): boolean;
  help(): void;
}

/** Keys that work wherever the focus is, but in a field or on a control that uses them itself. */
export function onKey(event: KeyboardEvent, actions: KeyActions): boolean {
  if (event.key === 'F3') {
    actions.searchAgain(event.shiftKey ? -1 : 1);
    return true;
  }
  if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
    actions.search();
    return true;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const action = ANYWHERE[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (action === undefined) return false;
  action(actions);
  return true;
}

const ANYWHERE: Readonly<Record<string, (actions: KeyActions) => void>> = {
  w: (actions) => actions.zoom(1.5),
  '+': (actions) => actions.zoom(1.5),
  '=': (actions) => actions.zoom(1.5),
  s: (actions) => actions.zoom(1 / 1.5),
  '-': (actions) => actions.zoom(1 / 1.5),
  a: (actions) => actions.move(-0.2),
  d: (actions) => actions.move(0.2),
  '0': (actions) => actions.whole(),
  m: (actions) => actions.mark(),
  r: (actions) => actions.openRecording(),
  u: (actions) => actions.layer('up'),
  j: (actions) => actions.layer('down'),
  n: (actions) => actions.layer('next'),
  p: (actions) => actions.layer('previous'),
  z: (actions) => actions.zoomToChosen(),
  '/': (actions) => actions.search(),
  '?': (actions) => actions.help(),
};

/** Keys of the rows themselves, when they have the focus. */
export function onRowsKey(event: KeyboardEvent, actions: KeyActions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (event.key) {
    case 'ArrowLeft':
      actions.event(-1);
      return true;
    case 'ArrowRight':
      actions.event(1);
      return true;
    case 'ArrowUp':
      actions.row(-1);
      return true;
    case 'ArrowDown':
      actions.row(1);
      return true;
    case 'Home':
      actions.toStart();
      return true;
    case 'End':
      actions.toEnd();
      return true;
    case 'Enter':
      actions.openSource();
      return true;
    case 'Escape':
      return actions.escape();
    default:
      return false;
  }
}
