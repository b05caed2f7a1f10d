/* 16 MiB through a pipe to a child in blocks of 64 KiB. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    static char block[65536];
    int ends[2];
    check(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        while (read(ends[0], block, sizeof block) > 0) continue;
        _exit(0);
    }
    close(ends[0]);
    for (int i = 0; i < 256; i++) check(write(ends[1], block, sizeof block) == sizeof block);
    close(ends[1]);
    waitpid(child, NULL, 0);
}
