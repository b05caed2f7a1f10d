import type { Operation } from '../../trace/calls.ts';

/**
 * What the reader has to know of each system call (formats document "The strace text format", section 8): what it does,
 * what its arguments mean, and how it moves file offsets and descriptors.
 */

/** Meaning of one argument. Arguments of no interest are `_`. */
export const ROLE = {
  _: 0,
  /** The descriptor that the call works on; its `-y` decoration is the event's file. */
  fd: 1,
  /** The path that the call works on. */
  path: 2,
  /** Descriptor of the folder that a relative path starts from. */
  folder: 3,
  /** Bytes asked for. */
  size: 4,
  /** Offset in the file. */
  offset: 5,
  /** `[5] => [105]` or NULL: an offset, or "use the file's own". */
  offsetPointer: 6,
  /** Second descriptor of dup2, copy_file_range, sendfile, splice. */
  fd2: 7,
  /** Offset of the second descriptor, by pointer. */
  offsetPointer2: 8,
  /** List of buffers; the sum of their `iov_len` is what is asked for. */
  buffers: 9,
  /** Flags of open and its like, also inside a structure. */
  flags: 10,
  /** Flags of clone, wherever they stand. */
  cloneFlags: 11,
  /** A stat structure that tells the size of the file. */
  status: 12,
  /** `[3<…>, 4<…>]`: two new descriptors. */
  pair: 13,
  /** SEEK_SET, SEEK_CUR, SEEK_END. */
  whence: 14,
  /** `[1024]`: where _llseek reports its result. */
  result: 15,
  /** F_DUPFD and its like. */
  command: 16,
  /** Plain number of little interest by itself (the ends of close_range). */
  number: 17,
  /** Where rename leads. */
  path2: 18,
  folder2: 19,
  /** First argument of a call that the table does not know: a descriptor if it is decorated as one. */
  decorated: 20,
  /** A place in memory: the beginning of a mapping, or an AIO context. */
  address: 21,
  /** PROT_… and MAP_…: whether the loader maps a library. */
  mapFlags: 22,
  /** Requests of io_submit. */
  requests: 23,
  /** Results of io_getevents. */
  completions: 24,
  /** LOCK_SH, LOCK_EX, LOCK_UN. */
  lock: 25,
} as const;

/** What a call does to descriptors and offsets when it returns. */
export const EFFECT = {
  none: 0,
  /** Moves the offset of the open file description by what was transferred. */
  transfer: 1,
  /** Transfers at an offset of its own. */
  positioned: 2,
  /** Positioned, or with offset −1 a plain transfer (preadv2, pwritev2). */
  positionedOrTransfer: 3,
  seek: 4,
  open: 5,
  close: 6,
  closeRange: 7,
  dup: 8,
  /** dup2, dup3: onto a given number. */
  dupOnto: 9,
  fcntl: 10,
  /** A new descriptor that is no file on disk (socket, pipe, epoll, memfd). */
  makes: 11,
  /** Two new descriptors. */
  makesPair: 12,
  fork: 13,
  execute: 14,
  changeFolder: 15,
  /** sendfile: `out, in, offset of in, size`. */
  sendFile: 16,
  /** copy_file_range, splice: `in, offset, out, offset, size`. */
  copyRange: 17,
  truncate: 18,
  status: 19,
  rename: 20,
  unlink: 21,
  map: 22,
  unmap: 23,
  /** msync: works on the file that is mapped there. */
  syncMapping: 24,
  /** io_submit: its requests are events of their own. */
  submit: 25,
  collect: 26,
  ring: 27,
} as const;

/** Effects from here on need more than the loops for the common ones do. */
export const FIRST_RARE_EFFECT = EFFECT.execute;

export interface SystemCall {
  readonly name: string;
  readonly operation: Operation;
  /** Role of each argument by position. */
  readonly roles: Uint8Array;
  readonly effect: number;
  /** Its arguments are of the common kinds (PLAIN_ROLES). */
  readonly isPlain: boolean;
}

const PLAIN_ROLES: ReadonlySet<number> = new Set([
  ROLE._,
  ROLE.fd,
  ROLE.path,
  ROLE.folder,
  ROLE.size,
  ROLE.offset,
  ROLE.flags,
  ROLE.whence,
  ROLE.buffers,
  ROLE.decorated,
]);

type Roles = string;
type Entry = readonly [names: string, operation: Operation, roles: Roles, effect?: keyof typeof EFFECT];

const TABLE: readonly Entry[] = [
  ['read', 'read', 'fd _ size', 'transfer'],
  ['write', 'write', 'fd _ size', 'transfer'],
  ['pread64 pread', 'read', 'fd _ size offset', 'positioned'],
  ['pwrite64 pwrite', 'write', 'fd _ size offset', 'positioned'],
  ['readv', 'read', 'fd buffers', 'transfer'],
  ['writev', 'write', 'fd buffers', 'transfer'],
  ['preadv', 'read', 'fd buffers _ offset', 'positioned'],
  ['pwritev', 'write', 'fd buffers _ offset', 'positioned'],
  ['preadv2', 'read', 'fd buffers _ offset', 'positionedOrTransfer'],
  ['pwritev2', 'write', 'fd buffers _ offset', 'positionedOrTransfer'],
  ['lseek', 'seek', 'fd offset whence', 'seek'],
  // strace prints the two halves of its offset as one number.
  ['_llseek llseek', 'seek', 'fd _ result whence', 'seek'],
  ['sendfile sendfile64', 'copy', 'fd fd2 offsetPointer2 size', 'sendFile'],
  ['copy_file_range splice', 'copy', 'fd offsetPointer fd2 offsetPointer2 size', 'copyRange'],
  ['tee', 'copy', 'fd fd2 size'],
  ['vmsplice', 'copy', 'fd buffers'],
  ['open', 'open', 'path flags', 'open'],
  ['creat', 'open', 'path', 'open'],
  ['openat openat2', 'open', 'folder path flags', 'open'],
  ['open_by_handle_at', 'open', 'folder _ flags', 'open'],
  ['close', 'close', 'fd', 'close'],
  ['close_range', 'close', 'number number flags', 'closeRange'],
  ['dup', 'other', 'fd', 'dup'],
  ['dup2', 'other', 'fd fd2', 'dupOnto'],
  ['dup3', 'other', 'fd fd2 flags', 'dupOnto'],
  ['fcntl fcntl64', 'other', 'fd command flags', 'fcntl'],
  ['ftruncate ftruncate64', 'metadata', 'fd size', 'truncate'],
  ['truncate truncate64', 'metadata', 'path size', 'truncate'],
  ['fallocate', 'metadata', 'fd _ offset size'],
  ['fadvise64 posix_fadvise', 'metadata', 'fd offset size'],
  ['readahead', 'metadata', 'fd offset size'],
  ['sync_file_range', 'sync', 'fd offset size'],
  ['fsync fdatasync syncfs', 'sync', 'fd'],
  ['sync', 'sync', ''],
  ['msync', 'sync', 'address size', 'syncMapping'],
  ['mmap mmap2', 'map', '_ size mapFlags mapFlags fd offset', 'map'],
  ['munmap', 'other', 'address size', 'unmap'],
  ['io_submit', 'other', 'address _ requests', 'submit'],
  ['io_getevents io_pgetevents', 'other', 'address _ _ completions', 'collect'],
  ['io_uring_enter', 'other', 'fd', 'ring'],
  ['stat stat64 lstat lstat64', 'metadata', 'path status', 'status'],
  ['fstat fstat64', 'metadata', 'fd status', 'status'],
  ['newfstatat fstatat64', 'metadata', 'folder path status', 'status'],
  ['statx', 'metadata', 'folder path _ _ status', 'status'],
  ['unlink', 'metadata', 'path', 'unlink'],
  ['unlinkat', 'metadata', 'folder path', 'unlink'],
  ['access readlink mkdir rmdir chmod chown lchown utime utimes statfs statfs64 mknod', 'metadata', 'path'],
  ['getxattr lgetxattr setxattr lsetxattr listxattr llistxattr removexattr', 'metadata', 'path'],
  ['rename', 'metadata', 'path path2', 'rename'],
  ['renameat renameat2', 'metadata', 'folder path folder2 path2', 'rename'],
  ['link symlink symlinkat', 'metadata', 'path'],
  ['linkat', 'metadata', 'folder path'],
  ['faccessat faccessat2 mkdirat readlinkat utimensat fchmodat fchownat mknodat', 'metadata', 'folder path'],
  ['fstatfs fstatfs64 fchmod fchown fgetxattr fsetxattr flistxattr', 'metadata', 'fd'],
  ['flock', 'lock', 'fd lock'],
  ['getdents getdents64', 'metadata', 'fd _ size'],
  ['chdir', 'other', 'path', 'changeFolder'],
  ['fchdir', 'other', 'fd', 'changeFolder'],
  ['execve', 'other', 'path', 'execute'],
  ['execveat', 'other', 'folder path', 'execute'],
  ['clone clone3 fork vfork', 'other', 'cloneFlags cloneFlags cloneFlags', 'fork'],
  ['pipe pipe2', 'other', 'pair flags', 'makesPair'],
  ['socketpair', 'other', '_ _ _ pair', 'makesPair'],
  [
    'socket epoll_create epoll_create1 eventfd eventfd2 timerfd_create inotify_init inotify_init1',
    'other',
    '',
    'makes',
  ],
  ['memfd_create', 'open', '', 'open'],
  ['signalfd signalfd4 io_uring_setup userfaultfd pidfd_open', 'other', '', 'makes'],
  ['accept accept4', 'other', 'fd', 'makes'],
  ['recvfrom sendto', 'message', 'fd _ size'],
  ['recvmsg sendmsg recvmmsg sendmmsg', 'message', 'fd buffers'],
];

function systemCall(name: string, operation: Operation, roles: Uint8Array, effect: number): SystemCall {
  return { name, operation, roles, effect, isPlain: roles.every((role) => PLAIN_ROLES.has(role)) };
}

function parseRoles(roles: Roles): Uint8Array {
  const words = roles.split(' ').filter((word) => word !== '');
  return Uint8Array.from(words, (word) => ROLE[word as keyof typeof ROLE]);
}

/** Any call that is not in the table: if its first argument carries a decoration, that is its file. */
const UNKNOWN_ROLES = parseRoles('decorated');

export function unknownCall(name: string): SystemCall {
  return systemCall(name, 'other', UNKNOWN_ROLES, EFFECT.none);
}

export const SYSTEM_CALLS: ReadonlyMap<string, SystemCall> = new Map(
  TABLE.flatMap(([names, operation, roles, effect]) =>
    names
      .split(' ')
      .map((name): [string, SystemCall] => [
        name,
        systemCall(name, operation, parseRoles(roles), EFFECT[effect ?? 'none']),
      ]),
  ),
);
