import { addToGroup } from '../../base/grouping.ts';
import type { Operation } from '../../trace/calls.ts';
import type { ArgumentReader } from './arguments.ts';
import { ascii, endOfArgument, findOutsideStrings, readNumber, skipBlanks, startsWith } from '../text/bytes.ts';

/**
 * Linux AIO (`io_submit`, `io_getevents`): a request is listed when it is submitted, its result when it is collected.
 *
 *     [{aio_data=0, aio_lio_opcode=IOCB_CMD_PWRITE, aio_fildes=7</x>, aio_buf="…", aio_nbytes=512, aio_offset=1024}, …]
 *     [{data=0, obj=0x7fff6be58470, res=512, res2=0}, …]
 *
 * strace before 4.11 prints `{pwrite, filedes:7, buf:0x…, nbytes:512, offset:1024}` and results without names.
 */
export interface AsyncRequest {
  /** `pread`, `pwrite`, `fsync`, …, '' when it was not printed. */
  operation: string;
  fd: number;
  decoration: number;
  /** Bytes asked for; NaN when the request moves none. */
  requested: number;
  offset: number;
  /** The program's own mark. */
  data: number;
}

export interface AsyncCompletion {
  readonly data: number;
  /** Bytes, or a negative error number. */
  readonly result: number;
}

const OPENS = 91;
const BRACE = 123;
const COMMA = 44;
const PREFIX = ascii('aio_');
const COMMAND = ascii('IOCB_CMD_');
const LENGTH = ascii('iov_len=');

/** Calls `visit` with each part of a list `[a, b]` or a structure `{a, b}`, the brackets left out. */
function eachPart(bytes: Uint8Array, from: number, end: number, visit: (from: number, end: number) => void): void {
  for (let at = from + 1; at < end;) {
    at = skipBlanks(bytes, at, end);
    const stop = endOfArgument(bytes, at, end);
    if (stop > at) visit(at, stop);
    if (bytes[stop] !== COMMA) return;
    at = stop + 1;
  }
}

/** Position behind `name=` or `name:`, in front of a structure's value; `from` when the value has no name. */
function valueStart(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 61 || byte === 58) return at + 1;
    if (!((byte >= 97 && byte <= 122) || byte === 95 || (byte >= 48 && byte <= 57))) break;
  }
  return from;
}

/** The name of a structure's member, without `aio_`. */
function memberOf(bytes: Uint8Array, from: number, value: number): string {
  const start = startsWith(bytes, from, value, PREFIX) ? from + PREFIX.length : from;
  let name = '';
  for (let at = start; at < value - 1; at++) name += String.fromCharCode(bytes[at]!);
  return name;
}

export function readRequests(
  bytes: Uint8Array,
  from: number,
  end: number,
  descriptors: ArgumentReader,
): AsyncRequest[] {
  const requests: AsyncRequest[] = [];
  if (bytes[from] !== OPENS && bytes[from] !== BRACE) return requests;
  eachPart(bytes, from, end, (start, stop) => {
    if (bytes[start] !== BRACE) return;
    const request = { operation: '', fd: NaN, decoration: -1, requested: NaN, offset: NaN, data: 0 };
    eachPart(bytes, start, stop, (at, stopAt) => readMember(bytes, at, stopAt, request, descriptors));
    requests.push(request);
  });
  return requests;
}

function readMember(
  bytes: Uint8Array,
  from: number,
  end: number,
  request: AsyncRequest,
  descriptors: ArgumentReader,
): void {
  const value = valueStart(bytes, from, end);
  if (value === from) {
    // Up to 4.19 the operation stands alone.
    if (request.operation === '') request.operation = operationName(bytes, from, end);
    return;
  }
  switch (memberOf(bytes, from, value)) {
    case 'lio_opcode':
      request.operation = operationName(bytes, value, end);
      break;
    case 'fildes':
    case 'filedes':
      request.fd = descriptors.descriptor(bytes, value, end);
      request.decoration = descriptors.lastDecoration;
      break;
    case 'nbytes':
      request.requested = readNumber(bytes, value, end);
      break;
    case 'offset':
      request.offset = readNumber(bytes, value, end);
      break;
    case 'data':
      request.data = readNumber(bytes, value, end);
      break;
    case 'buf':
    case 'iovec':
      if (bytes[value] === OPENS) request.requested = lengthsIn(bytes, value, end);
      break;
  }
}

/** `IOCB_CMD_PWRITE` and `pwrite` are `pwrite`. */
function operationName(bytes: Uint8Array, from: number, end: number): string {
  const start = startsWith(bytes, from, end, COMMAND) ? from + COMMAND.length : from;
  return new TextDecoder().decode(bytes.subarray(start, end)).toLowerCase();
}

function lengthsIn(bytes: Uint8Array, from: number, end: number): number {
  let sum = 0;
  for (let at = from; ;) {
    const found = findOutsideStrings(bytes, at, end, LENGTH);
    if (found < 0) return sum;
    at = found + LENGTH.length;
    sum += readNumber(bytes, at, end);
  }
}

export function readCompletions(bytes: Uint8Array, from: number, end: number): AsyncCompletion[] {
  const completions: AsyncCompletion[] = [];
  if (bytes[from] !== OPENS && bytes[from] !== BRACE) return completions;
  eachPart(bytes, from, end, (start, stop) => {
    if (bytes[start] !== BRACE) return;
    // data, obj, res, res2: in this order, with their names or without.
    const values: number[] = [];
    eachPart(bytes, start, stop, (at, stopAt) => {
      values.push(readNumber(bytes, valueStart(bytes, at, stopAt), stopAt));
    });
    const [data = NaN, , result = NaN] = values;
    // `(nil)` is no number.
    completions.push({ data: Number.isNaN(data) ? 0 : data, result });
  });
  return completions;
}

/** What a request does, by the name of its operation. */
export function requestOperation(name: string): Operation {
  if (/^pread|^pwrite/.test(name)) return name.startsWith('pread') ? 'read' : 'write';
  return /^f(data)?sync|^fdsync/.test(name) ? 'sync' : 'other';
}

/** A request that was submitted and whose result was not collected yet. */
interface PendingRequest {
  readonly row: number;
  readonly file: number;
  readonly request: AsyncRequest;
}

/** The requests under way, by process and AIO context. */
export class PendingRequests {
  private readonly byContext = new Map<string, PendingRequest[]>();

  add(process: number, context: number, pending: PendingRequest): void {
    const key = `${process} ${context}`;
    addToGroup(this.byContext, key, pending);
  }

  /**
   * The request that a result belongs to. The results' `obj` is not printed with the requests, so the program's mark
   * decides where it has one; else, in the order of submission, the first that asked for just as many bytes, or for more.
   */
  take(process: number, context: number, { data, result }: AsyncCompletion): PendingRequest | undefined {
    const list = this.byContext.get(`${process} ${context}`);
    if (list === undefined) return undefined;
    let at = data === 0 ? -1 : list.findIndex(({ request }) => request.data === data);
    if (at < 0) at = list.findIndex(({ request }) => request.data === data && request.requested === result);
    if (at < 0) at = list.findIndex(({ request }) => request.data === data && !(request.requested < result));
    return at < 0 ? undefined : list.splice(at, 1)[0];
  }
}
