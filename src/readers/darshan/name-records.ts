import { textOf, type RegionReader } from './region-reader.ts';

/** Paths have at most 4,096 bytes; names of datasets stand behind them. */
const MOST_NAME_BYTES = 1 << 16;

/**
 * Reads the names of records. The same name may come once for each process.
 * @param minor of the version of the log.
 * @param add told every identifier with its name.
 * @returns what is wrong; '' when the region was read to its end.
 */
export async function readNames(
  reader: RegionReader,
  minor: number,
  add: (recordId: bigint, name: string) => void,
): Promise<string> {
  return minor < 10 ? readCountedNames(reader, add) : readEndedNames(reader, add);
}

/** Identifier, length, name. */
async function readCountedNames(reader: RegionReader, add: (id: bigint, name: string) => void): Promise<string> {
  while (await reader.fill(12)) {
    const id = reader.uint64(reader.at);
    const length = reader.uint32(reader.at + 8);
    if (length > MOST_NAME_BYTES) return `a name of ${length} bytes`;
    if (!(await reader.fill(12 + length))) return 'a name that ends in the middle';
    add(id, textOf(reader.bytes.subarray(reader.at + 12, reader.at + 12 + length)));
    reader.at += 12 + length;
  }
  return reader.left === 0 ? '' : 'a name that ends in the middle';
}

/** Identifier, name, NUL. */
async function readEndedNames(reader: RegionReader, add: (id: bigint, name: string) => void): Promise<string> {
  while (reader.left >= 9 || (await reader.fill(9))) {
    const from = reader.at + 8;
    let end = reader.bytes.indexOf(0, from);
    if (end < 0) {
      end = await findEnd(reader);
      if (end < 0) return reader.left > MOST_NAME_BYTES ? 'a name without an end' : 'a name that ends in the middle';
    }
    if (end - reader.at > MOST_NAME_BYTES) return 'a name without an end';
    add(reader.uint64(reader.at), textOf(reader.bytes.subarray(reader.at + 8, end)));
    reader.at = end + 1;
  }
  return reader.left === 0 ? '' : 'a name that ends in the middle';
}

/** Position of the NUL behind a name that goes on in the next piece; -1 when there is none. */
async function findEnd(reader: RegionReader): Promise<number> {
  for (let searched = reader.left; searched <= MOST_NAME_BYTES && (await reader.fill(searched + 1));) {
    const end = reader.bytes.indexOf(0, reader.at + Math.max(8, searched));
    if (end >= 0) return end;
    searched = reader.left;
  }
  return -1;
}
