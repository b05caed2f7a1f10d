/** A number with its uncertainty: mean and standard deviation of what we believe. */
export interface Estimate {
  readonly value: number;
  readonly deviation: number;
}

export function estimate(value: number, deviation: number): Estimate {
  return { value, deviation };
}

export function scaled({ value, deviation }: Estimate, factor: number): Estimate {
  return estimate(value * factor, deviation * Math.abs(factor));
}

/** Sum of estimates that err together (they come from the same measurements), so that deviations add up. */
export function sumOf(parts: readonly Estimate[]): Estimate {
  return parts.reduce((sum, part) => estimate(sum.value + part.value, sum.deviation + part.deviation), NOTHING);
}

/** Difference of two estimates that err each for itself. */
export function difference(a: Estimate, b: Estimate): Estimate {
  return estimate(a.value - b.value, Math.hypot(a.deviation, b.deviation));
}

export const NOTHING = estimate(0, 0);

/** How many deviations apart an expectation and an observation must lie to be about different things. */
const CONTRADICTION = 3;
/** What of an excess that may be a disturbance goes into the deviation. */
const DOUBTFUL = 0.25;

interface Belief {
  readonly estimate: Estimate;
  /** The observation counts for more than the expectation. */
  readonly own: boolean;
}

/**
 * What is believed after an observation: the mean weighted by the inverse variances. Where the observation lies far above
 * what was expected the expectation does not hold here (another file system, a disk that was waited for), and the
 * observation alone counts; unless disturbances can reach so far: then the expectation stays, known less well. Far below
 * it is the observation that is wrong: no call is cheaper than on an idle machine.
 *
 * @param disturbance how much too large the observation can be at most.
 * @param isMeasured the expectation was measured beside the recording: what it does not show is hardly waited for.
 */
export function combined(expected: Estimate, observed: Estimate, disturbance = 0, isMeasured = false): Belief {
  const apart = observed.value - expected.value;
  if (apart > CONTRADICTION * Math.hypot(expected.deviation, observed.deviation)) {
    if (apart > disturbance) return { estimate: observed, own: true };
    const most = isMeasured ? expected.value / 2 : Infinity;
    const deviation = Math.hypot(expected.deviation, Math.min(DOUBTFUL * apart, most));
    return { estimate: estimate(expected.value, deviation), own: false };
  }
  const [a, b] = [expected.deviation ** -2, observed.deviation ** -2];
  // An exact estimate has an infinite weight.
  if (a === Infinity) return { estimate: expected, own: false };
  if (b === Infinity) return { estimate: observed, own: true };
  const value = (expected.value * a + Math.max(observed.value, 0) * b) / (a + b);
  return { estimate: estimate(value, (a + b) ** -0.5), own: b > a };
}
