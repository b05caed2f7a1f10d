/*
 * How wrappers of the C library's functions are written.
 *
 * To C each has another name than to the linker: the headers' macros, inline versions (_FORTIFY_SOURCE), redirections to
 * other names and promises that an argument is never NULL, by which the compiler would leave out tests, do not meet it.
 *
 *     AT_DESCRIPTOR(ssize_t, read, "read", "fnr", (int fd, void *buffer, size_t size), (fd, buffer, size), fd,
 *                   PUT_SIGNED(fd) PUT(size) PUT_RESULT())
 *
 * is: type, symbol, the name that is recorded, roles, parameters, arguments for the real function, the descriptor that it
 * works on, and what is written of it when it has returned `result`.
 */
#ifndef IOLENS_WRAPPER_H
#define IOLENS_WRAPPER_H

#include "recorder.h"

/* Declares what is `name` to the linker and recorded_name here. */
#define DECLARED(type, symbol, parameters) EXPORTED type recorded_##symbol parameters __asm__(#symbol)

#define REAL_OF(symbol)                                                                                                \
    (LIKELY(function_##symbol.real != NULL) ? function_##symbol.real                                                   \
                                            : real_function(&function_##symbol, __builtin_return_address(0)))

/* A whole wrapper. `begin` says whether the call is recorded, `at_return` writes its arguments. */
#define WRAPPER(layer, type, symbol, recorded, roles, parameters, arguments, begin, ...)                               \
    WRAPPED(symbol, #symbol, layer, recorded, roles);                                                                  \
    DECLARED(type, symbol, parameters);                                                                                \
    EXPORTED type recorded_##symbol parameters                                                                         \
    {                                                                                                                  \
        type(*real) parameters = (type(*) parameters)REAL_OF(symbol);                                                  \
        struct call call;                                                                                              \
        if (!(begin)) return real arguments;                                                                           \
        type result = real arguments;                                                                                  \
        if (call_end(&call)) {                                                                                         \
            __VA_ARGS__                                                                                                \
            call_commit(&call);                                                                                        \
        }                                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    _Static_assert(1, "")

/* A function of the layer POSIX that works on a descriptor. */
#define AT_DESCRIPTOR(type, symbol, recorded, roles, parameters, arguments, fd, ...)                                   \
    WRAPPER(LAYER_POSIX, type, symbol, recorded, roles, parameters, arguments,                                         \
            call_begin_at(&call, &function_##symbol, fd), __VA_ARGS__)

/* One that does not. */
#define AT_PATH(type, symbol, recorded, roles, parameters, arguments, ...)                                             \
    WRAPPER(LAYER_POSIX, type, symbol, recorded, roles, parameters, arguments, call_begin(&call, &function_##symbol),  \
            __VA_ARGS__)

/* Another name of a wrapper whose functions are one: offsets have 64 bits with and without the suffix. */
#define ALIAS(other, symbol)                                                                                           \
    extern __typeof__(recorded_##symbol) other_##other __asm__(#other) __attribute__((alias(#symbol), visibility("default")))

/* What a wrapper writes. */
#define PUT(value) put(&call, (uint64_t)(value));
#define PUT_SIGNED(value) put_signed(&call, (int64_t)(value));
#define PUT_PATH(path) put_path(&call, path, result < 0);
#define PUT_RESULT() put_result(&call, (int64_t)result);
/* Of a function that returns a pointer: 0, or -1 for NULL. */
#define PUT_PATH_OF_POINTER(path) put_path(&call, path, result == NULL);
#define PUT_POINTER_RESULT() put_result(&call, result == NULL ? -1 : 0);
/* Flags are bits. */
#define PUT_FLAGS(flags) put(&call, (unsigned)(flags));

_Static_assert(sizeof(long) == 8, "offsets of files have 64 bits on all machines that this is for");

#endif
