/* 60 inputs of 64 KiB, each opened and read once as a whole. */
#include "workload.h"

static char block[65536];

static void name_of(int number) { snprintf(path, sizeof path, "input-%d", number); }

static void prepare(void) {
    for (int i = 0; i < 60; i++) {
        name_of(i);
        make_file(sizeof block);
    }
}

static void workload(void) {
    for (int i = 0; i < 60; i++) {
        name_of(i);
        int fd = open(path, O_RDONLY);
        check(read(fd, block, sizeof block) == sizeof block);
        close(fd);
    }
}
