import { isKnownFunction } from '../../analysis/sites/call-sites.ts';
import { isLibraryModule } from '../../symbols/library-modules.ts';

/**
 * What a redacted recording may say as it is: names that every machine has. Everything that is not here is replaced, so a
 * word that was forgotten costs readability, not privacy.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));

/** Parts of paths that the Filesystem Hierarchy Standard, compilers and run-times give the same name everywhere. */
const PATH_PARTS = words(`
  usr lib lib32 lib64 libexec local share include etc bin sbin proc sys dev run var opt tmp home root mnt scratch
  self fd maps status meminfo cpuinfo stat null zero random urandom tty pts shm kernel mm fs
  x86_64-linux-gnu aarch64-linux-gnu locale gconv python3 site-packages dist-packages __pycache__ gcc c++ bits
  .pmix .openmpi .X11-unix . .. `);

/** Endings that say what kind of file it is. */
const ENDINGS = words(`
  c h cc cpp cxx hh hpp hxx inl ipp f for f77 f90 f95 f03 f08 cu cuh py pyc pyx rs go jl r m sh
  so a o d mod txt log dat data csv tsv json xml yaml yml toml ini cfg conf nml in out inp par lock tmp bak swp pid
  h5 hdf5 nc nc4 cdf bp grib grb bin raw npy npz parquet arrow zarr vtk vtu pvtu silo exo e fits tif tiff png jpg
  gz xz bz2 zst zip tar tgz cache st strace darshan otf2 mo `);

/** A public path part is kept as it is; library names count (`libc.so.6`, `libmpi.so.40`). */
export function isPublicPart(part: string): boolean {
  if (part.startsWith('[')) return /^\[(vdso|vsyscall|vvar|heap|stack)\]$/.test(part);
  return PATH_PARTS.has(part) || isLibraryModule(`//${part}`);
}

/** The ending that is kept of a name, with its dot: `.h5`, `.so.1`; '' when there is none of a known kind. */
export function publicEnding(part: string): string {
  const shared = /\.so(\.\d+)*$/.exec(part);
  if (shared !== null) return shared[0];
  const dot = part.lastIndexOf('.');
  return dot > 0 && ENDINGS.has(part.slice(dot + 1)) ? part.slice(dot) : '';
}

/** Functions of the user's modules that keep their names: the start of a program, and those that the analysis looks for. */
export function isPublicFunction(name: string): boolean {
  return name === '' || name === 'main' || name === 'MAIN__' || isKnownFunction(name);
}

/** Calls that the reader's own table does not hold and that are common. */
export const OTHER_CALLS = words(`
  brk ioctl futex rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack arch_prctl set_tid_address set_robust_list rseq
  prlimit64 getrlimit setrlimit getrandom mprotect munmap mremap madvise poll ppoll select pselect6 epoll_wait epoll_pwait
  epoll_ctl nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times getpid gettid getppid getpgrp
  getpgid setpgid getsid setsid getuid geteuid getgid getegid getresuid getresgid getgroups exit exit_group wait4 waitid
  kill tkill tgkill sched_yield sched_getaffinity sched_setaffinity sched_getparam sched_setscheduler sysinfo uname prctl
  umask getcwd getrusage getpriority setpriority io_setup io_submit io_getevents io_destroy io_uring_enter
  io_uring_register shmget shmat shmdt shmctl semget semop semctl connect bind listen getsockname getpeername getsockopt
  setsockopt shutdown inotify_add_watch inotify_rm_watch mlock munlock mincore membarrier getcpu restart_syscall pause
  alarm setitimer getitimer timer_create timer_settime timerfd_settime personality capget capset `);

/** Words in the arguments that are no names of anyone's. */
const ARGUMENT_WORDS = words(`
  NULL iov_base iov_len st_mode st_size st_dev st_ino st_nlink st_blksize st_blocks st_rdev st_atime st_mtime st_ctime
  stx_mask stx_attributes stx_mode stx_size tv_sec tv_nsec tv_usec sa_family sa_handler sa_mask sa_flags sa_restorer
  flags mode resolve events revents fd data u32 u64 rlim_cur rlim_max l_type l_whence l_start l_len makedev sizeof
  child_stack child_tidptr parent_tid child_tid exit_signal stack stack_size tls set_tid pidfd vars var entries entry
  unfinished detached unavailable resumed makes htons inet_addr inet_pton st_uid st_gid si_uid si_pid si_status R_OK W_OK X_OK F_OK `);

const CONSTANT =
  /^(?:E[A-Z0-9]{3,14}|SIG[A-Z0-9]{2,8}|(?:O|S|AT|SEEK|PROT|MAP|CLONE|F|FD|SA|POLL|EPOLL|EPOLL_CTL|AF|SOCK|IPPROTO|MSG|STATX|RWF|FALLOC_FL|FALLOC|POSIX_FADV|MADV|MS|MREMAP|ARCH|RLIMIT|FUTEX|PR|CLOCK|TIMER|GRND|UTIME|RENAME|XATTR|LOCK|RUSAGE|SPLICE_F|IORING|SOL|SO|TCP|IP|DT|POLLIN|POLLOUT|RESOLVE|SYNC_FILE_RANGE|WNOHANG|MFD|EFD|IN|PTHREAD|SCHED|TCGETS|TIOCGWINSZ|FIONREAD|CLOSE_RANGE)(?:_[A-Z0-9_]{1,28})?|S_?I[A-Z]{3,6})$/;

/** Whether a word outside of strings may stay: a field, a constant of the kernel, a hexadecimal number. */
export function isPublicWord(word: string): boolean {
  return ARGUMENT_WORDS.has(word) || CONSTANT.test(word);
}
