/* POSIX: files, locks and asynchronous requests. */
#include "tap.h"
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DESCRIPTORS = 4096, REQUESTS = 4096 };
static int handles[DESCRIPTORS]; /* handle + 1 */
static struct request { const void *block; int handle; long id; int tested, done; } requests[REQUESTS];
static int request_count;

/* The handle of a descriptor, or NO_HANDLE when its calls are not recorded. */
static int handle_of(int fd) {
  return tap_is_paused() || fd < 0 || fd >= DESCRIPTORS ? NO_HANDLE : handles[fd] - 1;
}

static int access_mode(int flags) { return flags & O_ACCMODE; }
static int creation_flags(int flags) {
  return (flags & O_CREAT ? 1 : 0) | (flags & O_TRUNC ? 2 : 0) | (flags & O_DIRECTORY ? 4 : 0) | (flags & O_EXCL ? 8 : 0);
}
static int status_flags(int flags) {
  int sync = (flags & O_SYNC) == O_SYNC;
  return (flags & O_CLOEXEC ? 1 : 0) | (flags & O_APPEND ? 2 : 0) | (flags & O_NONBLOCK ? 4 : 0) | (sync ? 16 : 0) |
         (!sync && (flags & O_DSYNC) ? 32 : 0) | (flags & O_DIRECT ? 64 : 0);
}

static int record_open(const char *name, int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  if (!tap_wants(path)) return real(path, flags, mode);
  tap_enter(name, "POSIX", METADATA);
  int fd = real(path, flags, mode), error = errno;
  if (fd >= 0 && fd < DESCRIPTORS) {
    int handle = tap_new_handle("POSIX", 'S', path);
    handles[fd] = handle + 1;
    tap_log("Cr %d %d %d %d", handle, access_mode(flags), creation_flags(flags), status_flags(flags));
  }
  tap_leave();
  errno = error;
  return fd;
}
#define OPEN(NAME)                                                                                                     \
  int NAME(const char *path, int flags, ...) {                                                                         \
    va_list arguments;                                                                                                 \
    va_start(arguments, flags);                                                                                        \
    mode_t mode = va_arg(arguments, mode_t);                                                                           \
    va_end(arguments);                                                                                                 \
    return record_open(#NAME, REAL(NAME), path, flags, mode);                                                          \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  int handle = handle_of(fd);
  if (handle == NO_HANDLE) return REAL(close)(fd);
  tap_enter("close", "POSIX", METADATA);
  int result = REAL(close)(fd);
  if (result == 0) {
    tap_log("De %d", handle);
    handles[fd] = 0;
  }
  tap_leave();
  return result;
}

/* A call on a descriptor that moves bytes or waits until they are stored. */
#define TRANSFER(TYPE, NAME, MODE, PARAMETERS, ARGUMENTS, BYTES, OFFSET)                                               \
  TYPE NAME PARAMETERS {                                                                                               \
    int handle = handle_of(fd);                                                                                        \
    if (handle == NO_HANDLE) return REAL(NAME) ARGUMENTS;                                                              \
    tap_enter(#NAME, "POSIX", DATA);                                                                                   \
    tap_begin(handle, MODE, BLOCKING, BYTES, 0, OFFSET);                                                               \
    TYPE result = REAL(NAME) ARGUMENTS;                                                                                \
    int error = errno;                                                                                                 \
    tap_end(handle, result, 0);                                                                                        \
    tap_leave();                                                                                                       \
    errno = error;                                                                                                     \
    return result;                                                                                                     \
  }
static size_t sum(const struct iovec *parts, int count) {
  size_t bytes = 0;
  for (int i = 0; i < count; i++) bytes += parts[i].iov_len;
  return bytes;
}
TRANSFER(ssize_t, read, READ, (int fd, void *to, size_t count), (fd, to, count), count, NO_OFFSET)
TRANSFER(ssize_t, write, WRITE, (int fd, const void *from, size_t count), (fd, from, count), count, NO_OFFSET)
TRANSFER(ssize_t, pread, READ, (int fd, void *to, size_t count, off_t at), (fd, to, count, at), count, at)
TRANSFER(ssize_t, pread64, READ, (int fd, void *to, size_t count, off_t at), (fd, to, count, at), count, at)
TRANSFER(ssize_t, pwrite, WRITE, (int fd, const void *from, size_t count, off_t at), (fd, from, count, at), count, at)
TRANSFER(ssize_t, pwrite64, WRITE, (int fd, const void *from, size_t count, off_t at), (fd, from, count, at), count, at)
TRANSFER(ssize_t, readv, READ, (int fd, const struct iovec *to, int count), (fd, to, count), sum(to, count), NO_OFFSET)
TRANSFER(ssize_t, writev, WRITE, (int fd, const struct iovec *from, int count), (fd, from, count), sum(from, count), NO_OFFSET)
TRANSFER(int, fsync, FLUSH, (int fd), (fd), 0, NO_OFFSET)
TRANSFER(int, fdatasync, FLUSH, (int fd), (fd), 0, NO_OFFSET)

static off_t record_seek(const char *name, off_t (*real)(int, off_t, int), int fd, off_t offset, int whence) {
  int handle = handle_of(fd);
  if (handle == NO_HANDLE) return real(fd, offset, whence);
  tap_enter(name, "POSIX", METADATA);
  off_t result = real(fd, offset, whence);
  if (result >= 0) tap_log("Se %d %lld %d %lld", handle, (long long)offset, whence, (long long)result);
  tap_leave();
  return result;
}
off_t lseek(int fd, off_t offset, int whence) { return record_seek("lseek", REAL(lseek), fd, offset, whence); }
off_t lseek64(int fd, off_t offset, int whence) { return record_seek("lseek64", REAL(lseek64), fd, offset, whence); }

int unlink(const char *path) {
  if (!tap_wants(path)) return REAL(unlink)(path);
  tap_enter("unlink", "POSIX", METADATA);
  int result = REAL(unlink)(path);
  if (result == 0) tap_log("Dl POSIX %s", path);
  tap_leave();
  return result;
}

int stat(const char *restrict path, struct stat *restrict to) {
  if (!tap_wants(path)) return REAL(stat)(path, to);
  tap_enter("stat", "POSIX", METADATA);
  int result = REAL(stat)(path, to);
  tap_leave();
  return result;
}

static int record_fcntl(const char *name, int (*real)(int, int, ...), int fd, int command, void *argument) {
  int handle = handle_of(fd);
  if (handle == NO_HANDLE) return real(fd, command, argument);
  tap_enter(name, "POSIX", METADATA);
  int result;
  if (command == F_SETLKW || command == F_SETLK) {
    int kind = ((struct flock *)argument)->l_type, shared = kind == F_RDLCK;
    if (command == F_SETLK && kind != F_UNLCK) tap_log("Tr %d %d", handle, shared);
    result = real(fd, command, argument);
    if (result == 0) tap_log("%s %d %d", kind == F_UNLCK ? "Re" : "Ac", handle, shared);
  } else {
    result = real(fd, command, argument);
    if (result == 0 && command == F_SETFL) tap_log("Ch %d %d", handle, status_flags((int)(intptr_t)argument));
  }
  tap_leave();
  return result;
}
#define FCNTL(NAME)                                                                                                    \
  int NAME(int fd, int command, ...) {                                                                                 \
    va_list arguments;                                                                                                 \
    va_start(arguments, command);                                                                                      \
    void *argument = va_arg(arguments, void *);                                                                        \
    va_end(arguments);                                                                                                 \
    return record_fcntl(#NAME, REAL(NAME), fd, command, argument);                                                     \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

static int record_request(const char *name, int (*real)(struct aiocb *), struct aiocb *block, enum tap_mode mode) {
  int handle = handle_of(block->aio_fildes);
  if (handle == NO_HANDLE || request_count == REQUESTS) return real(block);
  long id = tap_new_id();
  tap_enter(name, "POSIX", DATA);
  tap_begin(handle, mode, NON_BLOCKING, block->aio_nbytes, id, block->aio_offset);
  int result = real(block);
  if (result == 0) {
    tap_log("Is %d %ld", handle, id);
    requests[request_count++] = (struct request){block, handle, id, 0, 0};
  } else tap_end(handle, -1, id);
  tap_leave();
  return result;
}
int aio_read(struct aiocb *block) { return record_request("aio_read", REAL(aio_read), block, READ); }
int aio_write(struct aiocb *block) { return record_request("aio_write", REAL(aio_write), block, WRITE); }
int aio_read64(struct aiocb64 *block) {
  return record_request("aio_read64", (int (*)(struct aiocb *))REAL(aio_read64), (struct aiocb *)block, READ);
}
int aio_write64(struct aiocb64 *block) {
  return record_request("aio_write64", (int (*)(struct aiocb *))REAL(aio_write64), (struct aiocb *)block, WRITE);
}

static struct request *request_of(const void *block) {
  for (int i = request_count - 1; i >= 0; i--)
    if (requests[i].block == block && !requests[i].done) return &requests[i];
  return NULL;
}
static int record_error(const char *name, int result, const void *block) {
  struct request *request = request_of(block);
  if (!request || request->tested) return result; /* whoever waits asks thousands of times: the first says it all */
  request->tested = 1;
  tap_enter(name, "POSIX", METADATA);
  if (result == EINPROGRESS) tap_log("Te %d %ld", request->handle, request->id);
  tap_leave();
  return result;
}
static ssize_t record_return(const char *name, ssize_t result, const void *block) {
  struct request *request = request_of(block);
  if (!request) return result;
  tap_enter(name, "POSIX", METADATA);
  tap_end(request->handle, result, request->id);
  request->done = 1;
  tap_leave();
  return result;
}
int aio_error(const struct aiocb *block) { return record_error("aio_error", REAL(aio_error)(block), block); }
int aio_error64(const struct aiocb64 *block) { return record_error("aio_error64", REAL(aio_error64)(block), block); }
ssize_t aio_return(struct aiocb *block) { return record_return("aio_return", REAL(aio_return)(block), block); }
ssize_t aio_return64(struct aiocb64 *block) { return record_return("aio_return64", REAL(aio_return64)(block), block); }
