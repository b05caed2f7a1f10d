import { OPERATIONS, type CallTable, type Operation } from '../../trace/calls.ts';

/** What a call means to a file that others use too. */
export const FILE_EFFECT = {
  read: 0,
  write: 1,
  open: 2,
  /** Takes the name away. */
  remove: 3,
  rename: 4,
  truncate: 5,
  makeFolder: 6,
  removeFolder: 7,
  /** Asks what is known of it. */
  look: 8,
  /** Takes or gives back a lock. */
  lock: 9,
  /** It works on the open file and leaves bytes and name as they are: close, seek, sync. */
  use: 10,
  /** No call on a file that could be repeated. */
  none: 11,
} as const;

/** Names of calls that change names, of POSIX and of what stands above it. */
const BY_NAME: readonly (readonly [RegExp, number])[] = [
  [/^(unlink|unlinkat|remove|MPI_File_delete|PMPI_File_delete)$/, FILE_EFFECT.remove],
  [/^rename(at|at2)?$/, FILE_EFFECT.rename],
  [/^f?truncate(64)?$|^MPI_File_(set_size|preallocate)$/, FILE_EFFECT.truncate],
  [/^mkdir(at)?$/, FILE_EFFECT.makeFolder],
  [/^rmdir$/, FILE_EFFECT.removeFolder],
  // A copy inside the kernel has a row for each of its two files (docs/decisions/0012).
  [/^(copy_file_range|splice)$|\(source\)$/, FILE_EFFECT.read],
  [/^sendfile(64)?$|\(target\)$/, FILE_EFFECT.write],
  // Without a lock in its argument it is a plain use.
  [/^fcntl(64)?$/, FILE_EFFECT.lock],
];

const BY_OPERATION: Record<Operation, number> = {
  other: FILE_EFFECT.none,
  read: FILE_EFFECT.read,
  write: FILE_EFFECT.write,
  copy: FILE_EFFECT.none,
  open: FILE_EFFECT.open,
  close: FILE_EFFECT.use,
  seek: FILE_EFFECT.use,
  sync: FILE_EFFECT.use,
  metadata: FILE_EFFECT.look,
  map: FILE_EFFECT.none,
  message: FILE_EFFECT.none,
  lock: FILE_EFFECT.lock,
};

/** FILE_EFFECT of each call of a trace. */
export function fileEffects(calls: CallTable): Uint8Array {
  return Uint8Array.from(calls.names, (name, call) => {
    const named = BY_NAME.find(([pattern]) => pattern.test(name));
    return named?.[1] ?? BY_OPERATION[OPERATIONS[calls.operation[call]!]!];
  });
}
