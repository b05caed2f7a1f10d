import type { AnalysisDocument, InsightDocument, SiteDocument } from './documents.ts';

/** What of the insights is for the eye: each line once, findings apart from summaries. */

/** A summary says what kind of I/O the run does, and names neither lines nor files: it is no finding. */
export function isSummary({ sites, files }: Pick<InsightDocument, 'sites' | 'files'>): boolean {
  return sites.length === 0 && files.length === 0;
}

/** The places of a finding whose cause no other finding names. */
export function ownSites({ sites }: Pick<InsightDocument, 'sites'>): SiteDocument[] {
  return sites.filter(({ explainedBy }) => explainedBy === undefined);
}

const WEIGHT = { high: 3, warn: 2, info: 1, ok: 0 } as const;

/**
 * Insights without summaries, and without those of which another finding, as grave, names the cause at every place. What is
 * graver than its cause is told: counters may weigh a run otherwise than one line does.
 */
export function findingsOf(insights: readonly InsightDocument[]): InsightDocument[] {
  const weights = new Map(insights.map(({ code, severity }) => [code, WEIGHT[severity]]));
  const isGraver = ({ severity, sites }: InsightDocument): boolean =>
    sites.every(({ explainedBy }) => WEIGHT[severity] > (weights.get(explainedBy ?? '') ?? 0));
  return insights.filter(
    (insight) =>
      !isSummary(insight) && (insight.sites.length === 0 || ownSites(insight).length > 0 || isGraver(insight)),
  );
}

/** What a reader is shown: findings alone, and each place under the finding that names its cause. */
export function markedOnce(insights: readonly InsightDocument[]): InsightDocument[] {
  return findingsOf(insights).map((insight) => ({ ...insight, sites: ownSites(insight) }));
}

/** The same, followed by the summaries. */
export function shownInsights(insights: readonly InsightDocument[]): InsightDocument[] {
  return [...markedOnce(insights), ...insights.filter(isSummary)];
}

/** Modules of Darshan whose records no trigger judges. */
const NOT_JUDGED = new Set(['HEATMAP', 'LUSTRE', 'APMPI', 'BG/Q']);

/** What stands in the place of findings where there are none: praise only where something was there to be judged. */
export function nothingFound({ recordings }: Pick<AnalysisDocument, 'recordings'>): string {
  const isJudged = recordings.some(
    ({ events, files, counters }) =>
      (events > 0 && files > 0) ||
      Object.entries(counters).some(([module, { records }]) => records > 0 && !NOT_JUDGED.has(module)),
  );
  if (!isJudged) {
    return recordings.some(({ events }) => events > 0)
      ? 'Nothing could be judged: no call names a file.'
      : 'Nothing could be judged: neither calls nor counters of files could be read.';
  }
  const isWhole = recordings.every(({ damage }) => damage.length === 0);
  return isWhole
    ? 'No finding: nothing in this recording costs time that it need not.'
    : 'No finding in what could be read; the notes say what was lost.';
}
