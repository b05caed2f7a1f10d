/* The layer POSIX: position, size, safety, locks and mapping of open files. */
#include "../wrapper.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

AT_DESCRIPTOR(off_t, lseek, "lseek", "fowr", (int fd, off_t offset, int whence), (fd, offset, whence), fd,
              PUT_SIGNED(fd) PUT_SIGNED(offset) PUT_FLAGS(whence) PUT_RESULT());
ALIAS(lseek64, lseek);

/* ---- reaching the storage ---- */

#define PUT_DESCRIPTOR_AND_RESULT() PUT_SIGNED(fd) PUT_RESULT()

AT_DESCRIPTOR(int, fsync, "fsync", "fr", (int fd), (fd), fd, PUT_DESCRIPTOR_AND_RESULT());
AT_DESCRIPTOR(int, fdatasync, "fdatasync", "fr", (int fd), (fd), fd, PUT_DESCRIPTOR_AND_RESULT());
AT_DESCRIPTOR(int, syncfs, "syncfs", "fr", (int fd), (fd), fd, PUT_DESCRIPTOR_AND_RESULT());
AT_DESCRIPTOR(int, sync_file_range, "sync_file_range", "fonkr", (int fd, off_t offset, off_t size, unsigned flags),
              (fd, offset, size, flags), fd,
              PUT_SIGNED(fd) PUT_SIGNED(offset) PUT(size) PUT_FLAGS(flags) PUT_RESULT());
/* The address tells which mapping, and so which file. */
AT_PATH(int, msync, "msync", "nOkr", (void *address, size_t size, int flags), (address, size, flags),
        PUT(size) PUT_SIGNED(address) PUT_FLAGS(flags) PUT_RESULT());

WRAPPED(sync, "sync", LAYER_POSIX, "sync", "");
DECLARED(void, sync, (void));
EXPORTED void recorded_sync(void)
{
    void (*real)(void) = (void (*)(void))REAL_OF(sync);
    struct call call;
    bool is_recorded = call_begin(&call, &function_sync);
    real();
    if (is_recorded && call_end(&call)) call_commit(&call);
}

/* ---- size and space ---- */

AT_DESCRIPTOR(int, ftruncate, "ftruncate", "fvr", (int fd, off_t size), (fd, size), fd,
              PUT_SIGNED(fd) PUT_SIGNED(size) PUT_RESULT());
ALIAS(ftruncate64, ftruncate);
AT_PATH(int, truncate, "truncate", "pvr", (const char *path, off_t size), (path, size),
        PUT_PATH(path) PUT_SIGNED(size) PUT_RESULT());
ALIAS(truncate64, truncate);
AT_DESCRIPTOR(int, fallocate, "fallocate", "fkonr", (int fd, int mode, off_t offset, off_t size), (fd, mode, offset, size),
              fd, PUT_SIGNED(fd) PUT_FLAGS(mode) PUT_SIGNED(offset) PUT(size) PUT_RESULT());
ALIAS(fallocate64, fallocate);

/* These return the error's number. */
AT_DESCRIPTOR(int, posix_fallocate, "posix_fallocate", "fonr", (int fd, off_t offset, off_t size), (fd, offset, size), fd,
              PUT_SIGNED(fd) PUT_SIGNED(offset) PUT(size) put_code(&call, result););
ALIAS(posix_fallocate64, posix_fallocate);
AT_DESCRIPTOR(int, posix_fadvise, "posix_fadvise", "fonkr", (int fd, off_t offset, off_t size, int advice),
              (fd, offset, size, advice), fd,
              PUT_SIGNED(fd) PUT_SIGNED(offset) PUT(size) PUT_FLAGS(advice) put_code(&call, result););
ALIAS(posix_fadvise64, posix_fadvise);
AT_DESCRIPTOR(ssize_t, readahead, "readahead", "fonr", (int fd, off_t offset, size_t size), (fd, offset, size), fd,
              PUT_SIGNED(fd) PUT_SIGNED(offset) PUT(size) PUT_RESULT());

/* ---- locks (those of fcntl: open.c) ---- */

AT_DESCRIPTOR(int, flock, "flock", "fkr", (int fd, int kind), (fd, kind), fd, PUT_SIGNED(fd) PUT_FLAGS(kind) PUT_RESULT());
AT_DESCRIPTOR(int, lockf, "lockf", "fkvr", (int fd, int kind, off_t size), (fd, kind, size), fd,
              PUT_SIGNED(fd) PUT_FLAGS(kind) PUT_SIGNED(size) PUT_RESULT());
ALIAS(lockf64, lockf);

/* ---- mapping. Memory without a file is no I/O. ---- */

WRAPPED(mmap, "mmap", LAYER_POSIX, "mmap", "fnokvOr");
DECLARED(void *, mmap, (void *address, size_t size, int protection, int flags, int fd, off_t offset));
EXPORTED void *recorded_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    // Allocators call it to begin with. To look for the real one may need an allocator that has begun.
    if (UNLIKELY(function_mmap.real == NULL))
        return (void *)syscall(SYS_mmap, address, size, (long)protection, (long)flags, (long)fd, offset);
    void *(*real)(void *, size_t, int, int, int, off_t) = (void *(*)(void *, size_t, int, int, int, off_t))function_mmap.real;
    struct call call;
    if ((flags & MAP_ANONYMOUS) != 0 || !call_begin_at(&call, &function_mmap, fd))
        return real(address, size, protection, flags, fd, offset);
    void *result = real(address, size, protection, flags, fd, offset);
    if (call_end(&call)) {
        PUT_SIGNED(fd) PUT(size) PUT_SIGNED(offset) PUT_FLAGS(protection) PUT_SIGNED(flags) PUT_SIGNED(result)
        put_result(&call, result == MAP_FAILED ? -1 : 0);
        call_commit(&call);
    }
    return result;
}
ALIAS(mmap64, mmap);
