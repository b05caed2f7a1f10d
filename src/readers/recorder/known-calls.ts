/** What is known of the calls that Recorder writes down: layer, operation, and what each argument means. */
import type { Layer, Operation } from '../../trace/calls.ts';

/** Meaning of an argument. `_` tells nothing. */
export type Role =
  | '_'
  /** The file, as a path; descriptors and streams are written as the path that they were opened by. */
  | 'path'
  /** A second path: the new name, the end of a link. */
  | 'path2'
  /** A file of MPI-IO or HDF5, or an object in one, by its identifier. */
  | 'handle'
  | 'communicator'
  /** Bytes, or what is multiplied with the others of its kind. */
  | 'size'
  | 'count'
  /** Bytes with the zero behind a text, which is not written. */
  | 'textSize'
  /** MPI's data type by name: it multiplies `count`. */
  | 'type'
  | 'offset'
  | 'whence'
  | 'length'
  /** Flags of open(2), mode of fopen(3), amode of MPI, access flags of HDF5. */
  | 'flags'
  | 'mode'
  | 'amode'
  | 'access'
  /** Command and value of fcntl(2). */
  | 'command'
  | 'value';

/** What a call does to what is open. */
export type Effect =
  | 'none'
  | 'open'
  /** Makes a stream of an open descriptor. */
  | 'wrap'
  | 'close'
  /** Moves bytes at the file's position, and the position. */
  | 'transfer'
  /** Moves bytes at an offset of its own. */
  | 'positioned'
  /** Moves bytes at the position that all processes share. */
  | 'shared'
  | 'seek'
  | 'view'
  | 'duplicate'
  | 'control'
  | 'truncate'
  | 'status'
  | 'remove'
  | 'rename';

export interface KnownCall {
  readonly name: string;
  readonly layer: Layer;
  readonly operation: Operation;
  readonly roles: readonly Role[];
  readonly effect: Effect;
}

type Entry = readonly [names: string, operation: Operation, roles: string, effect?: Effect];

const POSIX: readonly Entry[] = [
  ['creat creat64', 'open', 'path', 'open'],
  ['open open64', 'open', 'path flags', 'open'],
  ['openat openat64', 'open', '_ path flags', 'open'],
  ['close', 'close', 'path', 'close'],
  ['read', 'read', 'path _ size', 'transfer'],
  ['write', 'write', 'path _ size', 'transfer'],
  ['pread pread64', 'read', 'path _ size offset', 'positioned'],
  ['pwrite pwrite64', 'write', 'path _ size offset', 'positioned'],
  // Recorder adds the pieces up.
  ['readv', 'read', 'path size', 'transfer'],
  ['writev', 'write', 'path size', 'transfer'],
  ['lseek lseek64', 'seek', 'path offset whence', 'seek'],
  ['fsync fdatasync', 'sync', 'path'],
  ['msync', 'sync', '_ size'],
  ['mmap mmap64', 'map', '_ size _ _ path offset'],
  ['stat stat64 lstat lstat64 fstat fstat64', 'metadata', 'path'],
  ['__xstat __xstat64 __lxstat __lxstat64 __fxstat __fxstat64', 'metadata', '_ path'],
  ['access chmod chown lchown utime mkdir rmdir mknod mkfifo opendir readlink', 'metadata', 'path'],
  ['faccessat mknodat readlinkat', 'metadata', '_ path'],
  ['readdir closedir rewinddir', 'metadata', ''],
  ['unlink remove', 'metadata', 'path', 'remove'],
  ['rename', 'metadata', 'path path2', 'rename'],
  ['link symlink', 'metadata', 'path path2'],
  ['linkat', 'metadata', '_ path _ path2'],
  ['symlinkat', 'metadata', 'path _ path2'],
  ['truncate ftruncate', 'metadata', 'path length', 'truncate'],
  ['fcntl', 'other', 'path command value', 'control'],
  ['dup dup2', 'other', '', 'duplicate'],
  ['chdir', 'other', 'path'],
  ['getcwd umask pipe', 'other', ''],
];

const STDIO: readonly Entry[] = [
  ['fopen fopen64', 'open', 'path mode', 'open'],
  ['fdopen', 'open', 'path mode', 'wrap'],
  ['fclose', 'close', 'path', 'close'],
  ['fread', 'read', '_ size size path', 'transfer'],
  ['fwrite', 'write', '_ size size path', 'transfer'],
  ['fprintf vfprintf', 'write', 'path textSize', 'transfer'],
  ['fseek fseeko', 'seek', 'path offset whence', 'seek'],
  ['ftell ftello fileno', 'metadata', 'path'],
  // It hands data to the kernel; nobody waits for the storage.
  ['fflush', 'other', 'path'],
  ['tmpfile', 'other', ''],
];

const MPI_IO: readonly Entry[] = [
  ['open', 'open', 'communicator path amode _ handle', 'open'],
  ['close', 'close', 'handle', 'close'],
  ['delete', 'metadata', 'path', 'remove'],
  ['read_at read_at_all read_at_all_begin iread_at iread_at_all', 'read', 'handle offset _ count type', 'positioned'],
  [
    'write_at write_at_all write_at_all_begin iwrite_at iwrite_at_all',
    'write',
    'handle offset _ count type',
    'positioned',
  ],
  ['read read_all read_all_begin iread iread_all', 'read', 'handle _ count type', 'transfer'],
  ['write write_all write_all_begin iwrite iwrite_all', 'write', 'handle _ count type', 'transfer'],
  ['read_shared read_ordered read_ordered_begin iread_shared', 'read', 'handle _ count type', 'shared'],
  ['write_shared write_ordered write_ordered_begin iwrite_shared', 'write', 'handle _ count type', 'shared'],
  ['seek', 'seek', 'handle offset whence', 'seek'],
  ['seek_shared', 'seek', 'handle _ whence'],
  ['set_view', 'metadata', 'handle offset type type', 'view'],
  ['set_size preallocate', 'metadata', 'handle length', 'truncate'],
  ['get_size', 'metadata', 'handle length', 'status'],
  ['sync', 'sync', 'handle'],
];

const HDF5: readonly Entry[] = [
  ['H5Fcreate', 'open', 'path access', 'open'],
  ['H5Fopen', 'open', 'path access', 'open'],
  ['H5Fclose', 'close', 'handle', 'close'],
  ['H5Fflush', 'sync', 'handle'],
  ['H5Dread', 'read', 'handle', 'shared'],
  ['H5Dwrite', 'write', 'handle', 'shared'],
];

const PARALLEL_NETCDF: readonly Entry[] = [['ncmpi_create ncmpi_open', 'open', 'communicator path', 'open']];
const NETCDF: readonly Entry[] = [['nc_create nc_open', 'open', 'path', 'open']];

function knownCalls(layer: Layer, entries: readonly Entry[], prefix = ''): [string, KnownCall][] {
  return entries.flatMap(([names, operation, roles, effect = 'none']) =>
    names.split(' ').map((end): [string, KnownCall] => {
      const name = prefix + end;
      const list = roles.split(' ').filter((role) => role !== '') as Role[];
      return [name, { name, layer, operation, roles: list, effect }];
    }),
  );
}

const KNOWN: ReadonlyMap<string, KnownCall> = new Map([
  ...knownCalls('POSIX', POSIX),
  ...knownCalls('STDIO', STDIO),
  ...knownCalls('MPI-IO', MPI_IO, 'MPI_File_'),
  ...knownCalls('HDF5', HDF5),
  ...knownCalls('PnetCDF', PARALLEL_NETCDF),
  ...knownCalls('NetCDF', NETCDF),
]);

/**
 * A call of an I/O layer by its name; undefined for functions that are none: MPI beside MPI-IO.
 * Functions that are not listed belong to the layer that their name begins with.
 */
export function knownCall(name: string): KnownCall | undefined {
  const known = KNOWN.get(name);
  if (known !== undefined) return known;
  if (name.startsWith('MPI_File_'))
    return unlisted(name, 'MPI-IO', name.includes('set_') ? 'metadata' : 'other', 'handle');
  if (name.startsWith('MPI')) return undefined;
  if (name.startsWith('H5')) return unlisted(name, 'HDF5', ofHdf5(name), 'handle');
  if (name.startsWith('ncmpi_')) return unlisted(name, 'PnetCDF', ofNetCdf(name), '_');
  if (name.startsWith('nc_')) return unlisted(name, 'NetCDF', ofNetCdf(name), '_');
  return unlisted(name, 'POSIX', 'other', '_');
}

function unlisted(name: string, layer: Layer, operation: Operation, role: Role): KnownCall {
  return { name, layer, operation, roles: [role], effect: 'none' };
}

/** Attributes, data sets, files, groups, links and objects stand in the file; types, spaces and property lists do not. */
function ofHdf5(name: string): Operation {
  return /^H5[ADFGLO]/.test(name) ? 'metadata' : 'other';
}

function ofNetCdf(name: string): Operation {
  if (/_(i|b)?put_(var|vara|vars|varm|varn|vard)/.test(name)) return 'write';
  if (/_(i|b)?get_(var|vara|vars|varm|varn|vard)/.test(name)) return 'read';
  if (name.endsWith('_close')) return 'close';
  if (name.includes('_sync')) return 'sync';
  return 'metadata';
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
