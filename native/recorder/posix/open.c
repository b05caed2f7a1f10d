/* The layer POSIX: what opens, closes and copies descriptors. */
#include "../recording/file.h"
#include "../wrapper.h"
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/types.h>

static bool needs_mode(int flags)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

/* The argument that there is only with some flags. */
#define TAKE_MODE()                                                                                                    \
    mode_t mode = 0;                                                                                                   \
    if (needs_mode(flags)) {                                                                                           \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }

WRAPPED(open, "open", LAYER_POSIX, "open", "plr");
DECLARED(int, open, (const char *path, int flags, ...));
EXPORTED int recorded_open(const char *path, int flags, ...)
{
    TAKE_MODE()
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))REAL_OF(open);
    struct call call;
    if (!call_begin(&call, &function_open)) return real(path, flags, mode);
    int result = real(path, flags, mode);
    if (call_end(&call)) {
        descriptor_opened(result);
        PUT_PATH(path) PUT_FLAGS(flags) PUT_RESULT()
        call_commit(&call);
    }
    return result;
}
ALIAS(open64, open);

WRAPPED(openat, "openat", LAYER_POSIX, "openat", "dplr");
DECLARED(int, openat, (int folder, const char *path, int flags, ...));
EXPORTED int recorded_openat(int folder, const char *path, int flags, ...)
{
    TAKE_MODE()
    int (*real)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))REAL_OF(openat);
    struct call call;
    if (!call_begin_at(&call, &function_openat, folder)) return real(folder, path, flags, mode);
    int result = real(folder, path, flags, mode);
    if (call_end(&call)) {
        descriptor_opened(result);
        PUT_SIGNED(folder) PUT_PATH(path) PUT_FLAGS(flags) PUT_RESULT()
        call_commit(&call);
    }
    return result;
}
ALIAS(openat64, openat);

/* What _FORTIFY_SOURCE makes of a call without a mode: ends the program where one is needed. */
AT_PATH(int, __open_2, "open", "plr", (const char *path, int flags), (path, flags),
        descriptor_opened(result); PUT_PATH(path) PUT_FLAGS(flags) PUT_RESULT());
ALIAS(__open64_2, __open_2);
AT_DESCRIPTOR(int, __openat_2, "openat", "dplr", (int folder, const char *path, int flags), (folder, path, flags), folder,
              descriptor_opened(result); PUT_SIGNED(folder) PUT_PATH(path) PUT_FLAGS(flags) PUT_RESULT());
ALIAS(__openat64_2, __openat_2);

/* The flags are the first 64 bits of `how` (struct open_how). */
static uint64_t flags_of(const void *how, bool failed)
{
    uint64_t flags = 0;
    if (!failed) memcpy(&flags, how, sizeof flags);
    return flags;
}

AT_DESCRIPTOR(int, openat2, "openat2", "dplr", (int folder, const char *path, const void *how, size_t size),
              (folder, path, how, size), folder,
              descriptor_opened(result); PUT_SIGNED(folder) PUT_PATH(path) PUT(flags_of(how, result < 0)) PUT_RESULT());

AT_PATH(int, creat, "creat", "plr", (const char *path, mode_t mode), (path, mode),
        descriptor_opened(result); PUT_PATH(path) PUT_FLAGS(O_CREAT | O_WRONLY | O_TRUNC) PUT_RESULT());
ALIAS(creat64, creat);

/* ---- temporary files: the path is the one that was made of the pattern ---- */

#define MADE_FILE O_RDWR | O_CREAT | O_EXCL
#define PUT_MADE(flags) descriptor_opened(result); PUT_PATH(pattern) PUT_FLAGS(flags) PUT_RESULT()

AT_PATH(int, mkstemp, "mkstemp", "plr", (char *pattern), (pattern), PUT_MADE(MADE_FILE));
ALIAS(mkstemp64, mkstemp);
AT_PATH(int, mkostemp, "mkostemp", "plr", (char *pattern, int flags), (pattern, flags), PUT_MADE(MADE_FILE | flags));
ALIAS(mkostemp64, mkostemp);
AT_PATH(int, mkstemps, "mkstemps", "plr", (char *pattern, int suffix), (pattern, suffix), PUT_MADE(MADE_FILE));
ALIAS(mkstemps64, mkstemps);
AT_PATH(int, mkostemps, "mkostemps", "plr", (char *pattern, int suffix, int flags), (pattern, suffix, flags),
        PUT_MADE(MADE_FILE | flags));
ALIAS(mkostemps64, mkostemps);
AT_PATH(char *, mkdtemp, "mkdtemp", "pr", (char *pattern), (pattern), PUT_PATH_OF_POINTER(pattern) PUT_POINTER_RESULT());

/* ---- closing. It is noted in front of the call, and whether it is recorded or not: the next one to get the number may
   be another thread, or a library inside of itself. ---- */

/* Describes the descriptor while it is there, and begins the call. */
static bool begin_close(struct call *call, struct function *function, int fd, void *frame)
{
    descriptor_described(fd);
    descriptor_closed(fd);
    return call_begin_from(call, function, frame);
}

/* Our own descriptor is none to the program: what closes all that there might be fails there, or passes over it. */
static int but_ours(int fd)
{
    return UNLIKELY(file_descriptor_within((unsigned)fd, (unsigned)fd) >= 0) ? -1 : fd;
}

WRAPPER(LAYER_POSIX, int, close, "close", "fr", (int fd), (but_ours(fd)),
        begin_close(&call, &function_close, fd, __builtin_frame_address(0)), PUT_SIGNED(fd) PUT_RESULT());

typedef int close_range_function(unsigned first, unsigned last, int flags);

static int close_around_ours(close_range_function *real, unsigned first, unsigned last, int flags)
{
    int ours = file_descriptor_within(first, last);
    if (ours < 0) return real(first, last, flags);
    // No descriptor is that high: the flags alone are looked at.
    if (first == last) return real(UINT_MAX, UINT_MAX, flags);
    int result = first < (unsigned)ours ? real(first, (unsigned)ours - 1, flags) : 0;
    return result == 0 && last > (unsigned)ours ? real((unsigned)ours + 1, last, flags) : result;
}

WRAPPED(close_range, "close_range", LAYER_POSIX, "close_range", "fFkr");
DECLARED(int, close_range, (unsigned first, unsigned last, int flags));
EXPORTED int recorded_close_range(unsigned first, unsigned last, int flags)
{
    close_range_function *real = (close_range_function *)REAL_OF(close_range);
    // CLOSE_RANGE_CLOEXEC only marks them.
    if ((flags & 4) == 0) descriptors_closed(first, last);
    struct call call;
    if (!call_begin(&call, &function_close_range)) return close_around_ours(real, first, last, flags);
    int result = close_around_ours(real, first, last, flags);
    if (call_end(&call)) {
        PUT_SIGNED(first) PUT_SIGNED(last) PUT_FLAGS(flags) PUT_RESULT()
        call_commit(&call);
    }
    return result;
}

typedef void closefrom_function(int first);

static void close_from_around_ours(closefrom_function *real, int first)
{
    int ours = file_descriptor_within(first < 0 ? 0 : (unsigned)first, INT_MAX);
    for (int fd = first < 0 ? 0 : first; fd < ours; fd++) kernel_close(fd);
    real(ours < 0 ? first : ours + 1);
}

WRAPPED(closefrom, "closefrom", LAYER_POSIX, "closefrom", "f");
DECLARED(void, closefrom, (int first));
EXPORTED void recorded_closefrom(int first)
{
    closefrom_function *real = (closefrom_function *)REAL_OF(closefrom);
    descriptors_closed(first < 0 ? 0 : (unsigned)first, UINT32_MAX);
    struct call call;
    bool is_recorded = call_begin(&call, &function_closefrom);
    close_from_around_ours(real, first);
    if (is_recorded && call_end(&call)) {
        PUT_SIGNED(first)
        call_commit(&call);
    }
}

/* ---- copies ---- */

AT_DESCRIPTOR(int, dup, "dup", "fr", (int fd), (fd), fd, descriptor_opened(result); PUT_SIGNED(fd) PUT_RESULT());
AT_DESCRIPTOR(int, dup2, "dup2", "fFr", (int fd, int target), (fd, recorder_before_copy(target)), fd,
              descriptor_opened(result); PUT_SIGNED(fd) PUT_SIGNED(target) PUT_RESULT());
AT_DESCRIPTOR(int, dup3, "dup3", "fFlr", (int fd, int target, int flags), (fd, recorder_before_copy(target), flags), fd,
              descriptor_opened(result); PUT_SIGNED(fd) PUT_SIGNED(target) PUT_FLAGS(flags) PUT_RESULT());

/* ---- fcntl ---- */

WRAPPED(fcntl, "fcntl", LAYER_POSIX, "fcntl", "fkvr");
/* Locks: command, type, whence, start, length. */
static struct function function_fcntl_lock = {.layer = LAYER_POSIX, .roles = "fkvwonr", .name = "fcntl"};

static bool is_lock(int command)
{
    return command == F_SETLK || command == F_SETLKW || command == F_GETLK || command == F_OFD_SETLK ||
           command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

/* Commands whose argument is a number; that of others is nothing, or an address. */
static bool has_number(int command)
{
    static const int COMMANDS[] = {F_DUPFD,  F_DUPFD_CLOEXEC, F_SETFD,    F_SETFL,      F_SETOWN,
                                   F_SETSIG, F_SETLEASE,      F_NOTIFY,   F_SETPIPE_SZ, F_ADD_SEALS};
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++)
        if (COMMANDS[i] == command) return true;
    return false;
}

static void put_lock(struct call *call, const struct flock *lock)
{
    put_signed(call, lock->l_type);
    put(call, (unsigned)lock->l_whence);
    put_signed(call, lock->l_start);
    put(call, (uint64_t)lock->l_len);
}

DECLARED(int, fcntl, (int fd, int command, ...));
EXPORTED int recorded_fcntl(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    // Numbers and addresses travel alike; where the program gave none the real one does not look at it either.
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int (*real)(int, int, ...) = (int (*)(int, int, ...))REAL_OF(fcntl);
    struct call call;
    if (!call_begin_at(&call, &function_fcntl, fd)) return real(fd, command, argument);
    int result = real(fd, command, argument);
    if (call_end(&call)) {
        bool is_copy = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
        // Only what the kernel accepted is known to be an address.
        bool has_lock = is_lock(command) && (result >= 0 || call.error == EAGAIN || call.error == EACCES);
        if (is_copy) descriptor_opened(result);
        if (has_lock) call.function = &function_fcntl_lock;
        PUT_SIGNED(fd) PUT((unsigned)command)
        if (has_lock) put_lock(&call, argument);
        else PUT_SIGNED(has_number(command) ? (int)(intptr_t)argument : 0)
        PUT_RESULT()
        call_commit(&call);
    }
    return result;
}
ALIAS(fcntl64, fcntl);
