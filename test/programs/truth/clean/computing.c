/* Computes for 100 ms and writes 35 microseconds: 30 small records. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 30; i++) {
        if (i % 6 == 0) check(compute(20) > 0);
        check(write(fd, "energy 1.25\n", 12) == 12);
    }
    close(fd);
}
