/* Formatted text, and the streams that are open when a program begins. Input: words and numbers. */
#define _GNU_SOURCE
#include "report.h"
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

int __fprintf_chk(FILE *to, int flag, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);
int __vfprintf_chk(FILE *to, int flag, const char *format, va_list list);
int __vprintf_chk(int flag, const char *format, va_list list);
int __isoc99_fscanf(FILE *from, const char *format, ...);
int __isoc99_scanf(const char *format, ...);
int __isoc99_vfscanf(FILE *from, const char *format, va_list list);
int __isoc99_vscanf(const char *format, va_list list);
/* The headers call those of C99 by these names. */
int old_fscanf(FILE *from, const char *format, ...) __asm__("fscanf");
int old_scanf(const char *format, ...) __asm__("scanf");
int old_vfscanf(FILE *from, const char *format, va_list list) __asm__("vfscanf");
int old_vscanf(const char *format, va_list list) __asm__("vscanf");
#undef getchar_unlocked
#undef putchar_unlocked

static int print_list(int way, FILE *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = way == 0   ? vfprintf(to, format, list)
                 : way == 1 ? __vfprintf_chk(to, 1, format, list)
                 : way == 2 ? vprintf(format, list)
                            : __vprintf_chk(1, format, list);
    va_end(list);
    return result;
}

static int scan_list(int way, FILE *from, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = way == 0   ? old_vfscanf(from, format, list)
                 : way == 1 ? __isoc99_vfscanf(from, format, list)
                 : way == 2 ? old_vscanf(format, list)
                            : __isoc99_vscanf(format, list);
    va_end(list);
    return result;
}

static void prints(FILE *file)
{
    int written = 0;
    SHOW(fprintf(file, "%d %ld %lld %hhd %zu %jd\n", 1, 2L, 3LL, 300, (size_t)5, (intmax_t)6));
    SHOW(fprintf(file, "%f %g %e %a %Lf %Lg\n", 1.25, 1e100, -2.5, 0.5, 3.75L, 1e4000L));
    SHOW(fprintf(file, "%s %c %p %%%n\n", "text", 'c', (void *)0x1234, &written));
    SHOW(written);
    SHOW(fprintf(file, "%2$s %1$s %3$*4$d\n", "a", "b", 7, 5));
    SHOW(fprintf(file, "%d%d%d%d%d%d%d%d%d%d%f%f%f%f%f%f%f%f%f%f\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1., 2., 3., 4., 5., 6., 7.,
                 8., 9., 10.));
    SHOW(fprintf(file, "%.2f %'d\n", 1234.5, 1234567));
    SHOW(fprintf(file, "%ls\n", L"wide \u00e4"));
    SHOW(fprintf(file, "%m\n"));
    SHOW(__fprintf_chk(file, 1, "%s %d\n", "checked", 1));
    SHOW(print_list(0, file, "%s %Lf\n", "list", 1.5L));
    SHOW(print_list(1, file, "%s %d\n", "list", 2));
    SHOW(printf("%s %d %.1f\n", "printf", 1, 2.5));
    SHOW(__printf_chk(1, "%s\n", "checked"));
    SHOW(print_list(2, NULL, "%s %d\n", "list", 3));
    SHOW(print_list(3, NULL, "%s %d\n", "list", 4));
    SHOW(fprintf(stderr, "to %s\n", "standard error"));
    SHOW(puts("a line") >= 0);
    SHOW(putchar('p'));
    SHOW(putchar_unlocked('\n'));
    FILE *full = fopen("/dev/full", "w");
    setvbuf(full, NULL, _IONBF, 0);
    SHOW(fprintf(full, "%d", 5));
    SHOW(fclose(full));
}

static void scans(FILE *file)
{
    int number = 0;
    long other = 0;
    double real = 0;
    long double more = 0;
    char word[32] = "", *made = NULL;
    rewind(file);
    SHOW(fprintf(file, "12 abc 1.5 2.5\n0x1f rest 77 88 99\n1 2 3 4 5 6 7 8 end"));
    rewind(file);
    SHOW(old_fscanf(file, "%d %31s %lf %Lf", &number, word, &real, &more));
    report("    %d %s %g %Lg\n", number, word, real, more);
    SHOW(__isoc99_fscanf(file, "%x %ms", (unsigned *)&number, &made));
    report("    %d %s\n", number, made);
    free(made);
    SHOW(scan_list(0, file, "%d", &number));
    SHOW(scan_list(1, file, "%ld", &other));
    report("    %d %ld\n", number, other);
    SHOW(old_fscanf(file, "%s", word));
    SHOW(old_fscanf(file, "%d%d%d%d%d%d%d%d", &number, &number, &number, &number, &number, &number, &number, &number));
    SHOW(old_fscanf(file, "%d", &number));
    SHOW(old_fscanf(file, "%s", word));
    SHOW(old_fscanf(file, "%d", &number));
    SHOW(old_scanf("%d", &number));
    SHOW(__isoc99_scanf("%31s", word));
    SHOW(scan_list(2, NULL, "%d", &number));
    SHOW(scan_list(3, NULL, "%31s", word));
    report("    %d %s\n", number, word);
    SHOW(getchar());
    SHOW(getchar_unlocked());
    SHOW(getc(stdin));
    SHOW(ungetc('u', stdin));
    SHOW(old_scanf(" %31s", word));
    SHOW_BYTES(word, strlen(word));
    while (getchar() != EOF);
    SHOW(getchar());
    SHOW(old_scanf("%d", &number));
}

static void wide(void)
{
    FILE *file = fopen("wide-output", "w");
    stdout = file;
    SHOW(putwchar(L'\u00e4'));
    SHOW(fclose(file));
    file = fopen("wide-output", "r");
    stdin = file;
    SHOW(getwchar());
    SHOW(getwchar());
    SHOW(fclose(file));
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    FILE *file = fopen("text", "w+");
    prints(file);
    scans(file);
    SHOW(fclose(file));
    SHOW(fflush(stdout));
    wide();
    return report_end();
}
