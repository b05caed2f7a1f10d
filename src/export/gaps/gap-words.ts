import { formatShare } from '../../base/quantities.ts';
import { fileName } from '../../base/path-names.ts';
import type { GapDocument } from './gaps-document.ts';

/** Callers that a line has room for. */
const MOST_CALLERS = 3;

/**
 * @param traced whether a tracer's part is in the recorded time, so that it is not that of the run.
 * @returns `Between calls: 46 % of the run in main, heat.c:20 → 24; 34 % in save, heat.c:9 → 5, or where it is called (main heat.c:31).`
 */
export function gapsSentence(gaps: readonly GapDocument[], durationNs: number, traced: boolean): string {
  const parts = gaps.map((gap, i) => {
    const [caller] = isAgain(gap) ? gap.callers : [];
    const or = caller === undefined ? '' : `, or where it is called (${callerText(caller)})`;
    const where = `${gap.function}, ${linesText(gap, fileName(gap.file))}${or}`;
    return `${formatShare(gap.timeNs / durationNs)} ${i === 0 ? `of the ${traced ? 'recorded time' : 'run'} ` : ''}in ${where}`;
  });
  return `Between calls: ${parts.join('; ')}.`;
}

/** `simulate  /src/heat.c:88 → 120`, or with callers where the loop may be theirs: `save  /src/heat.c:10 ‹ main heat.c:31` */
export function placeText(gap: GapDocument): string {
  const { function: name, file, after, callers } = gap;
  if (name === '' && file === '') return after === null ? '(start-up, libraries)' : '(no source line)';
  const from = isAgain(gap) ? callers.slice(0, MOST_CALLERS).map((caller) => ` ‹ ${callerText(caller)}`) : [];
  return [name, `${linesText(gap, file)}${from.join('')}`].filter((part) => part !== '').join('  ');
}

/** A loop came back to the same line, or an earlier one. */
function isAgain({ fromLine, toLine }: GapDocument): boolean {
  return fromLine > 0 && toLine > 0 && toLine <= fromLine;
}

/** `heat.c:88 → 120` */
function linesText({ fromLine, toLine }: GapDocument, file: string): string {
  if (fromLine <= 0 && toLine <= 0) return file;
  return fromLine === toLine ? `${file}:${fromLine}` : `${file}:${fromLine || ' start'} → ${toLine || 'end'}`;
}

function callerText({ function: name, file, line }: GapDocument['callers'][number]): string {
  return `${name} ${fileName(file)}${line > 0 ? `:${line}` : ''}`;
}
