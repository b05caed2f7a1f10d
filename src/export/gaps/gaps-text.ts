import { fileName } from '../../base/path-names.ts';
import { counted, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { namedEnds } from '../analysis/early-ends.ts';
import { printable } from '../report/report-text.ts';
import { Columns } from '../text-columns.ts';
import { placeText } from './gap-words.ts';
import type { GapDocument, GapsDocument } from './gaps-document.ts';

/** Rows that a terminal is filled with; `--json` has more. */
const MOST_ROWS = 20;

/** `iolens gaps` for a person: a table, longest first. @param isNamed the recording is one of several. */
export function gapsText(document: GapsDocument, isNamed: boolean): string {
  const { recording, gaps, leftOut, streams, durationNs } = printable(document);
  const name = isNamed ? [`${recording}:`] : [];
  if (gaps.length === 0) return `${[...name, noneText(document), ...partLines(document)].join('\n')}\n`;
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
  const head = ['share', 'time', ...(several ? ['all', 'threads'] : []), 'times', 'longest', 'between', 'where'];
  const more = gaps.length - rows.length + leftOut;
  return [
    ...name,
    ...headLines(document, share),
    ...partLines(document),
    '',
    ...new Columns(head, rows).lines,
    ...(more > 0 ? [`and ${formatCount(more)} more: see --json`] : []),
    '',
  ].join('\n');
}

function headLines(
  { streams, durationNs, timeNs, leastNs, traced }: GapsDocument,
  share: (ns: number) => string,
): string[] {
  const whose = streams > 1 ? 'the process or thread with most of it' : 'the program';
  const of = `${formatDuration(durationNs)}${traced ? ' that were recorded, tracer time included' : ''}`;
  return [
    `Between its recorded calls ${whose} spends ${formatDuration(timeNs)} (${share(timeNs)} of ${of}): it computes, or does what is not recorded.`,
    ...(streams > 1 ? ['Shares are of the run: processes that run one after the other count together.'] : []),
    ...(leastNs > 0
      ? [`Gaps below ${formatDuration(leastNs)} are left out: a tracer stops the program for that long at a call.`]
      : []),
  ];
}

/** What makes this less than the run, or more than it computed. */
function partLines({ earlyEnds, limited, damaged }: GapsDocument): string[] {
  return [
    ...(earlyEnds.length > 0 ? [`This is not all of the run: ${printable(namedEnds(earlyEnds))}.`] : []),
    ...(limited > 0
      ? [
          `${counted(limited, 'process', 'processes')} reached the limit of events: what lies between the calls that followed, which were only counted, is not included.`,
        ]
      : []),
    ...(damaged > 0
      ? [`${counted(damaged, 'piece')} of the recording could not be read: what is missing there counts as computing.`]
      : []),
  ];
}

function noneText({ streams, durationNs, leastNs, isTimed }: GapsDocument): string {
  if (streams === 0 || !(durationNs > 0) || !isTimed)
    return 'The recording has no durations of single calls: what lies between them is unknown.';
  return leastNs > 0
    ? `No two calls of a process or thread are ${formatDuration(leastNs)} or more apart; less may be the tracer's.`
    : 'No process or thread shows a moment between two calls.';
}

function endText(end: GapDocument['after']): string {
  if (end === null) return '';
  const { call, file, line } = end;
  return line > 0 ? `${call} ${fileName(file)}:${line}` : call;
}
