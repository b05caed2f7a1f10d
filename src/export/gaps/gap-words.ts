import type { RunCost } from '../../analysis/gain/cost.ts';
import { formatShare } from '../../base/quantities.ts';
import { fileName } from '../../base/path-names.ts';
import { runFigures } from '../analysis/run-figures.ts';
import type { GapDocument } from './gaps-document.ts';

/** Callers that a line has room for beside the outermost. */
const MOST_CALLERS = 2;

/** What gaps are a share of: they are as recorded, also where the run is estimated. */
function measureText(run: RunCost): string {
  if (!run.complete) return 'of what was recorded';
  return run.traced || runFigures(run)?.isEstimated === true ? 'of the recorded time' : 'of the run';
}

/**
 * @returns `Between calls: 46 % of the run in main, heat.c:20 → 24; 34 % within main, from one call in save, heat.c:9, to the next.`
 */
export function gapsSentence(gaps: readonly GapDocument[], run: RunCost): string {
  const parts = gaps.map((gap, i) => {
    const share = formatShare(gap.timeNs / run.durationNs);
    return `${share} ${i === 0 ? `${measureText(run)} ` : ''}${whereText(gap)}`;
  });
  return `Between calls: ${parts.join('; ')}.`;
}

function whereText(gap: GapDocument): string {
  const { kind, function: name, fromLine, toLine, callers, after, before } = gap;
  const file = fileName(gap.file);
  const place = `${name}, ${linesText(gap, file)}`;
  const at = (line: number): string => `${name}, ${lineText(file, line)}`;
  const outer = callers.at(-1);
  switch (kind) {
    case 'again':
      if (outer === undefined) return fromLine === toLine ? `in ${place}, from one call to the next` : `in ${place}`;
      return fromLine === toLine
        ? `within ${outer.function}, from one call in ${place}, to the next`
        : `within ${outer.function}, from ${lineText(file, fromLine)} to ${lineText(file, toLine)} in ${name}`;
    case 'library':
      return `in ${place}: in what it calls there, or until it comes there again`;
    case 'until':
      return `from ${endName(after) || 'its start'} to ${at(toLine)}`;
    case 'since':
      return `from ${at(fromLine)}, to ${endName(before) || 'its end'}`;
    default:
      return `in ${place}`;
  }
}

/** A call, and its line where one of the program is known. */
function endName(end: GapDocument['after']): string {
  if (end === null || end.call === '') return '';
  const { call, function: name, file, line } = end;
  return name === ''
    ? `${withArticle(call)} without a line of the program`
    : `${withArticle(call)} in ${name}, ${lineText(fileName(file), line)}`;
}

function withArticle(call: string): string {
  return `${/^[aeiou]/i.test(call) ? 'an' : 'a'} ${call}`;
}

/**
 * `simulate  /src/heat.c:88 → 120`, with callers where the program comes back to the call and may be anywhere in these:
 * `save  /src/heat.c:10 ‹ main heat.c:31`.
 */
export function placeText(gap: GapDocument): string {
  const { kind, function: name, file, callers, fromLine, toLine } = gap;
  const named = (where: string): string => [name, where].filter((part) => part !== '').join('  ');
  switch (kind) {
    case 'noStack':
      return '(no stack)';
    case 'noLine':
      return '(no line of the program)';
    case 'until':
      return `… → ${named(lineText(file, toLine))}`;
    case 'since':
      return `${named(lineText(file, fromLine))} → …`;
    default:
      return `${named(linesText(gap, file))}${kind === 'library' ? ' (in what it calls)' : ''}${callersText(callers)}`;
  }
}

/** The loop may be anybody's up to the outermost, which is always named. */
function callersText(callers: GapDocument['callers']): string {
  const outermost = callers.slice(MOST_CALLERS).slice(-1);
  const left = callers.length - MOST_CALLERS - outermost.length;
  const texts = [
    ...callers.slice(0, MOST_CALLERS).map(callerText),
    ...(left > 0 ? ['…'] : []),
    ...outermost.map(callerText),
  ];
  return texts.map((text) => ` ‹ ${text}`).join('');
}

/** `heat.c:88 → 120` */
function linesText({ fromLine, toLine }: GapDocument, file: string): string {
  if (fromLine <= 0 || toLine <= 0 || fromLine === toLine) return lineText(file, Math.max(fromLine, toLine));
  return `${file}:${fromLine} → ${toLine}`;
}

function lineText(file: string, line: number): string {
  return line > 0 ? `${file}:${line}` : file;
}

function callerText({ function: name, file, line }: GapDocument['callers'][number]): string {
  return [name, lineText(fileName(file), line)].filter((part) => part !== '').join(' ');
}
