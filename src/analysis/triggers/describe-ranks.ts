import { formatRanks } from '../metrics/process-noun.ts';
import { listed, naming, say, slot, type Sentence } from './message.ts';

type Measure = 'bytesOfRank' | 'timeOfRank';

/** What each rank has of something: bytes, or nanoseconds. */
type ByRank = ReadonlyMap<number, number>;

/** Ranks that are named by themselves with what they have. */
const MOST_OUTLIERS = 3;

/**
 * Who has how much, those that stand out first: `rank 3: 2.5 MiB; ranks 0-2: 64 KiB each`. A rank stands out when it differs
 * from the median by more than a share of the largest.
 */
export function describeByRank(byRank: ByRank, apart: number, measure: Measure): Sentence {
  const entries = [...byRank].sort((a, b) => a[1] - b[1]);
  const median = entries[Math.floor((entries.length - 1) / 2)]?.[1] ?? 0;
  const largest = entries.at(-1)?.[1] ?? 0;
  const standsOut = ([, amount]: readonly [number, number]): boolean => Math.abs(amount - median) > apart * largest;
  const outliers = entries.filter(standsOut).sort((a, b) => Math.abs(b[1] - median) - Math.abs(a[1] - median));
  const others = entries.filter((entry) => !standsOut(entry));
  const parts = outliers
    .slice(0, MOST_OUTLIERS)
    .map(([rank, amount]) => say`${naming('process', `rank ${rank}`)}: ${slot(measure, amount)}`);
  const further = outliers.slice(MOST_OUTLIERS);
  if (further.length > 0)
    parts.push(say`${naming('processNames', formatRanks(further.map(([rank]) => rank)))}: ${span(further, measure)}`);
  if (others.length > 0) parts.push(say`${nameOthers(others, outliers.length > 0)}: ${span(others, measure)}`);
  return listed(parts, '; ');
}

/** The ordinary ones are named where that is short. */
function nameOthers(others: readonly (readonly [number, number])[], stoodOut: boolean): Sentence {
  const named = formatRanks(others.map(([rank]) => rank));
  return stoodOut && named.includes(' and ')
    ? say`the other ${slot('otherRanks', others.length)} ranks`
    : [naming('processNames', named)];
}

/** `64 KiB`, `1 MiB to 2 MiB`. */
function span(entries: readonly (readonly [number, number])[], measure: Measure): Sentence {
  const amounts = entries.map(([, amount]) => amount).sort((a, b) => a - b);
  const [least, most] = [slot(measure, amounts[0]!), slot(measure, amounts.at(-1)!)];
  const each = entries.length > 1 ? ' each' : '';
  return least.text === most.text ? say`${least}${each}` : say`${least} to ${most}`;
}
