/**
 * Recorder 2.2 and older: a rank has a file of metadata with the names of its files (`0.mt`), and one of records (`0.itf`).
 * A record is compressed against one of the 255 before it when few of its arguments differ.
 */
import { decodeText, type CallSignature } from './call-signatures.ts';
import { inOrder, type RankRecords, type RecordProblem } from './rank-records.ts';

/** What `R.mt` says of a rank. */
export interface RankMetadata {
  /** Seconds since 1970 that the rank's times count from. */
  readonly startTime: number;
  /** Number of its records, NaN when that was lost. */
  readonly records: number;
  /** Paths by the number that stands for them in arguments. */
  readonly files: ReadonlyMap<number, string>;
  /** What is wrong with the table of files; '' when nothing is. */
  readonly problem: string;
}

/** Two times, two numbers, two pointers and a counter for each function. */
const METADATA_BYTES = 16 + 8 + 16 + 256 * 4;
const FILE_BYTES = 16;

/** @returns undefined when the bytes are too few to be a rank's metadata. */
export function readRankMetadata(bytes: Uint8Array): RankMetadata | undefined {
  if (bytes.length < 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const startTime = view.getFloat64(0, true);
  if (!(startTime >= 0 && startTime < 1e11)) return undefined;
  const files = new Map<number, string>();
  const count = bytes.length < METADATA_BYTES ? 0 : view.getInt32(16, true);
  let problem = bytes.length < METADATA_BYTES || count < 0 ? 'the names of files are cut off' : '';
  let at = METADATA_BYTES;
  for (let file = 0; file < count; file++) {
    const length = at + FILE_BYTES <= bytes.length ? view.getInt32(at + 12, true) : -1;
    if (length < 0 || at + FILE_BYTES + length > bytes.length) {
      problem = `file ${file + 1} of ${count} is cut off`;
      break;
    }
    files.set(view.getInt32(at, true), decodeText(bytes.subarray(at + FILE_BYTES, at + FILE_BYTES + length)));
    at += FILE_BYTES + length;
  }
  const records = bytes.length < METADATA_BYTES ? NaN : view.getInt32(20, true);
  return { startTime, records, files, problem };
}

/** Status, two times, result and function. */
const HEAD_BYTES = 14;
const NEWLINE = 10;
/** The status of a record that stands for itself. */
const COMPLETE = 0;
/** Bits of a status that tell which arguments differ. */
const MOST_DIFFERING = 7;
/** Records back that one may lean on. */
const WINDOW = 256;

/** What a record is without its times. */
interface Call {
  readonly function: number;
  readonly arguments: readonly string[];
}

/**
 * Reads the records of a rank.
 * @param bytes of `R.itf`.
 */
export function peepholeRecords(bytes: Uint8Array, report: (problem: RecordProblem) => void): RankRecords {
  const records = new RecordList();
  const window: (Call | undefined)[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let unknown = 0;
  let index = 0;
  let at = 0;
  for (; at + HEAD_BYTES < bytes.length; index++) {
    const newline = bytes.indexOf(NEWLINE, at + HEAD_BYTES);
    if (newline < 0) break;
    const status = view.getUint8(at);
    const number = view.getUint8(at + 13);
    const texts = argumentsOf(bytes, at + HEAD_BYTES, newline);
    const call =
      status === COMPLETE
        ? { function: number, arguments: texts }
        : completed(status, texts, window[(index + WINDOW - 1 - number) % WINDOW]);
    window[index % WINDOW] = call;
    if (call === undefined) unknown++;
    records.add(view.getInt32(at + 1, true), view.getInt32(at + 5, true), call, view.getInt32(at + 9, true));
    at = newline + 1;
  }
  if (at < bytes.length) report({ what: 'the last record is cut off', lost: 'this record' });
  if (unknown > 0) {
    report({ what: `${unknown} records lean on one that is not there`, lost: 'what these calls were' });
  }
  return records.finish();
}

function argumentsOf(bytes: Uint8Array, from: number, end: number): string[] {
  if (from === end) return [];
  // Every argument has its blank in front.
  return decodeText(bytes.subarray(from + 1, end)).split(' ');
}

/** The arguments that differ stand in the record, the others in the one it leans on. */
function completed(status: number, texts: readonly string[], base: Call | undefined): Call | undefined {
  if (base === undefined) return undefined;
  let next = 0;
  const merged = base.arguments.map((argument, i) =>
    i < MOST_DIFFERING && (status & (1 << i)) !== 0 ? (texts[next++] ?? argument) : argument,
  );
  return { function: base.function, arguments: merged };
}

/** Records in growing columns; calls that are alike are kept once. */
class RecordList {
  private readonly start: number[] = [];
  private readonly end: number[] = [];
  private readonly signature: number[] = [];
  private readonly signatures: CallSignature[] = [];
  private readonly indices = new Map<string, number>();

  add(start: number, end: number, call: Call | undefined, result: number): void {
    this.start.push(start);
    this.end.push(end);
    this.signature.push(call === undefined ? -1 : this.intern(call, result));
  }

  private intern(call: Call, result: number): number {
    const key = `${call.function} ${result} ${call.arguments.join(' ')}`;
    let index = this.indices.get(key);
    if (index === undefined) {
      index = this.signatures.push({ thread: 0, level: 0, ...call, result }) - 1;
      this.indices.set(key, index);
    }
    return index;
  }

  /** Records stand in the order in which calls ended. */
  finish(): RankRecords {
    const { signatures } = this;
    const records = {
      length: this.start.length,
      start: Float64Array.from(this.start),
      end: Float64Array.from(this.end),
      signature: Int32Array.from(this.signature),
      signatureAt: (index: number) => signatures[index],
    };
    return inOrder(records, true);
  }
}
