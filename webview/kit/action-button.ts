import '@vscode-elements/elements/dist/vscode-button/index.js';
import type { VscodeButton } from '@vscode-elements/elements/dist/vscode-button/vscode-button.js';
import { make } from './dom.ts';

/**
 * The editor's button, for what a view can be told to do at any time. What can be disabled, is pressed or is a link in a text
 * is a native button (`button` of dom.ts): of the element no screen reader learns that it is disabled.
 * @param attributes with the class `primary` it is the one that is wanted most.
 */
export function actionButton(
  text: string,
  attributes: Readonly<Record<string, string>>,
  click: () => void,
): VscodeButton {
  const made = make('vscode-button', attributes, text);
  made.secondary = attributes['class'] !== 'primary';
  made.addEventListener('click', click);
  made.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== ' ') return;
      // The element leaves the space bar to the page, which would scroll, and would be clicked for as long as it is held.
      event.preventDefault();
      if (event.repeat) event.stopImmediatePropagation();
    },
    { capture: true },
  );
  return made;
}
