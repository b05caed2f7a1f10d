import type { PowerCounts, Tally } from '../../trace/tallies.ts';
import type { FunctionDefinition } from './definitions.ts';
import type { RecordCursor } from './record-cursor.ts';

/** When a process had written as many events as it might, and how many bytes of them that is. */
interface EventLimit {
  /** On the monotonic clock. */
  readonly at: bigint;
  readonly bytes: number;
}

/** A tally as it stands in the file: numbers are those of the file, counts those of a thread since its batch began. */
interface RecordedTally {
  readonly function: number;
  readonly stack: number;
  /** End of the thread's last call, on the monotonic clock. */
  readonly until: bigint;
  readonly counts: Omit<Tally, 'name' | 'layer' | 'stack'>;
}

const MOST_POWERS = 64;
/** More would be no recording of the library, which writes some hundred thousand at most. */
const MOST_TALLIES = 1 << 22;
const LAYER_NAMES = ['', 'POSIX', 'STDIO', 'MPI-IO', 'HDF5', 'NetCDF', 'PnetCDF', 'MPI'];

/** The tallies of a file: of those with the same key the last counts. */
export class ProcessTallies {
  limit: EventLimit | undefined;
  private readonly recorded = new Map<string, RecordedTally>();

  /** Takes the body of the definition of a limit. */
  readLimit(body: RecordCursor): void {
    const limit = { at: body.exact(), bytes: body.varint() };
    if (!body.overrun) this.limit = limit;
  }

  /** Takes the body of the definition of a tally. */
  readTally(body: RecordCursor): void {
    const [thread, batch, called, stack] = [body.varint(), body.varint(), body.varint(), body.varint()];
    const until = body.exact();
    const [calls, failed, bytes, timeNs, longestNs] = [
      body.varint(),
      body.varint(),
      body.varint(),
      body.varint(),
      body.varint(),
    ];
    const counts = { calls, failed, bytes, timeNs, longestNs, times: readPowers(body), sizes: readPowers(body) };
    if (body.overrun || this.recorded.size >= MOST_TALLIES) return;
    this.recorded.set(`${thread} ${batch} ${called} ${stack}`, { function: called, stack, until, counts });
  }

  /** When the last counted call ended, on the monotonic clock; undefined when none was. */
  get until(): bigint | undefined {
    let last: bigint | undefined;
    for (const { until } of this.recorded.values()) if (last === undefined || until > last) last = until;
    return last;
  }

  /** Those of all threads together. Functions that are not defined are left out. */
  merged(functions: ReadonlyMap<number, FunctionDefinition>, nodeOf: (stack: number) => number): Tally[] {
    const sums = new Map<string, Tally>();
    for (const { function: called, stack: number, counts } of this.recorded.values()) {
      const defined = functions.get(called);
      const layer = LAYER_NAMES[defined?.layer ?? 0];
      if (defined === undefined || layer === undefined || layer === '') continue;
      const stack = nodeOf(number);
      const key = `${layer} ${defined.name} ${stack}`;
      const known = sums.get(key);
      sums.set(key, known === undefined ? { name: defined.name, layer, stack, ...counts } : added(known, counts));
    }
    return [...sums.values()];
  }
}

function readPowers(body: RecordCursor): PowerCounts {
  const filled = body.varint();
  const powers: [power: number, count: number][] = [];
  for (let i = 0; i < filled && i < MOST_POWERS && !body.overrun; i++) {
    const [power, count] = [body.varint(), body.varint()];
    if (count > 0 && power < MOST_POWERS) powers.push([power, count]);
  }
  return powers;
}

function added(to: Tally, more: RecordedTally['counts']): Tally {
  return {
    ...to,
    calls: to.calls + more.calls,
    failed: to.failed + more.failed,
    bytes: to.bytes + more.bytes,
    timeNs: to.timeNs + more.timeNs,
    longestNs: Math.max(to.longestNs, more.longestNs),
    times: addedPowers(to.times, more.times),
    sizes: addedPowers(to.sizes, more.sizes),
  };
}

function addedPowers(some: PowerCounts, more: PowerCounts): PowerCounts {
  const sums = new Map<number, number>();
  for (const [power, count] of [...some, ...more]) sums.set(power, (sums.get(power) ?? 0) + count);
  return [...sums].sort(([a], [b]) => a - b);
}
