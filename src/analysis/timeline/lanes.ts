import { OPERATION } from '../../trace/calls.ts';
import type { Stretches } from './bins.ts';
import { ROLE, type ShownEvents } from './shown-events.ts';

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
  const concurrency = mostInFlight(starts.sorted(), ends.sorted(), stretches);
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

  sorted(): Float64Array {
    return this.values.subarray(0, this.length).sort();
  }
}

/** Bytes by stretch. */
class SpreadBytes {
  private readonly bytes: Float64Array;
  /** Bytes per nanosecond that begin to flow in a stretch as a whole, and those that end, with their number. */
  private readonly rates: Float64Array;
  private readonly flows: Int32Array;

  constructor(private readonly stretches: Stretches) {
    this.bytes = new Float64Array(stretches.count);
    this.rates = new Float64Array(stretches.count + 1);
    this.flows = new Int32Array(stretches.count + 1);
  }

  add(start: number, duration: number, bytes: number): void {
    const { stretches } = this;
    const first = stretches.at(start);
    if (duration <= 0) {
      this.bytes[first]! += bytes;
      return;
    }
    const end = start + duration;
    const rate = bytes / duration;
    const last = end >= stretches.to ? stretches.count - 1 : stretches.at(end);
    const within = (stretch: number): number =>
      Math.max(0, Math.min(end, stretches.edge(stretch + 1)) - Math.max(start, stretches.edge(stretch)));
    this.bytes[first]! += rate * within(first);
    if (last > first) this.bytes[last]! += rate * within(last);
    if (last <= first + 1) return;
    this.rates[first + 1]! += rate;
    this.rates[last]! -= rate;
    this.flows[first + 1]!++;
    this.flows[last]!--;
  }

  sums(): Float64Array {
    let rate = 0;
    let flows = 0;
    for (let stretch = 0; stretch < this.stretches.count; stretch++) {
      flows += this.flows[stretch]!;
      // What is left of sums that should be nothing is rounding.
      rate = flows === 0 ? 0 : rate + this.rates[stretch]!;
      if (flows > 0) this.bytes[stretch]! += rate * (this.stretches.edge(stretch + 1) - this.stretches.edge(stretch));
    }
    return this.bytes;
  }
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
