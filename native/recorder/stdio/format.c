/* The layer STDIO: formatted text. Functions with arguments of any number go on to those that take a list. */
#include "../descriptors/streams.h"
#include <stdarg.h>

/*
 * A wrapper. In the macros of this file `target` is the stream, `behind` the real function, which takes the list, and
 * `parameters_of_real` are types alone.
 */
#define FORMATTED(symbol, behind, recorded, roles, parameters, parameters_of_real, arguments, target, prepare, begin,  \
                  end, ...)                                                                                           \
    WRAPPED(symbol, #behind, LAYER_STDIO, recorded, roles);                                                            \
    DECLARED(int, symbol, parameters);                                                                                 \
    EXPORTED int recorded_##symbol parameters                                                                          \
    {                                                                                                                  \
        int(*real) parameters_of_real = (int(*) parameters_of_real)REAL_OF(symbol);                                    \
        FILE *stream = target;                                                                                         \
        struct call call;                                                                                              \
        bool is_recorded = stream_begin(&call, &function_##symbol, stream, __builtin_frame_address(0));                \
        prepare;                                                                                                       \
        begin;                                                                                                         \
        int result = real arguments;                                                                                   \
        end;                                                                                                           \
        if (is_recorded && call_end(&call)) {                                                                          \
            __VA_ARGS__                                                                                                \
            call_commit(&call);                                                                                        \
        }                                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    _Static_assert(1, "")

#define BEGIN_LIST()                                                                                                   \
    va_list list;                                                                                                      \
    va_start(list, format)

/* One of a function `...`. */
#define WITH_LIST(symbol, behind, recorded, roles, parameters, parameters_of_real, arguments, target, prepare, ...)    \
    FORMATTED(symbol, behind, recorded, roles, parameters, parameters_of_real, arguments, target, prepare, BEGIN_LIST(),\
              va_end(list), __VA_ARGS__)

/* One that takes the list itself. */
#define OF_LIST(symbol, recorded, roles, parameters, arguments, target, prepare, ...)                                  \
    FORMATTED(symbol, symbol, recorded, roles, parameters, parameters, arguments, target, prepare, , , __VA_ARGS__)

/* ---- printf: the result is the bytes ---- */

#define PUT_PRINTED() PUT_STREAM(stream) PUT_RESULT()

WITH_LIST(fprintf, vfprintf, "fprintf", "hr", (FILE * to, const char *format, ...), (FILE *, const char *, va_list),
          (to, format, list), to, , PUT_PRINTED());
WITH_LIST(__fprintf_chk, __vfprintf_chk, "fprintf", "hr", (FILE * to, int flag, const char *format, ...),
          (FILE *, int, const char *, va_list), (to, flag, format, list), to, , PUT_PRINTED());
WITH_LIST(printf, vprintf, "printf", "hr", (const char *format, ...), (const char *, va_list), (format, list), stdout, ,
          PUT_PRINTED());
WITH_LIST(__printf_chk, __vprintf_chk, "printf", "hr", (int flag, const char *format, ...), (int, const char *, va_list),
          (flag, format, list), stdout, , PUT_PRINTED());
OF_LIST(vfprintf, "vfprintf", "hr", (FILE * to, const char *format, va_list list), (to, format, list), to, , PUT_PRINTED());
OF_LIST(__vfprintf_chk, "vfprintf", "hr", (FILE * to, int flag, const char *format, va_list list), (to, flag, format, list),
        to, , PUT_PRINTED());
OF_LIST(vprintf, "vprintf", "hr", (const char *format, va_list list), (format, list), stdout, , PUT_PRINTED());
OF_LIST(__vprintf_chk, "vprintf", "hr", (int flag, const char *format, va_list list), (flag, format, list), stdout, ,
        PUT_PRINTED());

/* ---- scanf: the result is the fields; the bytes are told by the buffer ---- */

/* What is left in a stream's buffer, and where it begins. */
struct left {
    const char *begin;
    const char *at;
    const char *end;
};

static struct left left_in(FILE *stream)
{
#ifdef __GLIBC__
    // Characters that were put back stand elsewhere.
    enum { IN_BACKUP = 0x100 };
    if (stream != NULL && (stream->_flags & IN_BACKUP) == 0)
        return (struct left){stream->_IO_read_base, stream->_IO_read_ptr, stream->_IO_read_end};
#else
    (void)stream;
#endif
    return (struct left){NULL, NULL, NULL};
}

/* Bytes taken since `before`. A call that went through more than two bufferfuls took more. */
static uint64_t taken_since(struct left before, FILE *stream)
{
    struct left now = left_in(stream);
    if (now.at == NULL) return 0;
    int64_t taken = now.at - now.begin;
    if (before.at != NULL) {
        bool is_same = now.begin == before.begin && now.end == before.end && now.at >= before.at;
        taken = is_same ? now.at - before.at : taken + (before.end - before.at);
    }
    // Another thread may be using the stream.
    return taken < 0 ? 0 : (uint64_t)taken;
}

/* At the end of the file the fields are -1, which is no failure. */
#define PUT_SCANNED()                                                                                                  \
    PUT_STREAM(stream) PUT(taken_since(before, stream))                                                                \
    put_result(&call, result >= 0 ? result : feof(stream) && !ferror(stream) ? 0 : -1);
#define NOTE_BUFFER() struct left before = left_in(is_recorded ? stream : NULL)

#define SCANS(symbol, behind, recorded)                                                                                \
    WITH_LIST(symbol, behind, recorded, "hbr", (FILE * from, const char *format, ...), (FILE *, const char *, va_list), \
              (from, format, list), from, NOTE_BUFFER(), PUT_SCANNED())
#define SCANS_INPUT(symbol, behind, recorded)                                                                          \
    WITH_LIST(symbol, behind, recorded, "hbr", (const char *format, ...), (const char *, va_list), (format, list), stdin, \
              NOTE_BUFFER(), PUT_SCANNED())
#define SCANS_LIST(symbol, recorded)                                                                                   \
    OF_LIST(symbol, recorded, "hbr", (FILE * from, const char *format, va_list list), (from, format, list), from,      \
            NOTE_BUFFER(), PUT_SCANNED())
#define SCANS_LIST_OF_INPUT(symbol, recorded)                                                                          \
    OF_LIST(symbol, recorded, "hbr", (const char *format, va_list list), (format, list), stdin, NOTE_BUFFER(), PUT_SCANNED())

/* Those of C89 with GNU's additions, of C99, and of C23: headers choose by the language. */
SCANS(fscanf, vfscanf, "fscanf");
SCANS(__isoc99_fscanf, __isoc99_vfscanf, "fscanf");
SCANS(__isoc23_fscanf, __isoc23_vfscanf, "fscanf");
SCANS_INPUT(scanf, vscanf, "scanf");
SCANS_INPUT(__isoc99_scanf, __isoc99_vscanf, "scanf");
SCANS_INPUT(__isoc23_scanf, __isoc23_vscanf, "scanf");
SCANS_LIST(vfscanf, "vfscanf");
SCANS_LIST(__isoc99_vfscanf, "vfscanf");
SCANS_LIST(__isoc23_vfscanf, "vfscanf");
SCANS_LIST_OF_INPUT(vscanf, "vscanf");
SCANS_LIST_OF_INPUT(__isoc99_vscanf, "vscanf");
SCANS_LIST_OF_INPUT(__isoc23_vscanf, "vscanf");
