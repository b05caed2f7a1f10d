/* What the programs of this folder say of each call: its text, result and errno; all at once in the end, in one write. */
#ifndef REPORT_H
#define REPORT_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char report_text[1 << 17];
static size_t report_used;

__attribute__((format(printf, 1, 2), unused)) static void report(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    report_used += vsnprintf(report_text + report_used, sizeof report_text - report_used, format, list);
    va_end(list);
}

/* Its result and errno. */
#define SHOW(expression)                                                                                               \
    do {                                                                                                               \
        errno = 0;                                                                                                     \
        long result_ = (long)(expression);                                                                             \
        int error_ = errno;                                                                                            \
        report("%s = %ld, errno %d\n", #expression, result_, error_);                                                  \
    } while (0)

/* Whether its result is not 0, for those that differ from run to run. */
#define SHOW_IF(expression) SHOW((expression) != 0)

#define SHOW_BYTES(bytes, size) report("    %.*s\n", (int)(size), (const char *)(bytes))

/* In the recordings: from here on calls are not one to one those of the kernel. An empty name: again they are. */
#define SECTION(name) access("/section/" name, F_OK)

__attribute__((constructor)) static void report_begin(void)
{
    SECTION("");
}

static inline int report_end(void)
{
    SECTION("end");
    return write(STDOUT_FILENO, report_text, report_used) == (ssize_t)report_used ? 0 : 1;
}

#endif
