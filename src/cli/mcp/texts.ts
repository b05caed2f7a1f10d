import { counted, formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { PLAIN, printable, relativeTo } from '../../export/report/report-text.ts';
import type { SummaryAnswer } from '../../features/answers/agent/asked-recording.ts';
import type { FindingsAnswer, InsightAnswer } from '../../features/answers/agent/finding-answers.ts';
import type { FixAnswer, FixesAnswer } from '../../features/answers/agent/fix-answers.ts';
import type { CallsAnswer, LineAnswer } from '../../features/answers/agent/line-answers.ts';
import type { SourceAnswer, SourceLineAnswer } from '../../features/answers/agent/source-answers.ts';

/** The short texts of answers: what a model reads where its client shows it no data. */

function place(file: string): string {
  return relativeTo(process.cwd(), PLAIN).place(file);
}

export function summaryText(answer: SummaryAnswer): string {
  const { recording, program, format, calls, streams, processes, durationNs, lacks } = printable(answer);
  const of = program === '' ? '' : ` of ${program}`;
  const who = processes === null ? counted(streams, 'stream') : counted(processes, 'process', 'processes');
  const head = `${recording}: ${format}${of}, ${counted(calls, 'call')}, ${who}, ${formatDuration(durationNs)}`;
  return [head, ...lacks.map((what) => `lacks: ${what}`)].join('\n');
}

export function findingsText(answer: FindingsAnswer): string {
  const { run, insights, more, nothingFound, notes } = printable(answer);
  return [
    ...(run === undefined ? [] : [run]),
    ...insights.map(insightText),
    ...(insights.length === 0 && nothingFound === undefined ? ['No finding of this severity, or in this file.'] : []),
    ...(nothingFound === undefined ? [] : [nothingFound]),
    ...moreText(more, 'finding', 'findings'),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}

function insightText({ code, severity, title, message, saving, places, morePlaces, advice }: InsightAnswer): string {
  const at = places
    .map(({ file, line, function: name }) => `${place(file)}:${line}${name === '' ? '' : ` in ${name}`}`)
    .join('; ');
  const others = morePlaces === 0 ? '' : ` and ${counted(morePlaces, 'more place')}`;
  const todo = advice.map((text) => `\n  advice: ${text}`).join('');
  return `${code} ${severity}: ${title}${at === '' ? '' : ` — ${at}${others}`}\n  ${message} ${saving}${todo}`;
}

function moreText(more: number, one: string, many: string): string[] {
  return more === 0 ? [] : [`… and ${counted(more, `more ${one}`, `more ${many}`)} (limit)`];
}

export function lineText(answer: LineAnswer): string {
  const { file, line, costs, findings, callers = [], moreCallers = 0 } = printable(answer);
  return [
    `${place(file)}:${line}`,
    ...costs.map(({ function: name, events, bytes, timeNs, shareOfTime, cost, calls }) => {
      const kinds = Object.entries(calls).map(([call, times]) => `${call} ${formatCount(times)}`);
      const untraced = cost === undefined ? '' : `, ${formatDuration(cost.untracedNs)} without the tracer`;
      return `in ${name}: ${counted(events, 'call')} (${kinds.join(', ')}), ${formatBytes(bytes)}, ${formatDuration(timeNs)} recorded, ${formatShare(shareOfTime)} of the I/O time${untraced}`;
    }),
    ...findings.map(
      ({ code, severity, title, message, saving }) => `${code} ${severity}: ${title}. ${message} ${saving}`,
    ),
    ...callers.map(
      (caller) =>
        `called from ${caller.function} (${place(caller.file)}:${caller.line}): ${counted(caller.events, 'call')}`,
    ),
    ...moreText(moreCallers, 'caller', 'callers'),
  ].join('\n');
}

export function callsText({ file, line, events, areMore }: CallsAnswer): string {
  const rows = events.map((event) => JSON.stringify(event));
  return [`${place(printable(file))}:${line}`, ...rows, ...(areMore ? ['… and more (limit)'] : [])].join('\n');
}

export function sourceText(answer: SourceAnswer): string {
  const { file, line, length, note } = printable({ ...answer, lines: [] });
  const { lines } = answer;
  const width = String(lines.at(-1)?.line ?? line).length;
  return [
    `${place(file)}, ${counted(length, 'line')}${note === undefined ? '' : `; ${note}`}`,
    ...lines.map((each) => sourceLineText(each, each.line === line, width)),
  ].join('\n');
}

function sourceLineText(line: SourceLineAnswer, isMeant: boolean, width: number): string {
  const { events, shareOfTime = 0, findings = [] } = line;
  const codes = findings.length === 0 ? '' : `, ${findings.join(' ')}`;
  const cost =
    events === undefined ? '' : `    ⟵ ${counted(events, 'call')}, ${formatShare(shareOfTime)} of the I/O time${codes}`;
  return `${isMeant ? '>' : ' '} ${String(line.line).padStart(width)} | ${printable(line.text, true)}${cost}`;
}

export function fixesText(answer: FixesAnswer): string {
  const { fixes, more } = printable(answer);
  if (fixes.length === 0)
    return 'No fixes: no source line below the working folder has a finding, or none of them can be changed.';
  return [...fixes.map(fixText), ...moreText(more, 'fix', 'fixes')].join('\n');
}

function fixText({ id, kind, title, file, line, function: name, reason, notes, lineNote }: FixAnswer): string {
  const said = [
    ...(reason === null ? [] : [`no change: ${reason}`]),
    ...notes,
    ...(lineNote === null ? [] : [lineNote]),
  ];
  return `${id} ${kind}: ${title} — ${place(file)}:${line} in ${name}${said.map((text) => `\n  ${text}`).join('')}`;
}
