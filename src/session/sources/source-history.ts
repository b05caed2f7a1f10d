import { LineShift } from '../../symbols/line-shift.ts';
import type { Repository } from './git.ts';
import type { RecordingNote } from '../reading/recording-note.ts';

/** A line that the recording shows to call a function: the text of the right version names that function there. */
export interface RecordedCall {
  readonly line: number;
  readonly callee: string;
}

/** What a recording knows of a source file's past. */
interface RecordedPast {
  readonly note: RecordingNote | undefined;
  /** Seconds since 1970 when the recording began; undefined when it does not know. */
  readonly startTime: number | undefined;
  readonly calls: readonly RecordedCall[];
}

/** How a file differs from what it was when it was recorded. */
type SourceChanges =
  | { readonly kind: 'known'; readonly revision: string; readonly shift: LineShift }
  /** It cannot be known; why, in words that go on after "heat.c …", or ''. */
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * Compares a source file with its recorded version, where that can be known: from the revision that was noted at recording
 * time, else from the last revision before the recording if the file's text there has the recorded calls on their lines.
 */
export async function changesSince(repository: Repository, file: string, past: RecordedPast): Promise<SourceChanges> {
  const place = await repository.workTreeOf(file);
  if (place === undefined) return { kind: 'unknown', why: '' };
  const { root, name } = place;
  const { note } = past;
  const revision =
    note !== undefined && note.revision !== '' && (await isOfTree(repository, root, note))
      ? await notedRevision(repository, root, name, note)
      : await revisionByDate(repository, root, name, past);
  if (revision.name === '') return { kind: 'unknown', why: revision.why };
  const difference = await repository.difference(root, revision.name, name);
  if (difference === undefined) return { kind: 'unknown', why: '' };
  return { kind: 'known', revision: revision.name, shift: LineShift.fromDiff(difference) };
}

/**
 * Whether the noted revision is one of the work tree with this root. The tree of a submodule has revisions of its own; a
 * tree at another place that has the revision is a clone.
 */
async function isOfTree(repository: Repository, root: string, note: RecordingNote): Promise<boolean> {
  return note.root === undefined || note.root === root || repository.has(root, note.revision);
}

/** A revision's full name, or '' and why it is not known. */
interface Revision {
  readonly name: string;
  readonly why: string;
}

async function notedRevision(
  repository: Repository,
  root: string,
  name: string,
  note: RecordingNote,
): Promise<Revision> {
  if (note.changed.includes(name)) return { name: '', why: 'it had changes that were not committed' };
  const short = note.revision.slice(0, 10);
  if (!(await repository.has(root, note.revision)))
    return { name: '', why: `revision ${short}, which was recorded, is not in this repository: fetch it` };
  if ((await repository.textAt(root, note.revision, name)) === undefined)
    return { name: '', why: `it is not in revision ${short}, which was recorded, or this clone lacks its content` };
  return { name: note.revision, why: '' };
}

async function revisionByDate(
  repository: Repository,
  root: string,
  name: string,
  { startTime, calls }: RecordedPast,
): Promise<Revision> {
  const unknown = { name: '', why: '' };
  if (startTime === undefined) return unknown;
  const candidate = await repository.before(root, startTime);
  if (candidate === undefined) return unknown;
  const text = await repository.textAt(root, candidate, name);
  return text !== undefined && hasCalls(text, calls) ? { name: candidate, why: '' } : unknown;
}

/** Lines that a call's text may go on: debug information names the first, the callee can stand on a later one. */
const LINES_OF_A_CALL = 3;

/** Whether recorded calls stand on their lines. One that does not is enough to doubt: the file may have been edited. */
export function hasCalls(text: string, calls: readonly RecordedCall[]): boolean {
  const lines = text.split(/\r?\n/);
  let agreeing = 0;
  for (const { line, callee } of calls) {
    const words = spellings(callee);
    if (words.length === 0) continue;
    const place = lines.slice(line - 1, line - 1 + LINES_OF_A_CALL).join('\n');
    if (!words.some((word) => new RegExp(`\\b${word}\\b`).test(place))) return false;
    agreeing++;
  }
  return agreeing > 0;
}

/** Names of deeply nested templates are longer: taking them apart costs more than they tell. */
const LONGEST_NAME = 500;

/** How a program spells a function that a stack names: `__write` and `write64` are `write`, `io::Log::line(int)` is `line`. */
function spellings(callee: string): string[] {
  if (callee.length > LONGEST_NAME) return [];
  const bare = /([A-Za-z_]\w*)(<.*>)?(\(.*\)( const)?( \[.*\])?)?$/.exec(callee)?.[1] ?? '';
  // The C library's own names for what happens inside of its functions say nothing.
  if (bare === '' || /^__libc_|^_dl_|^operator/.test(bare)) return [];
  const plain = bare.replace(/^(__GI_|__libc_|_IO_(new_)?|_+)/, '').replace(/(_nocancel|64)$/, '');
  return [...new Set([bare, plain])].filter((word) => word !== '');
}
