/*
 * Calls of the kernel that go past the C library: its functions are the ones that we stand in front of, and they are points
 * at which a thread may be cancelled, which must not happen with a lock held.
 */
#include "recorder.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The result, or the error's number as a negative one; errno stays as it is. */
static long kernel(long number, long a, long b, long c, long d)
{
    int before = errno;
    long result = syscall(number, a, b, c, d);
    if (result < 0) result = -errno;
    errno = before;
    return result;
}

uint64_t monotonic_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void signals_block(signal_mask *before)
{
    signal_mask all = ~(signal_mask)0;
    kernel(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, (long)&all, (long)before, sizeof all);
}

void signals_restore(const signal_mask *before)
{
    kernel(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)before, 0, sizeof *before);
}

int kernel_process(void)
{
    return (int)kernel(SYS_getpid, 0, 0, 0, 0);
}

int kernel_thread(void)
{
    return (int)kernel(SYS_gettid, 0, 0, 0, 0);
}

void *kernel_memory(size_t bytes)
{
    int before = errno;
    void *memory = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
    errno = before;
    return memory == MAP_FAILED ? NULL : memory;
}

void kernel_memory_clear(void *memory, size_t bytes)
{
    kernel(SYS_madvise, (long)memory, (long)bytes, MADV_DONTNEED, 0);
}

long kernel_open(const char *path, int flags, int mode)
{
    return kernel(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, mode);
}

long kernel_write(int fd, const void *bytes, size_t size)
{
    return kernel(SYS_write, fd, (long)bytes, (long)size, 0);
}

long kernel_read(int fd, void *bytes, size_t size)
{
    return kernel(SYS_read, fd, (long)bytes, (long)size, 0);
}

long kernel_close(int fd)
{
    return kernel(SYS_close, fd, 0, 0, 0);
}

long kernel_readlink(const char *path, char *target, size_t size)
{
    return kernel(SYS_readlinkat, AT_FDCWD, (long)path, (long)target, (long)size);
}

long kernel_seek(int fd, int64_t offset, int whence)
{
    return kernel(SYS_lseek, fd, offset, whence, 0);
}

long kernel_status_flags(int fd)
{
    return kernel(SYS_fcntl, fd, F_GETFL, 0, 0);
}

long kernel_truncate(int fd, int64_t size)
{
    return kernel(SYS_ftruncate, fd, size, 0, 0);
}

long kernel_make_folder(const char *path)
{
    return kernel(SYS_mkdirat, AT_FDCWD, (long)path, 0777, 0);
}
