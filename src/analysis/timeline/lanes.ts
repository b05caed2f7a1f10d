import { OPERATION } from '../../trace/calls.ts';
import { stretchNear, type Stretches } from './bins.ts';
import { ROLE, type ShownEvents } from './shown-events.ts';
import { SpreadBytes } from './spread-bytes.ts';

/** What happens over all rows, by stretch of time. */
export interface LaneSums {
  /** Bytes: those of a transfer are spread evenly over its duration. Copies are both read and written. */
  readonly read: Float64Array;
  readonly written: Float64Array;
  /** Most calls in flight at the same time. */
  readonly concurrency: Uint32Array;
}

/** How long a call without a duration is in flight, nanoseconds: less than any that has one. */
const MOMENT = 0.5;

/** Goes through all events of some stretches one by one. */
export function sumLanes(events: ShownEvents, stretches: Stretches): LaneSums {
  const read = new SpreadBytes(stretches);
  const written = new SpreadBytes(stretches);
  const starts = new Times();
  const ends = new Times();
  events.forEachWithin(stretches.from, stretches.to, ({ recording, chunk, i, start, duration, role }) => {
    if (role & ROLE.takesTime) {
      starts.push(start);
      ends.push(start + Math.max(duration, MOMENT));
    }
    const bytes = chunk.bytes[i]!;
    if (!(role & ROLE.isRequest) || !(bytes > 0)) return;
    const operation = events.recordings[recording]!.trace.calls.operation[chunk.call[i]!]!;
    if (operation === OPERATION.read || operation === OPERATION.copy) read.add(start, duration, bytes);
    if (operation === OPERATION.write || operation === OPERATION.copy) written.add(start, duration, bytes);
  });
  const concurrency = mostInFlight(starts.sorted(stretches), ends.sorted(stretches), stretches);
  return { read: read.sums(), written: written.sums(), concurrency };
}

/** Times that grow in number. */
class Times {
  private values = new Float64Array(1024);
  private length = 0;

  push(time: number): void {
    if (this.length === this.values.length) {
      const wider = new Float64Array(2 * this.length);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.length++] = time;
  }

  /** Most recordings hold long runs in order: times go to their stretches first, and few are left to be sorted in each. */
  sorted(stretches: Stretches): Float64Array {
    const times = this.values.subarray(0, this.length);
    if (isSorted(times)) return times;
    const stretchOf = new Int32Array(times.length);
    const next = new Int32Array(stretches.count + 1);
    for (let i = 0, at = 0; i < times.length; i++) {
      at = stretchNear(stretches, at, times[i]!);
      stretchOf[i] = at;
      next[at + 1]!++;
    }
    for (let stretch = 0; stretch < stretches.count; stretch++) next[stretch + 1]! += next[stretch]!;
    const sorted = new Float64Array(times.length);
    for (let i = 0; i < times.length; i++) sorted[next[stretchOf[i]!]!++] = times[i]!;
    // Each place has moved on to where the next stretch begins.
    for (let stretch = 0, from = 0; stretch < stretches.count; stretch++) {
      const to = next[stretch]!;
      const part = sorted.subarray(from, to);
      if (!isSorted(part)) part.sort();
      from = to;
    }
    return sorted;
  }
}

function isSorted(times: Float64Array): boolean {
  for (let i = 1; i < times.length; i++) if (times[i]! < times[i - 1]!) return false;
  return true;
}

/** Sweeps over starts and ends in their order: a call that ends when another begins is not in flight with it. */
function mostInFlight(starts: Float64Array, ends: Float64Array, stretches: Stretches): Uint32Array {
  const most = new Uint32Array(stretches.count);
  let started = 0;
  let ended = 0;
  for (let stretch = 0; stretch < stretches.count; stretch++) {
    const begin = stretches.edge(stretch);
    const edge = stretches.edge(stretch + 1);
    for (; started < starts.length && starts[started]! < begin; started++);
    for (; ended < ends.length && ends[ended]! <= begin; ended++);
    let highest = started - ended;
    for (; started < starts.length && starts[started]! < edge; started++) {
      for (; ended < ends.length && ends[ended]! <= starts[started]!; ended++);
      highest = Math.max(highest, started + 1 - ended);
    }
    most[stretch] = highest;
  }
  return most;
}
