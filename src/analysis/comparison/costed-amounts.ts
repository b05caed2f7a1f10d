import type { AmountCost, CostedAmounts } from './run-facts.ts';

/** What something costs; where nobody knows, no more than was recorded of it. */
export function costOfAmounts({ cost, timeNs }: CostedAmounts): AmountCost {
  return cost ?? { untracedNs: timeNs, lowNs: 0, highNs: timeNs, traced: false };
}

/** Costs err together, so their bounds add up. Undefined where nobody knows a cost of any. */
export function sumOfCosts(all: readonly CostedAmounts[]): AmountCost | undefined {
  if (!all.some(({ cost }) => cost !== undefined)) return undefined;
  const sum = { untracedNs: 0, lowNs: 0, highNs: 0 };
  for (const each of all) {
    const { untracedNs, lowNs, highNs } = costOfAmounts(each);
    sum.untracedNs += untracedNs;
    sum.lowNs += lowNs;
    sum.highNs += highNs;
  }
  return { ...sum, traced: all.some(({ cost }) => cost?.traced === true) };
}
