/** Single calls of a recording, summed up for each file, layer and direction. */
import { getOrCreate } from '../../base/grouping.ts';
import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE, NOT_MEASURED, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { processesOfStreams } from '../../analysis/metrics/processes.ts';
import type { Row } from '../schema/tables.ts';
import { intervalSums } from './interval-sums.ts';
import type { RowKey } from './recording-facts.ts';
import { DIRECTION, directionsOf } from './transfer-direction.ts';

type Summary = Omit<Row<'segment_summary'>, keyof RowKey>;

/** Calls whose times are held at once: 24 bytes each. Recordings with more are gone through several times. */
const MOST_HELD = 1 << 22;

/** Calls of one file, layer and direction. */
class Group {
  calls = 0;
  bytes = 0;
  readonly processes = new Set<number>();

  constructor(
    readonly file: number,
    readonly layer: number,
    readonly direction: number,
  ) {}
}

/** Start, end and bytes of the calls of a group, while they are gathered. */
class Held {
  private filled = 0;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly bytes: Float64Array;

  constructor(calls: number) {
    this.starts = new Float64Array(calls);
    this.ends = new Float64Array(calls);
    this.bytes = new Float64Array(calls);
  }

  add(start: number, duration: number, bytes: number): void {
    this.starts[this.filled] = start;
    this.ends[this.filled] = start + (duration > 0 ? duration : 0);
    this.bytes[this.filled++] = bytes;
  }
}

/** @param fileIds key of each file in the table of files; undefined for those that do not count. */
export function segmentSummaries(trace: Trace, fileIds: readonly (string | undefined)[]): Summary[] {
  const pass = new SegmentPass(trace, fileIds);
  return pass.batches().flatMap((groups) => {
    const held = pass.gather(groups);
    return groups.map((group, i) => summaryOf(group, held[i]!, fileIds[group.file]!));
  });
}

class SegmentPass {
  private readonly groups = new Map<number, Group>();
  private readonly directions: Uint8Array;

  constructor(
    private readonly trace: Trace,
    private readonly fileIds: readonly (string | undefined)[],
  ) {
    this.directions = directionsOf(trace.calls);
    const processOfStream = processesOfStreams(trace);
    this.forEach((key, chunk, i) => {
      const group = getOrCreate(
        this.groups,
        key,
        () => new Group(chunk.file[i]!, chunk.layer[i]!, this.directions[chunk.call[i]!]!),
      );
      group.calls++;
      group.bytes += chunk.bytes[i]!;
      group.processes.add(processOfStream[chunk.stream[i]!]!);
    });
  }

  /** Groups that are gathered together. */
  batches(): Group[][] {
    const batches: Group[][] = [];
    let held = Infinity;
    for (const group of this.groups.values()) {
      if (held + group.calls > MOST_HELD) {
        batches.push([]);
        held = 0;
      }
      batches.at(-1)!.push(group);
      held += group.calls;
    }
    return batches;
  }

  gather(groups: readonly Group[]): Held[] {
    const places = new Map<number, Held>();
    const held = groups.map((group) => {
      const place = new Held(group.calls);
      places.set(keyOf(group.file, group.layer, group.direction), place);
      return place;
    });
    this.forEach((key, chunk, i) => places.get(key)?.add(chunk.start[i]!, chunk.duration[i]!, chunk.bytes[i]!));
    return held;
  }

  /** Every transfer of a file that counts; parts of a call stand for themselves only where they move bytes of their own. */
  private forEach(visit: (key: number, chunk: EventChunk, i: number) => void): void {
    const { events } = this.trace;
    events.chunks.forEach((chunk, number) => {
      const rows = events.rowsIn(number);
      for (let i = 0; i < rows; i++) {
        const direction = this.directions[chunk.call[i]!]!;
        const file = chunk.file[i]!;
        if (direction === DIRECTION.none || file === NONE || this.fileIds[file] === undefined) continue;
        if ((chunk.flags[i]! & (NOT_MEASURED | EVENT_FLAGS.cancelled)) !== 0 || chunk.error[i] !== 0) continue;
        visit(keyOf(file, chunk.layer[i]!, direction), chunk, i);
      }
    });
  }
}

function keyOf(file: number, layer: number, direction: number): number {
  return (file * LAYERS.length + layer) * 3 + direction;
}

function summaryOf(group: Group, { starts, ends, bytes }: Held, file_id: string): Summary {
  const times = intervalSums(starts, ends);
  bytes.sort();
  const middle = bytes.length >> 1;
  return {
    file_id,
    layer: LAYERS[group.layer]!,
    direction: group.direction === DIRECTION.read ? 'read' : 'write',
    segments: group.calls,
    bytes: group.bytes,
    processes: group.processes.size,
    first_start: times?.first ?? null,
    last_end: times?.last ?? null,
    active_seconds: times?.active ?? null,
    summed_seconds: times?.summed ?? null,
    most_concurrent: times?.mostConcurrent ?? null,
    median_bytes: bytes.length % 2 === 1 ? bytes[middle]! : (bytes[middle - 1]! + bytes[middle]!) / 2,
  };
}
