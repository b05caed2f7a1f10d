import { counted, formatCount } from '../../base/quantities.ts';
import { compareOutcomes } from './compare-outcomes.ts';
import type { Content, Outcome } from './outcome.ts';

/** What a fault did to a program before and after a change. */
export interface FaultResult {
  readonly fault: string;
  /** It ends, prints and leaves as many bytes in each file as before. */
  readonly equal: boolean;
  /** After the change more is lost, or less of it told. */
  readonly worse: boolean;
  readonly before: string;
  readonly after: string;
}

const SUCCESS = 'exit status 0';
const MOST_NAMED = 3;

/**
 * Compares what programs say they did with what is in their files.
 * @param saysTheSame whether standard output is the same in all runs without the fault: only then it can be compared.
 */
export function comparedFault(fault: string, before: Outcome, after: Outcome, saysTheSame: boolean): FaultResult {
  const saysOther = saysTheSame && before.output.hash !== after.output.hash;
  const names = new Set([...before.files.keys(), ...after.files.keys()]);
  const otherSize = [...names].some((name) => before.files.get(name)?.size !== after.files.get(name)?.size);
  const claimsMore = after.end === SUCCESS && before.end !== SUCCESS;
  return {
    fault,
    equal: before.end === after.end && !saysOther && !otherSize,
    worse: claimsMore || saysOther || bytesOf(after) < bytesOf(before),
    before: words(before),
    after: words(after) + (saysOther ? ', with another standard output' : ''),
  };
}

/** All bytes in the files that a run left behind. */
function bytesOf({ files }: Outcome): number {
  return [...files.values()].reduce((sum, { size }) => sum + size, 0);
}

function words(outcome: Outcome): string {
  const files = [...outcome.files].filter(([, { kind }]) => kind === 'file').sort(([a], [b]) => (a < b ? -1 : 1));
  const named = files.slice(0, MOST_NAMED).map(([name, { size }]) => `${name} ${counted(size, 'byte')}`);
  const more = files.length - named.length;
  const rest = more > 0 ? [`${formatCount(more)} more, ${counted(bytesOf(outcome), 'byte')} in all`] : [];
  return [outcome.end, ...named, ...rest].join(', ');
}

/** Shares of its bytes that a program had written when it was ended. Times vary: only where nearly all is lost it is a loss. */
export function comparedEnd(fault: string, shares: { readonly before: number; readonly after: number }): FaultResult {
  const worse = shares.after < shares.before / GROSS_LOSS;
  const said = (share: number): string => `${Math.round(100 * share)} % of what a whole run writes is in the files`;
  return { fault, equal: !worse, worse, before: said(shares.before), after: said(shares.after) };
}

const GROSS_LOSS = 4;

/** Runs of a program whose calls were disturbed, beside those that were not. */
export interface DisturbedRuns {
  readonly sound: readonly Outcome[];
  readonly runs: readonly { readonly outcome: Outcome; readonly calls: number }[];
}

/** What becomes of it, the worst last: told is by how it ends, said by what it prints alone. */
const HARMS = ['none', 'told', 'said', 'silent'] as const;

/**
 * Compares what the same disturbance does to a program before and after a change. How many calls it hits is another number
 * then, so it does not count how much is lost, but whether anything is, and whether the program says so.
 */
export function comparedDisturbance(fault: string, before: DisturbedRuns, after: DisturbedRuns): FaultResult {
  const [first, second] = [worstOf(before), worstOf(after)];
  return {
    fault,
    equal: first.harm === second.harm,
    worse: second.harm > first.harm,
    before: first.words,
    after: second.words,
  };
}

function worstOf({ sound, runs }: DisturbedRuns): { harm: number; words: string } {
  const judged = runs.map((run) => ({ ...run, harm: harmOf(sound, run.outcome) }));
  const worst = judged.reduce((a, b) => (b.harm > a.harm ? b : a));
  const calls = `${counted(worst.calls, 'call')} disturbed`;
  switch (HARMS[worst.harm]!) {
    case 'none':
      return { harm: worst.harm, words: `${worst.outcome.end}, all files as without it (${calls})` };
    case 'told':
      return { harm: worst.harm, words: `told: ${words(worst.outcome)} (${calls})` };
    case 'said':
      return { harm: worst.harm, words: `told by what it prints alone: ${words(worst.outcome)} (${calls})` };
    case 'silent':
      return { harm: worst.harm, words: `not told: ${words(worst.outcome)}, with other contents (${calls})` };
  }
}

const EMPTY: Content = { kind: 'file', size: 0, hash: '', bytes: undefined };

function harmOf(sound: readonly Outcome[], run: Outcome): number {
  if (sound.every(({ end }) => end !== run.end)) return HARMS.indexOf('told');
  const differs = (only: (outcome: Outcome) => Outcome): boolean =>
    compareOutcomes(sound.map(only), [only(run)]).differences.length > 0;
  const complains = run.errors.size > 0 && sound.every(({ errors }) => errors.size === 0);
  if (complains || differs((outcome) => ({ ...outcome, files: new Map() }))) return HARMS.indexOf('said');
  return HARMS.indexOf(differs((outcome) => ({ ...outcome, output: EMPTY })) ? 'silent' : 'none');
}
