import { counted, formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { numbers } from '../../drawing/markup/tables.ts';
import { branch, printed, type Branch, type Markup } from '../../drawing/markup/tree.ts';
import { findingCard, findingList, summaryCard, UNMARKED_TITLE } from '../../drawing/report/findings.ts';
import { costText, recordedText, shareOfRun } from '../analysis/cost-text.ts';
import { followingWords, headCount, isSummary, markedOnce, nothingFound } from '../analysis/findings.ts';
import { unmarkedLines } from '../analysis/unmarked-documents.ts';
import { GRAPH_STYLE } from '../graph/graph-svg.ts';
import { drawnFinding } from './drawn-findings.ts';
import { PAPER } from './paper.ts';
import { htmlPage } from './html-page.ts';
import { limited, section } from './report-html-parts.ts';
import { REPORT_STYLE } from './report-html-style.ts';
import { jobHtml } from './report-job-html.ts';
import { JOB_STYLE } from './report-job-style.ts';
import type { FileAmount, RecordingMaterial, ReportMaterial } from './report-material.ts';
import { reportNotes } from './report-notes.ts';
import { stackParts, STACKS_STYLE } from './report-stacks-html.ts';
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

/** The whole report in one file: no script, no request, nothing of the recording as markup. */
export function reportHtml(material: ReportMaterial, context: PageContext): Promise<string> {
  const style = `${REPORT_STYLE}${GRAPH_STYLE}${JOB_STYLE}${STACKS_STYLE}`;
  const { analysis } = material;
  const title = analysis.recordings.map(({ program, recording }) => program || recording).join(', ');
  const body = [
    ...[header(material, title), ...findings(material, context)].map((part) => printed(part)),
    ...material.recordings.map(({ job }) => (job === undefined ? '' : jobHtml(job))),
    ...material.recordings.map((recording, i) =>
      isCounted(recording) ? '' : recordingTables(recording, context.graphs[i] ?? '', context),
    ),
    ...[notes(material), branch('footer', {}, context.origin)].map((part) => printed(part)),
  ];
  return htmlPage(`I/O of ${title}`, style, body);
}

function header({ analysis, recordings: materials }: ReportMaterial, title: string): Branch {
  const recordings = analysis.recordings.map((info, i) => {
    const started = info.startTime === null ? '' : ` · ${new Date(info.startTime * 1000).toISOString()}`;
    const lines = summaryLines(info, analysis.timing[i]!, materials[i]?.job).map((line) => branch('li', {}, line));
    const from = `${info.recording} · ${info.format} ${info.version}`.trim() + started;
    return branch('section', {}, branch('p', { class: 'soft' }, from), branch('ul', {}, ...lines));
  });
  return branch('header', {}, branch('h1', {}, 'I/O of ', branch('code', {}, title)), ...recordings);
}

function findings({ analysis, excerpts }: ReportMaterial, { place }: PageContext): Branch[] {
  const own = markedOnce(analysis.insights).map((insight) => drawnFinding(insight, excerpts, place));
  const summaries = analysis.insights.filter(isSummary).map((insight) => drawnFinding(insight, excerpts, place));
  const left = followingWords(analysis.insights);
  const unmarked = unmarkedLines(analysis, place).map((line) => branch('li', {}, line));
  return [
    ...(own.length === 0
      ? [branch('p', { class: 'nothing' }, nothingFound(analysis))]
      : [
          section(
            'Findings',
            branch('p', { class: 'soft' }, headCount(analysis.insights)),
            ...findingList(own, own.length, PAPER),
          ),
        ]),
    ...own.map((finding, at) => findingCard(finding, at, PAPER)),
    ...(left === '' ? [] : [branch('p', { class: 'soft' }, `… ${left}.`)]),
    ...(unmarked.length === 0 ? [] : [section(UNMARKED_TITLE, branch('ul', {}, ...unmarked))]),
    ...(summaries.length === 0
      ? []
      : [section('In short', ...summaries.map((summary, at) => summaryCard(summary, at, PAPER)))]),
  ];
}

/** A Darshan log without a single traced call: its figures stand with its job. */
function isCounted({ job, files }: RecordingMaterial): boolean {
  return job !== undefined && files.length === 0;
}

const AMOUNTS = ['calls', 'bytes'];

/** @param drawn the graph, which is markup already. */
function recordingTables(
  { recording, sites, files, graph, callTree }: RecordingMaterial,
  drawn: string,
  { place }: PageContext,
): string {
  const isTraced = sites.sites.some(({ cost }) => cost?.traced);
  const isCosted = sites.sites.some(({ cost }) => cost !== undefined);
  const siteRows = sites.sites.map((site) => {
    const where = site.line > 0 ? `${place(site.file)}:${site.line}` : site.file || '(no source line)';
    const calls = Object.entries(site.calls)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([name, count]) => `${name} ${formatCount(count)}`);
    return [
      branch('code', {}, where),
      branch('code', {}, site.function),
      calls.join(', '),
      ...countCells(site),
      costText(site),
      ...(isTraced ? [recordedText(site) ?? '–'] : []),
      ...shareCells(shareOfRun(site, site.share)),
    ];
  });
  const times = isTraced ? ['cost', 'recorded'] : ['time'];
  const share = isCosted ? 'of the run' : 'share';
  const named = ['source line', 'function', 'what'].map((title) => ({ title }));
  const tables = section(
    `Where the time goes: ${recording}`,
    branch('h3', {}, 'Source lines'),
    ...limited([...named, ...numbers(...AMOUNTS, ...times, share), { title: '' }], siteRows),
    branch('h3', {}, 'Files'),
    ...limited(
      [{ title: 'file' }, ...numbers(...AMOUNTS, isTraced ? 'recorded' : 'time')],
      files.map((file) => [branch('code', {}, file.path), ...amountCells(file)]),
    ),
    ...stackParts(callTree),
  );
  const about = `Which call follows which on the program's own files, in ${counted(graph.cases, 'case')}. Shade and border: share of ${isTraced ? 'what the calls cost without the tracer' : 'the time'}; numbers on edges: how often.`;
  const heading = [branch('h3', {}, 'Directly-Follows-Graph'), branch('p', { class: 'soft' }, about)];
  return drawn === ''
    ? printed(tables)
    : [printed(tables), ...heading.map((part) => printed(part)), `<div class="graph">${drawn}</div>`].join('\n');
}

function amountCells(amount: Pick<FileAmount, 'events' | 'bytes' | 'timeNs'>): string[] {
  return [...countCells(amount), formatDuration(amount.timeNs)];
}

function countCells({ events, bytes }: Pick<FileAmount, 'events' | 'bytes'>): string[] {
  return [formatCount(events), formatBytes(bytes)];
}

/** A share as a number and as a bar. */
function shareCells(share: number): Markup[] {
  if (Number.isNaN(share)) return ['–', ''];
  const size = { width: 100, height: 8 };
  const part = { class: 'part', width: Math.round(Math.min(1, share) * 100), height: 8 };
  return [
    formatShare(share),
    branch(
      'svg',
      { class: 'bar', ...size, 'aria-hidden': 'true' },
      branch('rect', { class: 'room', ...size }),
      branch('rect', part),
    ),
  ];
}

function notes({ analysis }: ReportMaterial): Branch {
  const items = reportNotes(analysis).map(({ kind, text }) => branch('li', { class: kind }, text));
  return section('Notes', branch('ul', {}, ...items));
}
