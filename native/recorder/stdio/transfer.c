/*
 * The layer STDIO: what moves bytes between the program and the stream's buffer, and the position. The result that is
 * written is that of read and write: the bytes moved, 0 at the end of the file, -1 on failure.
 */
#include "../descriptors/streams.h"
#include <sys/types.h>

/* ---- elements. Of one that was moved in part nothing is known. ---- */

#define PUT_ELEMENTS() PUT_STREAM(stream) PUT(size * count) PUT_MOVED(stream, result * size, result < count && size > 0)

#define READS_ELEMENTS(symbol)                                                                                         \
    ON_STREAM(size_t, symbol, #symbol, "hnr", (void *to, size_t size, size_t count, FILE *stream),                     \
              (to, size, count, stream), stream, PUT_ELEMENTS())
#define READS_ELEMENTS_CHECKED(symbol, recorded)                                                                       \
    ON_STREAM(size_t, symbol, recorded, "hnr", (void *to, size_t room, size_t size, size_t count, FILE *stream),       \
              (to, room, size, count, stream), stream, PUT_ELEMENTS())
#define WRITES_ELEMENTS(symbol)                                                                                        \
    ON_STREAM(size_t, symbol, #symbol, "hnr", (const void *from, size_t size, size_t count, FILE *stream),             \
              (from, size, count, stream), stream, PUT_ELEMENTS())

READS_ELEMENTS(fread);
READS_ELEMENTS(fread_unlocked);
READS_ELEMENTS_CHECKED(__fread_chk, "fread");
READS_ELEMENTS_CHECKED(__fread_unlocked_chk, "fread_unlocked");
WRITES_ELEMENTS(fwrite);
WRITES_ELEMENTS(fwrite_unlocked);

/* ---- lines. A line with a zero in it counts up to there. ---- */

#define PUT_LINE() PUT_STREAM(stream) PUT(size) PUT_MOVED(stream, result == NULL ? 0 : strlen(result), result == NULL)

#define READS_LINE(symbol)                                                                                             \
    ON_STREAM(char *, symbol, #symbol, "hnr", (char *line, int size, FILE *stream), (line, size, stream), stream, PUT_LINE())
#define READS_LINE_CHECKED(symbol, recorded)                                                                           \
    ON_STREAM(char *, symbol, recorded, "hnr", (char *line, size_t room, int size, FILE *stream),                      \
              (line, room, size, stream), stream, PUT_LINE())

READS_LINE(fgets);
READS_LINE(fgets_unlocked);
READS_LINE_CHECKED(__fgets_chk, "fgets");
READS_LINE_CHECKED(__fgets_unlocked_chk, "fgets_unlocked");

#define PUT_DELIMITED() PUT_STREAM(stream) PUT_MOVED(stream, result < 0 ? 0 : (size_t)result, result < 0)

ON_STREAM(ssize_t, getline, "getline", "hr", (char **line, size_t *size, FILE *stream), (line, size, stream), stream,
          PUT_DELIMITED());
ON_STREAM(ssize_t, getdelim, "getdelim", "hr", (char **line, size_t *size, int delimiter, FILE *stream),
          (line, size, delimiter, stream), stream, PUT_DELIMITED());
/* What the headers of older C libraries make of getline and getdelim. */
ON_STREAM(ssize_t, __getdelim, "getdelim", "hr", (char **line, size_t *size, int delimiter, FILE *stream),
          (line, size, delimiter, stream), stream, PUT_DELIMITED());

#define PUT_TEXT(stream, bytes) put_pointer(&call, stream); put_result(&call, result < 0 ? -1 : (int64_t)(bytes));

ON_STREAM(int, fputs, "fputs", "hr", (const char *text, FILE *stream), (text, stream), stream, PUT_TEXT(stream, strlen(text)));
ON_STREAM(int, fputs_unlocked, "fputs_unlocked", "hr", (const char *text, FILE *stream), (text, stream), stream,
          PUT_TEXT(stream, strlen(text)));
ON_STREAM(int, puts, "puts", "hr", (const char *text), (text), stdout, PUT_TEXT(stdout, strlen(text) + 1));

/* ---- characters ---- */

#define PUT_READ_CHARACTER(stream) PUT_STREAM(stream) PUT_MOVED(stream, result != EOF, result == EOF)
#define PUT_WRITTEN_CHARACTER(stream) PUT_STREAM(stream) put_result(&call, result == EOF ? -1 : 1);

#define READS_CHARACTER(symbol, recorded)                                                                              \
    ON_STREAM(int, symbol, recorded, "hr", (FILE * stream), (stream), stream, PUT_READ_CHARACTER(stream))
#define WRITES_CHARACTER(symbol, recorded)                                                                             \
    ON_STREAM(int, symbol, recorded, "hr", (int character, FILE *stream), (character, stream), stream,                 \
              PUT_WRITTEN_CHARACTER(stream))

READS_CHARACTER(fgetc, "fgetc");
READS_CHARACTER(fgetc_unlocked, "fgetc_unlocked");
READS_CHARACTER(getc, "getc");
READS_CHARACTER(getc_unlocked, "getc_unlocked");
ON_STREAM(int, getchar, "getchar", "hr", (void), (), stdin, PUT_READ_CHARACTER(stdin));
ON_STREAM(int, getchar_unlocked, "getchar_unlocked", "hr", (void), (), stdin, PUT_READ_CHARACTER(stdin));
WRITES_CHARACTER(fputc, "fputc");
WRITES_CHARACTER(fputc_unlocked, "fputc_unlocked");
WRITES_CHARACTER(putc, "putc");
WRITES_CHARACTER(putc_unlocked, "putc_unlocked");
ON_STREAM(int, putchar, "putchar", "hr", (int character), (character), stdout, PUT_WRITTEN_CHARACTER(stdout));
ON_STREAM(int, putchar_unlocked, "putchar_unlocked", "hr", (int character), (character), stdout,
          PUT_WRITTEN_CHARACTER(stdout));

/* What the headers of older C libraries make of getc and putc. */
READS_CHARACTER(_IO_getc, "getc");
WRITES_CHARACTER(_IO_putc, "putc");

/*
 * What glibc's headers leave of the functions without a lock: compilers take the characters from the buffer and put them
 * there, and call these where it is empty or full. So there is an event for each bufferful, not for each character.
 */
#ifdef __GLIBC__
/* The character, and what the program takes from the buffer without a call. */
#define READ_AHEAD(stream) (1 + (size_t)((stream)->_IO_read_end - (stream)->_IO_read_ptr))
/* What the program put into the buffer without a call, since it was empty; 0 where it is not full. */
#define GATHERED(stream)                                                                                               \
    ((stream)->_IO_write_ptr != NULL && (stream)->_IO_write_ptr == (stream)->_IO_buf_end                               \
         ? (size_t)((stream)->_IO_write_ptr - (stream)->_IO_write_base)                                                \
         : 0)
#else
#define READ_AHEAD(stream) 1
#define GATHERED(stream) 0
#endif

ON_STREAM(int, __uflow, "getc_unlocked", "hr", (FILE * stream), (stream), stream,
          PUT_STREAM(stream) PUT_MOVED(stream, result == EOF ? 0 : READ_AHEAD(stream), result == EOF));

WRAPPED(__overflow, "__overflow", LAYER_STDIO, "putc_unlocked", "hr");
DECLARED(int, __overflow, (FILE * stream, int character));
EXPORTED int recorded___overflow(FILE *stream, int character)
{
    int (*real)(FILE *, int) = (int (*)(FILE *, int))REAL_OF(__overflow);
    struct call call;
    if (!stream_begin(&call, &function___overflow, stream, __builtin_frame_address(0))) return real(stream, character);
    size_t gathered = GATHERED(stream);
    int result = real(stream, character);
    if (call_end(&call)) {
        PUT_STREAM(stream) put_result(&call, result == EOF ? -1 : (int64_t)(gathered > 0 ? gathered : 1));
        call_commit(&call);
    }
    return result;
}

/* ---- position ---- */

#define SEEKS(symbol, type)                                                                                            \
    ON_STREAM(int, symbol, #symbol, "howr", (FILE * stream, type offset, int whence), (stream, offset, whence), stream, \
              PUT_STREAM(stream) PUT_SIGNED(offset) PUT_FLAGS(whence) PUT_RESULT())

SEEKS(fseek, long);
SEEKS(fseeko, off_t);
ALIAS(fseeko64, fseeko);
ON_STREAM(long, ftell, "ftell", "hr", (FILE * stream), (stream), stream, PUT_STREAM(stream) PUT_RESULT());
ON_STREAM(off_t, ftello, "ftello", "hr", (FILE * stream), (stream), stream, PUT_STREAM(stream) PUT_RESULT());
ALIAS(ftello64, ftello);

/* Positions of these begin with the offset. */
static int64_t offset_of(const fpos_t *position, bool failed)
{
    int64_t offset = -1;
    if (!failed) memcpy(&offset, position, sizeof offset);
    return offset;
}

ON_STREAM(int, fgetpos, "fgetpos", "hor", (FILE * stream, fpos_t *position), (stream, position), stream,
          PUT_STREAM(stream) PUT_SIGNED(offset_of(position, result != 0)) put_result(&call, result == 0 ? 0 : -1););
ALIAS(fgetpos64, fgetpos);
ON_STREAM(int, fsetpos, "fsetpos", "howr", (FILE * stream, const fpos_t *position), (stream, position), stream,
          PUT_STREAM(stream) PUT_SIGNED(offset_of(position, result != 0)) PUT(SEEK_SET)
          put_result(&call, result == 0 ? 0 : -1););
ALIAS(fsetpos64, fsetpos);

WRAPPED(rewind, "rewind", LAYER_STDIO, "rewind", "how");
DECLARED(void, rewind, (FILE * stream));
EXPORTED void recorded_rewind(FILE *stream)
{
    void (*real)(FILE *) = (void (*)(FILE *))REAL_OF(rewind);
    struct call call;
    bool is_recorded = stream_begin(&call, &function_rewind, stream, __builtin_frame_address(0));
    real(stream);
    if (is_recorded && call_end(&call)) {
        PUT_STREAM(stream) PUT_SIGNED(0) PUT(SEEK_SET)
        call_commit(&call);
    }
}
