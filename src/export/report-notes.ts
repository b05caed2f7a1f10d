import type { AnalysisDocument } from './documents.ts';

/** What the reader of findings has to know besides. */
export interface ReportNote {
  /** `damage`: a recording was read in part. `note`: something that the recording or the machine lacks. */
  readonly kind: 'damage' | 'note';
  readonly text: string;
}

/** Reports of damage that are listed for a recording; the rest is counted. */
const MOST_DAMAGE = 10;

/** The last note of every report. */
export const TIMES_NOTE =
  'A write returns when the page cache has the data, and a read may never have reached the storage: times are those of the calls.';

export function reportNotes(document: AnalysisDocument): ReportNote[] {
  const notes: ReportNote[] = [];
  const add = (kind: ReportNote['kind'], text: string): void => {
    notes.push({ kind, text });
  };
  for (const { damage, capabilities } of document.recordings) {
    for (const { where, what, lost } of damage.slice(0, MOST_DAMAGE)) add('damage', `${where}: ${what}; lost: ${lost}`);
    if (damage.length > MOST_DAMAGE) add('damage', `… and ${damage.length - MOST_DAMAGE} further reports of damage`);
    if (!capabilities.stacks) {
      add('note', 'The recording has no call stacks, so no source lines: record with strace -k, or "iolens record".');
    }
    if (!capabilities.duration) {
      add('note', 'The recording has no durations: record with strace -T, or "iolens record".');
    }
  }
  const modules = document.symbols.modules.filter(({ status, note }) => note !== '' && status !== 'library');
  for (const { module, note } of modules) add('note', `${module}: ${note}`);
  if (document.recordings.some(({ capabilities }) => capabilities.stacks)) {
    add('note', `Addresses were resolved by ${document.symbols.tool}.`);
  }
  add('note', TIMES_NOTE);
  return notes;
}
