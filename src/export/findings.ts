import type { InsightDocument, SiteDocument } from './documents.ts';

/** What of the insights is for the eye: each line once, findings apart from summaries. */

/** A summary says what kind of I/O the run does, and names neither lines nor files: it is no finding. */
export function isSummary({ sites, files }: Pick<InsightDocument, 'sites' | 'files'>): boolean {
  return sites.length === 0 && files.length === 0;
}

/** The places of a finding whose cause no other finding names. */
export function ownSites({ sites }: Pick<InsightDocument, 'sites'>): SiteDocument[] {
  return sites.filter(({ explainedBy }) => explainedBy === undefined);
}

/** Insights without summaries, and without those of which another finding names the cause at every place. */
export function findingsOf(insights: readonly InsightDocument[]): InsightDocument[] {
  return insights.filter(
    (insight) => !isSummary(insight) && (insight.sites.length === 0 || ownSites(insight).length > 0),
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
