// npm run try-releases [-- bullseye|trixie …]: the tests of the recorder on other releases of Debian than this one, with the C
// libraries, compilers, MPI, HDF5 and Python of each (scripts/bare-root.mjs). It takes the build in dist/, and a quarter of an hour for
// each.
import { BareRoot, missingForBareRoot } from './bare-root.mjs';
import { root } from './machine.mjs';

/** glibc 2.31, GCC 9 and 10, Open MPI 4.1, MPICH 3.4; glibc 2.41, GCC 12 to 14, Open MPI 5, MPICH 4.2. */
const RELEASES = ['bullseye', 'trixie'];
/** Every version that a release has, each compiles the library once. */
const COMPILERS = 'gcc-[0-9]+|clang-[0-9]+';
/** What the tests of the recorder look for; what a release does not have its tests do without, with a word. */
const TOOLS =
  'gcc g++ gfortran clang binutils strace libc6-dev musl-tools pkg-config fio xz-utils zstd procps ' +
  'libjemalloc-dev libgoogle-perftools-dev libmimalloc-dev libaio-dev liburing-dev ' +
  'openmpi-bin libopenmpi-dev mpich libmpich-dev libhdf5-openmpi-dev libhdf5-dev libnetcdf-dev libnetcdf-mpi-dev ' +
  'libnetcdff-dev libpnetcdf-dev hdf5-tools netcdf-bin python3 python3-mpi4py python3-h5py python3-netcdf4';

/** What programs of the tests call and C libraries before 2.34 do not have, by the calls of the kernel. */
const NEWER_CALLS = `
#ifndef __ASSEMBLER__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <features.h>
#if defined __GLIBC__ && !defined __cplusplus && !__GLIBC_PREREQ(2, 34)
#define SYS_close_range 436
#define PTHREAD_STACK_MIN 16384
#include <signal.h>
extern long syscall(long, ...);
static inline __attribute__((unused)) int _Fork(void) { return (int)syscall(56 /* clone */, SIGCHLD, 0, 0, 0, 0); }
static inline __attribute__((unused)) int execveat(int folder, const char *path, char *const words[], char *const variables[], int flags)
{
    return (int)syscall(322, folder, path, words, variables, flags);
}
static inline __attribute__((unused)) int close_range(unsigned first, unsigned last, int flags) { return (int)syscall(SYS_close_range, first, last, flags); }
static inline __attribute__((unused)) void closefrom(int first) { close_range((unsigned)first, ~0u, 0); }
#endif
#endif`;

const INSTALL = `
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >/dev/null || exit 1
there=$(apt-cache pkgnames | sort -u)
compilers=$(echo "$there" | grep -xE '${COMPILERS}')
tools=$(for name in ${TOOLS}; do echo "$there" | grep -xF "$name"; done)
apt-get install -y -q --no-install-recommends $compilers $tools >/tmp/apt.log || { tail -20 /tmp/apt.log; exit 1; }
apt-get clean
mkdir -p /usr/local/include && cat > /usr/local/include/newer-calls.h <<'END'
${NEWER_CALLS}
END
for name in cc gcc; do
  cat > /usr/local/bin/$name <<'END'
#!/bin/sh
case "$*" in
*-fvisibility=hidden*) exec /usr/bin/gcc "$@" ;; # the recorder itself
*) exec /usr/bin/gcc -include /usr/local/include/newer-calls.h "$@" -lrt ;;
esac
END
  chmod +x /usr/local/bin/$name
done
echo "$compilers" | tr '\\n' ' '; ldd --version | head -1`;

/** Each compiler makes the library, and a program that it compiled is recorded with it. */
const COMPILE = `
cd /tmp && cat > writer.c <<'END'
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  int file = open("out.bin", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  for (int i = 0; i < 50; i++) if (write(file, "0123456789", 10) < 0) return 9;
  return close(file);
}
END
status=0
for compiler in $(ls /usr/bin | grep -xE '${COMPILERS}'); do
  $compiler -g -o writer writer.c && rm -rf out.iolens &&
    IOLENS_RECORDER_CC=$compiler node ${root}/dist/cli.js record --with preload -o out.iolens -- ./writer > log 2>&1 &&
    node ${root}/dist/cli.js sites out.iolens > sites 2>&1 && grep -q 'writer.c:5' sites && echo "✓ $compiler" ||
    { echo "✗ $compiler"; cat log sites; status=1; }
done
exit $status`;

/** What a release's own tools do otherwise, with and without the recorder. */
const OTHERWISE = {
  trixie: [
    // mpirun of MPICH 4.2 ends with 0 when MPI_ERRORS_ARE_FATAL ends its ranks, without the recorder, too.
    'mpich fatal ends the program as without',
    // Open MPI 5.0 crashes or hangs one of three times when several threads write, without the recorder, too.
    'openmpi threads that write to files of their own',
  ],
  bullseye: [
    // MPICH 3.4 ends with SIGSEGV on arguments that do not count, without the recorder, too.
    'messages of mpich are recorded with both ends',
    'mpich counts of 64 bits',
    // OMPIO of Open MPI 4.1.0 leaves bytes undefined, and parallel NetCDF 4.7 makes no file.
    'openmpi every function',
    'a program of all layers',
    // strace 5.10 does not tell the folder of creat, truncate and rename.
    'the library and strace record the same calls of (descriptors|transfers|names)',
    // The kernel's headers, musl and h5py of that time know less.
    'the programs call every function that there is',
    'another C library',
    'what signal handlers and small threads may call needs little stack',
    'Python whose modules bring the libraries along',
  ],
};

const testsOf = (release) => {
  const names = (OTHERWISE[release] ?? []).join('|');
  const chosen = names === '' ? '' : ` -t '^(?!.*(${names}))'`;
  return `cd ${root} && exec env OMPI_MCA_btl=^tcp node_modules/.bin/vitest run --reporter=default --no-cache test/record${chosen}`;
};

/** @returns whether all went well. */
function tryStep(bare, name, line) {
  const { status, output, seconds } = bare.run('root', line);
  console.log(`── ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds.toFixed(0)} s`);
  console.log(status === 0 ? output.trim().split('\n').slice(-12).join('\n') : output);
  return status === 0;
}

/** @returns whether all went well. */
function tryRelease(release) {
  const bare = new BareRoot(release, root);
  try {
    if (!bare.isPrepared) {
      if (!tryStep(bare, `${release}, packages`, INSTALL)) return false;
      bare.keep();
    }
    const compiled = tryStep(bare, `${release}, compilers`, COMPILE);
    return tryStep(bare, `${release}, tests of the recorder`, testsOf(release)) && compiled;
  } finally {
    bare.remove();
  }
}

const lacking = missingForBareRoot();
if (lacking !== '') console.log(`Other releases of Debian were not tried, for want of ${lacking}`);
else {
  const wanted = process.argv.slice(2);
  const tried = (wanted.length > 0 ? wanted : RELEASES).map(tryRelease);
  if (tried.includes(false)) process.exitCode = 1;
}
