import type { SourceEdit } from '../../analysis/fixes/fix.ts';
import type { EditDocument, FixDocument, FixesDocument } from './fixes-document.ts';
import { TextPositions } from './text-positions.ts';

/** Fixes cannot be made as they were asked for. The message is for the user. */
export class FixChoiceError extends Error {
  override name = 'FixChoiceError';
}

/** @throws FixChoiceError when there is no fix of an id: it lists those that there are. */
export function chosenFixes({ fixes }: FixesDocument, ids: readonly string[]): FixDocument[] {
  return [...new Set(ids)].map((id) => {
    const found = fixes.find((fix) => fix.id === id);
    if (found !== undefined) return found;
    const known =
      fixes.length === 0
        ? 'there are none for this recording, or their sources are not below the working folder'
        : `there are ${fixes.map((fix) => fix.id).join(', ')}`;
    throw new FixChoiceError(`${id}: no fix has this id; ${known}`);
  });
}

/**
 * The edits of several fixes by file. What two of them do alike, such as including a header, is done once.
 * @throws FixChoiceError when two change the same text.
 */
export function editsByFile(fixes: readonly FixDocument[]): Map<string, EditDocument[]> {
  const chosen = new Map<string, { fix: FixDocument; edit: EditDocument }[]>();
  for (const fix of fixes) {
    for (const edit of fix.edits) {
      const others = chosen.get(edit.file) ?? [];
      chosen.set(edit.file, others);
      if (others.some((other) => sameEdit(other.edit, edit))) continue;
      const clash = others.find((other) => other.fix !== fix && clashes(other.edit, edit, isExample(other.fix, fix)));
      if (clash !== undefined)
        throw new FixChoiceError(
          `${clash.fix.id} and ${fix.id} change the same text (${edit.file}:${edit.line}): make one of them, record again, and ask for fixes again`,
        );
      others.push({ fix, edit });
    }
  }
  return new Map([...chosen].map(([file, all]) => [file, all.map(({ edit }) => edit)]));
}

/** Which of the fixes change the same text, in words for the user. */
export function conflictsOf(fixes: readonly FixDocument[]): string[] {
  const pairs = fixes.flatMap((fix, i) => fixes.slice(i + 1).map((other) => [fix, other] as const));
  return pairs.flatMap(([fix, other]) => {
    const clash = fix.edits.find((edit) =>
      other.edits.some(
        (theirs) =>
          theirs.file === edit.file && !sameEdit(edit, theirs) && clashes(edit, theirs, isExample(fix, other)),
      ),
    );
    return clash === undefined ? [] : [`${fix.id} and ${other.id} change the same text (${clash.file}:${clash.line})`];
  });
}

function isExample(...fixes: readonly FixDocument[]): boolean {
  return fixes.some(({ kind }) => kind === 'example');
}

function sameEdit(a: EditDocument, b: EditDocument): boolean {
  return a.newText === b.newText && order(begin(a), begin(b)) === 0 && order(end(a), end(b)) === 0;
}

/** Whether two edits touch; comments may be inserted at one place one after the other. */
function clashes(a: EditDocument, b: EditDocument, oneIsComment: boolean): boolean {
  const insertions = order(begin(a), end(a)) === 0 && order(begin(b), end(b)) === 0;
  if (insertions) return order(begin(a), begin(b)) === 0 && !oneIsComment;
  return order(begin(a), end(b)) < 0 && order(begin(b), end(a)) < 0;
}

type Place = readonly [line: number, column: number];

const begin = ({ line, column }: EditDocument): Place => [line, column];
const end = ({ endLine, endColumn }: EditDocument): Place => [endLine, endColumn];

function order(a: Place, b: Place): number {
  return a[0] - b[0] || a[1] - b[1];
}

/**
 * Edits as positions in a text, with its line ends.
 * @throws FixChoiceError when the text has no such place.
 */
export function sourceEdits(text: string, edits: readonly EditDocument[]): SourceEdit[] {
  // Positions are those of an editor, which shows no byte-order mark.
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const positions = new TextPositions(text.slice(mark));
  const isCrLf = /^[^\n]*\r\n/.test(text);
  return edits.map(({ file, line, column, endLine, endColumn, newText }) => {
    const start = positions.offset({ line, column });
    const after = positions.offset({ line: endLine, column: endColumn });
    if (start === undefined || after === undefined)
      throw new FixChoiceError(`${file} was changed meanwhile: ask for the fixes again`);
    return { file, start: start + mark, end: after + mark, text: isCrLf ? newText.replace(/\r?\n/g, '\r\n') : newText };
  });
}
