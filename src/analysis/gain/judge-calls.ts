import { counted, formatBytes, formatDuration, formatShare } from '../../base/quantities.ts';
import { OPERATION } from '../../trace/calls.ts';
import type { Metric } from '../metrics/metric-table.ts';
import type { UnmarkedKind } from './unmarked.ts';

/** Calls of one operation, of one place or of several that are alike. */
export interface AlikeCalls {
  /** Index into OPERATIONS. */
  readonly operation: number;
  /** Names of the calls, the dearest first. */
  readonly names: readonly string[];
  readonly events: number;
  readonly bytes: number;
  readonly files: number;
  /** Those of them that failed for want of the file. */
  readonly missing: number;
  /** All of them move as many bytes. */
  readonly isOneSize: boolean;
  /** Nanoseconds without a tracer that one of them takes. */
  readonly eachNs: number;
  /** All that the places do, also by other operations. */
  get(metric: Metric): number;
}

export interface Judgement {
  readonly kind: UnmarkedKind;
  readonly what: string;
}

/** From this size on the bytes of a transfer cost more than the call, on any storage that a program sees as a file. */
const LARGE = 128 << 10;
/** Fewer calls than this are not worth a rule. */
const FEW = 32;
/** The same for calls that wait for the storage. */
const FEW_WAITS = 10;
/** Up to this share of accesses out of order, or of bytes moved again, is none worth a word. */
const LITTLE = 0.1;

/** Calls on C's streams, which most often reach the stream's buffer and no file. */
const STREAM = /^(v?fw?(printf|scanf)|f(put|get)w?[cs]|getw?c|putw?c|fread|fwrite|getline|getdelim)(_unlocked)?$/;

/** Bytes of a call from which on it may well fill or empty the buffer of its stream. */
const REFILLS = 1024;

/** What dear calls are, and whether they are as they should be. */
export function judgeCalls(calls: AlikeCalls): Judgement {
  switch (calls.operation) {
    case OPERATION.read:
      return transfer(calls, 'read', {
        all: 'reads',
        bytes: 'readBytes',
        random: 'randomReads',
        backward: 'backwardReads',
        placeless: 'placelessReads',
        again: 'redundantReadBytes',
      });
    case OPERATION.write:
      return transfer(calls, 'write', {
        all: 'writes',
        bytes: 'writtenBytes',
        random: 'randomWrites',
        backward: 'backwardWrites',
        placeless: 'placelessWrites',
        again: 'redundantWrittenBytes',
      });
    case OPERATION.sync:
      return synchronisation(calls);
    case OPERATION.open:
      return once(calls, 'open', calls.get('reopens'));
    case OPERATION.close:
      return once(calls, 'close', calls.get('recloses'));
    case OPERATION.lock:
      return {
        kind: 'waiting',
        what: `${each(calls, 'call')} to lock and unlock: locking waits for whoever holds the lock`,
      };
    default:
      return named(calls);
  }
}

type TransferMetrics = Readonly<Record<'all' | 'bytes' | 'random' | 'backward' | 'placeless' | 'again', Metric>>;

function transfer(calls: AlikeCalls, noun: string, of: TransferMetrics): Judgement {
  const mean = calls.bytes / calls.events;
  const all = calls.get(of.all);
  const outOfOrder = part(calls.get(of.random), all);
  const isPlaced = calls.get(of.placeless) === 0;
  const repeated = part(calls.get(of.again), calls.get(of.bytes));
  const order = isPlaced ? `, ${orderWords(part(calls.get(of.backward), all), outOfOrder)}` : '';
  const average = calls.isOneSize ? '' : ' on average';
  const size = calls.bytes > 0 ? ` of ${formatBytes(Math.round(mean))}${average}` : ' that moved nothing';
  const subject = `${each(calls, noun)}${size}${calls.events > 1 ? order : ''}`;
  if (mean < REFILLS && outOfOrder <= LITTLE && calls.names.every((name) => STREAM.test(name)))
    return { kind: 'unjudged', what: `${subject}, through the buffer of a C stream: mostly formatting and copying` };
  if (repeated > LITTLE) {
    return {
      kind: 'unjudged',
      what: unjudged(`${subject}, ${formatShare(repeated)} of the bytes not for the first time`),
    };
  }
  if (mean >= LARGE)
    return {
      kind: 'large',
      what: `${subject}: ${calls.events > 1 ? 'large pieces, whose' : 'a large piece, whose'} bytes cost, not the call`,
    };
  if (calls.events < FEW) return { kind: 'few', what: `${subject}: too few to be joined` };
  return { kind: 'unjudged', what: unjudged(subject) };
}

/** @param outOfOrder share of those that go back, or forwards by ever other distances. */
function orderWords(backward: number, outOfOrder: number): string {
  if (backward > LITTLE) return `${formatShare(backward)} of them back in the file`;
  if (outOfOrder > LITTLE) return 'forwards in the file, with gaps';
  return outOfOrder > 0 ? 'mostly in the order of the file' : 'in the order of the file';
}

function synchronisation(calls: AlikeCalls): Judgement {
  const writes = calls.get('syncedWrites');
  const subject = `${each(calls, 'synchronisation')}${writes > 0 ? ` after ${counted(writes, 'write')}` : ''}`;
  if (calls.get('firstSyncs') >= calls.events * (1 - LITTLE))
    return { kind: 'synchronisation', what: `${subject}, once for a file: needed where the data must be safe` };
  if (calls.get('repeatedSyncTime') < calls.get('syncTime') / 2)
    return {
      kind: 'synchronisation',
      what: `${subject}, mostly in those that had much to write out, or were the first of a file: needed where the data must be safe`,
    };
  if (calls.events < FEW_WAITS)
    return { kind: 'synchronisation', what: `${subject}: needed where the data must be safe at these points` };
  return { kind: 'unjudged', what: unjudged(subject) };
}

function once(calls: AlikeCalls, noun: string, again: number): Judgement {
  const subject = each(calls, noun);
  if (calls.missing > calls.events / 2)
    return calls.events < FEW
      ? { kind: 'few', what: `${subject} of files that do not exist: too few for a rule` }
      : { kind: 'unjudged', what: unjudged(`${subject} of files that do not exist`) };
  if (again <= LITTLE * calls.events) {
    // One name may be that of a new file each time, and each process has to open a file for itself.
    const words =
      calls.events <= calls.files ? 'once for each file' : 'once for each file that a process opens or makes';
    return { kind: 'once', what: `${subject}: ${words}` };
  }
  return calls.events < FEW
    ? { kind: 'few', what: `${subject}: too few to be joined` }
    : { kind: 'unjudged', what: unjudged(subject) };
}

function named(calls: AlikeCalls): Judgement {
  const subject = `${each(calls, 'call')} of ${calls.names.slice(0, 3).join(', ')}`;
  return calls.events < FEW
    ? { kind: 'few', what: `${subject}: too few for a rule` }
    : { kind: 'unjudged', what: unjudged(subject) };
}

function unjudged(subject: string): string {
  return `no trigger covers ${subject}`;
}

/** `3,000 writes (22 µs each)` */
function each({ events, eachNs, files }: AlikeCalls, noun: string): string {
  const many = noun === 'call' ? 'calls' : undefined;
  const where = files > 1 ? `, ${counted(files, 'file')}` : '';
  const time = events > 1 ? `${formatDuration(eachNs)} each` : formatDuration(eachNs);
  return `${counted(events, noun, many)} (${time}${where})`;
}

function part(some: number, whole: number): number {
  return whole > 0 ? some / whole : 0;
}
