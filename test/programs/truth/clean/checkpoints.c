/* Three checkpoints of 4 MiB, each written aside, brought to the storage and put in its place. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    static char block[1 << 20];
    for (int i = 0; i < 3; i++) {
        check(compute(10) > 0);
        int fd = open("truth.new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        for (int j = 0; j < 4; j++) check(write(fd, block, sizeof block) == sizeof block);
        check(fsync(fd) == 0);
        close(fd);
        check(rename("truth.new", path) == 0);
    }
}
