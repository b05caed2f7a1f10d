import { actionButton } from '../kit/action-button.ts';
import { textField, type VscodeTextfield } from '../kit/text-field.ts';

/** The controls that the toolbar and the editor of mappings are made of: each with its label. */

export interface Option {
  readonly value: string;
  readonly label: string;
}

function labelled(id: string, text: string, input: HTMLElement): HTMLLabelElement {
  const label = document.createElement('label');
  const caption = document.createElement('span');
  caption.textContent = text;
  input.id = id;
  label.append(caption, input);
  return label;
}

interface Control<Input extends HTMLElement> {
  readonly label: HTMLLabelElement;
  readonly input: Input;
}

export function select(id: string, text: string, options: readonly Option[]): Control<HTMLSelectElement> {
  const input = document.createElement('select');
  input.append(...options.map(({ value, label }) => new Option(label, value)));
  return { label: labelled(id, text, input), input };
}

/** Chooses a value, which becomes an option when it is none yet. */
export function choose(input: HTMLSelectElement, value: string, label: string): void {
  if (![...input.options].some((option) => option.value === value)) input.append(new Option(label, value));
  input.value = value;
}

export function field(id: string, text: string, placeholder: string): Control<VscodeTextfield> {
  const input = textField(text, placeholder);
  return { label: labelled(id, text, input), input };
}

export function area(id: string, text: string, placeholder: string): Control<HTMLTextAreaElement> {
  const input = document.createElement('textarea');
  input.rows = 3;
  input.placeholder = placeholder;
  input.spellcheck = false;
  return { label: labelled(id, text, input), input };
}

export function checkbox(id: string, text: string): Control<HTMLInputElement> {
  const input = document.createElement('input');
  input.type = 'checkbox';
  const label = labelled(id, text, input);
  label.classList.add('check');
  return { label, input };
}

/** @param title what it does; of a button that shows a sign only it is the name, else it explains the text. */
export function button(text: string, title: string, click: () => void): HTMLElement {
  return actionButton(text, { title, ...(!/\p{L}/u.test(text) && { 'aria-label': title }) }, click);
}
