import { button, make } from '../kit/dom.ts';

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Wheel', 'scrolls the rows'],
  ['Ctrl+wheel, pinch', 'zooms at the pointer'],
  ['Shift+wheel', 'moves the time'],
  ['Drag', 'chooses a range of time (with “Drag moves”: moves it)'],
  ['Shift+drag', 'does the other of the two; the middle button always moves'],
  ['Drag on axis or lanes', 'chooses a range of time; at its ends, changes it'],
  ['Click', 'chooses an event and shows its call stack'],
  ['Double click', 'zooms to the event'],
  ['W S or + −', 'zoom in and out'],
  ['A D', 'move the time'],
  ['0', 'shows the whole run'],
  ['Home End', 'go to its beginning and end'],
  ['← →', 'go to the event before and after, in the row'],
  ['↑ ↓', 'go to the row above and below'],
  ['U J', 'go up to the call that made the event, and down to the first that it became'],
  ['N P', 'go to the next and the previous call that the same call became'],
  ['Enter', 'opens the source line of the event'],
  ['R', 'opens the raw line of the recording'],
  ['Z', 'zooms to the event or the range'],
  ['M', 'sets a mark at the pointer; two marks show the time between them'],
  ['/ or Ctrl+F', 'goes to the search; F3 and Shift+F3 find the next and the previous event'],
  ['Esc', 'takes away marks, then the range, then the event; then leaves the timeline'],
  ['?', 'shows this'],
];

/** All keys and what the mouse does. */
export class Help {
  private readonly dialog = make('dialog', { id: 'help', 'aria-labelledby': 'help-title' });

  constructor(parent: HTMLElement) {
    const list = make(
      'dl',
      {},
      ...KEYS.flatMap(([keys, does]) => [make('dt', {}, make('kbd', {}, keys)), make('dd', {}, does)]),
    );
    const close = button('Close', { class: 'primary' }, () => this.dialog.close());
    this.dialog.append(make('h2', { id: 'help-title' }, 'Keys and mouse'), list, close);
    this.dialog.addEventListener('click', (event) => {
      // Beside the text means the page behind.
      if (event.target === this.dialog) this.dialog.close();
    });
    parent.append(this.dialog);
  }

  show(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }
}
