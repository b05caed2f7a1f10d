/* Six scratch files of 256 KiB, written, read back once and removed. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    static char block[1 << 18];
    for (int i = 0; i < 6; i++) {
        check(compute(2) > 0);
        int fd = open("scratch", O_RDWR | O_CREAT | O_TRUNC, 0600);
        check(write(fd, block, sizeof block) == sizeof block);
        check(pread(fd, block, sizeof block, 0) == sizeof block);
        close(fd);
        unlink("scratch");
    }
}
