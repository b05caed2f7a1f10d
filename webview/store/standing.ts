import type { HistoryView } from '../../src/features/store/protocol.ts';
import { formatCount } from '../../src/base/quantities.ts';
import { button, facts, make } from '../kit/dom.ts';

/** Where a job stands among its kind: shares of the runs that have less. */
export function standingSection({ standings }: HistoryView, log: string, showKinds: () => void): HTMLElement {
  const standing = standings.find((one) => one.log === log);
  const section = make('section', { class: 'card standing' }, make('h2', {}, 'Among its kind'));
  if (standing === undefined) {
    section.append(make('p', { class: 'soft' }, 'It is of no kind: its application or its start is unknown.'));
    return section;
  }
  const { kind, runs, places } = standing;
  section.append(
    make('p', { class: 'soft' }, runs === 1 ? `${kind}: its only run` : `${kind}: ${formatCount(runs)} runs`),
  );
  if (places.length === 0) section.append(make('p', { class: 'soft' }, 'Its recording says too little.'));
  else if (runs > 1) section.append(facts(places));
  section.append(button('Jobs over Time', { title: 'How the runs of this application fared' }, showKinds));
  return section;
}
