/* The layer POSIX: opening, reading, writing and closing. */
#include "recorder.h"
#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>
#include <unistd.h>

FUNCTION(open, LAYER_POSIX, "plr");
EXPORTED int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    REAL(open);
    struct call call;
    if (!call_begin(&call, &function_open)) return real(path, flags, mode);
    int result = real(path, flags, mode);
    if (call_end(&call)) {
        descriptor_opened(result);
        put_text(&call, path);
        put(&call, (unsigned)flags);
        put_result(&call, result);
        call_commit(&call);
    }
    return result;
}

FUNCTION(close, LAYER_POSIX, "fr");
EXPORTED int close(int fd)
{
    REAL(close);
    struct call call;
    if (!call_begin_at(&call, &function_close, fd)) return real(fd);
    // Before: another thread may be given the number at once.
    descriptor_closed(fd);
    int result = real(fd);
    if (call_end(&call)) {
        put_signed(&call, fd);
        put_result(&call, result);
        call_commit(&call);
    }
    return result;
}

FUNCTION(read, LAYER_POSIX, "fnr");
EXPORTED ssize_t read(int fd, void *buffer, size_t size)
{
    REAL(read);
    struct call call;
    if (!call_begin_at(&call, &function_read, fd)) return real(fd, buffer, size);
    ssize_t result = real(fd, buffer, size);
    if (call_end(&call)) {
        put_signed(&call, fd);
        put(&call, size);
        put_result(&call, result);
        call_commit(&call);
    }
    return result;
}

FUNCTION(write, LAYER_POSIX, "fnr");
EXPORTED ssize_t write(int fd, const void *buffer, size_t size)
{
    REAL(write);
    struct call call;
    if (!call_begin_at(&call, &function_write, fd)) return real(fd, buffer, size);
    ssize_t result = real(fd, buffer, size);
    if (call_end(&call)) {
        put_signed(&call, fd);
        put(&call, size);
        put_result(&call, result);
        call_commit(&call);
    }
    return result;
}

FUNCTION(pread, LAYER_POSIX, "fnor");
EXPORTED ssize_t pread(int fd, void *buffer, size_t size, off_t offset)
{
    REAL(pread);
    struct call call;
    if (!call_begin_at(&call, &function_pread, fd)) return real(fd, buffer, size, offset);
    ssize_t result = real(fd, buffer, size, offset);
    if (call_end(&call)) {
        put_signed(&call, fd);
        put(&call, size);
        put_signed(&call, offset);
        put_result(&call, result);
        call_commit(&call);
    }
    return result;
}
