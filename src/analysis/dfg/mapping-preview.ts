import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { ActivityMapper, type MappingOptions } from './mapping.ts';

/** Events that are alike, as a mapping makes them, or as it leaves them out. */
interface PreviewedActivity {
  readonly name: string;
  readonly events: number;
  readonly timeNs: number;
}

/** What a mapping would make of a recording. */
export interface MappingPreview {
  /** Most events first, as many as were asked for. */
  readonly activities: readonly PreviewedActivity[];
  /** All of them. */
  readonly activityCount: number;
  readonly mappedEvents: number;
  /** Events that are no activity, by call and path, most first. */
  readonly unmapped: readonly PreviewedActivity[];
  readonly unmappedEvents: number;
}

/** Different pairs of call and path that unmapped events are told apart by; the rest is counted together. */
const MOST_PAIRS = 100_000;

/** @param most activities, and kinds of unmapped events, that are listed. */
export function mappingPreview(
  trace: Trace,
  callSites: CallSites,
  options: MappingOptions,
  most: number,
): MappingPreview {
  const mapper = new ActivityMapper(trace, callSites, options);
  const mapped = new Sums();
  const fallen = new Sums();
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (!mapper.counts(chunk, i)) continue;
      const call = chunk.call[i]!;
      const file = chunk.file[i]!;
      const duration = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
      const activity = mapper.activity(chunk, i);
      if (activity !== NONE) mapped.add(activity, duration);
      else fallen.add((file + 1) * 65_536 + call, duration);
    }
  });
  const pair = (key: number): string => {
    const file = Math.floor(key / 65_536) - 1;
    const call = trace.calls.names[key % 65_536]!;
    return key < 0 ? 'others' : file === NONE ? call : `${call}:${trace.files.at(file).path}`;
  };
  return {
    activities: mapped.largest(most, (activity) => mapper.activities.at(activity)),
    activityCount: mapped.size,
    mappedEvents: mapped.events,
    unmapped: fallen.largest(most, pair),
    unmappedEvents: fallen.events,
  };
}

class Sums {
  events = 0;
  private readonly byKey = new Map<number, { events: number; timeNs: number }>();

  get size(): number {
    return this.byKey.size;
  }

  add(wanted: number, duration: number): void {
    this.events++;
    const key = this.byKey.size < MOST_PAIRS || this.byKey.has(wanted) ? wanted : -1;
    const sum = this.byKey.get(key);
    if (sum === undefined) this.byKey.set(key, { events: 1, timeNs: duration });
    else {
      sum.events++;
      sum.timeNs += duration;
    }
  }

  largest(most: number, nameOf: (key: number) => string): PreviewedActivity[] {
    return [...this.byKey]
      .sort(([, a], [, b]) => b.events - a.events || b.timeNs - a.timeNs)
      .slice(0, most)
      .map(([key, sum]) => ({ name: nameOf(key), ...sum }));
  }
}
