import { addToGroup } from '../../base/grouping.ts';
import { isSummary, type Insight, type Severity } from '../triggers/insight.ts';
import type { Cost, RunCost } from './cost.ts';
import type { EstimatedInsight, EstimatedSite, Gain } from './gain.ts';

/** Shares of the run from which a finding is grave: what following it saves, and, where that is not known, what it costs. */
const BY_SAVING = { high: 0.1, warn: 0.02 } as const;
const BY_COST = { high: 0.25, warn: 0.05 } as const;
/** Below this share of the run I/O does not matter, whatever is wrong with it. */
export const IO_MATTERS = 0.01;

/**
 * How grave a finding is: by the share of the run that following it saves; where that is not known by what the calls cost
 * that it is about, with what a language does for them, at most by what it saves at most; where the cost is not known either by the I/O of the run, of which it
 * is a part at most.
 *
 * @param cost undefined where the recording holds no time of these calls.
 */
export function severityOf(
  insight: Pick<Insight, 'severity'>,
  { savedNs, highNs, languageNs = 0 }: Pick<Gain, 'savedNs' | 'highNs' | 'languageNs'>,
  cost: Cost | undefined,
  run: Pick<RunCost, 'untracedNs' | 'ioShare'>,
): Severity {
  if (insight.severity === 'ok') return 'ok';
  if (run.untracedNs <= 0) return insight.severity;
  if (run.ioShare < IO_MATTERS) return 'info';
  if (savedNs !== null) return graver(savedNs / run.untracedNs, BY_SAVING);
  const bySaving = graver((highNs ?? Infinity) / run.untracedNs, BY_SAVING);
  if (cost !== undefined) return milder(graver(cost.shareOfRun + languageNs / run.untracedNs, BY_COST), bySaving);
  return milder(insight.severity, graver(run.ioShare, BY_COST));
}

function graver(share: number, { high, warn }: { readonly high: number; readonly warn: number }): Severity {
  if (share >= high) return 'high';
  return share >= warn ? 'warn' : 'info';
}

const WEIGHT: Readonly<Record<Severity, number>> = { high: 3, warn: 2, info: 1, ok: 0 };

/** Of two severities the lesser. */
export function milder(a: Severity, b: Severity): Severity {
  return WEIGHT[a] < WEIGHT[b] ? a : b;
}

/** The same at the lower end of the intervals, of the longest run that it may have been. */
export function surelyOf(
  insight: Pick<Insight, 'severity'>,
  { savedNs, lowNs, highNs }: Pick<Gain, 'savedNs' | 'lowNs' | 'highNs'>,
  cost: Cost | undefined,
  run: RunCost,
): Severity {
  const longest = { ...run, untracedNs: run.mostNs, ioShare: run.mostNs > 0 ? run.ioNs / run.mostNs : 0 };
  const least = cost && { ...cost, shareOfRun: run.mostNs > 0 ? cost.lowNs / run.mostNs : 0 };
  // Bounds alone make no finding graver, and no milder one of it.
  return severityOf(insight, { savedNs: savedNs === null ? null : lowNs, highNs }, least, longest);
}

/**
 * Waiting for a pipe is no I/O of the run: what the calls cost is more than what better ones would save, and a finding of
 * them is at most as grave.
 */
export function severityOfPipes({ severity }: Pick<Insight, 'severity'>, cost: Cost | undefined): Severity {
  return cost === undefined ? severity : milder(severity, graver(cost.shareOfRun, BY_COST));
}

/**
 * What turned out to be worth a word, though its calls take little, names causes too: where it is most of what another
 * finding is about, at every place of it.
 */
export function withCandidateCauses(insights: readonly EstimatedInsight[]): EstimatedInsight[] {
  return insights.map((insight) => {
    const causes = insights.filter(
      ({ isCandidate, trigger }) => isCandidate === true && insight.mayFollow?.includes(trigger) === true,
    );
    const sites = insight.sites.map((site): EstimatedSite => {
      const isMost = (other: EstimatedSite): boolean =>
        other.site === site.site && other.explainedBy === undefined && spentAt(other) >= spentAt(site) / 2;
      const cause = causes.find((candidate) => candidate.sites.some(isMost));
      return cause === undefined || site.explainedBy !== undefined ? site : { ...site, explainedBy: cause.code };
    });
    return sites.every(({ explainedBy }) => explainedBy !== undefined) ? { ...insight, sites } : insight;
  });
}

function spentAt({ cost, timeNs }: EstimatedSite): number {
  return cost?.untracedNs ?? timeNs;
}

/** What names a cause is as grave as the graver of its consequences, and stands before them. */
export function withConsequences(insights: readonly EstimatedInsight[]): EstimatedInsight[] {
  const consequences = new Map<string, EstimatedInsight[]>();
  const follows = new Map(insights.map((insight) => [insight, causesOf(insight)]));
  for (const [insight, causes] of follows) for (const cause of causes) addToGroup(consequences, cause, insight);
  return insights.map((insight) => {
    const below = consequences.get(insight.code) ?? [];
    const gravest = below.reduce(
      (most, { severity }) => (WEIGHT[severity] > WEIGHT[most] ? severity : most),
      insight.severity,
    );
    const causes = follows.get(insight)!;
    return { ...insight, severity: gravest, ...(causes.length > 0 && { follows: causes }) };
  });
}

/** Codes of the findings that name the cause at every place of an insight. */
function causesOf({ sites }: EstimatedInsight): string[] {
  const causes = sites.map(({ explainedBy }) => explainedBy);
  return causes.includes(undefined) ? [] : [...new Set(causes as string[])];
}

/** The order of findings: by what following them saves, or may save at most; summaries last, and what is good behind. */
export function bySaving(a: EstimatedInsight, b: EstimatedInsight): number {
  return (
    Number(isSummary(a)) - Number(isSummary(b)) ||
    WEIGHT[b.severity] - WEIGHT[a.severity] ||
    Number(a.follows !== undefined) - Number(b.follows !== undefined) ||
    worth(b) - worth(a) ||
    (b.evidence['timeNs'] ?? 0) - (a.evidence['timeNs'] ?? 0)
  );
}

function worth({ gain, cost }: EstimatedInsight): number {
  return gain.savedNs ?? Math.min(gain.highNs ?? Infinity, cost?.untracedNs ?? 0);
}

/** A place is as grave as its part of the finding. */
export function siteSeverity(site: EstimatedSite, part: number, insight: EstimatedInsight, run: RunCost): Severity {
  const { savedNs, highNs, languageNs = 0 } = insight.gain;
  const ofSite = (whole: number | null): number | null => (whole === null ? null : whole * part);
  return severityOf(
    site,
    { savedNs: ofSite(savedNs), highNs: ofSite(highNs), languageNs: languageNs * part },
    site.cost,
    run,
  );
}
