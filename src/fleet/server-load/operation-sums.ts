import { growth, type LoadSample } from './load-series.ts';

interface Sum {
  start: number;
  operations: number | null;
}

/** Operations of metadata targets: each kind is counted by itself, and a target did the sum of all. */
export class OperationSums {
  private readonly last = new Map<string, { readonly at: number; readonly count: number | null }>();
  private readonly sums = new Map<string, Map<number, Sum>>();

  /** @returns false when it is not later than the one of its kind before: it is left out. */
  add(target: string, operation: string, at: number, count: number | null): boolean {
    const key = `${operation} ${target}`;
    const last = this.last.get(key);
    if (last !== undefined && at <= last.at) return false;
    this.last.set(key, { at, count });
    if (last === undefined) return true;
    const ofTarget = this.sums.get(target) ?? new Map<number, Sum>();
    this.sums.set(target, ofTarget);
    const done = growth(last.count, count);
    const sum = ofTarget.get(at);
    if (sum === undefined) ofTarget.set(at, { start: last.at, operations: done });
    else {
      sum.start = Math.min(sum.start, last.at);
      if (done !== null) sum.operations = (sum.operations ?? 0) + done;
    }
    return true;
  }

  /** @param loadAt load of the server of a target at a moment. */
  samples(loadAt: (target: string, at: number) => number | null): Map<string, LoadSample[]> {
    return new Map(
      [...this.sums].map(([target, sums]) => [
        target,
        [...sums]
          .sort(([a], [b]) => a - b)
          .map(([end, { start, operations }]) => {
            return { start, end, bytesRead: null, bytesWritten: null, operations, cpuPercent: loadAt(target, end) };
          }),
      ]),
    );
  }
}
