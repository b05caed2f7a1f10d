/**
 * The strace command that makes a recording: stacks, times, durations, paths, and only the calls that matter to I/O, so
 * that the others run at full speed (formats document "The strace text format").
 */

/** What the installed strace can do, from `strace -V`. */
export interface StraceAbilities {
  readonly version: string;
  /** Prints call stacks (`-k`). */
  readonly stacks: boolean;
  /** Stops the program only at the traced calls (`--seccomp-bpf`, 5.3). */
  readonly seccomp: boolean;
}

/** Reads the output of `strace -V`. */
export function straceAbilities(versionText: string): StraceAbilities {
  const version = /version (\d+)\.(\d+)/.exec(versionText);
  const major = Number(version?.[1] ?? 0);
  const minor = Number(version?.[2] ?? 0);
  return {
    version: version === null ? '' : `${major}.${minor}`,
    stacks: /stack-(trace|unwind)=|stack-demangle/.test(versionText),
    seccomp: major > 5 || (major === 5 && minor >= 3),
  };
}

/** Calls that are traced. Those that a machine does not have are passed over (`?`). */
const TRACED = [
  'read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2',
  'open openat openat2 creat close dup dup2 dup3 fcntl lseek _llseek',
  'fsync fdatasync sync syncfs sync_file_range msync',
  'sendfile copy_file_range splice mmap mmap2',
  'truncate ftruncate fallocate fadvise64 readahead',
  'stat lstat fstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents64',
  'unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat chdir fchdir',
  'execve execveat clone clone3 fork vfork exit_group io_submit io_getevents io_uring_enter',
]
  .flatMap((names) => names.split(' '))
  .map((name) => `?${name}`)
  .join(',');

export interface RecordOptions {
  readonly output: string;
  readonly abilities: StraceAbilities;
  /** One file for each process, named `output.PID`. */
  readonly filePerProcess: boolean;
}

/** The options of strace, up to the `--` in front of the program. */
export function straceOptions({ output, abilities, filePerProcess }: RecordOptions): string[] {
  return [
    filePerProcess ? '-ff' : '-f',
    '-ttt',
    '-T',
    '-y',
    ...(abilities.stacks ? ['-k'] : []),
    // -ff and the filter exclude each other.
    ...(abilities.seccomp && !filePerProcess ? ['--seccomp-bpf'] : []),
    '-e',
    `trace=${TRACED}`,
    '-o',
    output,
    '--',
  ];
}

/**
 * A shell script that records each rank of a parallel program into a file of its own, named as in the DFG paper
 * (`cid_host_rid.st`). It needs strace and nothing else on the compute nodes: `mpirun -n 4 ./record.sh ./app`.
 */
export function recordScript(): string {
  const options = straceOptions({
    output: '"$output"',
    abilities: { version: '', stacks: true, seccomp: true },
    filePerProcess: false,
  });
  return `#!/bin/sh
# Records the I/O of one rank with strace; made by "iolens record --script".
#   mpirun -n 4 ./record.sh ./app arguments...
#   srun -n 4 ./record.sh ./app arguments...
# Then open the folder of the recordings: iolens analyze "$IOLENS_FOLDER"
folder=\${IOLENS_FOLDER:-iolens-recording}
rank=\${OMPI_COMM_WORLD_RANK:-\${PMIX_RANK:-\${PMI_RANK:-\${SLURM_PROCID:-$$}}}}
command=$(basename "$1" | tr '_' '-')
mkdir -p "$folder"
output="$folder/\${command}_$(hostname)_\${rank}.st"
exec strace ${options.join(' ')} "$@"
`;
}
