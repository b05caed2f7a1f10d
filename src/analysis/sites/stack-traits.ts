import { fileName } from '../../base/path-names.ts';
import { getOrCreate } from '../../base/grouping.ts';
import type { SourceFrame } from '../../symbols/resolved-stacks.ts';

/**
 * What a stack tells about the way a call took through the libraries. strace sees system calls only, so this is where the
 * layers above (stdio, MPI-IO, HDF5) show.
 */
export const TRAIT = {
  /** Below a call that empties a buffer: fflush, std::endl, FLUSH of Fortran, H5Fflush. */
  flush: 1,
  /** Below C stdio or a C++ file stream. */
  stdio: 2,
  /** Below an MPI-IO call of one process by itself. */
  independent: 4,
  /** Below a collective MPI-IO call. */
  collective: 8,
  hdf5: 16,
  /** Below any call of MPI. */
  mpi: 32,
  /** Called by a Python interpreter, whose own lines are in no stack that strace records. */
  python: 64,
  /** Below a call of NetCDF. */
  netcdf: 128,
} as const;

/** Below a call that closes a file: what it flushes then would be written anyway. No trait: it takes one away. */
const CLOSES = 256;
/** Below a call by which a program of C++ asks a stream for its place, or moves it: the seek is its own, not the stream's. */
const SEEKS = 512;

const BY_FUNCTION: readonly (readonly [pattern: RegExp, traits: number])[] = [
  [/^(_IO_(new_)?)?fflush(_unlocked)?$/, TRAIT.flush | TRAIT.stdio],
  // GNU's and LLVM's C++ libraries; std::endl calls flush, and both can be inlined.
  [/^std::(__\w+::)?(basic_)?ostream(<.*>)?::flush\(|^std::(basic_)?ostream(<.*>)?::flush$/, TRAIT.flush],
  [/^(std::(__\w+::)?)?(endl|flush)\b/, TRAIT.flush],
  // gfortran, Intel, LLVM, NVIDIA.
  [/^_gfortran_(st_flush|flush_i[48])$|^for_flush$|^_FortranAio\w*Flush$|^f90io?_flush/i, TRAIT.flush],
  [/^H5[DFO]flush$/, TRAIT.flush],
  [/^_IO_(new_)?(file_|do_write|do_flush)|^std::(__\w+::)?(__)?basic_file(buf)?\b/, TRAIT.stdio],
  [/^std::(__\w+::)?(basic_)?[io]stream(<.*>)?::(seek|tell)[gp]\b/, SEEKS],
  [/^p?mpi_file_i?(read|write)(_at|_shared)?(_f08)?_*$/i, TRAIT.independent],
  [/^p?mpi_file_i?(read|write)(_at)?_(all|ordered)(_begin|_end)?(_f08)?_*$/i, TRAIT.collective],
  [/^P?MPI_\w+$|^p?mpi_\w+_$/, TRAIT.mpi],
  [/^nc_\w+$|^nf(90)?_\w+$/i, TRAIT.netcdf],
  [/^(nc|ncmpi)_(close|abort|enddef)$|^H5Fclose$|^fclose$/, CLOSES],
  // Recordings that name functions and no modules (OTF2), and programs that HDF5 is linked into.
  [/^H5[A-Z]{1,2}[a-z]\w*$/, TRAIT.hdf5],
];

const BY_MODULE: readonly (readonly [pattern: RegExp, traits: number])[] = [
  [/^libhdf5/, TRAIT.hdf5],
  [/^libmpi/, TRAIT.mpi],
  [/^libnetcdf/, TRAIT.netcdf],
  [/^(lib)?python\d?[0-9.]*(\.so.*)?$/, TRAIT.python],
];

/** Libraries for data models, whose function stands for the user's line where no frame of the user's is on the stack. */
const DATA_LIBRARY = /^lib(hdf5|netcdf|pnetcdf)/;

/** Traits by names; a recording has a thousand stacks of the same few functions. */
export class StackTraits {
  private readonly ofFunction = new Map<string, number>();
  private readonly ofModule = new Map<string, number>();

  of(chain: readonly SourceFrame[]): number {
    let traits = 0;
    for (const { functionName, module } of chain) {
      traits |= cached(this.ofFunction, functionName, BY_FUNCTION, functionName);
      traits |= cached(this.ofModule, module, BY_MODULE, fileName(module));
    }
    if (traits & CLOSES) traits &= ~TRAIT.flush;
    if (traits & SEEKS) traits &= ~TRAIT.stdio;
    return traits & ~(CLOSES | SEEKS);
  }

  /** What the name of a function alone tells. */
  ofFunctionName(name: string): number {
    return cached(this.ofFunction, name, BY_FUNCTION, name) & ~(CLOSES | SEEKS);
  }
}

/**
 * The outermost frame of a data library: the function that the program itself called, such as `H5Dwrite`. Inner frames of
 * a library without symbols carry the name of whatever exported function lies before them.
 */
export function dataLibraryFrame(chain: readonly SourceFrame[]): number {
  return chain.findLastIndex(({ module, functionName }) => functionName !== '' && DATA_LIBRARY.test(fileName(module)));
}

function cached(
  known: Map<string, number>,
  key: string,
  table: readonly (readonly [RegExp, number])[],
  name: string,
): number {
  const traits = getOrCreate(known, key, () =>
    table.reduce((sum, [pattern, bits]) => (pattern.test(name) ? sum | bits : sum), 0),
  );
  return traits;
}
