import { fileName } from '../../base/path-names.ts';
import { formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { printable } from '../report/report-text.ts';
import { Columns } from '../text-columns.ts';
import { placeText } from './gap-words.ts';
import type { GapDocument, GapsDocument } from './gaps-document.ts';

/** Rows that a terminal is filled with; `--json` has more. */
const MOST_ROWS = 20;

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
  const head = ['of run', 'time', ...(several ? ['all', 'threads'] : []), 'times', 'longest', 'between', 'where'];
  const more = gaps.length - rows.length + leftOut;
  return [
    ...headLines(document, share),
    '',
    ...new Columns(head, rows).lines,
    ...(more > 0 ? [`and ${formatCount(more)} more: see --json`] : []),
    '',
  ].join('\n');
}

function headLines({ streams, timeNs, leastNs }: GapsDocument, share: (ns: number) => string): string[] {
  const whose = streams > 1 ? 'the thread (of all processes) with most of it' : 'the program';
  return [
    `Between its recorded calls ${whose} spends ${formatDuration(timeNs)} (${share(timeNs)}): it computes, or does what is not recorded.`,
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
  return line > 0 ? `${call} ${fileName(file)}:${line}` : call;
}
