import { expect } from 'vitest';
import type { Insight, InsightSite } from '../../src/analysis/triggers/insight.ts';
import { told } from '../../src/analysis/triggers/message.ts';

/** What stands in sentences beside their slots: words, and names of code that have digits in them. */
const NAMES = /\b(?:HDF5|H5\w+|h5py|nf90_\w+|NetCDF-4|MPI-2|utf-?8)\b/gi;

/** What the digits are that stand in a template; '' where there are none but in names. */
export function digitsIn(text: string): string {
  return (text.replace(NAMES, '').match(/\S*\d\S*/g) ?? []).join(' ');
}

interface Told {
  readonly slots?: readonly { readonly text: string }[] | undefined;
}

/** What the digits are that stand outside the slots of a text. */
function digitsOutside(text: string, { slots = [] }: Told): string {
  let at = 0;
  let rest = '';
  for (const slot of slots) {
    const found = text.indexOf(slot.text, at);
    expect(found, `"${slot.text}" stands in "${text}"`).toBeGreaterThanOrEqual(at);
    rest += `${text.slice(at, found)}\n`;
    at = found + slot.text.length;
  }
  return digitsIn(rest + text.slice(at));
}

interface ToldInsight extends Told {
  readonly code: string;
  readonly message: string;
  readonly sites: readonly (Told & { readonly message: string })[];
  readonly recommendations: readonly (Told & { readonly text: string })[];
}

/** Nothing that is said of a recording has a number that is no slot. */
export function expectSlots(insights: readonly ToldInsight[]): void {
  for (const insight of insights) {
    const texts = [
      [insight.message, insight],
      ...insight.sites.map((site) => [site.message, site] as const),
      ...insight.recommendations.map((advice) => [advice.text, advice] as const),
    ] as const;
    for (const [text, told] of texts) expect(digitsOutside(text, told), `${insight.code}: ${text}`).toBe('');
  }
}

/** An insight with its sentences as texts. */
type Worded = Omit<Insight, 'message' | 'sites'> & {
  readonly message: string;
  readonly sites: readonly (Omit<InsightSite, 'message'> & { readonly message: string })[];
};

/** The same of findings before their cost is estimated. @returns them with their sentences as texts. */
export function withSlots(insights: readonly Insight[]): Worded[] {
  const worded = insights.map((insight) => ({
    ...insight,
    ...told(insight.message),
    sites: insight.sites.map((site) => ({ ...site, ...told(site.message) })),
  }));
  expectSlots(worded);
  return worded;
}
