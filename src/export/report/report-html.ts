import type { Recommendation } from '../../analysis/triggers/insight.ts';
import { adviceOf, snippetsOf } from '../analysis/advice.ts';
import { andDuration, counted, formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { pictureSvg } from './pattern-svg.ts';
import type { FrameDocument, InsightDocument, SiteDocument } from '../analysis/documents.ts';
import { isSummary, markedOnce, nothingFound } from '../analysis/findings.ts';
import { gainLines } from '../analysis/gain-text.ts';
import { GRAPH_STYLE } from '../graph/graph-svg.ts';
import { element, escapeMarkup } from '../../base/markup.ts';
import { limited, section, table } from './report-html-parts.ts';
import { REPORT_STYLE } from './report-html-style.ts';
import { jobHtml } from './report-job-html.ts';
import { JOB_STYLE } from './report-job-style.ts';
import {
  callersOf,
  EXCERPT_REACH,
  type RecordingMaterial,
  type ReportMaterial,
  type SourceExcerpts,
} from './report-material.ts';
import { reportNotes } from './report-notes.ts';
import { summaryLines } from './report-text.ts';

/** What the page is made of beside the material. */
interface PageContext {
  /** The drawn graph of each recording, in their order; '' where there is none. */
  readonly graphs: readonly string[];
  /** Name of this program with its version, and when the page was made. */
  readonly origin: string;
  /** A source path as the reader knows it. */
  readonly place: (file: string) => string;
}

/** Places of a finding that are shown with their source. */
const MOST_SITES = 25;

/**
 * The whole report in one file: no script, no request, nothing of the recording as markup. Its content security policy
 * allows the one style sheet (by its hash) and nothing else.
 */
export async function reportHtml(material: ReportMaterial, context: PageContext): Promise<string> {
  const style = `${REPORT_STYLE}${GRAPH_STYLE}${JOB_STYLE}`;
  const policy = `default-src 'none'; style-src 'sha256-${await sha256(style)}'; base-uri 'none'; form-action 'none'`;
  const { analysis } = material;
  const title = analysis.recordings.map(({ program, recording }) => program || recording).join(', ');
  const findings = markedOnce(analysis.insights);
  const body = [
    header(material, title),
    ...(findings.length === 0
      ? [element('p', { class: 'nothing' }, nothingFound(analysis))]
      : [overview(findings, context), ...findings.map((each, i) => finding(each, i, material, context))]),
    ...summaries(analysis.insights.filter(isSummary)),
    ...material.recordings.flatMap(({ job }) => (job === undefined ? [] : [jobHtml(job)])),
    ...material.recordings.map((recording, i) =>
      isCounted(recording) ? '' : tables(recording, context.graphs[i] ?? '', context),
    ),
    notes(material),
    element('footer', {}, escapeMarkup(context.origin)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(`I/O of ${title}`)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body.join('\n')}
</main>
</body>
</html>
`;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

function header({ analysis, recordings: materials }: ReportMaterial, title: string): string {
  const recordings = analysis.recordings.map((info, i) => {
    const started = info.startTime === null ? '' : ` · ${new Date(info.startTime * 1000).toISOString()}`;
    const summary = summaryLines(info, analysis.timing[i]!, materials[i]?.job);
    const lines = summary.map((line) => element('li', {}, escapeMarkup(line)));
    const from = escapeMarkup(`${info.recording} · ${info.format} ${info.version}`.trim() + started);
    return element('section', {}, element('p', { class: 'dim' }, from), element('ul', { class: 'facts' }, ...lines));
  });
  return element('header', {}, element('h1', {}, 'I/O of ', element('code', {}, escapeMarkup(title))), ...recordings);
}

/** What kind of I/O the run does, a line each. */
function summaries(insights: readonly InsightDocument[]): string[] {
  if (insights.length === 0) return [];
  const lines = insights.map(({ code, message }) => element('li', {}, escapeMarkup(`${code} ${message}`)));
  return [element('h2', {}, 'In short'), element('ul', {}, lines.join(''))];
}

function overview(insights: readonly InsightDocument[], { place }: PageContext): string {
  const rows = insights.map((insight, i) => {
    const site = insight.sites[0];
    const where = site === undefined ? (insight.files[0]?.path ?? '') : placeText(site, place);
    const share = insight.evidence['share'] ?? NaN;
    return [
      badge(insight.severity),
      element('a', { href: `#finding-${i + 1}` }, escapeMarkup(`${insight.code} ${insight.title}`)),
      element('code', {}, escapeMarkup(where)) + more(insight.sites.length - 1),
      ...shareCells(share),
    ];
  });
  return section(
    'Findings',
    table(['severity', 'finding', 'where', 'share of the I/O time (of the calls, for pipes)', ''], rows, [3]),
  );
}

function more(count: number): string {
  return count > 0 ? ` <span class="dim">and ${formatCount(count)} more</span>` : '';
}

function badge(severity: InsightDocument['severity']): string {
  return element('span', { class: `badge ${severity}` }, severity);
}

function placeText(site: SiteDocument, place: (file: string) => string): string {
  return site.line > 0 ? `${place(site.file)}:${site.line}` : site.function || '(no source line)';
}

function finding(insight: InsightDocument, number: number, material: ReportMaterial, context: PageContext): string {
  const heading = element('h2', {}, badge(insight.severity), escapeMarkup(` ${insight.code} ${insight.title}`));
  const sites = insight.sites.slice(0, MOST_SITES).map((site) => siteBlock(site, material.excerpts, context.place));
  const left = insight.sites.length - MOST_SITES;
  const files = insight.sites.length === 0 ? [fileTable(insight.files)] : [];
  const advice = adviceOf(insight).flatMap(({ heading: title, recommendations }) => [
    element('h3', {}, title),
    ...recommendations.map(adviceBlock),
  ]);
  return element(
    'article',
    { id: `finding-${number + 1}`, class: insight.severity },
    heading,
    element('p', {}, escapeMarkup(insight.message)),
    pictureOf(insight),
    ...sites,
    ...(left > 0 ? [`<p class="dim">… and ${formatCount(left)} further places</p>`] : []),
    ...files,
    ...advice,
    ...gainLines(insight).map((line) => element('p', { class: 'dim' }, escapeMarkup(line))),
  );
}

function pictureOf({ picture }: InsightDocument): string {
  if (picture === undefined) return '';
  const caption = element('figcaption', { class: 'dim' }, escapeMarkup(`${picture.title}. ${picture.description}`));
  return element('figure', { class: 'picture' }, pictureSvg(picture), caption);
}

function siteBlock(site: SiteDocument, excerpts: SourceExcerpts, place: (file: string) => string): string {
  const inside =
    site.function === '' || site.line === 0 ? '' : ` in ${element('code', {}, escapeMarkup(site.function))}`;
  const bytes = site.bytes > 0 ? `, ${formatBytes(site.bytes)}` : '';
  const amount = `${counted(site.events, 'call')}${bytes}${andDuration(site.timeNs)} (${formatShare(site.shareOfTime)})`;
  const callers = callersOf(site).map((frame) => callerItem(frame, excerpts, place));
  return element(
    'section',
    { class: 'site' },
    element('h3', {}, element('code', {}, escapeMarkup(placeText(site, place))), inside),
    element('p', {}, escapeMarkup(amount)),
    excerpt(site, excerpts),
    callers.length === 0 ? '' : `<p class="dim">called from</p>${element('ol', { class: 'callers' }, ...callers)}`,
  );
}

function callerItem(frame: FrameDocument, excerpts: SourceExcerpts, place: (file: string) => string): string {
  const text = excerpts.get(frame.file)?.get(frame.line)?.trim() ?? '';
  const where = element('code', {}, escapeMarkup(`${place(frame.file)}:${frame.line}`));
  const source = text === '' ? '' : `<br>${element('code', { class: 'dim' }, escapeMarkup(text))}`;
  return element('li', {}, where, ' in ', element('code', {}, escapeMarkup(frame.function || '?')), source);
}

/** The line with what stands around it. The mark is a sign too: colour alone says nothing. */
function excerpt({ file, line }: SiteDocument, excerpts: SourceExcerpts): string {
  const lines = excerpts.get(file);
  if (line === 0 || lines?.has(line) !== true) return '';
  const rows: string[] = [];
  for (let at = Math.max(1, line - EXCERPT_REACH); at <= line + EXCERPT_REACH; at++) {
    const text = lines.get(at);
    if (text === undefined) continue;
    const content = `${at === line ? '▶' : ' '}${String(at).padStart(5)}  ${text}`;
    rows.push(element(at === line ? 'mark' : 'span', {}, escapeMarkup(content)));
  }
  return element('pre', { class: 'source' }, ...rows);
}

/** A Darshan log without a single traced call: its figures stand with its job. */
function isCounted({ job, files }: RecordingMaterial): boolean {
  return job !== undefined && files.length === 0;
}

function tables({ recording, sites, files, graph }: RecordingMaterial, drawn: string, context: PageContext): string {
  const siteRows = sites.sites.map((site) => {
    const where = site.line > 0 ? `${context.place(site.file)}:${site.line}` : site.file || '(no source line)';
    const calls = Object.entries(site.calls)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([name, count]) => `${name} ${formatCount(count)}`);
    return [
      element('code', {}, escapeMarkup(where)),
      element('code', {}, escapeMarkup(site.function)),
      escapeMarkup(calls.join(', ')),
      ...amountCells(site),
      ...shareCells(site.share),
    ];
  });
  const siteHead = ['source line', 'function', 'what', 'calls', 'bytes', 'time', 'share', ''];
  const picture =
    drawn === ''
      ? ''
      : `<h3>Directly-Follows-Graph</h3>
<p class="dim">Which call follows which on the program's own files, in ${counted(graph.cases, 'case')}. Shade and border: share of the time; numbers on edges: how often.</p>
<div class="graph">${drawn}</div>`;
  return section(
    `Where the time goes: ${recording}`,
    `<h3>Source lines</h3>${limited(siteHead, siteRows, [3, 4, 5, 6])}<h3>Files</h3>${fileTable(files)}${picture}`,
  );
}

function fileTable(files: readonly { path: string; events: number; bytes: number; timeNs: number }[]): string {
  const rows = files.map((file) => [element('code', {}, escapeMarkup(file.path)), ...amountCells(file)]);
  return limited(['file', 'calls', 'bytes', 'time'], rows, [1, 2, 3]);
}

function amountCells(amount: { events: number; bytes: number; timeNs: number }): string[] {
  return [formatCount(amount.events), formatBytes(amount.bytes), formatDuration(amount.timeNs)];
}

/** A share as a number and as a bar. */
function shareCells(share: number): string[] {
  if (Number.isNaN(share)) return ['–', ''];
  const width = Math.round(Math.min(1, share) * 100);
  const bar = `<svg class="bar" width="100" height="8" aria-hidden="true"><rect class="room" width="100" height="8"/><rect class="part" width="${width}" height="8"/></svg>`;
  return [escapeMarkup(formatShare(share)), bar];
}

function notes({ analysis }: ReportMaterial): string {
  const items = reportNotes(analysis).map(({ kind, text }) => element('li', { class: kind }, escapeMarkup(text)));
  return section('Notes', element('ul', {}, ...items));
}

/** An advice with its example; the same in other languages stays folded. */
function adviceBlock(recommendation: Recommendation): string {
  const examples = snippetsOf(recommendation).map(({ title, code }, i) =>
    element(
      'details',
      i === 0 ? { open: '' } : {},
      element('summary', {}, escapeMarkup(title)),
      element('pre', {}, element('code', {}, escapeMarkup(code))),
    ),
  );
  return [element('p', { class: 'advice' }, escapeMarkup(recommendation.text)), ...examples].join('');
}
