import { IntervalSums } from './interval-sums.ts';
import { growth, type LoadSample } from './load-sample.ts';
import { quantitiesOf } from './metadata-operations.ts';

/** Operations of metadata targets: each kind is counted by itself, and a target did the sum of all. */
export class OperationSums {
  private readonly last = new Map<string, { readonly at: number; readonly count: number | null }>();
  private readonly sums = new Map<string, IntervalSums>();

  /**
   * @param operation what tells kinds apart.
   * @param name of the kind; undefined where it is not known: then it counts as an operation of some kind.
   * @returns false when it is not later than the one of its kind before: it is left out.
   */
  add(
    target: string,
    operation: string,
    name: string | undefined,
    sample: { at: number; count: number | null },
  ): boolean {
    const quantities = name === undefined ? (['operations'] as const) : quantitiesOf(name);
    if (quantities.length === 0) return true;
    const key = `${operation} ${target}`;
    const last = this.last.get(key);
    if (last !== undefined && sample.at <= last.at) return false;
    this.last.set(key, sample);
    if (last === undefined) return true;
    const ofTarget = this.sums.get(target) ?? new IntervalSums();
    this.sums.set(target, ofTarget);
    const done = growth(last.count, sample.count);
    ofTarget.add(last.at, sample.at, Object.fromEntries(quantities.map((quantity) => [quantity, done])));
    return true;
  }

  /** @param stateAt what else is known of a target at a moment. */
  samples(
    stateAt: (target: string, at: number) => Pick<LoadSample, 'cpuPercent' | 'bytesUsed'>,
  ): Map<string, LoadSample[]> {
    return new Map(
      [...this.sums].map(([target, sums]) => [
        target,
        sums.samples().map((sample) => ({ ...sample, ...stateAt(target, sample.end) })),
      ]),
    );
  }
}
