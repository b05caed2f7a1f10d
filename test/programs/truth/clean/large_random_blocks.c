/* 24 blocks of 512 KiB, each once, in the order in which they are wanted: no order is faster. */
#include "workload.h"

enum { BLOCK = 1 << 19 };

static void prepare(void) { make_file(32 << 20); }

static void workload(void) {
    static char block[BLOCK];
    long sum = 0;
    int fd = open(path, O_RDONLY);
    for (int i = 0; i < 24; i++) {
        check(pread(fd, block, BLOCK, (off_t)(i * 37 % 64) * BLOCK) == BLOCK);
        sum += block[i];
    }
    close(fd);
    check(sum != 1);
}
