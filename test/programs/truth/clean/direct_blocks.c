/* 8 MiB past the page cache by 1 MiB. */
#define _GNU_SOURCE
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    static char block[1 << 20] __attribute__((aligned(4096)));
    int fd = open(path, O_WRONLY | O_CREAT | O_DIRECT, 0644);
    check(fd >= 0);
    for (int i = 0; i < 8; i++) check(write(fd, block, sizeof block) == sizeof block);
    close(fd);
}
