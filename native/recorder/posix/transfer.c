/* The layer POSIX: what moves bytes. */
#include "../wrapper.h"
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#define PUT_TRANSFER() PUT_SIGNED(fd) PUT(size) PUT_RESULT()
#define PUT_TRANSFER_AT() PUT_SIGNED(fd) PUT(size) PUT_SIGNED(offset) PUT_RESULT()

AT_DESCRIPTOR(ssize_t, read, "read", "fnr", (int fd, void *buffer, size_t size), (fd, buffer, size), fd, PUT_TRANSFER());
AT_DESCRIPTOR(ssize_t, write, "write", "fnr", (int fd, const void *buffer, size_t size), (fd, buffer, size), fd,
              PUT_TRANSFER());
AT_DESCRIPTOR(ssize_t, pread, "pread", "fnor", (int fd, void *buffer, size_t size, off_t offset), (fd, buffer, size, offset),
              fd, PUT_TRANSFER_AT());
ALIAS(pread64, pread);
AT_DESCRIPTOR(ssize_t, pwrite, "pwrite", "fnor", (int fd, const void *buffer, size_t size, off_t offset),
              (fd, buffer, size, offset), fd, PUT_TRANSFER_AT());
ALIAS(pwrite64, pwrite);

/* What _FORTIFY_SOURCE makes of them: ends the program when `room` is too small. */
AT_DESCRIPTOR(ssize_t, __read_chk, "read", "fnr", (int fd, void *buffer, size_t size, size_t room), (fd, buffer, size, room),
              fd, PUT_TRANSFER());
AT_DESCRIPTOR(ssize_t, __pread_chk, "pread", "fnor", (int fd, void *buffer, size_t size, off_t offset, size_t room),
              (fd, buffer, size, offset, room), fd, PUT_TRANSFER_AT());
ALIAS(__pread64_chk, __pread_chk);

/* ---- through sockets: by a message a program acknowledges what it made safe ---- */

AT_DESCRIPTOR(ssize_t, send, "send", "fnr", (int fd, const void *buffer, size_t size, int flags), (fd, buffer, size, flags), fd,
              PUT_TRANSFER());
AT_DESCRIPTOR(ssize_t, recv, "recv", "fnr", (int fd, void *buffer, size_t size, int flags), (fd, buffer, size, flags), fd,
              PUT_TRANSFER());
AT_DESCRIPTOR(ssize_t, __recv_chk, "recv", "fnr", (int fd, void *buffer, size_t size, size_t room, int flags),
              (fd, buffer, size, room, flags), fd, PUT_TRANSFER());
AT_DESCRIPTOR(ssize_t, sendto, "sendto", "fnr",
              (int fd, const void *buffer, size_t size, int flags, const struct sockaddr *to, socklen_t length),
              (fd, buffer, size, flags, to, length), fd, PUT_TRANSFER());
AT_DESCRIPTOR(ssize_t, recvfrom, "recvfrom", "fnr",
              (int fd, void *buffer, size_t size, int flags, struct sockaddr *from, socklen_t *length),
              (fd, buffer, size, flags, from, length), fd, PUT_TRANSFER());
AT_DESCRIPTOR(ssize_t, __recvfrom_chk, "recvfrom", "fnr",
              (int fd, void *buffer, size_t size, size_t room, int flags, struct sockaddr *from, socklen_t *length),
              (fd, buffer, size, room, flags, from, length), fd, PUT_TRANSFER());
AT_DESCRIPTOR(ssize_t, sendmsg, "sendmsg", "fr", (int fd, const struct msghdr *message, int flags), (fd, message, flags), fd,
              PUT_SIGNED(fd) PUT_RESULT());
AT_DESCRIPTOR(ssize_t, recvmsg, "recvmsg", "fr", (int fd, struct msghdr *message, int flags), (fd, message, flags), fd,
              PUT_SIGNED(fd) PUT_RESULT());

/* ---- vectors ---- */

/*
 * The bytes that are asked for. Nothing is known of a vector that the kernel may have refused as no address or no vector,
 * or did not look at.
 */
static uint64_t bytes_of(const struct iovec *parts, int count, const struct call *call, ssize_t result)
{
    if (result < 0 && (call->error == EFAULT || call->error == EINVAL || call->error == EBADF || call->error == ENOSYS)) return 0;
    uint64_t bytes = 0;
    for (int i = 0; i < count; i++) bytes += parts[i].iov_len;
    return bytes;
}

#define VECTOR int fd, const struct iovec *parts, int count
#define PUT_VECTOR() PUT_SIGNED(fd) PUT(bytes_of(parts, count, &call, result))

AT_DESCRIPTOR(ssize_t, readv, "readv", "fnr", (VECTOR), (fd, parts, count), fd, PUT_VECTOR() PUT_RESULT());
AT_DESCRIPTOR(ssize_t, writev, "writev", "fnr", (VECTOR), (fd, parts, count), fd, PUT_VECTOR() PUT_RESULT());
AT_DESCRIPTOR(ssize_t, preadv, "preadv", "fnor", (VECTOR, off_t offset), (fd, parts, count, offset), fd,
              PUT_VECTOR() PUT_SIGNED(offset) PUT_RESULT());
ALIAS(preadv64, preadv);
AT_DESCRIPTOR(ssize_t, pwritev, "pwritev", "fnor", (VECTOR, off_t offset), (fd, parts, count, offset), fd,
              PUT_VECTOR() PUT_SIGNED(offset) PUT_RESULT());
ALIAS(pwritev64, pwritev);
AT_DESCRIPTOR(ssize_t, preadv2, "preadv2", "fnokr", (VECTOR, off_t offset, int flags), (fd, parts, count, offset, flags), fd,
              PUT_VECTOR() PUT_SIGNED(offset) PUT_FLAGS(flags) PUT_RESULT());
ALIAS(preadv64v2, preadv2);
AT_DESCRIPTOR(ssize_t, pwritev2, "pwritev2", "fnokr", (VECTOR, off_t offset, int flags), (fd, parts, count, offset, flags),
              fd, PUT_VECTOR() PUT_SIGNED(offset) PUT_FLAGS(flags) PUT_RESULT());
ALIAS(pwritev64v2, pwritev2);

/* ---- from file to file ---- */

/*
 * Where a copy began: the kernel moved the offset on. -1: at the descriptor's own position; or the call failed, and nothing
 * is known of the address.
 */
static int64_t began_at(const off_t *offset, ssize_t result)
{
    return offset == NULL || result < 0 ? -1 : *offset - result;
}

static bool begin_copy(struct call *call, struct function *function, int first, int second, void *frame)
{
    descriptor_described(first);
    descriptor_described(second);
    return call_begin_from(call, function, frame);
}

#define COPY(symbol, roles, parameters, arguments, first, second, ...)                                                 \
    WRAPPER(LAYER_POSIX, ssize_t, symbol, #symbol, roles, parameters, arguments,                                       \
            begin_copy(&call, &function_##symbol, first, second, __builtin_frame_address(0)), __VA_ARGS__)

COPY(sendfile, "fFnor", (int out, int in, off_t *offset, size_t size), (out, in, offset, size), out, in,
     PUT_SIGNED(out) PUT_SIGNED(in) PUT(size) PUT_SIGNED(began_at(offset, result)) PUT_RESULT());
ALIAS(sendfile64, sendfile);

#define TWO_PLACES int in, off_t *in_offset, int out, off_t *out_offset, size_t size, unsigned flags
#define PUT_TWO_PLACES()                                                                                               \
    PUT_SIGNED(in) PUT_SIGNED(out) PUT(size) PUT_SIGNED(began_at(in_offset, result))                                   \
    PUT_SIGNED(began_at(out_offset, result)) PUT_RESULT()

COPY(copy_file_range, "fFnoOr", (TWO_PLACES), (in, in_offset, out, out_offset, size, flags), in, out, PUT_TWO_PLACES());
COPY(splice, "fFnoOr", (TWO_PLACES), (in, in_offset, out, out_offset, size, flags), in, out, PUT_TWO_PLACES());
COPY(tee, "fFnr", (int in, int out, size_t size, unsigned flags), (in, out, size, flags), in, out,
     PUT_SIGNED(in) PUT_SIGNED(out) PUT(size) PUT_RESULT());

/* ---- text. The real functions are those that take a list of arguments. ---- */

#define FORMATTED_AT(symbol, behind, parameters, parameters_of_real, arguments)                                        \
    WRAPPED(symbol, #behind, LAYER_POSIX, "dprintf", "fr");                                                            \
    DECLARED(int, symbol, parameters);                                                                                 \
    EXPORTED int recorded_##symbol parameters                                                                          \
    {                                                                                                                  \
        int(*real) parameters_of_real = (int(*) parameters_of_real)REAL_OF(symbol);                                    \
        struct call call;                                                                                              \
        bool is_recorded = call_begin_at(&call, &function_##symbol, fd);                                               \
        va_list list;                                                                                                  \
        va_start(list, format);                                                                                        \
        int result = real arguments;                                                                                   \
        va_end(list);                                                                                                  \
        if (is_recorded && call_end(&call)) {                                                                          \
            PUT_SIGNED(fd) PUT_RESULT()                                                                                \
            call_commit(&call);                                                                                        \
        }                                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    _Static_assert(1, "")

FORMATTED_AT(dprintf, vdprintf, (int fd, const char *format, ...), (int, const char *, va_list), (fd, format, list));
FORMATTED_AT(__dprintf_chk, __vdprintf_chk, (int fd, int flag, const char *format, ...), (int, int, const char *, va_list),
             (fd, flag, format, list));
AT_DESCRIPTOR(int, vdprintf, "vdprintf", "fr", (int fd, const char *format, va_list list), (fd, format, list), fd,
              PUT_SIGNED(fd) PUT_RESULT());
AT_DESCRIPTOR(int, __vdprintf_chk, "vdprintf", "fr", (int fd, int flag, const char *format, va_list list),
              (fd, flag, format, list), fd, PUT_SIGNED(fd) PUT_RESULT());
