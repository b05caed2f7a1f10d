/* 25 records looked up in a table of 32 MiB: to read it all would take far longer. */
#include "workload.h"

static void prepare(void) { make_file(32 << 20); }

static void workload(void) {
    char record[128];
    long sum = 0;
    unsigned long place = 12345;
    int fd = open(path, O_RDONLY);
    for (int i = 0; i < 25; i++) {
        check(compute(1) > 0);
        place = place * 6364136223846793005UL + 1442695040888963407UL;
        check(pread(fd, record, sizeof record, (off_t)(place >> 40) % (1 << 18) * 128) == sizeof record);
        sum += record[0];
    }
    close(fd);
    check(sum != 1);
}
