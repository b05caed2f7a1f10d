import type { Lack } from '../../analysis/lacks/lacks.ts';
import type { AnalysisDocument } from '../analysis/documents.ts';

/** What the reader of findings has to know besides. */
interface ReportNote {
  /** `damage`: a recording was read in part. `note`: something that the recording or the machine lacks. */
  readonly kind: 'damage' | 'note';
  readonly text: string;
}

/** Reports of damage that are listed for a recording; the rest is counted. */
const MOST_DAMAGE = 10;

/** The last note of every report. */
const TIMES_NOTE =
  'A write returns when the page cache has the data, and a read may never have reached the storage: times are those of the calls.';

/** A lack in one line: what, what it costs, what to do. */
export function lackText({ what, consequence, remedy }: Lack): string {
  return `Lacking: ${what}; so ${consequence}. To get it: ${remedy}.`;
}

export function reportNotes(document: AnalysisDocument): ReportNote[] {
  const notes: ReportNote[] = [];
  const add = (kind: ReportNote['kind'], text: string): void => {
    notes.push({ kind, text });
  };
  for (const { damage, notes: said, lacks } of document.recordings) {
    for (const { where, what, lost } of damage.slice(0, MOST_DAMAGE)) add('damage', `${where}: ${what}; lost: ${lost}`);
    if (damage.length > MOST_DAMAGE) add('damage', `… and ${damage.length - MOST_DAMAGE} further reports of damage`);
    for (const lack of lacks) add('note', lackText(lack));
    for (const text of said) add('note', text);
  }
  for (const { calibrationNote } of document.timing) if (calibrationNote !== '') add('note', calibrationNote);
  // What a lack has said already is not said twice.
  for (const note of document.notes) if (!notes.some(({ text }) => text.includes(note))) add('note', note);
  if (document.symbols.tool !== '' && document.recordings.some(({ capabilities }) => capabilities.stacks)) {
    add('note', `Addresses were resolved by ${document.symbols.tool}.`);
  }
  add('note', TIMES_NOTE);
  return notes;
}
