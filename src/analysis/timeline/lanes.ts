import { OPERATION } from '../../trace/calls.ts';
import type { Bins } from './bins.ts';
import { ROLE, type ShownEvents } from './shown-events.ts';

/** What happens over all rows, by bin. */
export interface Lanes {
  /** Bytes per second: each transfer's bytes are spread evenly over its duration. */
  readonly readRate: Float32Array;
  readonly writeRate: Float32Array;
  /** Most calls in flight at the same time. */
  readonly concurrency: Uint32Array;
}

/** How long a call without a duration is in flight, nanoseconds: less than any that has one. */
const MOMENT = 0.5;

/** Lanes of events that are gone through one by one. */
export function exactLanes(events: ShownEvents, bins: Bins): Lanes {
  const read = new Float64Array(bins.count);
  const written = new Float64Array(bins.count);
  const starts: number[] = [];
  const ends: number[] = [];
  events.forEachBlock(({ recording, chunk, rows, start, duration, role }) => {
    const { operation } = events.recordings[recording]!.trace.calls;
    for (let i = 0; i < rows; i++) {
      const begins = start[i]!;
      const behind = begins + duration[i]!;
      if (role[i] === 0 || begins >= bins.to || behind < bins.from || (behind === bins.from && begins < behind))
        continue;
      if (role[i]! & ROLE.takesTime) {
        starts.push(begins);
        ends.push(behind > begins ? behind : begins + MOMENT);
      }
      if (!(role[i]! & ROLE.isRequest) || !(chunk.bytes[i]! > 0)) continue;
      const kind = operation[chunk.call[i]!]!;
      if (kind === OPERATION.read || kind === OPERATION.copy) spread(read, bins, begins, behind, chunk.bytes[i]!);
      if (kind === OPERATION.write || kind === OPERATION.copy) spread(written, bins, begins, behind, chunk.bytes[i]!);
    }
  });
  const seconds = bins.width / 1e9;
  return {
    readRate: Float32Array.from(read, (bytes) => bytes / seconds),
    writeRate: Float32Array.from(written, (bytes) => bytes / seconds),
    concurrency: mostInFlight(Float64Array.from(starts), Float64Array.from(ends), bins),
  };
}

function spread(sums: Float64Array, bins: Bins, from: number, to: number, bytes: number): void {
  if (to <= from) {
    sums[bins.at(from)]! += bytes;
    return;
  }
  const rate = bytes / (to - from);
  const last = to >= bins.to ? bins.count - 1 : bins.at(to);
  for (let bin = bins.at(Math.max(from, bins.from)); bin <= last; bin++) {
    const amount = Math.min(to, bins.edge(bin + 1)) - Math.max(from, bins.edge(bin));
    if (amount > 0) sums[bin]! += amount * rate;
  }
}

/** Sweeps over starts and ends, which are sorted for it: a call that ends when another begins is not in flight with it. */
function mostInFlight(starts: Float64Array, ends: Float64Array, bins: Bins): Uint32Array {
  starts.sort();
  ends.sort();
  const most = new Uint32Array(bins.count);
  let started = 0;
  let ended = 0;
  for (let bin = 0; bin < bins.count; bin++) {
    const begin = bins.edge(bin);
    const edge = bins.edge(bin + 1);
    for (; started < starts.length && starts[started]! < begin; started++);
    for (; ended < ends.length && ends[ended]! <= begin; ended++);
    let highest = started - ended;
    for (; started < starts.length && starts[started]! < edge; started++) {
      for (; ended < ends.length && ends[ended]! <= starts[started]!; ended++);
      highest = Math.max(highest, started + 1 - ended);
    }
    most[bin] = highest;
  }
  return most;
}
