import { LAYERS, type CallTable, type Layer, type Operation } from '../../trace/calls.ts';
import { operationOfName } from '../open-files/operation-names.ts';

/** Functions of the C library and of libraries above it by the layer that they belong to. */
const LAYER_OF_NAME: readonly (readonly [pattern: RegExp, layer: Layer])[] = [
  [/^p?mpi_file_/i, 'MPI-IO'],
  [/^H5[A-Z]/, 'HDF5'],
  [/^n?f?cn?mpi/, 'PnetCDF'],
  [/^nf?90?_|^nc_/, 'NetCDF'],
  [
    /^_?_?f(open|dopen|reopen|close|read|write|flush|seeko?|tello?|getc|gets|putc|puts|printf|scanf|[gs]etpos)(64)?(_unlocked)?$/,
    'STDIO',
  ],
  [/^v?f?(printf|scanf)$|^(get|put)(c|char|s|w)(_unlocked)?$|^ungetc$|^rewind$|^setv?buf$/, 'STDIO'],
  // What is left and looks like C is a call of the system; C++ and other libraries have capitals and colons.
  [/^[a-z_][a-z0-9_]*$/, 'POSIX'],
  [/./, 'I/O library'],
];

/** Calls of MPI-IO without data that the standard makes collective: all processes of the communicator make them. */
const COLLECTIVE =
  /^P?MPI_File_(open|close|set_view|set_size|set_info|set_atomicity|preallocate|sync|seek_shared)$|^p?mpi_file_(open|close|set_view|set_size|set_info|set_atomicity|preallocate|sync|seek_shared)_*$/;

export function layerOfName(name: string): number {
  return LAYERS.indexOf(LAYER_OF_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? 'I/O library');
}

export function isCollectiveByStandard(name: string): boolean {
  return COLLECTIVE.test(name);
}

/** Names of calls whose records stand in no I/O function of the recording. */
const UNNAMED: Readonly<Record<string, string>> = { metadata: 'handle change', sync: 'flush' };

/** The table holds this many different names; what has more is junk, and shares a name. */
const MOST_NAMES = 60_000;

/** Calls of the trace: a function by its name, with what it did where that is not what its name says. */
export class CallNames {
  private readonly known = new Map<string, number>();

  constructor(private readonly calls: CallTable) {}

  /** @param name '' for a record in no I/O function. */
  indexOf(name: string, operation: Operation): number {
    const key = `${operation} ${name}`;
    let index = this.known.get(key);
    if (index === undefined) {
      index = this.calls.intern(this.textOf(name, operation), operation);
      this.known.set(key, index);
    }
    return index;
  }

  /** A copy inside the kernel is recorded as a read of one file and a write of the other. */
  sideOfCopy(name: string, operation: Operation): number {
    return this.calls.intern(operation === 'copy' ? name : `${name} (${operation})`, 'copy');
  }

  private textOf(name: string, operation: Operation): string {
    if (name === '') return UNNAMED[operation] ?? operation;
    if (this.calls.names.length > MOST_NAMES) return `other (${operation})`;
    return operationOfName(name) === operation ? name : `${name} (${operation})`;
  }
}
