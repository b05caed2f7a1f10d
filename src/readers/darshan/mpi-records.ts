import { APMPI_NAMES, APMPI_VARIANCES } from './counter-names.ts';
import { baseProblem, MOST_RECORDS, type CounterSink } from './counter-records.ts';
import { textOf, type RegionReader } from './region-reader.ts';

const HEAD_BYTES = 48;
const NODE_NAME_BYTES = 128;
const { integers, floats } = APMPI_NAMES;
const NAME_AT = 16 + (integers.length + floats.length) * 8;
const RECORD_BYTES = NAME_AT + NODE_NAME_BYTES;

/** Times that processes wait for each other; the recorder takes them only when it was told to. */
const isSynchronisation = (name: string): boolean => name.includes('_SYNC_TIME');

/** What becomes of the records of APMPI. */
interface MpiSink {
  /** Called once, before any record. */
  begin(counters: readonly string[]): CounterSink;
  host(rank: number, name: string): void;
}

/**
 * Reads the records of APMPI, one for each process. The first one is unlike the others and holds only variances over all
 * processes; it becomes a record whose other counters are NaN, as theirs are NaN in all others.
 *
 * @returns what is wrong; '' when the region was read to its end.
 */
export async function readMpiRecords(reader: RegionReader, sink: MpiSink): Promise<string> {
  if (!(await reader.fill(HEAD_BYTES))) return 'a first record that ends in the middle';
  const synchronises = reader.uint32(reader.at + 24) !== 0;
  const kept = (names: readonly string[]): readonly string[] =>
    synchronises ? names : names.filter((name) => !isSynchronisation(name));
  const variances = kept(APMPI_VARIANCES);
  const counters = [...variances, ...integers, ...kept(floats)];
  const records = sink.begin(counters);
  const values = new Float64Array(counters.length).fill(NaN);
  variances.forEach((_, index) => (values[index] = reader.float64(reader.at + 32 + index * 8)));
  records.add(reader.uint64(reader.at), reader.int64(reader.at + 8), values);
  values.fill(NaN, 0, variances.length);
  reader.at += HEAD_BYTES;
  /** Numbers of the record that are kept. */
  const places = [...integers, ...floats].flatMap((name, place) =>
    synchronises || !isSynchronisation(name) ? [place] : [],
  );
  for (let count = 0; await reader.fill(RECORD_BYTES); count++) {
    const { at } = reader;
    const rank = reader.int64(at + 8);
    const problem = baseProblem(reader);
    if (problem !== '') return problem;
    if (count === MOST_RECORDS) return `more than ${MOST_RECORDS} records`;
    places.forEach((place, index) => {
      const byte = at + 16 + place * 8;
      values[variances.length + index] = place < integers.length ? reader.int64(byte) : reader.float64(byte);
    });
    records.add(reader.uint64(at), rank, values);
    const name = textOf(reader.bytes.subarray(at + NAME_AT, at + RECORD_BYTES));
    if (name !== '') sink.host(rank, name);
    reader.at += RECORD_BYTES;
  }
  return reader.left === 0 ? '' : 'a record that ends in the middle';
}
