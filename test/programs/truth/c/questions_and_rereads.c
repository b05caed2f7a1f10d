/* 700 reads of 256 KiB that are there already cost more than 1,200 questions about a path. */
#include "workload.h"

enum { TABLE = 1 << 18 };

static void prepare(void) { make_file(TABLE); }

static void workload(void) {
    static char table[TABLE];
    struct stat status;
    long sum = 0;
    int fd = open(path, O_RDONLY);
#if REPAIRED & 1
    check(pread(fd, table, TABLE, 0) == TABLE);
#endif
    for (int i = 0; i < 700; i++) {
#if !(REPAIRED & 1)
        check(pread(fd, table, TABLE, 0) == TABLE); /* PLANTED P09 dearest */
#endif
        sum += table[i];
    }
    close(fd);
#if REPAIRED & 2
    check(stat(path, &status) == 0);
#endif
    for (int i = 0; i < 1200; i++) {
#if !(REPAIRED & 2)
        check(stat(path, &status) == 0); /* PLANTED L12 */
#endif
        sum += status.st_size;
    }
    check(sum != 1);
}
