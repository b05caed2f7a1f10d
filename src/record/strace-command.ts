/**
 * The strace command that makes a recording: stacks, times, durations, paths, and only the calls that matter to I/O, so
 * that the others run at full speed (formats document "The strace text format").
 */
import path from 'node:path';

/** What the installed strace can do, from `strace -V`. */
export interface StraceAbilities {
  readonly version: string;
  /** Prints call stacks (`-k`). */
  readonly stacks: boolean;
  /** Stops the program only at the traced calls (`--seccomp-bpf`, 5.3). */
  readonly seccomp: boolean;
  /** Can be told to say nothing about the paths of `-P` (5.6). */
  readonly quietPaths: boolean;
}

/** Reads the output of `strace -V`. */
export function straceAbilities(versionText: string): StraceAbilities {
  const version = /version (\d+)\.(\d+)/.exec(versionText);
  const major = Number(version?.[1] ?? 0);
  const minor = Number(version?.[2] ?? 0);
  const isAtLeast = (wanted: number): boolean => major > 5 || (major === 5 && minor >= wanted);
  return {
    version: version === null ? '' : `${major}.${minor}`,
    stacks: /stack-(trace|unwind)=|stack-demangle/.test(versionText),
    seccomp: isAtLeast(3),
    quietPaths: isAtLeast(6),
  };
}

/** Calls that are traced. Those that a machine does not have are passed over (`?`). */
const TRACED = [
  'read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2',
  'open openat openat2 creat close close_range dup dup2 dup3 fcntl lseek _llseek',
  'fsync fdatasync sync syncfs sync_file_range msync',
  'sendto sendmsg recvfrom recvmsg',
  'sendfile copy_file_range splice mmap mmap2',
  'truncate ftruncate fallocate fadvise64 readahead',
  'stat lstat fstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents64',
  'unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat chdir fchdir',
  'execve execveat clone clone3 fork vfork exit_group io_submit io_getevents io_uring_enter',
  // Where a program waits by itself: what then lies between its calls is its computing, or the tracer's.
  'nanosleep clock_nanosleep poll ppoll select pselect6 epoll_wait epoll_pwait wait4 waitid pause rt_sigtimedwait flock',
].flatMap((names) => names.split(' '));

/** Whether a call is one of those that are traced without being asked for. */
export function isTracedCall(name: string): boolean {
  return TRACED.includes(name);
}

/** Few, and without them nobody knows which process is which: traced with any choice of calls. */
const PROCESS_CALLS = ['execve', 'execveat', 'clone', 'clone3', 'fork', 'vfork', 'exit_group'];

export interface RecordOptions {
  readonly output: string;
  readonly abilities: StraceAbilities;
  /** One file for each process, named `output.PID`. */
  readonly filePerProcess: boolean;
  /** Call stacks, where strace can print them; true when it is not said. */
  readonly stacks?: boolean;
  /** Only these calls (and those that make processes): names, or classes such as `%desc`. Undefined: all of I/O. */
  readonly calls?: readonly string[] | undefined;
  /** Only calls on these files, compared as text (see pathsToTrace). */
  readonly paths?: readonly string[];
}

/** The file in a form that strace takes for a file: what begins with `!` or `|` is a shell command to it. */
function fileFor(output: string): string {
  return path.resolve(output);
}

/** What strace is told to trace and to print. */
function whatToTrace({ abilities, stacks = true, calls, paths = [] }: RecordOptions): string[] {
  const chosen = calls === undefined ? TRACED : [...new Set([...calls, ...PROCESS_CALLS])];
  return [
    '-ttt',
    '-T',
    '-y',
    ...(stacks && abilities.stacks ? ['-k'] : []),
    '-e',
    `trace=${chosen.map((name) => (name.startsWith('%') ? name : `?${name}`)).join(',')}`,
    ...paths.flatMap((name) => ['-P', name]),
    // Standard error is the program's: no word about paths and processes.
    abilities.quietPaths ? '--quiet=attach,personality,path-resolution' : '-q',
  ];
}

/** The options of strace, up to the `--` in front of the program. */
export function straceOptions(options: RecordOptions): string[] {
  const { output, abilities, filePerProcess } = options;
  return [
    // strace as a grandchild: the program stays the child of whoever started it, so that signals, exit status and job
    // control are its own. As its parent strace would keep every SIGTERM from it (docs/decisions/0024).
    '-D',
    filePerProcess ? '-ff' : '-f',
    ...whatToTrace(options),
    // -ff and the filter exclude each other.
    ...(abilities.seccomp && !filePerProcess ? ['--seccomp-bpf'] : []),
    '-o',
    fileFor(output),
    '--',
  ];
}

/** The options of a strace that joins processes that run already, and adds to the end of the recording. */
export function attachOptions(options: RecordOptions, pids: readonly number[]): string[] {
  return [
    '-f',
    ...whatToTrace(options),
    '-A',
    '-o',
    fileFor(options.output),
    ...pids.flatMap((pid) => ['-p', String(pid)]),
  ];
}

/** Variables in which MPI and Slurm tell a process its rank; the innermost launcher's first. */
export const RANK_VARIABLES = [
  'OMPI_COMM_WORLD_RANK',
  'PMIX_RANK',
  'PMI_RANK',
  'MV2_COMM_WORLD_RANK',
  'PALS_RANKID',
  'SLURM_PROCID',
];

/** The rank of this process under `mpirun` or `srun`; undefined elsewhere. */
export function rankOf(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  // A Slurm batch script is no rank, although it has a SLURM_PROCID: only a step has more than one task.
  const isStep = environment['SLURM_STEP_NUM_TASKS'] !== undefined;
  const variables = RANK_VARIABLES.filter((name) => name !== 'SLURM_PROCID' || isStep);
  const found = variables.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
  return found !== undefined && /^\d+$/.test(found) ? found : undefined;
}

/** The name of a rank's recording by the DFG paper (section III): `cid_host_rid.st`. */
export function rankFileName(program: string, host: string, rank: string): string {
  const command = (program.split('/').at(-1) ?? '').replaceAll('_', '-') || 'program';
  return `${command}_${host}_${rank}.st`;
}

/**
 * A shell script that records each rank of a parallel program into a file of its own, named as in the DFG paper
 * (`cid_host_rid.st`). It needs strace and a POSIX shell on the compute nodes, nothing else. Where a rank cannot be
 * recorded it runs all the same, and standard error says why.
 *
 * @param stacksRanks ranks with call stacks where IOLENS_STACKS_RANKS says nothing; all when they are not given.
 */
export function recordScript(stacksRanks?: readonly string[]): string {
  const trace = `trace=${TRACED.map((name) => `?${name}`).join(',')}`;
  return `#!/bin/sh
# Records the I/O of each rank with strace; made by "iolens record --script".
#   mpirun -n 4 ./record.sh ./app arguments...
#   srun -n 4 ./record.sh ./app arguments...
# Then: iolens analyze iolens-recording
#   IOLENS_FOLDER        where the recordings go (iolens-recording)
#   IOLENS_STACKS_RANKS  ranks that are recorded with call stacks, such as 0,1, or "none"; when it is not set: ${stacksRanks?.join(',') ?? 'all'}
# Open MPI hands variables to other nodes only when it is told: mpirun -x IOLENS_FOLDER -x IOLENS_STACKS_RANKS ...
[ $# -gt 0 ] || { echo 'usage: record.sh program arguments...' >&2; exit 2; }
folder=\${IOLENS_FOLDER:-iolens-recording}
rank=${RANK_VARIABLES.reduceRight((rest, name) => `\${${name}:-${rest}}`, '$$')}
host=$(uname -n)
unrecorded() {
  echo "iolens: rank $rank on $host is not recorded: $1" >&2
}
command -v strace >/dev/null 2>&1 || { unrecorded 'there is no strace'; exec "$@"; }
strace -qq -e trace=none -o /dev/null true 2>/dev/null ||
  { unrecorded 'processes may not be traced here'; exec "$@"; }
mkdir -p -- "$folder" 2>/dev/null
command=$(basename -- "$1" | tr '_' '-')
number=1
output=$folder/\${command}_\${host}_\${rank}.st
while [ -e "$output" ]; do
  number=$((number + 1))
  output=$folder/\${command}-\${number}_\${host}_\${rank}.st
done
(: >"$output") 2>/dev/null || { unrecorded "$folder cannot be written"; exec "$@"; }
set -- -o "$output" -- "$@"
case ,\${IOLENS_STACKS_RANKS-${stacksRanks?.join(',') ?? '$rank'}}, in
  *,"$rank",*) strace -k -qq -e trace=none -o /dev/null true 2>/dev/null && set -- -k "$@" ;;
esac
strace -f --seccomp-bpf -qq -e trace=close -o /dev/null true 2>/dev/null && set -- --seccomp-bpf "$@"
exec strace -D -f -q -ttt -T -y -e '${trace}' "$@"
`;
}
