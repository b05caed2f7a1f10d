import { adviceOf, snippetsOf } from '../analysis/advice.ts';
import { andDuration, counted, formatBytes, formatCount } from '../../base/quantities.ts';
import type { AnalysisDocument, InsightDocument, SiteDocument } from '../analysis/documents.ts';
import type { JobDocument } from './job-document.ts';
import { followingWords, headCount, isSummary, markedOnce, nothingFound } from '../analysis/findings.ts';
import { budgetMarkdown } from '../comparison/budget-text.ts';
import { andCost, costWithShare } from '../analysis/cost-text.ts';
import { gainLines } from '../analysis/gain-text.ts';
import { UNMARKED_TITLE } from '../../drawing/report/findings.ts';
import { unmarkedLines } from '../analysis/unmarked-documents.ts';
import { groupedFiles } from './file-patterns.ts';
import { codeBlock, codeSpan, escapeMarkdown } from './markdown.ts';
import { callersOf } from './report-material.ts';
import { jobMarkdown } from './report-job-markdown.ts';
import { reportNotes } from './report-notes.ts';
import { summaryLines } from './report-text.ts';

const MARKS = { high: '🔴 high', warn: '🟡 warn', info: '🔵 info', ok: '🟢 ok' } as const;

/** Places of a finding that are listed; a comment in a merge request has a length. */
const MOST_SITES = 10;
const MOST_CALLERS = 5;

/**
 * The findings as a comment in a merge request: a table first, then each finding with places and advice.
 * @param place a source path as the reader knows it.
 * @param jobs what Darshan logs say of their jobs, in the order of the recordings.
 */
export function analysisMarkdown(
  document: AnalysisDocument,
  place: (file: string) => string,
  jobs: readonly (JobDocument | undefined)[] = [],
): string {
  const parts = ['## I/O Lens'];
  document.recordings.forEach((info, i) => {
    const job = jobs[i];
    const lines = summaryLines(info, document.timing[i]!, job).map((line) => escapeMarkdown(line));
    const name = codeSpan(info.program || info.recording);
    parts.push(lines.length === 0 ? name : `${name}: ${lines.join('; ')}.`);
    if (job !== undefined) parts.push(jobMarkdown(job));
  });
  const findings = markedOnce(document.insights);
  if (findings.length === 0) {
    parts.push(nothingFound(document));
  } else {
    parts.push(
      escapeMarkdown(headCount(document.insights)),
      overview(findings, place),
      ...findings.map((insight) => finding(insight, place)),
    );
  }
  const left = followingWords(document.insights);
  if (left !== '') parts.push(`… ${escapeMarkdown(left)}.`);
  const unmarked = unmarkedLines(document, place).map((line) => `- ${escapeMarkdown(line)}`);
  if (unmarked.length > 0) parts.push([`### ${UNMARKED_TITLE}`, ...unmarked].join('\n'));
  const summaries = document.insights.filter(isSummary);
  if (summaries.length > 0) {
    const lines = summaries.map(({ code, message }) => `- ${escapeMarkdown(`${code} ${message}`)}`);
    parts.push(['### In short', ...lines].join('\n'));
  }
  if (document.budget !== undefined) parts.push(budgetMarkdown(document.budget, document.recordings.length > 1));
  const notes = reportNotes(document).map(({ text }) => `- ${escapeMarkdown(text)}`);
  parts.push(`<details><summary>Notes</summary>\n\n${notes.join('\n')}\n\n</details>`);
  return `${parts.join('\n\n')}\n`;
}

function overview(insights: readonly InsightDocument[], place: (file: string) => string): string {
  const rows = insights.flatMap((insight) => {
    const head = `${MARKS[insight.severity]} | ${escapeMarkdown(`${insight.code} ${insight.title}`)}`;
    if (insight.sites.length === 0) return [`| ${head} | – | – | – |`];
    return insight.sites.slice(0, 3).map((site) => {
      const where = codeSpan(placeText(site, place), true);
      return `| ${head} | ${where} | ${formatCount(site.events)} | ${costWithShare(site, site.shareOfTime)} |`;
    });
  });
  return ['| | finding | where | calls | cost |', '|---|---|---|--:|--:|', ...rows].join('\n');
}

function placeText(site: SiteDocument, place: (file: string) => string): string {
  return site.line > 0 ? `${place(site.file)}:${site.line}` : site.function || '(no source line)';
}

function finding(insight: InsightDocument, place: (file: string) => string): string {
  const parts = [
    `### ${MARKS[insight.severity]}: ${escapeMarkdown(`${insight.code} ${insight.title}`)}`,
    escapeMarkdown(insight.message),
  ];
  const sites = insight.sites.slice(0, MOST_SITES).map((site) => siteItem(site, place));
  const more = insight.sites.length - MOST_SITES;
  if (more > 0) sites.push(`- … and ${formatCount(more)} further places`);
  if (insight.sites.length === 0) {
    for (const { path, files, events, bytes, timeNs } of groupedFiles(insight.files, MOST_SITES).slice(0, MOST_SITES)) {
      const many = files > 1 ? ` (${counted(files, 'file')})` : '';
      sites.push(`- ${codeSpan(path)}${many}: ${counted(events, 'call')}, ${formatBytes(bytes)}${andDuration(timeNs)}`);
    }
  }
  if (sites.length > 0) parts.push(sites.join('\n'));
  for (const { audience, heading, recommendations } of adviceOf(insight)) {
    const head = audience === 'job' ? `**${heading}:** ` : '';
    for (const recommendation of recommendations) {
      parts.push(`**→** ${head}${escapeMarkdown(recommendation.text)}`);
      for (const { code, language, title } of snippetsOf(recommendation)) {
        parts.push(
          `<details><summary>${escapeMarkdown(title)}</summary>\n\n${codeBlock(code, language)}\n\n</details>`,
        );
      }
    }
  }
  parts.push(...gainLines(insight).map(escapeMarkdown));
  return parts.join('\n\n');
}

function siteItem(site: SiteDocument, place: (file: string) => string): string {
  const bytes = site.bytes > 0 ? `, ${formatBytes(site.bytes)}` : '';
  const inside = site.function === '' || site.line === 0 ? '' : ` in ${codeSpan(site.function)}`;
  const lines = [
    `- ${codeSpan(placeText(site, place))}${inside}: ${counted(site.events, 'call')}${bytes}${andCost(site, site.shareOfTime)}`,
  ];
  if (site.source !== '') lines.push(`  <br>${codeSpan(site.source)}`);
  const callers = callersOf(site)
    .slice(0, MOST_CALLERS)
    .map((frame) => codeSpan(`${frame.function} (${place(frame.file)}:${frame.line})`));
  if (callers.length > 0) lines.push(`  <br>called from ${callers.join(' ← ')}`);
  return lines.join('\n');
}
