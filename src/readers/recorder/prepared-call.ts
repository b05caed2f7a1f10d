/** A call signature in numbers: worked out once for all calls that are alike. */
import { LAYERS, type CallTable } from '../../trace/calls.ts';
import { EVENT_FLAGS, LOCK_KIND, NONE } from '../../trace/events.ts';
import { argumentOfRank, type CallSignature } from './call-signatures.ts';
import { describedCall, type DescribedCall, type Role } from '../open-files/call-roles.ts';
import { isCollective, isNonBlocking, type Effect } from '../open-files/known-calls.ts';
import type { CallResult, IoCall } from '../open-files/io-call.ts';
import { typeBytes } from './mpi-types.ts';
import { modeOfFlags, modeOfHdf5, modeOfMpi, modeOfStream } from '../open-files/open-modes.ts';

export interface PreparedCall {
  readonly name: string;
  /** Arguments as this rank passed them. */
  readonly arguments: readonly string[];
  readonly level: number;
  readonly thread: number;
  /** What it does as a call of an I/O layer; undefined for other functions. */
  readonly io: IoCall | undefined;
  /** Index into the functions of the trace. */
  readonly function: number;
}

const UNKNOWN_RESULT: CallResult = { failed: false, bytes: NaN };

const WHENCE: Readonly<Record<string, number>> = { MPI_SEEK_SET: 0, MPI_SEEK_CUR: 1, MPI_SEEK_END: 2 };

/** Commands of fcntl(2) on x86-64, the only numbers that Recorder writes. */
const FCNTL = { duplicate: 0, duplicateCloseOnExecute: 1030, setFlags: 4, setLock: 6, setLockWait: 7 } as const;
const LOCK_TYPE = { read: 0, write: 1, release: 2 } as const;

/** What preparing needs of the trace. */
interface CallTables {
  readonly calls: CallTable;
  /** Index of a file by the path in an argument, or NONE. */
  fileOf(argument: string): number;
}

/** The roles and the arguments of a call side by side. */
class Arguments {
  constructor(
    private readonly roles: readonly Role[],
    readonly texts: readonly string[],
  ) {}

  /** The first argument of a role, '' when there is none. */
  text(role: Role): string {
    return this.texts[this.roles.indexOf(role)] ?? '';
  }

  number(role: Role): number {
    return numberOf(this.text(role));
  }

  has(role: Role): boolean {
    return this.roles.includes(role);
  }

  all(role: Role): string[] {
    return this.roles.flatMap((each, i) => (each === role ? [this.texts[i] ?? ''] : []));
  }
}

/** A decimal number; NaN for anything else. */
function numberOf(text: string): number {
  return /^-?\d{1,19}$/.test(text) ? Number(text) : NaN;
}

/** Arguments of a signature as a rank passed them. */
export function argumentsOfRank(signature: CallSignature, rank: number): string[] {
  return signature.arguments.map((argument) => argumentOfRank(argument, rank));
}

/**
 * @param name of the function.
 * @param texts its arguments as the rank passed them.
 * @param result what it returned, NaN when that is not recorded.
 * @returns undefined for functions of no I/O layer.
 */
export function prepareIo(
  name: string,
  texts: readonly string[],
  result: number,
  tables: CallTables,
): IoCall | undefined {
  const known = describedCall(name);
  if (known === undefined) return undefined;
  const given = new Arguments(known.roles, texts);
  const control = known.effect === 'control' ? controlOf(given) : undefined;
  const types = given.all('type');
  const size = sizeOf(given);
  return {
    call: tables.calls.intern(control?.name ?? known.name, control?.operation ?? known.operation),
    layer: LAYERS.indexOf(known.layer),
    effect: control?.effect ?? known.effect,
    writes: known.operation === 'write',
    flags: (isCollective(name) ? EVENT_FLAGS.collective : 0) | (isNonBlocking(name) ? EVENT_FLAGS.nonBlocking : 0),
    file: given.text('path') === '' ? NONE : tables.fileOf(given.text('path')),
    otherFile: given.text('path2') === '' ? NONE : tables.fileOf(given.text('path2')),
    handle: known.operation === 'other' ? '' : given.text('handle'),
    communicator: given.text('communicator'),
    size,
    offset: given.number('offset'),
    whence: whenceOf(given.text('whence')),
    argument: control?.argument ?? argumentOf(known, given),
    viewUnit: typeBytes(types[0] ?? ''),
    viewIsDense: types[0] === types[1],
    result: Number.isNaN(result) ? UNKNOWN_RESULT : resultOf(known, given, result, size),
  };
}

function sizeOf(given: Arguments): number {
  if (given.has('textSize')) return given.number('textSize') - 1;
  const sizes = given.all('size');
  if (sizes.length > 0) return checked(sizes.reduce((product, size) => product * numberOf(size), 1));
  return given.has('count') ? checked(given.number('count') * typeBytes(given.text('type'))) : NaN;
}

/** A number of bytes below zero (−1 as an unsigned number, a broken record) is none. */
function checked(size: number): number {
  return size >= 0 && size <= Number.MAX_SAFE_INTEGER ? size : NaN;
}

function whenceOf(text: string): number {
  return WHENCE[text] ?? numberOf(text);
}

function argumentOf(known: DescribedCall, given: Arguments): number {
  switch (known.operation) {
    case 'open':
      if (known.name.startsWith('creat')) return modeOfStream('w');
      if (given.has('flags')) return modeOfFlags(given.number('flags'));
      if (given.has('mode')) return modeOfStream(given.text('mode'));
      if (given.has('amode')) return modeOfMpi(given.number('amode'));
      return given.has('access') ? modeOfHdf5(given.number('access'), known.name === 'H5Fcreate') : NaN;
    case 'seek':
      return whenceOf(given.text('whence'));
    default:
      return known.effect === 'truncate' ? given.number('length') : NaN;
  }
}

/** What a call of fcntl(2) does: its command is part of the name, for a lock is not a duplicate. */
function controlOf(given: Arguments): {
  name: string;
  operation: 'lock' | 'other';
  effect: Effect;
  argument: number;
} {
  const command = given.number('command');
  const value = given.number('value');
  switch (command) {
    case FCNTL.setLock:
    case FCNTL.setLockWait: {
      const argument = lockKind(value, command === FCNTL.setLock);
      const name = command === FCNTL.setLock ? 'fcntl(F_SETLK)' : 'fcntl(F_SETLKW)';
      return { name, operation: 'lock', effect: 'none', argument };
    }
    case FCNTL.duplicate:
    case FCNTL.duplicateCloseOnExecute:
      return { name: 'fcntl', operation: 'other', effect: 'duplicate', argument: NaN };
    case FCNTL.setFlags:
      return { name: 'fcntl', operation: 'other', effect: 'control', argument: modeOfFlags(value) };
    default:
      return { name: 'fcntl', operation: 'other', effect: 'none', argument: NaN };
  }
}

function lockKind(type: number, tries: boolean): number {
  if (type === LOCK_TYPE.release) return LOCK_KIND.release;
  if (type === LOCK_TYPE.read) return tries ? LOCK_KIND.tryShared : LOCK_KIND.shared;
  if (type === LOCK_TYPE.write) return tries ? LOCK_KIND.tryExclusive : LOCK_KIND.exclusive;
  return NaN;
}

/** Calls that return a pointer: half of it is recorded, and tells only whether it was NULL. */
const POINTERS = /^(fopen|fopen64|fdopen|tmpfile|opendir|readdir|getcwd)$/;

function resultOf(known: DescribedCall, given: Arguments, result: number, size: number): CallResult {
  switch (known.layer) {
    case 'POSIX':
      if (POINTERS.test(known.name)) return { failed: result === 0, bytes: NaN };
      return { failed: result === -1, bytes: Number.isNaN(size) ? NaN : Math.max(0, result) };
    case 'STDIO': {
      if (POINTERS.test(known.name)) return { failed: result === 0, bytes: NaN };
      const [element = ''] = given.all('size');
      const isCounted = element !== '';
      return { failed: !isCounted && result < 0, bytes: isCounted ? checked(result * numberOf(element)) : NaN };
    }
    // 0 means success.
    case 'MPI-IO':
      return { failed: result !== 0, bytes: result === 0 ? size : 0 };
    default:
      return { failed: result < 0, bytes: NaN };
  }
}
