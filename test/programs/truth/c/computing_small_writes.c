/* Computes for 80 ms and writes 150 records of 60 B beside it: not worth a word, each by itself or all at once. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    static char records[150][60];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int step = 0; step < 150; step++) {
        if (step % 15 == 0) check(compute(8) > 0);
#if !REPAIRED
        check(write(fd, records[step], sizeof records[step]) == sizeof records[step]); /* PLANTED P06 little */
#endif
    }
#if REPAIRED
    check(write(fd, records, sizeof records) == sizeof records);
#endif
    close(fd);
}
