/** What the lines of a recording's text mean to the editor: without `vscode`, so that it can be tested on large texts. */

/** The part of a document that is needed; `vscode.TextDocument` has it. */
export interface TextLines {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

/** Frames of the longest stack that strace prints. */
const MOST_FRAMES = 256;
/** Lines that are looked at before others get their turn. */
const SLICE = 10_000;

function isStackLine(text: string): boolean {
  return text.startsWith(' > ');
}

/** Whether a line belongs to the call above it: a frame, or a part of a dump. */
function isAttached(text: string): boolean {
  return text.startsWith(' > ') || text.startsWith(' | ');
}

/** Columns of the part of a frame that stands for its place in the code; undefined when the line has none. */
export function frameColumns(text: string): { start: number; end: number } | undefined {
  if (!isStackLine(text)) return undefined;
  const bracket = text.lastIndexOf(' [0x');
  const end = bracket < 0 ? -1 : text.indexOf(']', bracket);
  return end < 0 ? undefined : { start: 3, end: end + 1 };
}

/** The stack that a line is part of. */
export function stackAround(document: TextLines, line: number): { first: number; lines: string[] } | undefined {
  const isFrame = (at: number): boolean => isStackLine(document.lineAt(at).text);
  if (!isFrame(line)) return undefined;
  let first = line;
  while (first > 0 && line - first < MOST_FRAMES && isFrame(first - 1)) first--;
  const lines: string[] = [];
  for (let at = first; at < document.lineCount && at - first < 2 * MOST_FRAMES && isFrame(at); at++)
    lines.push(document.lineAt(at).text);
  return { first, lines };
}

/** A call with what belongs to it: lines counted from 0, both included. */
export interface Fold {
  readonly call: number;
  readonly last: number;
}

export interface Bounds {
  /** Results that are wanted at most. */
  readonly most: number;
  /** Lets others have their turn; false ends the search. */
  readonly pause: () => Promise<boolean>;
}

/** Calls with their stacks, from the top of the document. */
export async function folds(document: TextLines, { most, pause }: Bounds): Promise<Fold[]> {
  const found: Fold[] = [];
  let call = 0;
  for (let line = 0; line <= document.lineCount; line++) {
    if (line % SLICE === SLICE - 1 && !(await pause())) break;
    if (line < document.lineCount && isAttached(document.lineAt(line).text)) continue;
    if (line > call + 1) found.push({ call, last: line - 1 });
    if (found.length >= most) break;
    call = line;
  }
  return found;
}

/** Lines that are frames, from the top of the document. */
export async function stackLines(document: TextLines, { most, pause }: Bounds): Promise<number[]> {
  const found: number[] = [];
  for (let line = 0; line < document.lineCount && found.length < most; line++) {
    if (line % SLICE === SLICE - 1 && !(await pause())) break;
    if (isStackLine(document.lineAt(line).text)) found.push(line);
  }
  return found;
}
