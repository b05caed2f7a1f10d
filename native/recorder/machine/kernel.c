/*
 * Calls of the kernel that go past the C library: its functions are the ones that we stand in front of, and they are points
 * at which a thread may be cancelled, which must not happen with a lock held.
 */
#include "../recorder.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The C library's `syscall` may be ours, and sets errno. */
#if defined __x86_64__
long kernel_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long fourth __asm__("r10") = d;
    register long fifth __asm__("r8") = e;
    register long sixth __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined __aarch64__
long kernel_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long called __asm__("x8") = number;
    register long first __asm__("x0") = a;
    register long second __asm__("x1") = b;
    register long third __asm__("x2") = c;
    register long fourth __asm__("x3") = d;
    register long fifth __asm__("x4") = e;
    register long sixth __asm__("x5") = f;
    __asm__ volatile("svc #0"
                     : "+r"(first)
                     : "r"(called), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "memory");
    return first;
}
#else
long kernel_call(long number, long a, long b, long c, long d, long e, long f)
{
    int before = errno;
    long result = syscall(number, a, b, c, d, e, f);
    if (result == -1) result = -errno;
    errno = before;
    return result;
}
#endif

static long kernel(long number, long a, long b, long c, long d)
{
    return kernel_call(number, a, b, c, d, 0, 0);
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
    long memory = kernel_call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory < 0 && memory > -4096 ? NULL : (void *)memory;
}

bool kernel_memory_at(void *memory, size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    return kernel_call(SYS_mmap, (long)memory, (long)bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == (long)memory;
}

bool kernel_memory_move(void *memory, void *target, size_t bytes)
{
    int flags = MREMAP_MAYMOVE | MREMAP_FIXED;
    return kernel_call(SYS_mremap, (long)memory, (long)bytes, (long)bytes, flags, (long)target, 0) == (long)target;
}

bool kernel_map(void *memory, size_t bytes, int fd, int64_t offset)
{
    int flags = MAP_SHARED | MAP_FIXED;
    if (kernel_call(SYS_mmap, (long)memory, (long)bytes, PROT_READ | PROT_WRITE, flags, fd, offset) == (long)memory) return true;
    // What was there may be gone.
    kernel_memory_at(memory, bytes);
    return false;
}

void kernel_memory_clear(void *memory, size_t bytes)
{
    // Memory that is locked cannot be given back.
    if (kernel(SYS_madvise, (long)memory, (long)bytes, MADV_DONTNEED, 0) < 0) memset(memory, 0, bytes);
}

bool kernel_empty_in_forks(void *memory, size_t bytes)
{
    return kernel(SYS_madvise, (long)memory, (long)bytes, 18 /* MADV_WIPEONFORK */, 0) == 0;
}

void kernel_wait(int *at, int value)
{
    kernel(SYS_futex, (long)at, FUTEX_WAIT_PRIVATE, value, 0);
}

void kernel_wake(int *at)
{
    kernel(SYS_futex, (long)at, FUTEX_WAKE_PRIVATE, 1, 0);
}

bool kernel_has_thread(int thread)
{
    return kernel(SYS_tkill, thread, 0, 0, 0) != -ESRCH;
}

bool kernel_on_other_stack(const void *address)
{
    stack_t stack;
    if (kernel(SYS_sigaltstack, 0, (long)&stack, 0, 0) < 0 || (stack.ss_flags & SS_DISABLE) != 0) return false;
    return (uintptr_t)address - (uintptr_t)stack.ss_sp < stack.ss_size;
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

size_t kernel_name_bytes(const char *path, size_t length)
{
    static const char DELETED[] = " (deleted)";
    size_t suffix = sizeof DELETED - 1;
    bool is_deleted = length > suffix && memcmp(path + length - suffix, DELETED, suffix) == 0;
    return is_deleted ? length - suffix : length;
}

long kernel_seek(int fd, int64_t offset, int whence)
{
    return kernel(SYS_lseek, fd, offset, whence, 0);
}

long kernel_status_flags(int fd)
{
    return kernel(SYS_fcntl, fd, F_GETFL, 0, 0);
}

long kernel_duplicate(int fd, int lowest)
{
    return kernel(SYS_fcntl, fd, F_DUPFD_CLOEXEC, lowest, 0);
}

void kernel_allow_owner(int fd)
{
    struct stat status;
    if (kernel(SYS_fstat, fd, (long)&status, 0, 0) == 0 && (status.st_mode & 0600) != 0600)
        kernel(SYS_fchmod, fd, (status.st_mode & 0777) | 0600, 0, 0);
}

static bool identity_in(long result, const struct stat *status, struct file_identity *identity)
{
    if (result != 0) return false;
    identity->device = status->st_dev;
    identity->number = status->st_ino;
    return true;
}

bool kernel_identity(int fd, struct file_identity *identity)
{
    struct stat status;
    return identity_in(kernel(SYS_fstat, fd, (long)&status, 0, 0), &status, identity);
}

bool kernel_identity_of(const char *path, struct file_identity *identity)
{
    struct stat status;
    return identity_in(kernel(SYS_newfstatat, AT_FDCWD, (long)path, (long)&status, AT_SYMLINK_NOFOLLOW), &status, identity);
}

bool kernel_is_text(const void *address)
{
    return kernel(SYS_faccessat, AT_FDCWD, (long)address, F_OK, 0) != -EFAULT;
}

long kernel_truncate(int fd, int64_t size)
{
    return kernel(SYS_ftruncate, fd, size, 0, 0);
}

long kernel_make_folder(const char *path)
{
    return kernel(SYS_mkdirat, AT_FDCWD, (long)path, 0777, 0);
}
