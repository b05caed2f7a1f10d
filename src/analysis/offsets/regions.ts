import { touches, type PlacedAccesses } from './access-axis.ts';
import { MARK, type OffsetArea, type OffsetRegion } from './offsets.ts';

type Sums = { -readonly [Name in keyof Omit<OffsetRegion, 'processes'>]: OffsetRegion[Name] } & {
  readonly processes: Set<number>;
  lastProcess: number;
};

/**
 * The area in at most `most` parts of the file of equal size, each a power of two of `grain` bytes, or of one byte where
 * the area is small; without those that nobody touches. Bytes are those that lie in the part, whenever the call began.
 */
export function regionsOf(placed: PlacedAccesses, area: OffsetArea, most: number, grain: number): OffsetRegion[] {
  const { accesses, isShown, from, to } = placed;
  const size = regionSize(area.toByte - area.fromByte, most, grain);
  const first = Math.floor(area.fromByte / size);
  const sums: Sums[] = Array.from({ length: Math.ceil(area.toByte / size) - first }, (_, at) =>
    emptySums(at + first, size, area),
  );
  for (let i = 0; i < accesses.length; i++) {
    if (!isShown(i) || !touches(placed, i, area)) continue;
    const begin = Math.max(accesses.offset[i]!, area.fromByte);
    const end = Math.min(accesses.offset[i]! + accesses.bytes[i]!, area.toByte);
    const shareAgain = accesses.bytesAgain[i]! / accesses.bytes[i]!;
    const last = Math.max(Math.floor(begin / size), Math.ceil(end / size) - 1);
    for (let at = Math.floor(begin / size); at <= last; at++) {
      const region = sums[at - first]!;
      const bytes = Math.min(end, region.toByte) - Math.max(begin, region.fromByte);
      region.accesses++;
      if ((accesses.marks[i]! & MARK.read) !== 0) region.bytesRead += bytes;
      else region.bytesWritten += bytes;
      region.bytesAgain += bytes * shareAgain;
      if ((accesses.marks[i]! & MARK.over) !== 0) region.writtenOver++;
      if (region.lastProcess !== accesses.process[i]) {
        region.lastProcess = accesses.process[i]!;
        region.processes.add(region.lastProcess);
      }
      region.from = Math.min(region.from, from(i));
      region.to = Math.max(region.to, to(i));
    }
  }
  return sums.filter((region) => region.accesses > 0).map(plain);
}

function emptySums(at: number, size: number, area: OffsetArea): Sums {
  return {
    fromByte: Math.max(area.fromByte, at * size),
    toByte: Math.min(area.toByte, (at + 1) * size),
    accesses: 0,
    bytesRead: 0,
    bytesWritten: 0,
    processes: new Set(),
    lastProcess: -1,
    bytesAgain: 0,
    writtenOver: 0,
    from: Infinity,
    to: -Infinity,
  };
}

/** So that a person can read where a part begins, and a block of the file system lies in one part. */
function regionSize(bytes: number, most: number, grain: number): number {
  let size = bytes / grain >= most ? grain : 1;
  // One more begins and ends within the area.
  while (Math.ceil(bytes / size) + 1 > most) size *= 2;
  return size;
}

function plain(sums: Sums): OffsetRegion {
  const { fromByte, toByte, accesses, bytesRead, bytesWritten, bytesAgain, writtenOver, from, to } = sums;
  const amounts = { accesses, bytesRead, bytesWritten, bytesAgain, writtenOver };
  return { fromByte, toByte, ...amounts, processes: sums.processes.size, from, to };
}
