import type { TimelineChoices } from '../../src/features/timeline/protocol.ts';
import { counted } from '../../src/base/quantities.ts';
import { button, make } from '../kit/dom.ts';
import type { TimelineModel } from './model.ts';

/** What is said where there is no row: why, and a button for each filter that may have taken them. */
export function nothingLeft(model: TimelineModel, choose: (choices: Partial<TimelineChoices>) => void): Node[] {
  const { choices, selection, rows, recordings } = model;
  const { rowFilter, onlySelected, ownFilesOnly } = choices;
  const others = rows?.otherFiles ?? 0;
  const causes: [text: string, show: string, choices: Partial<TimelineChoices>][] = [];
  if (rowFilter !== '') causes.push([`no row is named “${rowFilter}”`, 'Show all rows', { rowFilter: '' }]);
  if (onlySelected)
    causes.push([
      `only what is selected is shown (${selection.parts.join(' › ') || 'nothing'})`,
      'Show what is not selected',
      { onlySelected: false },
    ]);
  if (ownFilesOnly && others > 0) {
    const text = `${counted(others, 'call')} on files of the system, libraries or the loader, or on none, ${others === 1 ? 'is' : 'are'} left out`;
    causes.push([text, 'Show system files', { ownFilesOnly: false }]);
  }
  if (causes.length === 0) return [make('span', {}, `${recordings.names.join(', ')}: no call was recorded.`)];
  return [
    make('span', {}, 'Nothing to show: '),
    ...causes.flatMap(([text, show, to], number) => [
      make('span', {}, `${number === 0 ? '' : ' '}${text}. `),
      button(show, {}, () => choose(to)),
    ]),
  ];
}
