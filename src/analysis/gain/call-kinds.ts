import { OPERATION } from '../../trace/calls.ts';
import type { Trace } from '../../trace/trace.ts';

/** Calls that cost alike: what a cost is measured, expected and estimated for. */
export type CallKind =
  | 'read'
  | 'write'
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
  /** Anything else that only asks or sets (fcntl, fadvise, dup): at least a system call. */
  | 'other';

const ASKING = /^([fl]?stat(64)?|newfstatat|fstatat64|statx)$/;
const FLUSH = /^fflush(_unlocked)?$/;
const ACCESS = /^(access|faccessat2?|readlink(at)?)$/;

/** Whether a call only asks: asked again it gives the same answer. */
export function onlyAsks(name: string): boolean {
  return ASKING.test(name) || ACCESS.test(name);
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
  if (ACCESS.test(name)) return 'access';
  if (!ASKING.test(name)) return 'other';
  // glibc asks an open file by newfstatat(fd, "", …, AT_EMPTY_PATH).
  return onDescriptor ? 'fstat' : 'stat';
}
