import type { SnippetTarget } from '../../src/features/report/protocol.ts';
import type { DrawnSnippet } from '../../src/drawing/report/medium.ts';
import { button, codeBlock, make, visibleText } from '../kit/dom.ts';

/** Code with what can be done with it; where it is there in several languages, one of them. */
export function snippetBlock(
  snippets: readonly DrawnSnippet[],
  take: (number: number, into: SnippetTarget) => void,
): HTMLElement {
  let shown = snippets[0]!;
  const action = (text: string, into: SnippetTarget): HTMLButtonElement =>
    button(text, { 'aria-label': `${text}: ${shown.title}` }, () => take(shown.number!, into));
  const title = make('span', {}, shown.title);
  const code = make('div', {}, codeBlock(shown.code, shown.title));
  const show = (snippet: DrawnSnippet): void => {
    shown = snippet;
    title.textContent = visibleText(snippet.title);
    code.replaceChildren(codeBlock(snippet.code, snippet.title));
  };
  const actions = [action('Copy', 'clipboard'), action('Insert at Cursor', 'editor'), action('New File', 'newFile')];
  return make(
    'div',
    { class: 'snippet' },
    make(
      'div',
      { class: 'bar' },
      title,
      languagePicker(snippets, show),
      make('span', { class: 'actions' }, ...actions),
    ),
    code,
  );
}

function languagePicker(snippets: readonly DrawnSnippet[], show: (snippet: DrawnSnippet) => void): HTMLElement {
  if (snippets.length === 1) return make('span', { class: 'soft' }, snippets[0]!.language ?? '');
  const picker = make('select', { 'aria-label': 'Language' });
  picker.append(...snippets.map(({ language }, at) => make('option', { value: String(at) }, language ?? '')));
  picker.addEventListener('change', () => show(snippets[Number(picker.value)]!));
  return picker;
}
