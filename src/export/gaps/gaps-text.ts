import { formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { printable } from '../report/report-text.ts';
import { Columns } from '../text-columns.ts';
import type { GapDocument, GapsDocument } from './gaps-document.ts';

/** Rows that a terminal is filled with; `--json` has more. */
const MOST_ROWS = 20;
/** Callers that a line has room for. */
const MOST_CALLERS = 3;

/** `iolens gaps` for a person: a table, longest first. */
export function gapsText(document: GapsDocument): string {
  const { gaps, leftOut, streams, durationNs } = printable(document);
  if (gaps.length === 0) return `${noneText(document)}\n`;
  const share = (ns: number): string => (durationNs > 0 ? formatShare(ns / durationNs) : '');
  const several = streams > 1;
  const rows = gaps
    .slice(0, MOST_ROWS)
    .map((gap) => [
      share(gap.timeNs),
      formatDuration(gap.timeNs),
      ...(several ? [formatDuration(gap.allNs), formatCount(gap.streams)] : []),
      formatCount(gap.times),
      formatDuration(gap.longestNs),
      gap.after === null ? '' : `${endText(gap.after) || 'start'} … ${endText(gap.before) || 'end'}`,
      placeText(gap),
    ]);
  const head = ['of run', 'time', ...(several ? ['all', 'processes'] : []), 'times', 'longest', 'between', 'where'];
  const more = gaps.length - rows.length + leftOut;
  return [
    ...headLines(document, share),
    '',
    ...new Columns(head, rows).lines,
    ...(more > 0 ? [`and ${formatCount(more)} more: see --json`] : []),
    '',
  ].join('\n');
}

/** `Between calls: 46 % of the run in main, heat.c:20 → 24; 34 % in save, heat.c:9 → 5, or where it is called (main heat.c:31).` */
export function gapsSentence(gaps: readonly GapDocument[], durationNs: number): string {
  const parts = gaps.map((gap, i) => {
    const [caller] = isAgain(gap) ? gap.callers : [];
    const or = caller === undefined ? '' : `, or where it is called (${callerText(caller)})`;
    const where = `${gap.function}, ${linesText(gap, nameOf(gap.file))}${or}`;
    return `${formatShare(gap.timeNs / durationNs)} ${i === 0 ? 'of the run ' : ''}in ${where}`;
  });
  return `Between calls: ${parts.join('; ')}.`;
}

function headLines({ streams, timeNs, leastNs }: GapsDocument, share: (ns: number) => string): string[] {
  const whose = streams > 1 ? 'the process or thread with most of it' : 'the program';
  return [
    `Between its recorded calls ${whose} spends ${formatDuration(timeNs)} (${share(timeNs)}): it computes, or waits in a way that is not recorded.`,
    ...(leastNs > 0
      ? [`Gaps below ${formatDuration(leastNs)} are left out: a tracer stops the program for so long at a call.`]
      : []),
  ];
}

function noneText({ streams, durationNs, leastNs }: GapsDocument): string {
  if (streams === 0 || !(durationNs > 0))
    return 'The recording has no times of single calls: what lies between them is unknown.';
  return leastNs > 0
    ? `No two calls of a process or thread are ${formatDuration(leastNs)} or more apart; less is the tracer's, perhaps.`
    : 'No process or thread shows a moment between two calls.';
}

function endText(end: GapDocument['after']): string {
  if (end === null) return '';
  const { call, file, line } = end;
  return line > 0 ? `${call} ${nameOf(file)}:${line}` : call;
}

/** `simulate  /src/heat.c:88 → 120`, or with callers where the loop may be theirs: `save  /src/heat.c:10 ‹ main heat.c:31` */
function placeText(gap: GapDocument): string {
  const { function: name, file, after, callers } = gap;
  if (name === '' && file === '') return after === null ? '(start-up, libraries)' : '(no stack)';
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
  return `${name} ${nameOf(file)}${line > 0 ? `:${line}` : ''}`;
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
