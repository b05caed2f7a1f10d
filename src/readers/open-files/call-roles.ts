/** What is known of the calls that Recorder and DFTracer write down, and what each argument of Recorder's means. */
import type { Layer, Operation } from '../../trace/calls.ts';
import { knownCall, type Effect } from './known-calls.ts';

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

export interface DescribedCall {
  readonly name: string;
  readonly layer: Layer;
  readonly operation: Operation;
  readonly roles: readonly Role[];
  readonly effect: Effect;
}

type Entry = readonly [names: string, roles: string];

const POSIX: readonly Entry[] = [
  ['creat creat64', 'path'],
  ['open open64', 'path flags'],
  ['openat openat64', '_ path flags'],
  ['close', 'path'],
  ['read', 'path _ size'],
  ['write', 'path _ size'],
  ['pread pread64', 'path _ size offset'],
  ['pwrite pwrite64', 'path _ size offset'],
  // Recorder adds the pieces up.
  ['readv', 'path size'],
  ['writev', 'path size'],
  ['lseek lseek64', 'path offset whence'],
  ['fsync fdatasync', 'path'],
  ['msync', '_ size'],
  ['mmap mmap64', '_ size _ _ path offset'],
  ['stat stat64 lstat lstat64 fstat fstat64', 'path'],
  ['__xstat __xstat64 __lxstat __lxstat64 __fxstat __fxstat64', '_ path'],
  ['access chmod chown lchown utime mkdir rmdir mknod mkfifo opendir readlink', 'path'],
  ['faccessat mknodat readlinkat', '_ path'],
  ['readdir closedir rewinddir', ''],
  ['unlink remove', 'path'],
  ['rename', 'path path2'],
  ['link symlink', 'path path2'],
  ['linkat', '_ path _ path2'],
  ['symlinkat', 'path _ path2'],
  ['truncate ftruncate', 'path length'],
  ['fcntl', 'path command value'],
  ['dup dup2', ''],
  ['chdir', 'path'],
  ['getcwd umask pipe', ''],
];

const STDIO: readonly Entry[] = [
  ['fopen fopen64', 'path mode'],
  ['fdopen', 'path mode'],
  ['fclose', 'path'],
  ['fread', '_ size size path'],
  ['fwrite', '_ size size path'],
  ['fprintf vfprintf', 'path textSize'],
  ['fseek fseeko', 'path offset whence'],
  ['ftell ftello fileno', 'path'],
  // It hands data to the kernel; nobody waits for the storage.
  ['fflush', 'path'],
  ['tmpfile', ''],
];

const MPI_IO: readonly Entry[] = [
  ['open', 'communicator path amode _ handle'],
  ['close', 'handle'],
  ['delete', 'path'],
  ['read_at read_at_all read_at_all_begin iread_at iread_at_all', 'handle offset _ count type'],
  ['write_at write_at_all write_at_all_begin iwrite_at iwrite_at_all', 'handle offset _ count type'],
  ['read read_all read_all_begin iread iread_all', 'handle _ count type'],
  ['write write_all write_all_begin iwrite iwrite_all', 'handle _ count type'],
  ['read_shared read_ordered read_ordered_begin iread_shared', 'handle _ count type'],
  ['write_shared write_ordered write_ordered_begin iwrite_shared', 'handle _ count type'],
  ['seek', 'handle offset whence'],
  ['seek_shared', 'handle _ whence'],
  ['set_view', 'handle offset type type'],
  ['set_size preallocate', 'handle length'],
  ['get_size', 'handle length'],
  ['sync', 'handle'],
];

const HDF5: readonly Entry[] = [
  ['H5Fcreate', 'path access'],
  ['H5Fopen', 'path access'],
  ['H5Fclose', 'handle'],
  ['H5Fflush', 'handle'],
  ['H5Dread', 'handle'],
  ['H5Dwrite', 'handle'],
];

const PARALLEL_NETCDF: readonly Entry[] = [['ncmpi_create ncmpi_open', 'communicator path']];
const NETCDF: readonly Entry[] = [['nc_create nc_open', 'path']];

/** Where these recorders show less of a call than its name says: no file, or no handle that others use. */
const SHOWN_OTHERWISE: Readonly<Record<string, Pick<DescribedCall, 'operation' | 'effect'>>> = {
  opendir: { operation: 'metadata', effect: 'none' },
  closedir: { operation: 'metadata', effect: 'none' },
  rewinddir: { operation: 'metadata', effect: 'none' },
  fileno: { operation: 'metadata', effect: 'none' },
  tmpfile: { operation: 'other', effect: 'none' },
  MPI_File_preallocate: { operation: 'metadata', effect: 'truncate' },
};

function describedCalls(layer: Layer, entries: readonly Entry[], prefix = ''): [string, DescribedCall][] {
  return entries.flatMap(([names, roles]) =>
    names.split(' ').map((end): [string, DescribedCall] => {
      const name = prefix + end;
      const list = roles.split(' ').filter((role) => role !== '') as Role[];
      const { operation, effect } = SHOWN_OTHERWISE[name] ?? knownCall(layer, name);
      return [name, { name, layer, operation, roles: list, effect }];
    }),
  );
}

const KNOWN: ReadonlyMap<string, DescribedCall> = new Map([
  ...describedCalls('POSIX', POSIX),
  ...describedCalls('STDIO', STDIO),
  ...describedCalls('MPI-IO', MPI_IO, 'MPI_File_'),
  ...describedCalls('HDF5', HDF5),
  ...describedCalls('PnetCDF', PARALLEL_NETCDF),
  ...describedCalls('NetCDF', NETCDF),
]);

/**
 * A call of an I/O layer by its name; undefined for functions that are none: MPI beside MPI-IO.
 * Functions that are not listed belong to the layer that their name begins with.
 */
export function describedCall(name: string): DescribedCall | undefined {
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

function unlisted(name: string, layer: Layer, operation: Operation, role: Role): DescribedCall {
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
