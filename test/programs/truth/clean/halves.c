/* Two processes that read half of a file each, in blocks of 1 MiB. */
#include "workload.h"

static void prepare(void) { make_file(16 << 20); }

static void workload(void) {
    static char block[1 << 20];
    for (int half = 0; half < 2; half++) {
        if (fork() != 0) continue;
        int fd = open(path, O_RDONLY);
        for (int i = 0; i < 8; i++)
            check(pread(fd, block, sizeof block, (off_t)(half * 8 + i) << 20) == sizeof block);
        close(fd);
        _exit(0);
    }
    while (wait(NULL) > 0) continue;
}
