/*
 * What the kernel may do to any read or write, done often: a call is interrupted before it moved a byte (EINTR), or moves
 * half of what it was asked for. A program is run with this library before and after a change of it (LD_PRELOAD).
 *
 * IOLENS_FAULT         interrupted, or short
 * IOLENS_FAULT_SEED    which calls; the same seed disturbs the same calls of a program with one thread
 * IOLENS_FAULT_BELOW   the folder of the program; files elsewhere are its inputs, unless they are the system's
 * IOLENS_FAULT_EXCEPT  calls on files below this folder are left alone: what whoever runs it reads and writes
 * IOLENS_FAULT_REPORT  a file of 8 bytes: how many calls were disturbed (4 bytes), and whether those of a FILE are reached
 *
 * Calls that the C library makes for a FILE do not come by here. It goes over short ones itself; that they are interrupted
 * it tells the program, so the table of its functions for files is led here, where it is as this library knows it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

struct report {
    _Atomic uint32_t disturbed;
    _Atomic uint32_t reaches_streams;
};

static enum { NONE, INTERRUPTED, SHORT } fault;
static uint64_t seed;
static char *below, *except;
static struct report *report;
static _Atomic uint64_t calls;

/* One call in so many, and the first: a change may leave no more than that. */
enum { RARENESS = 4 };

static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static int is_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static int is_of_program(int fd)
{
    static const char *const system[] = {"/usr", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev", "/opt"};
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    /* Pipes and sockets have names without a slash in front. */
    if (length <= 0 || path[0] != '/')
        return 0;
    path[length] = 0;
    if (is_in(path, below))
        return 1;
    if (except != NULL && is_in(path, except))
        return 0;
    for (size_t i = 0; i < sizeof system / sizeof system[0]; i++)
        if (is_in(path, system[i]))
            return 0;
    return 1;
}

/* Whether this call is one of those. Leaves errno as it is. */
static int is_due(int fd)
{
    if (fault == NONE)
        return 0;
    int before = errno;
    int due = is_of_program(fd);
    errno = before;
    if (!due)
        return 0;
    uint64_t number = atomic_fetch_add(&calls, 1);
    return number == 0 || mixed(seed ^ mixed(number)) % RARENESS == 0;
}

static void count(void)
{
    if (report != NULL)
        atomic_fetch_add(&report->disturbed, 1);
}

static int interrupts(int fd)
{
    if (fault != INTERRUPTED || !is_due(fd))
        return 0;
    count();
    errno = EINTR;
    return 1;
}

/* Half of it; of much a multiple of a sector, which direct access demands. */
static size_t shortened(int fd, size_t size)
{
    if (fault != SHORT || size < 2 || !is_due(fd))
        return size;
    count();
    size_t half = size / 2;
    return half < 512 ? half : half & ~(size_t)511;
}

#define REAL(result, name, ...)                                                                                       \
    static result (*real)(__VA_ARGS__);                                                                                \
    if (real == NULL)                                                                                                  \
        real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);                                                        \
    if (real == NULL) {                                                                                                \
        errno = ENOSYS;                                                                                                \
        return -1;                                                                                                     \
    }

#define MOVES(name, data, more, handed)                                                                               \
    ssize_t name(int fd, data buffer, size_t size more)                                                                \
    {                                                                                                                  \
        REAL(ssize_t, name, int, data, size_t more)                                                                    \
        if (interrupts(fd))                                                                                            \
            return -1;                                                                                                 \
        return real(fd, buffer, shortened(fd, size) handed);                                                           \
    }
#define COMMA ,

MOVES(read, void *, , )
MOVES(write, const void *, , )
MOVES(pread, void *, COMMA off_t at, COMMA at)
MOVES(pwrite, const void *, COMMA off_t at, COMMA at)
MOVES(pread64, void *, COMMA off64_t at, COMMA at)
MOVES(pwrite64, const void *, COMMA off64_t at, COMMA at)

/* What a program calls that is compiled with _FORTIFY_SOURCE. */
ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room)
{
    return read(fd, buffer, size > room ? room : size);
}

ssize_t __pread_chk(int fd, void *buffer, size_t size, off_t at, size_t room)
{
    return pread(fd, buffer, size > room ? room : size, at);
}

ssize_t __pread64_chk(int fd, void *buffer, size_t size, off64_t at, size_t room)
{
    return pread64(fd, buffer, size > room ? room : size, at);
}

/* A short one ends behind its first part, or within the only one. */
#define MOVES_PARTS(name, one)                                                                                        \
    ssize_t name(int fd, const struct iovec *parts, int count_of_parts)                                                \
    {                                                                                                                  \
        REAL(ssize_t, name, int, const struct iovec *, int)                                                            \
        if (count_of_parts == 1)                                                                                       \
            return one(fd, parts->iov_base, parts->iov_len);                                                           \
        if (interrupts(fd))                                                                                            \
            return -1;                                                                                                 \
        if (fault == SHORT && count_of_parts > 1 && is_due(fd)) {                                                      \
            count();                                                                                                   \
            return real(fd, parts, 1);                                                                                 \
        }                                                                                                              \
        return real(fd, parts, count_of_parts);                                                                        \
    }

MOVES_PARTS(readv, read)
MOVES_PARTS(writev, write)

/* Streams of the C library: places of reading and writing in its table of functions for files. */
enum { READ_SLOT = 14, WRITE_SLOT = 15, ERROR_SEEN = 0x20 };

static ssize_t (*stream_read)(FILE *, void *, ssize_t);
static ssize_t (*stream_write)(FILE *, const void *, ssize_t);

static ssize_t read_for_stream(FILE *stream, void *buffer, ssize_t size)
{
    int fd = fileno_unlocked(stream);
    if (interrupts(fd))
        return -1;
    return stream_read(stream, buffer, (ssize_t)shortened(fd, (size_t)size));
}

/* As the C library does it when a write fails: it says how much was written, and marks the stream. */
static ssize_t write_for_stream(FILE *stream, const void *buffer, ssize_t size)
{
    if (interrupts(fileno_unlocked(stream))) {
        stream->_flags |= ERROR_SEEN;
        return 0;
    }
    return stream_write(stream, buffer, size);
}

static void reach_streams(void)
{
    void **table = dlsym(RTLD_NEXT, "_IO_file_jumps");
    void *reads = dlsym(RTLD_NEXT, "_IO_file_read");
    void *writes = dlsym(RTLD_NEXT, "_IO_file_write");
    if (table == NULL || reads == NULL || writes == NULL)
        return;
    if (table[READ_SLOT] != reads || table[WRITE_SLOT] != writes)
        return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)&table[READ_SLOT] & ~(page - 1);
    size_t length = (uintptr_t)&table[WRITE_SLOT + 1] - first;
    if (mprotect((void *)first, length, PROT_READ | PROT_WRITE) != 0)
        return;
    memcpy(&stream_read, &reads, sizeof reads);
    memcpy(&stream_write, &writes, sizeof writes);
    ssize_t (*our_read)(FILE *, void *, ssize_t) = read_for_stream;
    ssize_t (*our_write)(FILE *, const void *, ssize_t) = write_for_stream;
    memcpy(&table[READ_SLOT], &our_read, sizeof our_read);
    memcpy(&table[WRITE_SLOT], &our_write, sizeof our_write);
    /* Not back to read-only: what else lies on the page may be written to. */
    if (report != NULL)
        atomic_store(&report->reaches_streams, 1);
}

__attribute__((constructor)) static void begin(void)
{
    const char *wanted = getenv("IOLENS_FAULT"), *number = getenv("IOLENS_FAULT_SEED");
    const char *file = getenv("IOLENS_FAULT_REPORT");
    const char *folder = getenv("IOLENS_FAULT_BELOW"), *ours = getenv("IOLENS_FAULT_EXCEPT");
    if (wanted == NULL || folder == NULL)
        return;
    /* A program may change its environment. */
    below = strdup(folder);
    except = ours == NULL ? NULL : strdup(ours);
    if (below == NULL)
        return;
    seed = number == NULL ? 0 : strtoull(number, NULL, 10);
    int fd = file == NULL ? -1 : open(file, O_RDWR | O_CLOEXEC);
    if (fd >= 0) {
        void *shared = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        report = shared == MAP_FAILED ? NULL : shared;
        close(fd);
    }
    fault = strcmp(wanted, "short") == 0 ? SHORT : strcmp(wanted, "interrupted") == 0 ? INTERRUPTED : NONE;
    reach_streams();
}
