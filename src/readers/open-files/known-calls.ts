/** What is known of functions of the I/O layers, whoever writes their calls down: what they do, and what they change. */
import type { Layer, Operation } from '../../trace/calls.ts';
import { operationOfName } from './operation-names.ts';

/** What a call does to what is open, to its position, and to the file. */
export type Effect =
  | 'none'
  | 'open'
  /** Makes a stream of an open descriptor. */
  | 'wrap'
  /** Closes a stream and opens another file in its place. */
  | 'reopen'
  /** Says when a stream writes. */
  | 'buffer'
  /** Opens something in a file: a data set, a group, an attribute. */
  | 'openObject'
  | 'close'
  | 'closeRange'
  /** Moves bytes at the file's position, and the position. */
  | 'transfer'
  /** Moves bytes at an offset of its own. */
  | 'positioned'
  /** Moves bytes at a place that nobody knows: a position that processes share, a selection. */
  | 'placeless'
  | 'seek'
  /** Its result is the position. */
  | 'tell'
  | 'view'
  | 'duplicate'
  /** fcntl(2): by its command. */
  | 'control'
  /** New descriptors that are no files. */
  | 'makes'
  | 'truncate'
  | 'status'
  | 'remove'
  | 'rename'
  | 'execute'
  | 'changeFolder'
  /** sendfile: to the first descriptor, from the second; the others the other way round. */
  | 'send'
  | 'copy'
  | 'lock'
  /** Of MPI: it moves nothing to or from files. */
  | 'message'
  /** mmap, and msync on what is mapped there. */
  | 'map'
  | 'syncMapping'
  /** Events of the recorder itself. */
  | 'describe'
  | 'describeObject'
  | 'describeStream'
  | 'complete'
  | 'fork';

interface KnownCall {
  readonly operation: Operation;
  readonly effect: Effect;
  /** All processes of its communicator make it together. */
  readonly isCollective: boolean;
}

type Entry = readonly [names: string, operation: Operation, effect?: Effect];

const POSIX: readonly Entry[] = [
  ['open openat openat2 open_by_handle_at creat mkstemp mkostemp mkstemps mkostemps shm_open', 'open', 'open'],
  ['memfd_create', 'open', 'open'],
  ['close', 'close', 'close'],
  ['close_range closefrom', 'close', 'closeRange'],
  ['read readv', 'read', 'transfer'],
  ['pread preadv preadv2', 'read', 'positioned'],
  ['write writev dprintf vdprintf', 'write', 'transfer'],
  ['pwrite pwritev pwritev2', 'write', 'positioned'],
  ['aio_read', 'read', 'positioned'],
  ['aio_write', 'write', 'positioned'],
  ['aio_fsync', 'sync'],
  ['recv recvfrom recvmsg recvmmsg send sendto sendmsg sendmmsg', 'message'],
  ['sendfile', 'copy', 'send'],
  ['copy_file_range splice', 'copy', 'copy'],
  ['tee vmsplice', 'copy'],
  ['lseek', 'seek', 'seek'],
  ['dup dup2 dup3', 'other', 'duplicate'],
  ['fcntl', 'other', 'control'],
  ['fsync fdatasync syncfs sync sync_file_range', 'sync'],
  ['msync', 'sync', 'syncMapping'],
  ['mmap', 'map', 'map'],
  ['truncate ftruncate', 'metadata', 'truncate'],
  ['fallocate posix_fallocate posix_fadvise readahead', 'metadata'],
  ['stat lstat fstat fstatat statx xstat lxstat fxstat fxstatat', 'metadata', 'status'],
  ['statfs fstatfs statvfs fstatvfs', 'metadata'],
  ['access faccessat euidaccess eaccess readlink readlinkat', 'metadata'],
  ['chmod fchmod fchmodat chown fchown lchown fchownat', 'metadata'],
  ['utime utimes futimes lutimes futimesat utimensat futimens', 'metadata'],
  ['mkdir mkdirat mknod mknodat mkfifo mkfifoat rmdir link linkat symlink symlinkat', 'metadata'],
  ['unlink unlinkat remove', 'metadata', 'remove'],
  ['rename renameat renameat2', 'metadata', 'rename'],
  ['opendir', 'open', 'open'],
  ['closedir', 'close', 'close'],
  ['fdopendir readdir readdir_r scandir scandirat getdents', 'metadata'],
  ['realpath canonicalize_file_name mkdtemp', 'metadata'],
  ['nftw ftw fts_open fts_read fts_children fts_close glob', 'metadata'],
  ['getxattr lgetxattr fgetxattr setxattr lsetxattr fsetxattr', 'metadata'],
  ['listxattr llistxattr flistxattr removexattr lremovexattr fremovexattr', 'metadata'],
  ['flock lockf', 'lock', 'lock'],
  ['execve execv execvp execvpe execl execlp execle fexecve execveat', 'other', 'execute'],
  ['chdir fchdir', 'other', 'changeFolder'],
  ['pipe pipe2 socket socketpair accept accept4 epoll_create epoll_create1 eventfd', 'other', 'makes'],
  ['timerfd_create signalfd inotify_init inotify_init1', 'other', 'makes'],
  ['fork vfork clone posix_spawn posix_spawnp system getcwd umask ioctl munmap exit _exit _Exit quick_exit', 'other'],
];

const STDIO: readonly Entry[] = [
  ['fopen tmpfile', 'open', 'open'],
  ['fdopen', 'open', 'wrap'],
  ['freopen', 'open', 'reopen'],
  ['popen', 'other', 'open'],
  ['fclose', 'close', 'close'],
  ['pclose', 'other', 'close'],
  ['fread fgets fgetc getc getchar gets getw fgetwc getwc getwchar fgetws getline getdelim', 'read', 'transfer'],
  ['fscanf scanf vfscanf vscanf fwscanf wscanf vfwscanf vwscanf', 'read', 'transfer'],
  ['fwrite fputs fputc putc putchar puts putw fputwc putwc putwchar fputws', 'write', 'transfer'],
  ['fprintf printf vfprintf vprintf fwprintf wprintf vfwprintf vwprintf', 'write', 'transfer'],
  ['fseek fseeko rewind fsetpos', 'seek', 'seek'],
  // It asks the stream, which no file system answers.
  ['ftell ftello fgetpos', 'other', 'tell'],
  // It hands data to the kernel; nobody waits for the storage.
  ['fflush fileno', 'other'],
  ['setbuf setbuffer setlinebuf setvbuf', 'other', 'buffer'],
];

/** Without `MPI_File_`. */
const MPI_IO: readonly Entry[] = [
  ['open', 'open', 'open'],
  ['close', 'close', 'close'],
  ['delete', 'metadata', 'remove'],
  ['read_at read_at_all read_at_all_begin iread_at iread_at_all', 'read', 'positioned'],
  ['read read_all read_all_begin iread iread_all', 'read', 'transfer'],
  ['write_at write_at_all write_at_all_begin iwrite_at iwrite_at_all', 'write', 'positioned'],
  ['write write_all write_all_begin iwrite iwrite_all', 'write', 'transfer'],
  ['read_shared read_ordered read_ordered_begin iread_shared', 'read', 'placeless'],
  ['write_shared write_ordered write_ordered_begin iwrite_shared', 'write', 'placeless'],
  ['read_at_all_end read_all_end read_ordered_end', 'other'],
  ['write_at_all_end write_all_end write_ordered_end', 'other'],
  ['seek', 'seek', 'seek'],
  ['seek_shared', 'seek', 'none'],
  ['get_position', 'metadata', 'tell'],
  ['set_view', 'metadata', 'view'],
  ['set_size', 'metadata', 'truncate'],
  ['get_size', 'metadata', 'status'],
  ['sync', 'sync'],
];

const HDF5: readonly Entry[] = [
  ['H5Fcreate H5Fopen H5Fcreate_async H5Fopen_async', 'open', 'open'],
  ['H5Freopen H5Freopen_async', 'open', 'openObject'],
  ['H5Rdereference', 'metadata', 'openObject'],
  ['H5Idec_ref', 'metadata', 'close'],
  ['H5Fclose H5Fclose_async', 'close', 'close'],
  ['H5Fflush H5Fflush_async H5Dflush H5Gflush H5Oflush', 'sync'],
  ['H5Dread H5Dread_multi H5Dread_chunk H5Dread_async H5Dread_multi_async H5Aread H5Aread_async', 'read', 'placeless'],
  [
    'H5Dwrite H5Dwrite_multi H5Dwrite_chunk H5Dwrite_async H5Dwrite_multi_async H5Awrite H5Awrite_async',
    'write',
    'placeless',
  ],
];

function table(entries: readonly Entry[], prefix = ''): Map<string, Pick<KnownCall, 'operation' | 'effect'>> {
  return new Map(
    entries.flatMap(([names, operation, effect = 'none']) =>
      names.split(' ').map((name) => [prefix + name, { operation, effect }] as const),
    ),
  );
}

const TABLES: Readonly<Partial<Record<Layer, ReturnType<typeof table>>>> = {
  POSIX: table(POSIX),
  STDIO: table(STDIO),
  'MPI-IO': table(MPI_IO, 'MPI_File_'),
  HDF5: table(HDF5),
};

/** What a function of a layer does. One that is not listed is taken by the words of its name. */
export function knownCall(layer: Layer, name: string): KnownCall {
  const plain = plainName(layer, name);
  const known = TABLES[layer]?.get(plain) ?? unlisted(layer, plain);
  return { ...known, isCollective: isCollective(plain) || isCollectiveOfPnetCdf(layer, plain) };
}

/** Without what the C library, its headers and compilers of Fortran put around a name. */
function plainName(layer: Layer, name: string): string {
  switch (layer) {
    case 'POSIX':
    case 'STDIO':
      return name
        .replace(/^_+(?:IO_)?(?:isoc\d\d_)?(?!exit|Exit)/, '')
        .replace(/(_chk|_unlocked|_2)$/, '')
        .replace(/64/, '');
    case 'MPI-IO':
      return name
        .replace(/^p?mpi_file_/i, 'MPI_File_')
        .replace(/_c$|_+$/, '')
        .replace(/(?<=^MPI_File_).*/, (rest) => rest.toLowerCase());
    default:
      return name.replace(/^(H5\w+?)\d$/, '$1').replace(/_+$/, '');
  }
}

function unlisted(layer: Layer, name: string): Pick<KnownCall, 'operation' | 'effect'> {
  if (layer === 'HDF5') return ofHdf5(name);
  if (layer === 'NetCDF' || layer === 'PnetCDF') return ofNetCdf(name);
  const isOfFiles = layer === 'MPI-IO' || layer === 'STDIO';
  return { operation: isOfFiles && operationOfName(name) === 'metadata' ? 'metadata' : 'other', effect: 'none' };
}

function ofHdf5(name: string): Pick<KnownCall, 'operation' | 'effect'> {
  if (/^H5([ADGOM](create|open)|Rdereference)/.test(name)) return { operation: 'metadata', effect: 'openObject' };
  // Where references are counted the last one closes.
  if (/^H5([ADGOM]close|Idec_ref$)/.test(name)) return { operation: 'metadata', effect: 'close' };
  return { operation: /^H5[ADFGLOM]/.test(name) ? 'metadata' : 'other', effect: 'none' };
}

function ofNetCdf(name: string): Pick<KnownCall, 'operation' | 'effect'> {
  if (/_[ibm]?put_(att|var|vara|vars|varm|varn|vard)/.test(name)) return { operation: 'write', effect: 'placeless' };
  if (/_[im]?get_(att|var|vara|vars|varm|varn|vard)/.test(name)) return { operation: 'read', effect: 'placeless' };
  if (/_(create|open)(_par|_par_fortran|_mp|_mem|_memio)?$/.test(name)) return { operation: 'open', effect: 'open' };
  if (/_(wait|wait_all|cancel)$/.test(name)) return { operation: 'other', effect: 'none' };
  if (/_(close|abort)$/.test(name)) return { operation: 'close', effect: 'close' };
  if (name.endsWith('_delete')) return { operation: 'metadata', effect: 'remove' };
  return { operation: name.includes('_sync') || name.includes('_flush') ? 'sync' : 'metadata', effect: 'none' };
}

/** All processes make these together (PnetCDF's C interface guide). */
function isCollectiveOfPnetCdf(layer: Layer, name: string): boolean {
  return (
    layer === 'PnetCDF' && /_all$|^ncmpi_(create|open|close|enddef|redef|sync|abort|def_|rename_|put_att)/.test(name)
  );
}

/** Calls of MPI-IO that all processes of the file's communicator make together (MPI 4.0, chapter 14). */
export function isCollective(name: string): boolean {
  return /^MPI_File_(open|close|sync|preallocate|set_(size|view)|seek_shared|i?(read|write)_(at_)?(all|ordered).*)$/.test(
    name,
  );
}

/** Calls that only begin a transfer. */
export function isNonBlocking(name: string): boolean {
  return /^MPI_File_(i(read|write)|.*_begin$)/.test(name);
}
