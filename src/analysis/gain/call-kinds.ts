import { OPERATION } from '../../trace/calls.ts';
import { OPEN_MODE } from '../../trace/events.ts';
import { asksForAccess, asksPath, onlyAsks } from '../metrics/questions.ts';
import type { Trace } from '../../trace/trace.ts';

/** Calls that cost alike: what a cost is measured, expected and estimated for. */
export type CallKind =
  | 'read'
  | 'write'
  /** Those that the storage answers and no cache: past the page cache (O_DIRECT), or safe on return (O_SYNC, O_DSYNC). */
  | 'stored-read'
  | 'stored-write'
  | 'seek'
  | 'open'
  /** Opens of files that the program writes: their closes give back what was kept ahead of the end. */
  | 'open-to-write'
  | 'close'
  | 'fstat'
  | 'stat'
  | 'access'
  | 'missing-open'
  | 'missing-stat'
  | 'sync'
  /** fflush, as a call of its own: it writes what the stream's buffer holds. */
  | 'flush'
  /** A copy inside the kernel (sendfile, copy_file_range, splice). */
  | 'copy'
  /** A file gets another name or none, or a folder is made: most file systems wait for the storage now and then. */
  | 'name'
  /** One that may wait for whoever holds the lock. A tracer that stops the holder makes the waits: there it is one of the others. */
  | 'lock'
  /** Anything else that only asks or sets (fcntl, fadvise, dup): at least a system call. */
  | 'other';

const NAMES = /^(rename|unlink|link|symlink)(at2?)?$|^(remove|rmdir|mkdir(at)?)$/;
const FLUSH = /^fflush(_unlocked)?$/;

/** Reads or writes, whoever answers them. */
export const READS: readonly CallKind[] = ['read', 'stored-read'];
export const WRITES: readonly CallKind[] = ['write', 'stored-write'];
/** What moves bytes, or makes sure that they are moved. */
export const TRANSFERS: readonly CallKind[] = [...READS, ...WRITES, 'sync', 'flush', 'copy'];

const BY_STORAGE = OPEN_MODE.direct | OPEN_MODE.dataSync | OPEN_MODE.sync;

/** The kind of a call on a file that was opened in this way: who answers its transfers. */
export function kindByMode(kind: CallKind, mode: number): CallKind {
  if (kind === 'write') return (mode & BY_STORAGE) !== 0 ? 'stored-write' : kind;
  return kind === 'read' && (mode & OPEN_MODE.direct) !== 0 ? 'stored-read' : kind;
}

/**
 * @param failed whether it failed for want of the file (ENOENT).
 * @param onDescriptor whether it went to an open file rather than a path.
 * @param isWritten whether the program writes the file.
 */
export function kindOf(
  trace: Trace,
  call: number,
  failed: boolean,
  onDescriptor: boolean,
  isWritten: boolean,
): CallKind {
  switch (trace.calls.operation[call]) {
    case OPERATION.read:
      return 'read';
    case OPERATION.write:
      return 'write';
    case OPERATION.seek:
      return 'seek';
    case OPERATION.open:
      return failed ? 'missing-open' : isWritten ? 'open-to-write' : 'open';
    case OPERATION.close:
      return 'close';
    case OPERATION.sync:
      return 'sync';
    case OPERATION.copy:
      return 'copy';
    case OPERATION.metadata:
      return metadataKind(trace.calls.names[call]!, failed, onDescriptor);
    default:
      return FLUSH.test(trace.calls.names[call]!) ? 'flush' : 'other';
  }
}

function metadataKind(name: string, failed: boolean, onDescriptor: boolean): CallKind {
  if (failed) return 'missing-stat';
  if (asksForAccess(name)) return 'access';
  if (NAMES.test(name)) return 'name';
  if (!onlyAsks(name)) return 'other';
  // glibc asks an open file by newfstatat(fd, "", …, AT_EMPTY_PATH).
  return onDescriptor && !asksPath(name) ? 'fstat' : 'stat';
}
