/* Computes for 6 ms and reads 4,000 records of 64 B: a good part of the run is the reads' all the same. */
#include "workload.h"

static void prepare(void) { make_file(4000 * 64); }

static void workload(void) {
    static char records[4000][64];
    int fd = open(path, O_RDONLY);
#if REPAIRED
    check(read(fd, records, sizeof records) == sizeof records);
#endif
    for (int i = 0; i < 4000; i++) {
#if !REPAIRED
        check(read(fd, records[i], sizeof records[i]) == sizeof records[i]); /* PLANTED P05 */
#endif
        if (i % 667 == 0) check(compute(1) > 0);
    }
    close(fd);
}
