import { editedText } from '../report/edited-text.ts';
import type { SourceEdit } from '../../analysis/fixes/fix.ts';
import { TextPositions } from './text-positions.ts';

/** Lines around a change, as `diff -u` shows them. */
const CONTEXT = 3;

type Change = Pick<SourceEdit, 'start' | 'end' | 'text'>;

/** Lines from `first` (counted from 0) up to `end`, and what takes their place. */
interface Hunk {
  readonly first: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * The changes of a file as a unified diff without git's own header: with one `git apply` takes names from the top of the
 * repository, without one from the folder that it is called in, as `patch -p1` does.
 *
 * @param name relative to that folder.
 */
export function unifiedDiff(name: string, text: string, edits: readonly SourceEdit[]): string {
  const hunks = hunksOf(text, edits);
  if (hunks.length === 0) return '';
  const lines = linesOf(text);
  const parts = [`--- ${quoted(`a/${name}`)}\n+++ ${quoted(`b/${name}`)}\n`];
  let shift = 0;
  for (const group of grouped(hunks)) {
    const first = Math.max(0, group[0]!.first - CONTEXT);
    const end = Math.min(lines.length, group.at(-1)!.end + CONTEXT);
    const body: string[] = [];
    let at = first;
    let added = 0;
    for (const hunk of group) {
      body.push(...lines.slice(at, hunk.first).map((line) => row(' ', line)));
      body.push(...lines.slice(hunk.first, hunk.end).map((line) => row('-', line)));
      body.push(...hunk.lines.map((line) => row('+', line)));
      added += hunk.lines.length - (hunk.end - hunk.first);
      at = hunk.end;
    }
    body.push(...lines.slice(at, end).map((line) => row(' ', line)));
    parts.push(`@@ -${range(first, end - first)} +${range(first + shift, end - first + added)} @@\n`, ...body);
    shift += added;
  }
  return parts.join('');
}

/** Lines with their line feeds; the last may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function row(sign: string, line: string): string {
  return line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`;
}

/** An empty range is said to begin on the line before. */
function range(first: number, count: number): string {
  return `${count === 0 ? first : first + 1},${count}`;
}

/** Edits of neighbouring lines become one change of lines; lines that stay as they are are left out at its ends. */
function hunksOf(text: string, edits: readonly SourceEdit[]): Hunk[] {
  const positions = new TextPositions(text);
  const lines = linesOf(text);
  const blocks: { first: number; end: number; edits: Change[] }[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const first = Math.min(positions.at(edit.start).line - 1, Math.max(0, lines.length - 1));
    const end = Math.min(positions.at(edit.end).line, lines.length);
    const last = blocks.at(-1);
    if (last !== undefined && first <= last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else blocks.push({ first, end, edits: [edit] });
  }
  return blocks.flatMap(({ first, end, edits: within }) => {
    const start = lines.slice(0, first).join('').length;
    const before = lines.slice(first, end);
    const moved = within.map((edit) => ({
      ...edit,
      file: '',
      start: edit.start - start,
      end: edit.end - start,
    }));
    const after = linesOf(editedText(before.join(''), moved));
    let same = 0;
    while (same < before.length && same < after.length && before[same] === after[same]) same++;
    let tail = 0;
    const most = Math.min(before.length, after.length) - same;
    while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
    const lineChange = { first: first + same, end: end - tail, lines: after.slice(same, after.length - tail) };
    return lineChange.first === lineChange.end && lineChange.lines.length === 0 ? [] : [lineChange];
  });
}

/** Changes whose contexts meet stand in one hunk. */
function grouped(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    if (last !== undefined && hunk.first - last.at(-1)!.end <= 2 * CONTEXT) last.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** As git and patch read it: a name with spaces ends with a tabulator, one with control characters is quoted as in C. */
function quoted(name: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what has to be quoted
  if (!/["\\\u0000-\u001f\u007f]/.test(name)) return name.includes(' ') ? `${name}\t` : name;
  // oxlint-disable-next-line no-control-regex -- as above
  const escaped = name.replace(/["\\\u0000-\u001f\u007f]/g, (unit) => {
    const octal = unit.charCodeAt(0).toString(8).padStart(3, '0');
    return ESCAPES[unit] ?? `\\${octal}`;
  });
  return `"${escaped}"`;
}
