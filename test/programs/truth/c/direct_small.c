/* 1 MiB written past the page cache by 4 KiB, or at once. */
#define _GNU_SOURCE
#include "workload.h"

enum { ALL = 1 << 20 };

static void prepare(void) {}

static void workload(void) {
    static char data[ALL] __attribute__((aligned(4096)));
    int fd = open(path, O_WRONLY | O_CREAT | O_DIRECT, 0644);
#if REPAIRED
    size_t piece = ALL;
#else
    size_t piece = 4096;
#endif
    check(fd >= 0);
    for (size_t done = 0; done < ALL; done += piece)
        check(write(fd, data + done, piece) == (ssize_t)piece); /* PLANTED L34 */
    close(fd);
}
