/* A table of 16 KiB, read for each of 3,000 steps, or once. */
#include "workload.h"

static void prepare(void) { make_file(1 << 16); }

static void workload(void) {
    static char table[16384];
    long sum = 0;
    int fd = open(path, O_RDONLY);
#if REPAIRED
    check(pread(fd, table, sizeof table, 0) == sizeof table);
#endif
    for (int i = 0; i < 3000; i++) {
#if !REPAIRED
        check(pread(fd, table, sizeof table, 0) == sizeof table); /* PLANTED P09 */
#endif
        sum += table[i % sizeof table];
    }
    close(fd);
    check(sum != 1);
}
