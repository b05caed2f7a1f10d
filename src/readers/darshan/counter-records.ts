import type { RecordLayout } from './module-layouts.ts';
import { int64At, type RegionReader } from './region-reader.ts';

/** Ranks are numbers of processes, -1 for all of them together; a log names no larger one. */
export const LARGEST_RANK = 2 ** 31 - 1;
/** Numbers that follow a record; more is damage. */
const MOST_FOLLOWING = 1 << 24;
/** Records of one module: no job has as many, and the room for them is made while they are read. */
export const MOST_RECORDS = 20_000_000;

/** What is wrong with the identifier and the rank that each record begins with; '' when nothing. */
export function baseProblem(reader: RegionReader): string {
  const rank = reader.int64(reader.at + 8);
  if (rank < -1 || rank > LARGEST_RANK) return `a record of process ${rank}`;
  // Identifiers are hashes of names; zeros are what a file holds where nothing was written.
  return reader.uint64(reader.at) === 0n ? 'a record without an identifier' : '';
}

export interface CounterSink {
  add(recordId: bigint, rank: number, values: Float64Array): void;
}

/** What went wrong while a region was read, and what was left out on purpose. */
interface Reading {
  /** '' when nothing. */
  readonly problem: string;
  /** Records of version 1 of POSIX that count calls of stdio. */
  readonly leftOut: number;
}

/** Reads the records of a module whose counters are numbers, and brings them into the order of the current version. */
export async function readCounterRecords(
  reader: RegionReader,
  layout: RecordLayout,
  sink: CounterSink,
): Promise<Reading> {
  const values = new Float64Array(layout.counters.length);
  let [records, leftOut] = [0, 0];
  while (reader.left >= layout.bytes || (await reader.fill(layout.bytes))) {
    const { view, at, littleEndian } = reader;
    const problem = baseProblem(reader);
    if (problem !== '') return { problem, leftOut };
    const rank = reader.int64(at + 8);
    if (++records > MOST_RECORDS) return { problem: `more than ${MOST_RECORDS} records`, leftOut };
    decode(layout, view, at, littleEndian, values);
    if (layout.leftOutIf >= 0 && int64At(view, at + layout.leftOutIf, littleEndian) > 0) leftOut++;
    else sink.add(reader.uint64(at), rank, values);
    reader.at += layout.bytes;
    if (layout.followedBy >= 0) {
      const following = values[layout.followedBy]!;
      if (following < 0 || following > MOST_FOLLOWING) return { problem: `${following} numbers in a record`, leftOut };
      if (!(await reader.skip(following * 8))) return { problem: 'a record that ends in the middle', leftOut };
    }
  }
  return { problem: reader.left === 0 ? '' : 'a record that ends in the middle', leftOut };
}

function decode(
  layout: RecordLayout,
  view: DataView,
  start: number,
  littleEndian: boolean,
  values: Float64Array,
): void {
  const { at, fill, integers } = layout;
  const floatsEnd = integers + layout.floats;
  for (let column = 0; column < integers; column++) {
    const place = at[column]!;
    values[column] = place < 0 ? fill[column]! : int64At(view, start + place, littleEndian);
  }
  for (let column = integers; column < floatsEnd; column++) {
    const place = at[column]!;
    values[column] = place < 0 ? fill[column]! : view.getFloat64(start + place, littleEndian);
  }
  for (let column = floatsEnd; column < values.length; column++) {
    const place = at[column]!;
    values[column] = place < 0 ? fill[column]! : Number(view.getBigUint64(start + place, littleEndian));
  }
  for (const [column, parts] of layout.sums) {
    values[column] = parts.reduce((sum, place) => sum + int64At(view, start + place, littleEndian), 0);
  }
}
