/** The calls of one rank in the order in which they began. */
import type { CallSignature } from './call-signatures.ts';
import type { Grammar } from './grammar.ts';

export interface RankRecords {
  readonly length: number;
  /** Ticks from the start of the recording, as is `end`. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** What `signatureAt` knows the call by. */
  readonly signature: Int32Array;
  /** As recorded, counted from 0. */
  readonly number: Uint32Array;
  /** @returns undefined when the recording does not say what the call was. */
  signatureAt(signature: number): CallSignature | undefined;
}

/** A problem of a rank's records, in words for the user. */
export interface RecordProblem {
  readonly what: string;
  readonly lost: string;
}

const WRAP = 2 ** 32;
/** Ticks by which the calls of two threads may stand in the wrong order: 10 ms of 0.1 µs. */
const MOST_DISORDER = 100_000;
const BYTES_PER_RECORD = 8;

/**
 * Lays times and calls side by side. A pair of times counts from the start of the record before it. Numbers are unsigned;
 * where calls of several threads stand in the order of their ends a start lies before that of the record before, and wraps.
 *
 * @param times pairs of numbers of four bytes each.
 */
export function timedRecords(
  grammar: Grammar,
  times: Uint8Array,
  signatureAt: RankRecords['signatureAt'],
  report: (problem: RecordProblem) => void,
): RankRecords {
  const room = Math.floor(times.length / BYTES_PER_RECORD);
  const view = new DataView(times.buffer, times.byteOffset, times.length);
  const start = new Float64Array(room);
  const end = new Float64Array(room);
  const signature = new Int32Array(room);
  let length = 0;
  let asked = 0;
  let before = 0;
  const broken = grammar.expand((terminal) => {
    asked++;
    if (length === room) return false;
    const at = length * BYTES_PER_RECORD;
    let a = view.getUint32(at, true);
    let b = view.getUint32(at + 4, true);
    if (a > b && a >= WRAP / 2) a -= WRAP;
    else if (a > b) b += WRAP;
    else if (a >= WRAP - MOST_DISORDER) [a, b] = [a - WRAP, b - WRAP];
    start[length] = before + a;
    end[length] = before + b;
    signature[length] = terminal;
    before += a;
    length++;
    return true;
  });
  if (broken !== '') report({ what: broken, lost: 'the calls that it stands for' });
  else if (asked > length)
    report({ what: 'there are fewer times than calls', lost: `all calls behind the first ${length}` });
  else if (length < room) {
    report({ what: `${room - length} times stand behind those of the last call`, lost: 'the calls that they are of' });
  }
  if (times.length % BYTES_PER_RECORD !== 0) report({ what: 'the times are cut off', lost: 'the last call' });
  return inOrder({ length, start, end, signature, signatureAt }, false);
}

type Unordered = Omit<RankRecords, 'number'>;

/**
 * @param callersLast whether a call may stand behind the ones that it made, as in an order of ends: of calls that begin
 *   together the longer one comes first then.
 */
export function inOrder(records: Unordered, callersLast: boolean): RankRecords {
  const { length, start, end, signature, signatureAt } = records;
  const number = Uint32Array.from({ length }, (_, index) => index);
  const compare = (a: number, b: number): number =>
    start[a]! - start[b]! || (callersLast ? end[b]! - end[a]! : 0) || a - b;
  let isSorted = true;
  for (let i = 1; i < length && isSorted; i++) isSorted = compare(i - 1, i) < 0;
  if (isSorted) {
    const cut = <Values extends Float64Array | Int32Array>(values: Values): Values =>
      values.subarray(0, length) as Values;
    return { length, start: cut(start), end: cut(end), signature: cut(signature), number, signatureAt };
  }
  number.sort(compare);
  return {
    length,
    start: Float64Array.from(number, (index) => start[index]!),
    end: Float64Array.from(number, (index) => end[index]!),
    signature: Int32Array.from(number, (index) => signature[index]!),
    number,
    signatureAt,
  };
}
