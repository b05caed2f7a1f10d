/* Streams: opening, elements, lines, characters, position, buffers. */
#define _GNU_SOURCE
#include "report.h"
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream);
size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count, FILE *stream);
char *__fgets_chk(char *line, size_t room, int size, FILE *stream);
char *__fgets_unlocked_chk(char *line, size_t room, int size, FILE *stream);
wchar_t *__fgetws_chk(wchar_t *text, size_t room, int size, FILE *stream);
ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *stream);
int _IO_getc(FILE *stream);
int _IO_putc(int character, FILE *stream);
int __uflow(FILE *stream);
int __overflow(FILE *stream, int character);
#undef getc_unlocked
#undef putc_unlocked
#undef fgetc_unlocked
#undef fputc_unlocked

static char buffer[256];

static FILE *shown(FILE *stream, const char *how, int error)
{
    report("%s: %s, descriptor %d, errno %d\n", how, stream == NULL ? "none" : "open", stream == NULL ? -1 : fileno(stream), error);
    return stream;
}

#define OPEN(expression) (errno = 0, shown_with(expression, #expression))

static FILE *shown_with(FILE *stream, const char *how)
{
    int error = errno;
    return shown(stream, how, error);
}

static void elements(void)
{
    FILE *file = OPEN(fopen("elements", "w+"));
    SHOW(fwrite("0123456789", 2, 5, file));
    SHOW(fwrite("abc", 0, 5, file));
    SHOW(fwrite_unlocked("abcdef", 3, 2, file));
    SHOW(fflush(file));
    SHOW(fflush_unlocked(file));
    SHOW(ftell(file));
    rewind(file);
    SHOW(fread(buffer, 3, 2, file));
    SHOW_BYTES(buffer, 6);
    SHOW(fread_unlocked(buffer, 1, 2, file));
    SHOW(__fread_chk(buffer, sizeof buffer, 1, 3, file));
    SHOW(__fread_unlocked_chk(buffer, sizeof buffer, 1, 1, file));
    SHOW(fread(buffer, 3, 20, file));
    SHOW(feof(file) != 0);
    SHOW(fread(buffer, 0, 20, file));
    SHOW(fread(buffer, 3, 20, file));
    SHOW(fclose(file));
    file = OPEN(fopen64("elements", "r"));
    SHOW(fwrite("x", 1, 1, file));
    SHOW(ferror(file) != 0);
    SHOW(fclose(file));
    file = OPEN(fopen("elements", "w"));
    SHOW(fread(buffer, 1, 1, file));
    SHOW(fclose(file));
    file = OPEN(fopen(".", "r"));
    SHOW(fread(buffer, 1, 1, file));
    SHOW(fclose(file));
    // No stream is needed for nothing.
    SHOW(fread(buffer, 0, 1, NULL));
    SHOW(fwrite(buffer, 1, 0, NULL));
    // A full device is told when the buffer is written.
    file = OPEN(fopen("/dev/full", "w"));
    SHOW(fwrite("x", 1, 1, file));
    SHOW(fflush(file));
    SHOW(fputs("y", file) >= 0);
    SHOW(fclose(file));
}

static void opens(void)
{
    SHOW_IF(OPEN(fopen("missing", "r")));
    SHOW_IF(OPEN(fopen("missing", "zz")));
    SHOW_IF(OPEN(fopen(NULL, "r")));
    FILE *file = OPEN(fopen("opens", "wxe"));
    SHOW_IF(OPEN(fopen("opens", "wx")));
    SHOW(fputs("first\n", file) >= 0);
    SHOW_IF(file = OPEN(freopen("other", "a+", file)));
    SHOW(fputs("second\n", file) >= 0);
    SHOW_IF(file = OPEN(freopen64("opens", "r", file)));
    SHOW_IF(fgets(buffer, sizeof buffer, file));
    SHOW_IF(OPEN(freopen("missing/x", "r", file)));
    int fd = open("opens", O_RDWR);
    file = OPEN(fdopen(fd, "r+"));
    SHOW_IF(OPEN(fdopen(fd, "zz")));
    SHOW_IF(OPEN(fdopen(99, "r")));
    SHOW(setvbuf(file, NULL, _IONBF, 0));
    SHOW(fputc('F', file));
    SHOW(setvbuf(file, buffer, 77, 10));
    SHOW(fclose(file));
    SHOW(fcntl(fd, F_GETFD));
    file = OPEN(tmpfile());
    setbuf(file, NULL);
    SHOW(fputs("x", file) >= 0);
    SHOW(fclose(file));
    file = OPEN(tmpfile64());
    setbuffer(file, buffer, 64);
    SHOW(fputs("x", file) >= 0);
    setlinebuf(file);
    SHOW(fputs("line\n", file) >= 0);
    SHOW(fclose(file));
    file = OPEN(popen("cat; exit 3", "w"));
    SHOW(pclose(file));
    file = OPEN(popen("echo words", "r"));
    SHOW_IF(fgets(buffer, sizeof buffer, file));
    SHOW_BYTES(buffer, strlen(buffer));
    SHOW(pclose(file));
    SHOW_IF(OPEN(popen("true", "zz")));
    // Memory is no file.
    file = fmemopen(buffer, sizeof buffer, "w");
    SHOW(fputs("into memory", file) >= 0);
    SHOW(fclose(file));
    SHOW_BYTES(buffer, 11);
    char *made = NULL;
    size_t size = 0;
    file = open_memstream(&made, &size);
    SHOW(fputs("into memory", file) >= 0);
    SHOW(fflush(file));
    SHOW(size);
    SHOW(fclose(file));
    free(made);
}

static void lines(void)
{
    FILE *file = OPEN(fopen("lines", "w+"));
    SHOW(fputs("one\ntwo\nthree;four\nfive\n", file) >= 0);
    SHOW(fputs_unlocked("six\nseven\neight\n", file) >= 0);
    SHOW(fseek(file, 0, SEEK_SET));
    SHOW_IF(fgets(buffer, sizeof buffer, file));
    SHOW_IF(fgets_unlocked(buffer, 3, file));
    SHOW_BYTES(buffer, 2);
    SHOW_IF(__fgets_chk(buffer, sizeof buffer, 20, file));
    char *line = NULL;
    size_t size = 0;
    SHOW(getdelim(&line, &size, ';', file));
    SHOW(getline(&line, &size, file));
    SHOW_BYTES(line, 4);
    SHOW(__getdelim(&line, &size, '\n', file));
    SHOW_IF(__fgets_unlocked_chk(buffer, sizeof buffer, 20, file));
    SHOW(getline(&line, &size, file));
    SHOW(getline(&line, &size, file));
    SHOW(getline(&line, &size, file));
    SHOW(feof(file) != 0);
    SHOW_IF(fgets(buffer, sizeof buffer, file));
    SHOW(getline(NULL, NULL, file));
    free(line);
    SHOW(fclose(file));
}

static void characters(void)
{
    FILE *file = OPEN(fopen("characters", "w+"));
    SHOW(fputc('a', file));
    SHOW(putc('b', file));
    SHOW(putc_unlocked('c', file));
    SHOW(fputc_unlocked('d', file));
    SHOW(_IO_putc('e', file));
    SHOW(__overflow(file, 'f'));
    rewind(file);
    SHOW(fgetc(file));
    SHOW(getc(file));
    SHOW(ungetc('z', file));
    SHOW(getc(file));
    SHOW(getc_unlocked(file));
    SHOW(fgetc_unlocked(file));
    SHOW(_IO_getc(file));
    SHOW(__uflow(file));
    SHOW(fgetc(file));
    SHOW(fclose(file));
    file = OPEN(fopen("characters", "r"));
    SHOW(fputc('x', file));
    SHOW(fclose(file));
}

static void wide(void)
{
    FILE *file = OPEN(fopen("wide", "w+"));
    SHOW(fputwc(L'\u00e4', file));
    SHOW(putwc(L'b', file));
    SHOW(fputwc_unlocked(L'c', file));
    SHOW(putwc_unlocked(L'd', file));
    SHOW(fputws(L"line \u00f6\nsecond\nthird\nfourth\n", file) >= 0);
    SHOW(fputws_unlocked(L"e\n", file) >= 0);
    rewind(file);
    wchar_t text[64];
    SHOW(fgetwc(file));
    SHOW(getwc(file));
    SHOW(fgetwc_unlocked(file));
    SHOW(getwc_unlocked(file));
    SHOW_IF(fgetws(text, 64, file));
    SHOW(wcslen(text));
    SHOW_IF(fgetws_unlocked(text, 64, file));
    SHOW_IF(__fgetws_chk(text, 64, 64, file));
    while (fgetwc(file) != WEOF);
    SHOW_IF(fgetws(text, 64, file));
    SHOW(fclose(file));
}

static void positions(void)
{
    FILE *file = OPEN(fopen("lines", "r+"));
    fpos_t place;
    fpos64_t place64;
    SHOW(fseek(file, 4, SEEK_SET));
    SHOW(fgetpos(file, &place));
    SHOW(fgetpos64(file, &place64));
    SHOW(fseeko(file, -4, SEEK_END));
    SHOW(fseeko64(file, 2, SEEK_CUR));
    SHOW(ftello(file));
    SHOW(ftello64(file));
    SHOW(fsetpos(file, &place));
    SHOW(fgetc(file));
    SHOW(fsetpos64(file, &place64));
    SHOW(fseek(file, -1, SEEK_SET));
    SHOW(fseek(file, 0, 77));
    SHOW(ftell(file));
    SHOW(fclose(file));
    file = OPEN(popen("true", "r"));
    SHOW(fseek(file, 0, SEEK_SET));
    SHOW(ftell(file));
    SHOW(fgetpos(file, &place));
    SHOW(pclose(file));
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    elements();
    opens();
    lines();
    characters();
    wide();
    positions();
    SHOW(fflush(NULL));
    return report_end();
}
