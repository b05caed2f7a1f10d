import { largestShares, type RoleTimes } from '../../analysis/layers/shares.ts';
import type { LeftOutKind } from '../../analysis/metrics/left-out.ts';
import type { FunctionRole } from '../../trace/function-calls.ts';
import { FORMAT_TRAITS } from '../../readers/format-traits.ts';
import { andDuration, counted, formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { namedEnds } from '../analysis/early-ends.ts';
import { jobPatches, type JobPatch } from '../analysis/advice.ts';
import { budgetText } from '../comparison/budget-text.ts';
import { andCost } from '../analysis/cost-text.ts';
import { withoutDirection } from '../json-text.ts';
import { gainLines } from '../analysis/gain-text.ts';
import { gapsSentence } from '../gaps/gap-words.ts';
import { runText } from '../analysis/run-text.ts';
import type {
  AnalysisDocument,
  InfoDocument,
  InsightDocument,
  SiteDocument,
  TimingDocument,
} from '../analysis/documents.ts';
import type { JobSummary } from './job-document.ts';
import { findingsOf, followingWords, headCount, isSummary, nothingFound, ownSites } from '../analysis/findings.ts';
import { UNMARKED_TITLE } from '../../drawing/report/findings.ts';
import { unmarkedLines } from '../analysis/unmarked-documents.ts';
import { adviceLines, boundLines, fileLines, findingsByFile, type TextDetail } from './finding-text.ts';
import { jobLines } from './report-job-text.ts';
import { reportNotes } from './report-notes.ts';
import type { TextStyle } from './text-style.ts';

export const PLAIN: TextStyle = {
  bold: (text) => text,
  dim: (text) => text,
  colour: (_severity, text) => text,
  place: (file) => file,
};

const SEVERITY_CODES = { high: 31, warn: 33, info: 36, ok: 32 } as const;

export const ANSI: TextStyle = {
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
  colour: (severity, text) => `\u001b[${SEVERITY_CODES[severity]}m${text}\u001b[39m`,
  place: (file) => file,
};

/** The same style with paths below a folder shortened to what is relative to it. */
export function relativeTo(folder: string, style: TextStyle): TextStyle {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return { ...style, place: (file) => (file.startsWith(prefix) ? file.slice(prefix.length) : file) };
}

/**
 * The findings as a person reads them in a terminal.
 * @param jobs what Darshan logs say of their jobs, in the order of the recordings.
 */
export function analysisText(
  analysis: AnalysisDocument,
  style: TextStyle = PLAIN,
  jobs: readonly (JobSummary | undefined)[] = [],
  detail: TextDetail = {},
): string {
  const document = printable(analysis);
  const shown = printable(jobs);
  const parts = document.recordings.map((info, i) => headText(info, document.timing[i]!, style, shown[i]));
  const findings = findingsOf(document.insights);
  if (findings.length === 0) parts.push(`${nothingFound(document)}\n`);
  else parts.push(`${style.bold(headCount(document.insights))}\n`);
  if (detail.split === true) parts.push(...findingsByFile(findings, style));
  else {
    const given = new Set<string>();
    parts.push(...findings.map((insight) => insightText(insight, style, given, detail)));
  }
  const left = followingWords(document.insights);
  if (left !== '') parts.push(`… ${left} (--all shows them)\n`);
  const unmarked = unmarkedLines(document, (file) => style.place(file));
  if (unmarked.length > 0) parts.push([UNMARKED_TITLE, ...unmarked.map((line) => `  ${line}`), ''].join('\n'));
  const summaries = document.insights.filter(isSummary);
  if (summaries.length > 0) parts.push(summaryText(summaries, style));
  const patches = detail.issues === true ? [] : jobPatches(document.insights);
  if (patches.length > 0) parts.push(patchText(patches, style));
  if (document.budget !== undefined) parts.push(budgetText(document.budget, style, document.recordings.length > 1));
  parts.push(notesText(document));
  return parts.join('\n');
}

function headText(info: InfoDocument, timing: TimingDocument, style: TextStyle, job: JobSummary | undefined): string {
  const lines = [...(job === undefined ? [] : jobLines(job)), ...summaryLines(info, timing, job)];
  const text = [style.bold(info.program || info.recording), ...lines.map((line) => `  ${line}`.trimEnd())];
  return `${text.join('\n')}\n`;
}

/** What the run goes into, and what the calls of a recording amount to, in a few sentences. */
export function summaryLines(info: InfoDocument, timing: TimingDocument, job?: JobSummary): string[] {
  const run = runText(timing.run);
  const ends = info.earlyEnds === undefined ? [] : [`Ended early: ${namedEnds(info.earlyEnds)}.`];
  const gaps = timing.gaps === undefined ? [] : [gapsSentence(timing.gaps, timing.run)];
  const first = [...(run === undefined ? [] : [run]), ...gaps, ...ends];
  // Of a log that holds counters only its job says the rest.
  if (job !== undefined && info.events === 0) return first;
  const during = info.durationNs > 0 ? ` in ${formatDuration(info.durationNs)}` : '';
  const lines = [
    ...first,
    `${counted(info.events, 'call')} of ${whoCalled(info)} on ${counted(info.files, 'file')}${during}`,
  ];
  if (info.capabilities.duration) lines.push(timeLine(info, timing));
  if (info.roleTimes !== undefined) lines.push(rolesLine(info.roleTimes));
  if (timing.tracerPerCallNs !== null && timing.tracerShare !== null) {
    lines.push(
      `of which at least ${formatShare(timing.tracerShare)} is the tracer's (about ${formatDuration(timing.tracerPerCallNs)} a call)`,
    );
  }
  return lines;
}

function whoCalled({ format, streams, ranks }: InfoDocument): string {
  if (FORMAT_TRAITS[format].processesAreRanks) return counted(streams, 'rank');
  const processes = counted(streams, 'process', 'processes and threads');
  if (ranks === undefined) return processes;
  return ranks === streams ? counted(ranks, 'rank') : `${counted(ranks, 'rank')} (${processes})`;
}

function timeLine({ layers, files }: InfoDocument, { ioTimeNs, ioEvents, leftOut }: TimingDocument): string {
  // No call names a file (the VOL connector of HDF5): none is the program's, and none the loader's either.
  if (files === 0 && ioEvents === 0)
    return `${formatDuration(leftOut.timeNs)} in ${counted(leftOut.events, 'call')}, none of which names a file`;
  // With several layers the time is that of the uppermost calls, and what is counted are the lowest that were seen.
  const where = "on the program's own files";
  const what =
    layers.length > 1
      ? `in I/O calls ${where}, ${formatCount(ioEvents)} of them in the lowest layer that was recorded`
      : `in ${counted(ioEvents, 'I/O call')} ${where}`;
  return `${formatDuration(ioTimeNs)} ${what}${leftOutText(leftOut)}`;
}

function leftOutText({ kinds }: TimingDocument['leftOut']): string {
  const parts = LEFT_OUT_WORDS.flatMap(([kind, words]) => {
    const sum = kinds[kind];
    if (sum === undefined) return [];
    // Upper calls that made no request have a time and no number.
    const calls = sum.events === 0 ? 'calls' : counted(sum.events, 'call');
    return [`${calls} ${words}${andDuration(sum.timeNs)}`];
  });
  return parts.length === 0 ? '' : ` (left out: ${parts.join('; ')})`;
}

const LEFT_OUT_WORDS: readonly (readonly [kind: LeftOutKind, words: string])[] = [
  ['loader', 'of loader, libraries and start-up'],
  ['ignoredFiles', 'on ignored files'],
  ['pipes', 'on pipes and sockets'],
  ['asynchronous', 'of io_uring and Linux AIO'],
  ['withoutFile', 'without a file'],
];

/** `the processes spend 71 % of 1.1 s in computation, 20 % in I/O and 9 % in communication` */
function rolesLine(times: RoleTimes): string {
  const totalNs = Object.values(times).reduce((sum, time) => sum + time, 0);
  const shares = largestShares({ total: times, totalNs, streams: [] });
  const [first, ...others] = shares.map(({ role, share }) => ({ share: formatShare(share), role: ROLE_WORDS[role] }));
  if (first === undefined) return 'the functions that were recorded take no time';
  const words = [`${first.share} of ${formatDuration(totalNs)} in ${first.role}`].concat(
    others.map(({ share, role }) => `${share} in ${role}`),
  );
  const last = words.pop()!;
  return `the processes spend ${words.length === 0 ? last : `${words.join(', ')} and ${last}`}`;
}

const ROLE_WORDS: Readonly<Record<FunctionRole, string>> = {
  computation: 'computation',
  communication: 'communication',
  synchronisation: 'synchronisation',
  'I/O': 'I/O',
  metadata: 'I/O on metadata',
};

/** @param given advice on the job that stands above already: it is the same for many findings, and is given once. */
function insightText(insight: InsightDocument, style: TextStyle, given: Set<string>, detail: TextDetail): string {
  const mark = style.colour(insight.severity, insight.severity.toUpperCase().padEnd(4));
  const lines = [`${mark} ${style.bold(`${insight.code} ${insight.title}`)}`, `     ${insight.message}`];
  const sites = ownSites(insight);
  const most = detail.verbose === true ? sites.length : 10;
  for (const site of sites.slice(0, most)) lines.push(...siteLines(site, style));
  if (sites.length > most) lines.push(`     … and ${sites.length - most} further places`);
  for (const { file, line, function: name, explainedBy } of insight.sites.filter((site) => !sites.includes(site)))
    lines.push(`     ${line > 0 ? `${style.place(file)}:${line}` : name} — the cause is named by ${explainedBy!}`);
  lines.push(...fileLines(insight, detail), ...boundLines(insight, detail));
  if (detail.issues !== true) lines.push(...adviceLines(insight, given, detail));
  if (detail.issues !== true) lines.push(...gainLines(insight).map((line) => `       ${line}`));
  return `${lines.join('\n')}\n`;
}

/** What kind of I/O the run does, a line each. */
function summaryText(summaries: readonly InsightDocument[], style: TextStyle): string {
  const lines = summaries.map(({ code, message, severity }) => `  ${style.colour(severity, code)} ${message}`);
  return `In short\n${lines.join('\n')}\n`;
}

/** Not indented: here-documents end at the beginning of a line only. */
function patchText(patches: readonly JobPatch[], style: TextStyle): string {
  const parts = patches.map(({ codes, title, code }) => `${style.dim(`# ${codes.join(', ')}: ${title}`)}\n${code}`);
  return `${style.bold('For the job script')}\n${parts.join('')}`;
}

function siteLines(site: SiteDocument, style: TextStyle): string[] {
  const place = site.line > 0 ? `${style.place(site.file)}:${site.line}` : '(no source line)';
  const bytes = site.bytes > 0 ? `, ${formatBytes(site.bytes)}` : '';
  const lines = [
    `     ${style.bold(place)} ${site.function === '' ? '' : `in ${site.function} `}— ${counted(site.events, 'call')}${bytes}${andCost(site, site.shareOfTime)}${site.ranks === undefined ? '' : `, ${site.ranks}`}`,
  ];
  if (site.source !== '') lines.push(`         ${style.dim(site.source)}`);
  if (site.note !== '') lines.push(`         ${style.dim(site.note)}`);
  const callers = site.stack.slice(site.depth + 1).filter((frame) => frame.line > 0);
  for (const caller of callers.slice(0, 3)) {
    const inside = caller.function === '' ? '' : ` in ${caller.function}`;
    lines.push(style.dim(`         called from ${style.place(caller.file)}:${caller.line}${inside}`));
  }
  return lines;
}

function notesText(document: AnalysisDocument): string {
  return `Notes\n${reportNotes(document)
    .map(({ text }) => `  ${text}`)
    .join('\n')}\n`;
}

/**
 * A text, or a document with its texts, without control characters, and with marks of the direction of writing as escapes.
 * Paths and names come from a recording: nothing of them may move a terminal's cursor, colour it, begin a line of its own or
 * stand in another order than it has, so they are cleaned before our own styling and our own line ends are added. Snippets
 * (`code`) keep their lines.
 */
export function printable<Value>(value: Value, isCode = false): Value {
  if (typeof value === 'string') return cleaned(value, isCode) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => printable(item)) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [cleaned(name, false), printable(item as unknown, name === 'code')]),
  ) as Value;
}

/* oxlint-disable no-control-regex -- control characters are what is looked for */
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;
const CONTROL_BUT_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/* eslint-enable no-control-regex */

function cleaned(text: string, isCode: boolean): string {
  return withoutDirection(text.replace(isCode ? CONTROL_BUT_LINES : CONTROL, '\ufffd'));
}
