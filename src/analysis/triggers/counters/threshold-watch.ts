import type { Insight } from '../insight.ts';
import type { Thresholds } from '../thresholds.ts';

/** Remembers which bounds a trigger asks for: what it says was held against these, and no list has to be kept of them. */
export class ThresholdWatch {
  readonly thresholds: Thresholds;
  private readonly asked = new Set<keyof Thresholds>();

  constructor(private readonly values: Thresholds) {
    this.thresholds = new Proxy(values, {
      get: (target, name) => {
        if (Object.hasOwn(target, name)) this.asked.add(name as keyof Thresholds);
        return Reflect.get(target, name) as unknown;
      },
    });
  }

  /** What a trigger finds, with the bounds that it was held against. */
  during(examine: () => Insight | undefined): Insight | undefined {
    this.asked.clear();
    const found = examine();
    const bounds = Object.fromEntries([...this.asked].map((name) => [name, this.values[name]]));
    return found && { ...found, bounds };
  }
}
