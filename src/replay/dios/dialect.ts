/**
 * The elements of DIOS XML and their attributes. The paper gives the names of the elements (Fig. 5) and the attributes
 * `pos`, `sync` and `coord`; all else is our dialect (docs/dios-xml.md). Writer and reader both follow these tables.
 */

/** How an attribute's text and a field of the model stand for each other. */
export type AttributeKind =
  | { readonly is: 'number'; readonly least?: number; readonly decimals?: true }
  | { readonly is: 'numbers' }
  | { readonly is: 'slot' | 'path' | 'text' | 'yes-no' | 'open-mode' | 'ranks' | 'communicator' }
  | { readonly is: 'choice'; readonly choices: Readonly<Record<string, unknown>> };

export interface AttributeRule {
  /** In XML. */
  readonly name: string;
  /** In the model. */
  readonly field: string;
  readonly kind: AttributeKind;
  /** Absent in XML means this, in the model; 'absent': the field is left out. Without it the attribute must be there. */
  readonly otherwise?: { readonly value: unknown } | 'absent';
}

/** Where an operation may stand: only in one kind of series, or in both. */
type Family = 'posix' | 'mpi' | 'both';

interface ElementRule {
  readonly family: Family;
  readonly attributes: readonly AttributeRule[];
}

const size = (name: string, field = name): AttributeRule => ({ name, field, kind: { is: 'number', least: 0 } });
const any = (name: string, field = name): AttributeRule => ({ name, field, kind: { is: 'number' } });
const text = (name: string, field = name): AttributeRule => ({ name, field, kind: { is: 'text' } });
const list = (name: string, field = name): AttributeRule => ({ name, field, kind: { is: 'numbers' } });
const yesNo = (name: string, field = name): AttributeRule => ({
  name,
  field,
  kind: { is: 'yes-no' },
  otherwise: { value: false },
});
const file: AttributeRule = { name: 'file', field: 'slot', kind: { is: 'slot' } };
const to: AttributeRule = { name: 'to', field: 'to', kind: { is: 'slot' } };
const path: AttributeRule = { name: 'path', field: 'path', kind: { is: 'path' } };
const openMode: AttributeRule = { name: 'mode', field: 'mode', kind: { is: 'open-mode' } };
const bytes = size('bytes');
const whence: AttributeRule = {
  name: 'whence',
  field: 'whence',
  kind: { is: 'choice', choices: { set: 0, current: 1, end: 2 } },
  otherwise: { value: 0 },
};
const shared: AttributeRule = {
  name: 'kind',
  field: 'shared',
  kind: { is: 'choice', choices: { exclusive: false, shared: true } },
  otherwise: 'absent',
};
const optionalOffset: AttributeRule = { ...any('offset'), otherwise: 'absent' };

const posix = (...attributes: AttributeRule[]): ElementRule => ({ family: 'posix', attributes });
const mpi = (...attributes: AttributeRule[]): ElementRule => ({ family: 'mpi', attributes });
const both = (...attributes: AttributeRule[]): ElementRule => ({ family: 'both', attributes });

/** The paper's `pos`, `sync`, `coord`: one element for all calls of MPI that read, one for all that write. */
const mpiTransfer = mpi(
  file,
  {
    name: 'pos',
    field: 'position',
    kind: { is: 'choice', choices: { explicit: 'explicit', individual: 'individual', shared: 'shared' } },
    otherwise: { value: 'individual' },
  },
  {
    name: 'sync',
    field: 'blocking',
    kind: { is: 'choice', choices: { blocking: true, nonblocking: false } },
    otherwise: { value: true },
  },
  {
    name: 'coord',
    field: 'collective',
    kind: { is: 'choice', choices: { collective: true, independent: false } },
    otherwise: { value: false },
  },
  optionalOffset,
  size('count'),
  { ...text('datatype'), otherwise: { value: 'MPI_BYTE' } },
);

/** Leaves, by the model's names; `<unlink pool="…"/>` is `poolunlink` there. */
export const OPERATIONS: Readonly<Record<string, ElementRule>> = {
  fopen: posix(file, path, text('mode')),
  open: posix(file, path, openMode),
  fclose: posix(file),
  close: posix(file),
  buf_read: posix(file, bytes),
  buf_read_random: posix(file, bytes),
  buf_write: posix(file, bytes),
  buf_seek: posix(file, any('offset'), whence),
  read: posix(file, bytes),
  write: posix(file, bytes),
  seek: posix(file, any('offset'), whence),
  sync: posix(file, yesNo('dataonly', 'dataOnly')),
  poolopen: posix(file, text('pool'), openMode),
  poolrandom: posix(file, text('pool'), openMode),
  poolunlink: posix(text('pool')),
  unlink: posix(path),
  pread: posix(file, bytes, size('offset')),
  pwrite: posix(file, bytes, size('offset')),
  // Ours: what recordings hold besides.
  duplicate: posix(file, to),
  truncate: posix(file, size('length')),
  lock: posix(file, shared),
  unlock: posix(file, shared),
  mkdir: posix(path),
  rmdir: posix(path),
  stat: posix(path),
  rename: posix(path, { name: 'to', field: 'to', kind: { is: 'path' } }),
  mpi_fopen: mpi(file, path, text('mode'), {
    name: 'ranks',
    field: 'communicator',
    kind: { is: 'communicator' },
    otherwise: 'absent',
  }),
  mpi_fclose: mpi(file),
  mpi_fdelete: mpi(path),
  mpi_set_view: mpi(
    file,
    { ...size('displacement'), otherwise: { value: 0 } },
    { ...text('etype', 'elementType'), otherwise: { value: 'MPI_BYTE' } },
    { ...text('filetype', 'fileType'), otherwise: { value: 'MPI_BYTE' } },
  ),
  mpi_read: mpiTransfer,
  mpi_write: mpiTransfer,
  mpi_wait: mpi(file),
  sleep: both({ name: 'seconds', field: 'seconds', kind: { is: 'number', least: 0, decimals: true } }),
  // Ours: the synchronisation tokens of Fig. 7, and what all tasks meet at.
  send_sync: both(size('peer')),
  recv_sync: both(size('peer')),
  barrier: both({ name: 'ranks', field: 'tasks', kind: { is: 'ranks' }, otherwise: 'absent' }),
};

/** What stands beside tasks. */
export const FILE_POOL: readonly AttributeRule[] = [
  text('name'),
  path,
  size('files'),
  { ...size('filesperfolder', 'filesPerFolder'), otherwise: { value: 1000 } },
  yesNo('create'),
  { ...size('minsize', 'leastBytes'), otherwise: { value: 0 } },
  { ...size('maxsize', 'mostBytes'), otherwise: { value: 0 } },
];

export const INPUT: readonly AttributeRule[] = [
  path,
  { name: 'bytes', field: 'bytes', kind: { is: 'number', least: 0 } },
];

/** Attributes of `mpi_datatype` behind its name, what it is made of, and its kind. */
export const DATATYPE_KINDS: Readonly<Record<string, readonly AttributeRule[]>> = {
  contiguous: [size('count')],
  vector: [size('count'), size('blocklength', 'blockLength'), any('stride')],
  subarray: [list('sizes'), list('subsizes'), list('starts')],
  indexed: [list('blocklengths', 'blockLengths'), list('displacements')],
  resized: [any('lowerbound', 'lowerBound'), size('extent')],
};

export const DATATYPE_START: readonly AttributeRule[] = [text('name'), text('of'), text('kind')];

/** The words of an open mode and the bits of OPEN_MODE; the first three exclude each other. */
export const OPEN_WORDS: readonly (readonly [word: string, bits: number])[] = [
  ['read', 0],
  ['write', 1],
  ['readwrite', 2],
  ['create', 0o100],
  ['exclusive', 0o200],
  ['truncate', 0o1000],
  ['append', 0o2000],
  ['nonblocking', 0o4000],
  ['datasync', 0o10000],
  ['direct', 0o40000],
  ['directory', 0o200000],
  ['sync', 0o4000000],
  ['temporary', 0o20000000],
];
