import type { WorkflowDocument } from '../../src/features/workflow/protocol.ts';
import type { RecordingView } from '../../src/features/workflow/protocol.ts';
import { button, make, table, type Cell, type Column } from '../kit/dom.ts';
import type { Place } from './walk.ts';

/** What the tabs are about. */
export interface Subject {
  readonly document: WorkflowDocument;
  readonly selected: Place | undefined;
  /** Index into the document's files. */
  readonly file: number | undefined;
}

export interface InfoActions {
  readonly select: (place: Place) => void;
  readonly chooseFile: (file: number | undefined) => void;
  /** Marks jobs in the graph. */
  readonly mark: (jobs: readonly number[]) => void;
  readonly open: (job: number, step: number, as: RecordingView) => void;
}

/** What stands in a table at once; a filter finds the others. */
export const MOST_ROWS = 200;

/** A job that there is not is no link: a document is what somebody's logs say. */
export function jobLink({ jobs }: WorkflowDocument, job: number, { select }: InfoActions): HTMLElement {
  const found = jobs[job];
  if (found === undefined) return make('span', {}, '?');
  return button(`Job ${found.id}`, { class: 'link' }, () => select({ job, step: null }));
}

export function stepLink({ jobs }: WorkflowDocument, job: number, step: number, { select }: InfoActions): HTMLElement {
  const found = jobs[job]?.steps[step];
  if (found === undefined) return make('span', {}, '?');
  return button(found.id, { class: 'link' }, () => select({ job, step }));
}

/** Several links with commas between them; of many the first. */
export function links(all: readonly HTMLElement[], most = 6): HTMLElement {
  const shown = all.slice(0, most).flatMap((link, i) => (i === 0 ? [link] : [', ', link]));
  const more = all.length > most ? [` and ${all.length - most} more`] : [];
  return make('span', {}, ...(all.length === 0 ? ['–'] : [...shown, ...more]));
}

/** A table with a heading above; of too many rows the first, and a word about the others. */
export function titledTable(
  title: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): HTMLElement {
  const shown = rows.slice(0, MOST_ROWS);
  const more =
    rows.length > MOST_ROWS ? make('p', { class: 'soft' }, `The first ${MOST_ROWS} of ${rows.length}.`) : null;
  return make(
    'section',
    { 'aria-label': title },
    make('h3', {}, title),
    rows.length === 0
      ? make('p', { class: 'soft' }, 'None.')
      : make(
          'div',
          { class: 'wide', tabindex: '0', role: 'region', 'aria-label': `${title}, table` },
          table(columns, shown),
        ),
    more,
  );
}
