import { andDuration, counted, formatBytes } from '../../base/quantities.ts';
import type { DrawnFinding, DrawnSite } from '../../drawing/report/findings.ts';
import { snippetsOf } from '../analysis/advice.ts';
import { andCost } from '../analysis/cost-text.ts';
import type { AmountDocument, InsightDocument, SiteDocument } from '../analysis/documents.ts';
import { isSummary } from '../analysis/findings.ts';
import { gainLines } from '../analysis/gain-text.ts';
import { callersOf, EXCERPT_REACH, type SourceExcerpts } from './report-material.ts';

/** Places and files of a finding that the page lists. */
const MOST_SITES = 25;
const MOST_FILES = 200;

/** A source path as the reader knows it. */
type PlaceNames = (file: string) => string;

/** A finding as the page draws it: with the source around its lines, and its files where it has no line. */
export function drawnFinding(insight: InsightDocument, excerpts: SourceExcerpts, place: PlaceNames): DrawnFinding {
  const { code, severity, title, message, cost, evidence, sites, recommendations, picture } = insight;
  const files = sites.length === 0 ? insight.files : [];
  return {
    ...{ code, severity, title, message },
    isSummary: isSummary(insight),
    gain: isSummary(insight) ? '' : gainLines(insight).join(' '),
    ...(cost && { shareOfRun: cost.shareOfRun }),
    evidence: Object.entries(evidence),
    sites: sites.slice(0, MOST_SITES).map((site) => drawnSite(site, excerpts, place)),
    sitesLeftOut: Math.max(0, sites.length - MOST_SITES),
    files: files.slice(0, MOST_FILES).map((file) => ({ path: file.path, amount: amountText(file) })),
    filesLeftOut: Math.max(0, files.length - MOST_FILES),
    advice: recommendations.map((each) => ({
      audience: each.audience,
      text: each.text,
      snippets: snippetsOf(each).map((snippet) => ({ title: snippet.title, code: snippet.code })),
    })),
    ...(picture !== undefined && { picture }),
  };
}

function amountText(amount: AmountDocument): string {
  return `${callsText(amount)}${andDuration(amount.timeNs)}`;
}

function callsText({ events, bytes }: AmountDocument): string {
  return `${counted(events, 'call')}${bytes > 0 ? `, ${formatBytes(bytes)}` : ''}`;
}

function drawnSite(site: SiteDocument, excerpts: SourceExcerpts, place: PlaceNames): DrawnSite {
  const { file, line, isHere, note, source, ranks = '' } = site;
  return {
    place: { label: line > 0 ? `${place(file)}:${line}` : site.function || '(no source line)' },
    function: line > 0 ? site.function : '',
    message: `${callsText(site)}${andCost(site, site.shareOfTime)}`,
    excerpt: excerptOf(site, excerpts),
    callers: callersOf(site).map((frame) => ({
      where: `${place(frame.file)}:${frame.line}`,
      function: frame.function,
      source: excerpts.get(frame.file)?.get(frame.line)?.trim() ?? '',
    })),
    ...{ ranks, source, line, note, isHere },
  };
}

/** The line with what stands around it, where it is known. */
function excerptOf({ file, line }: SiteDocument, excerpts: SourceExcerpts): NonNullable<DrawnSite['excerpt']> {
  const lines = excerpts.get(file);
  if (line === 0 || lines?.has(line) !== true) return [];
  const around = Array.from({ length: 2 * EXCERPT_REACH + 1 }, (_, at) => line - EXCERPT_REACH + at);
  return around.flatMap((at) => {
    const text = lines.get(at);
    return text === undefined ? [] : [{ line: at, text }];
  });
}
