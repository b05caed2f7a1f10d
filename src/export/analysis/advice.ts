import type { Audience, Recommendation, Snippet } from '../../analysis/triggers/insight.ts';
import type { InsightDocument } from './documents.ts';

/** What can be done about a finding by the same people: the developer in the code, or the user in the job. */
interface AdvicePart {
  readonly audience: Audience;
  readonly heading: string;
  readonly recommendations: readonly Recommendation[];
}

const HEADINGS: Readonly<Record<Audience, string>> = { code: 'In the code', job: 'In the job script' };

/** The advice of a finding by audience; what there is no advice for is left out. */
export function adviceOf({ recommendations }: Pick<InsightDocument, 'recommendations'>): AdvicePart[] {
  return (['code', 'job'] as const)
    .map((audience) => ({
      audience,
      heading: HEADINGS[audience],
      recommendations: recommendations.filter((recommendation) => recommendation.audience === audience),
    }))
    .filter((part) => part.recommendations.length > 0);
}

/** The example of an advice, and the same in other languages. */
export function snippetsOf({ snippet, alternatives = [] }: Recommendation): readonly Snippet[] {
  return snippet === undefined ? [] : [snippet, ...alternatives];
}

/** Lines for a job script, with the findings that they are for. */
export interface JobPatch {
  readonly codes: readonly string[];
  readonly title: string;
  readonly code: string;
}

/** The different patches of all findings; the same lines are given once. */
export function jobPatches(insights: readonly InsightDocument[]): JobPatch[] {
  const patches = new Map<string, { codes: string[]; title: string; code: string }>();
  for (const insight of insights) {
    const shell = insight.recommendations.flatMap(snippetsOf).filter(({ language }) => language === 'shell');
    for (const { title, code } of shell) {
      const known = patches.get(code);
      if (known === undefined) patches.set(code, { codes: [insight.code], title, code });
      else if (!known.codes.includes(insight.code)) known.codes.push(insight.code);
    }
  }
  return [...patches.values()];
}
