/* The layer STDIO: wide characters and lines of them. The bytes are those that they have in the program's locale. */
#include "../descriptors/streams.h"
#include <stdlib.h>
#include <wchar.h>

static size_t bytes_of_text(const wchar_t *text)
{
    size_t bytes = text == NULL ? 0 : wcstombs(NULL, text, 0);
    return bytes == (size_t)-1 ? 0 : bytes;
}

static size_t bytes_of_character(wint_t character)
{
    wchar_t text[2] = {(wchar_t)character, 0};
    return bytes_of_text(text);
}

#define PUT_READ_WIDE(stream)                                                                                          \
    PUT_STREAM(stream) PUT_MOVED(stream, result == WEOF ? 0 : bytes_of_character(result), result == WEOF)
#define PUT_WRITTEN_WIDE(stream)                                                                                       \
    PUT_STREAM(stream) put_result(&call, result == WEOF ? -1 : (int64_t)bytes_of_character(result));

#define READS_WIDE(symbol)                                                                                             \
    ON_STREAM(wint_t, symbol, #symbol, "hr", (FILE * stream), (stream), stream, PUT_READ_WIDE(stream))
#define WRITES_WIDE(symbol)                                                                                            \
    ON_STREAM(wint_t, symbol, #symbol, "hr", (wchar_t character, FILE *stream), (character, stream), stream,           \
              PUT_WRITTEN_WIDE(stream))

READS_WIDE(fgetwc);
READS_WIDE(fgetwc_unlocked);
READS_WIDE(getwc);
READS_WIDE(getwc_unlocked);
ON_STREAM(wint_t, getwchar, "getwchar", "hr", (void), (), stdin, PUT_READ_WIDE(stdin));
WRITES_WIDE(fputwc);
WRITES_WIDE(fputwc_unlocked);
WRITES_WIDE(putwc);
WRITES_WIDE(putwc_unlocked);
ON_STREAM(wint_t, putwchar, "putwchar", "hr", (wchar_t character), (character), stdout, PUT_WRITTEN_WIDE(stdout));

#define PUT_READ_LINE() PUT_STREAM(stream) PUT_MOVED(stream, bytes_of_text(result), result == NULL)
#define PUT_WRITTEN_LINE() PUT_STREAM(stream) put_result(&call, result < 0 ? -1 : (int64_t)bytes_of_text(text));

ON_STREAM(wchar_t *, fgetws, "fgetws", "hr", (wchar_t * text, int size, FILE *stream), (text, size, stream), stream,
          PUT_READ_LINE());
ON_STREAM(wchar_t *, fgetws_unlocked, "fgetws_unlocked", "hr", (wchar_t * text, int size, FILE *stream), (text, size, stream),
          stream, PUT_READ_LINE());
ON_STREAM(wchar_t *, __fgetws_chk, "fgetws", "hr", (wchar_t * text, size_t room, int size, FILE *stream),
          (text, room, size, stream), stream, PUT_READ_LINE());
ON_STREAM(int, fputws, "fputws", "hr", (const wchar_t *text, FILE *stream), (text, stream), stream, PUT_WRITTEN_LINE());
ON_STREAM(int, fputws_unlocked, "fputws_unlocked", "hr", (const wchar_t *text, FILE *stream), (text, stream), stream,
          PUT_WRITTEN_LINE());
