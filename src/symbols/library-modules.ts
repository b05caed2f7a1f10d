/**
 * Modules that are not the user's own code: the system's libraries, language run-times, and the I/O and message-passing
 * libraries that HPC programs stand on. A call belongs to the innermost frame outside of them. Kept as data, so that it
 * can be read and extended.
 */
const SYSTEM_FOLDERS = [
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

/** Names of libraries; they say something only of files in a folder where libraries are installed. */
const LIBRARY_NAMES: readonly RegExp[] = [
  /^ld-(linux|musl).*\.so/,
  /^lib(c|m|dl|rt|pthread|util|resolv|gcc_s|stdc\+\+|c\+\+|c\+\+abi|gfortran|quadmath|gomp|atomic|ifcore|imf|svml|irc|intlc|flang.*|pgf.*|nvf.*)\b.*\.so/,
  /^lib(mpi|mpich|mpi_.*|mpifort|open-rte|open-pal|pmix|prrte|psm2|fabric|ucp|uct|ucs|ucm|hwloc|event.*)[.-].*so/,
  /^lib(hdf5.*|netcdf.*|pnetcdf|adios2.*|sz|z|bz2|lzma|zstd|darshan|recorder|scorep.*|otf2)\b.*\.so/,
  /^lib(python3?|jvm|julia.*|R)\b.*\.so/,
];

/** Packages of a Python environment, wherever it lies: h5py, numpy and the libraries that come with them. */
const PYTHON_PACKAGES = /\/(site|dist)-packages\//;

/** Programs that run the user's code, or start it: never the user's own when they are installed. */
const INTERPRETERS =
  /^(python[0-9.]*|perl|ruby|node|java|julia|Rscript|bash|dash|zsh|sh|env|time|timeout|nice|nohup|numactl|taskset|mpirun|mpiexec(\.hydra)?|orterun|prterun|srun)$/;

/** Parts of paths under which packages are installed for a user or a project. */
const ENVIRONMENT =
  /\/(\.?venv|\.conda|envs|(mini|ana|mamba)?(conda|forge)\d*|\.?spack|\.pyenv|\.nvm|\.local|site-packages|node_modules|easybuild|\.linuxbrew)\//;

/** Folders of installed software: the system's, and those that computing centres use for module trees. */
const INSTALLED = /^\/(usr|opt|sw|apps?|software|cvmfs|nix|gnu|snap)\//;

/** Folders that hold libraries. */
const LIBRARY_PART = /\/lib(32|64|exec)?\//;

/** `[vdso]`, `[vsyscall]` */
const KERNEL_CODE = /^\[.*\]$/;

/** Source files that came with a compiler, an interpreter or a library: they hold no line of the user. */
const LIBRARY_SOURCES =
  /^(\/usr\/include\/|\/usr\/lib\/gcc|\/usr\/local\/include\/|.*\/include\/c\+\+\/|.*\/lib(64)?\/python3(\.\d+)?\/|.*\/(site|dist)-packages\/|<)/;

/** What tells the user's own modules from others. */
interface OwnModules {
  /** Folders of the workspace. */
  readonly folders: readonly string[];
  /** File name of the program that was launched; '' when unknown. */
  readonly launched: string;
}

/**
 * Whether a module is a library (or a program of the system) and not the user's own code. A name alone decides nothing:
 * anybody may call a library `libutil.so` and a program `node`.
 */
export function isLibraryModule(path: string, own: OwnModules): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (KERNEL_CODE.test(name)) return true;
  const isInstalled = INSTALLED.test(path) || ENVIRONMENT.test(path) || isSystems(path);
  if (INTERPRETERS.test(name)) return isInstalled;
  if (name === own.launched) return false;
  if (
    !ENVIRONMENT.test(path) &&
    !PYTHON_PACKAGES.test(path) &&
    own.folders.some((folder) => isProjectFolder(folder) && isBelow(path, folder))
  )
    return false;
  if (isSystems(path) || PYTHON_PACKAGES.test(path)) return true;
  return (isInstalled || LIBRARY_PART.test(path)) && isLibraryName(name);
}

/** Whether a file name is that of a library, a run-time or an interpreter; the folder decides what that means. */
export function isLibraryName(name: string): boolean {
  return KERNEL_CODE.test(name) || INTERPRETERS.test(name) || LIBRARY_NAMES.some((known) => known.test(name));
}

/** Whether a part of a path tells that software is installed below it. */
export function isInstallationPart(part: string): boolean {
  return ENVIRONMENT.test(`/${part}/`) || INSTALLED.test(`/${part}/`);
}

function isSystems(path: string): boolean {
  return SYSTEM_FOLDERS.some((folder) => path.startsWith(folder));
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** A terminal that stands in `/` or `/usr` makes no system library the user's own. */
function isProjectFolder(folder: string): boolean {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return !SYSTEM_FOLDERS.some((system) => system.startsWith(prefix));
}

/** `<artificial>` and the like count as the user's: link-time optimisation leaves no better name. */
export function isLibrarySource(path: string): boolean {
  return LIBRARY_SOURCES.test(path) && path !== '<artificial>';
}
