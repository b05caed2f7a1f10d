import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/vscode-textfield.js';
import { make } from './dom.ts';

export type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/vscode-textfield.js';

/**
 * The editor's field for a line of text. A field whose text can be wrong is a native one: the element does not pass on
 * `aria-invalid`.
 * @param label for screen readers; a `<label>` around the element does not name the field inside it.
 */
export function textField(label: string, placeholder: string): VscodeTextfield {
  const made = make('vscode-textfield', { placeholder, spellcheck: 'false' });
  made.label = label;
  return made;
}
