/* The layer STDIO: opening and closing streams, and their buffers. */
#include "../descriptors/streams.h"
#include <fcntl.h>

/* The flags of open(2) that a mode such as "r+" stands for. */
static unsigned flags_of_mode(const char *mode)
{
    unsigned flags = *mode == 'r' ? 0 : *mode == 'a' ? O_CREAT | O_APPEND : O_CREAT | O_TRUNC;
    bool both = false;
    // What follows a comma names a character set.
    for (const char *at = mode + 1; *mode != 0 && *at != 0 && *at != ','; at++) {
        if (*at == '+') both = true;
        if (*at == 'x') flags |= O_EXCL;
        if (*at == 'e') flags |= O_CLOEXEC;
    }
    return flags | (both ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY);
}

/* The stream and its descriptor; no stream when it could not be opened. The result is the descriptor. */
static void put_opened(struct call *call, FILE *stream)
{
    stream_opened(stream);
    int fd = stream_descriptor(stream);
    put_pointer(call, stream);
    put_signed(call, fd);
    put_result(call, fd);
}

#define OPENS(symbol, roles, parameters, arguments, ...)                                                               \
    WRAPPER(LAYER_STDIO, FILE *, symbol, #symbol, roles, parameters, arguments, call_begin(&call, &function_##symbol), \
            __VA_ARGS__ put_opened(&call, result);)

OPENS(fopen, "plhFr", (const char *path, const char *mode), (path, mode),
      PUT_PATH_OF_POINTER(path) PUT_FLAGS(flags_of_mode(mode)));
ALIAS(fopen64, fopen);
OPENS(tmpfile, "lhFr", (void), (), PUT_FLAGS(O_RDWR | O_CREAT | O_EXCL));
ALIAS(tmpfile64, tmpfile);
/* The command is no path. */
OPENS(popen, "NlhFr", (const char *command, const char *mode), (command, mode),
      PUT_PATH_OF_POINTER(command) PUT_FLAGS(flags_of_mode(mode) & O_ACCMODE));

WRAPPER(LAYER_STDIO, FILE *, fdopen, "fdopen", "flhr", (int fd, const char *mode), (fd, mode),
        call_begin_at(&call, &function_fdopen, fd),
        stream_opened(result);
        PUT_SIGNED(fd) PUT_FLAGS(flags_of_mode(mode)) PUT_STREAM(result) PUT_POINTER_RESULT());

/* Whether it succeeds or not, what was open is closed. */
static bool begin_reopen(struct call *call, struct function *function, FILE *stream, void *frame)
{
    bool is_recorded = stream_begin(call, function, stream, frame);
    stream_closes(stream);
    return is_recorded || call_begin_from(call, function, frame);
}

WRAPPER(LAYER_STDIO, FILE *, freopen, "freopen", "plhFr", (const char *path, const char *mode, FILE *stream),
        (path, mode, stream), begin_reopen(&call, &function_freopen, stream, __builtin_frame_address(0)),
        stream_opened(result);
        PUT_PATH_OF_POINTER(path) PUT_FLAGS(flags_of_mode(mode)) PUT_STREAM(stream)
        PUT_SIGNED(stream_descriptor(result)) PUT_POINTER_RESULT());
ALIAS(freopen64, freopen);

/* ---- closing: it is noted in front of the call, as with descriptors, and the stream is gone behind it ---- */

#define CLOSES(symbol)                                                                                                 \
    WRAPPED(symbol, #symbol, LAYER_STDIO, #symbol, "hFr");                                                             \
    DECLARED(int, symbol, (FILE * stream));                                                                            \
    EXPORTED int recorded_##symbol(FILE *stream)                                                                       \
    {                                                                                                                  \
        int (*real)(FILE *) = (int (*)(FILE *))REAL_OF(symbol);                                                        \
        struct call call;                                                                                              \
        bool is_recorded = stream_begin(&call, &function_##symbol, stream, __builtin_frame_address(0));                \
        int fd = stream_closes(stream);                                                                                \
        int result = real(stream);                                                                                     \
        if (is_recorded && call_end(&call)) {                                                                          \
            put_pointer(&call, stream);                                                                                \
            PUT_SIGNED(fd) PUT_RESULT()                                                                                \
            call_commit(&call);                                                                                        \
        }                                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    _Static_assert(1, "")

CLOSES(fclose);
CLOSES(pclose);

/* ---- buffers ---- */

/* The C library ignores the size where it has to make the buffer itself. */
ON_STREAM(int, setvbuf, "setvbuf", "hknr", (FILE *stream, char *buffer, int kind, size_t size), (stream, buffer, kind, size),
          stream, PUT_STREAM(stream) PUT_FLAGS(kind) PUT(buffer == NULL ? 0 : size) put_result(&call, result == 0 ? 0 : -1););

/* The same with less to say. `kind` and `size` as setvbuf takes them. */
#define SETS_BUFFER(symbol, parameters, arguments, kind, size)                                                         \
    WRAPPED(symbol, #symbol, LAYER_STDIO, #symbol, "hkn");                                                             \
    DECLARED(void, symbol, parameters);                                                                                \
    EXPORTED void recorded_##symbol parameters                                                                         \
    {                                                                                                                  \
        void(*real) parameters = (void(*) parameters)REAL_OF(symbol);                                                  \
        struct call call;                                                                                              \
        bool is_recorded = stream_begin(&call, &function_##symbol, stream, __builtin_frame_address(0));                \
        real arguments;                                                                                                \
        if (is_recorded && call_end(&call)) {                                                                          \
            PUT_STREAM(stream) PUT_FLAGS(kind) PUT(size)                                                               \
            call_commit(&call);                                                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    _Static_assert(1, "")

SETS_BUFFER(setbuf, (FILE * stream, char *buffer), (stream, buffer), buffer == NULL ? _IONBF : _IOFBF,
            buffer == NULL ? 0 : BUFSIZ);
SETS_BUFFER(setbuffer, (FILE * stream, char *buffer, size_t size), (stream, buffer, size), buffer == NULL ? _IONBF : _IOFBF,
            size);
SETS_BUFFER(setlinebuf, (FILE * stream), (stream), _IOLBF, 0);

/* NULL: all streams. */
WRAPPER(LAYER_STDIO, int, fflush, "fflush", "hr", (FILE *stream), (stream),
        stream == NULL ? call_begin(&call, &function_fflush)
                       : stream_begin(&call, &function_fflush, stream, __builtin_frame_address(0)),
        PUT_STREAM(stream) PUT_RESULT());
ON_STREAM(int, fflush_unlocked, "fflush_unlocked", "hr", (FILE *stream), (stream), stream, PUT_STREAM(stream) PUT_RESULT());
