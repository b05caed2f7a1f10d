import { ascii, type Cursor, readNumber, startsWith } from '../text/bytes.ts';

const SEMICOLON = 59;
/** `HDF5`. */
const LAYER = Uint8Array.of(72, 68, 70, 53);

/**
 * One line of a trace of Drishti's HDF5 VOL connector: `HDF5;rank;operation;start;end;duration;offset`.
 * Works on bytes; the findings of the last `read` stand in its fields.
 */
export class VolLine {
  rank = NaN;
  operation = '';
  /** Microseconds since 1970. */
  start = NaN;
  end = NaN;
  /** Microseconds that one step of the recording's clock is. */
  step = NaN;
  /** Where the data set begins in the file; NaN for attributes, and for data sets in pieces. */
  offset = NaN;
  private readonly cursor: Cursor = { at: 0 };

  /** @returns whether the line is complete and makes sense. */
  read(bytes: Uint8Array, from: number, end: number): boolean {
    for (let i = 0; i < LAYER.length; i++) if (bytes[from + i] !== LAYER[i]) return false;
    if (bytes[from + LAYER.length] !== SEMICOLON) return false;
    const { cursor } = this;
    this.rank = readNumber(bytes, from + LAYER.length + 1, end, cursor);
    const operation = cursor.at + 1;
    const behind = bytes.indexOf(SEMICOLON, operation);
    if (
      !(this.rank >= 0 && this.rank < MOST_RANKS) ||
      bytes[operation - 1] !== SEMICOLON ||
      behind < 0 ||
      behind >= end
    ) {
      return false;
    }
    this.operation = operationAt(bytes, operation, behind);
    const start = readNumber(bytes, behind + 1, end, cursor);
    const isBehindStart = cursor.at < end && bytes[cursor.at] === SEMICOLON;
    const last = readNumber(bytes, cursor.at + 1, end, cursor);
    const isBehindEnd = cursor.at < end && bytes[cursor.at] === SEMICOLON;
    readNumber(bytes, cursor.at + 1, end, cursor);
    const isBehindDuration = cursor.at < end && bytes[cursor.at] === SEMICOLON;
    const offset = readNumber(bytes, cursor.at + 1, end, cursor);
    this.step = stepOf(start);
    this.start = start * this.step;
    this.end = last * this.step;
    this.offset = offset >= 0 && offset <= Number.MAX_SAFE_INTEGER ? offset : NaN;
    const isComplete = isBehindStart && isBehindEnd && isBehindDuration && !Number.isNaN(offset) && cursor.at === end;
    return isComplete && this.operation !== '' && this.end >= this.start;
  }
}

/** The name of an operation, '' for one that the connector does not write. */
function operationAt(bytes: Uint8Array, from: number, end: number): string {
  const operation = OPERATIONS.find(
    (name) => name.length === end - from && startsWith(bytes, from, end, BYTES.get(name)!),
  );
  return operation ?? '';
}

const MOST_RANKS = 1 << 24;
/** On data sets, on attributes, and what the connector does not name. */
const OPERATIONS = ['read', 'write', 'read-metadata', 'write-metadata', '?'] as const;
const BYTES = new Map(OPERATIONS.map((name) => [name, ascii(name)]));

/** Times since 1970 of this century: in seconds they have ten digits, in milliseconds thirteen, in microseconds sixteen. */
const FEWEST_SECONDS = 1e8;
const FEWEST_MILLISECONDS = 1e11;
const FEWEST_MICROSECONDS = 1e14;
const FEWEST_NANOSECONDS = 1e17;

/** Microseconds of a step, by the magnitude of a time; NaN for what is no time since 1970. */
function stepOf(time: number): number {
  if (!(time >= FEWEST_SECONDS && time < FEWEST_NANOSECONDS)) return NaN;
  if (time < FEWEST_MILLISECONDS) return 1e6;
  return time < FEWEST_MICROSECONDS ? 1e3 : 1;
}
