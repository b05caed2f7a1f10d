/* Large writes, and a header and a trailer of a few bytes. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    static char block[1 << 20];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    check(write(fd, "HEAD", 4) == 4);
    for (int i = 0; i < 8; i++) check(write(fd, block, sizeof block) == sizeof block);
    check(write(fd, "index", 5) == 5);
    check(write(fd, "END", 3) == 3);
    check(fsync(fd) == 0);
    close(fd);
}
