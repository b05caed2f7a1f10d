import type { Lack } from '../../analysis/lacks/lacks.ts';
import { formatBytes } from '../../base/quantities.ts';
import type { AnalysisDocument } from '../analysis/documents.ts';

/** What the reader of findings has to know besides. */
interface ReportNote {
  /** `damage`: a recording was read in part. `note`: something that the recording or the machine lacks. */
  readonly kind: 'damage' | 'note';
  readonly text: string;
}

/** Reports of damage that are listed for a recording; the rest is counted. */
const MOST_DAMAGE = 10;

/** The last note of every report, where the recording does not know more. */
const TIMES_NOTE =
  'A write returns when the page cache has the data, and a read may never have reached the storage: times are those of the calls.';
/** Less is not worth a word. */
const FEW_BYTES = 1 << 20;
/** From these shares on what was fetched is all that was read, or hardly any of it. */
const ALL = 0.9;
const HARDLY = 0.01;

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
  for (const { load } of document.timing) if (load !== undefined) for (const text of loadNote(load)) add('note', text);
  for (const { calibrationNote } of document.timing) if (calibrationNote !== '') add('note', calibrationNote);
  // What a lack has said already is not said twice.
  for (const note of document.notes) if (!notes.some(({ text }) => text.includes(note))) add('note', note);
  if (document.symbols.tool !== '' && document.recordings.some(({ capabilities }) => capabilities.stacks)) {
    add('note', `Addresses were resolved by ${document.symbols.tool}.`);
  }
  const told = document.timing.map(cacheNote);
  for (const note of new Set(told.length === 0 ? [TIMES_NOTE] : told)) add('note', note);
  return notes;
}

/** From this share of the processors on others may have made the program slower. */
const BUSY = 0.25;

/** Times of a busy machine are not those of a quiet one. */
function loadNote({ processors, busyWithOthers }: NonNullable<AnalysisDocument['timing'][number]['load']>): string[] {
  if (busyWithOthers < BUSY * processors) return [];
  const busy = Math.min(processors, busyWithOthers).toFixed(1);
  const of = processors === 1 ? 'the processor' : `the ${processors} processors`;
  return [
    `While this was recorded other programs kept ${busy} of ${of} busy: on a quiet machine it may take less, and savings may differ.`,
  ];
}

/** Where the bytes that were read came from: whoever measures again with a cold cache sees other times. */
function cacheNote({ fetched, run }: AnalysisDocument['timing'][number]): string {
  if (fetched === undefined || fetched.readBytes < FEW_BYTES) return TIMES_NOTE;
  const { bytes, readBytes } = fetched;
  const read = formatBytes(readBytes);
  const returns = 'A write returns when the page cache has the data';
  // Pages of mapped files are among what was fetched, and not among what was read.
  if (run.unseen.includes('mapped files') && bytes >= HARDLY * readBytes)
    return `${returns}. For the ${read} that were read and for mapped files the kernel fetched ${formatBytes(bytes)} from disks: for which of them is not known.`;
  if (bytes >= ALL * readBytes)
    return `${returns}. Of the ${read} that were read the page cache had little: the kernel fetched ${formatBytes(bytes)} from disks.`;
  const colder = 'with a cold cache a run takes longer';
  if (bytes >= HARDLY * readBytes)
    return `${returns}. For the ${read} that were read the kernel fetched ${formatBytes(bytes)} from disks, the rest was in the page cache: ${colder}.`;
  return `${returns}. The ${read} that were read were in the page cache, as far as they lie on disks of this machine (of network file systems the kernel does not count): ${colder}.`;
}
