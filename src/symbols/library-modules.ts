/**
 * Modules that are not the user's own code: the system's libraries, language run-times, and the I/O and message-passing
 * libraries that HPC programs stand on. A call belongs to the innermost frame outside of them. Kept as data, so that it
 * can be read and extended.
 */
const LIBRARY_FOLDERS = [
  '/lib/',
  '/lib64/',
  '/lib32/',
  '/usr/lib/',
  '/usr/lib64/',
  '/usr/lib32/',
  '/usr/libexec/',
].concat(
  // The system's own programs, which a script or a shell starts.
  ['/bin/', '/sbin/', '/usr/bin/', '/usr/sbin/'],
);

const LIBRARY_NAMES: readonly RegExp[] = [
  /^\[.*\]$/, // [vdso], [vsyscall]
  /^ld-(linux|musl).*\.so/,
  /^lib(c|m|dl|rt|pthread|util|resolv|gcc_s|stdc\+\+|c\+\+|c\+\+abi|gfortran|quadmath|gomp|atomic|ifcore|imf|svml|irc|intlc|flang.*|pgf.*|nvf.*)\b.*\.so/,
  /^lib(mpi|mpich|mpi_.*|mpifort|open-rte|open-pal|pmix|prrte|psm2|fabric|ucp|uct|ucs|ucm|hwloc|event.*)[.-].*so/,
  /^lib(hdf5.*|netcdf.*|pnetcdf|adios2.*|sz|z|bz2|lzma|zstd|darshan|recorder|scorep.*|otf2)\b.*\.so/,
  /^lib(python3?|jvm|julia.*|R)\b.*\.so/,
  /^(python[0-9.]*|perl|ruby|node|java|bash|dash|sh)$/,
];

/** Packages of a Python environment, wherever it lies: h5py, numpy and the libraries that come with them. */
const PYTHON_PACKAGES = /\/(site|dist)-packages\//;

/** Source files that came with a compiler or library: what is inlined from them is not the user's line. */
const LIBRARY_SOURCES = /^(\/usr\/include\/|\/usr\/lib\/gcc|\/usr\/local\/include\/|.*\/include\/c\+\+\/|<)/;

export function isLibraryModule(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    LIBRARY_FOLDERS.some((folder) => path.startsWith(folder)) ||
    PYTHON_PACKAGES.test(path) ||
    LIBRARY_NAMES.some((known) => known.test(name))
  );
}

/** `<artificial>` and the like count as the user's: link-time optimisation leaves no better name. */
export function isLibrarySource(path: string): boolean {
  return LIBRARY_SOURCES.test(path) && path !== '<artificial>';
}
