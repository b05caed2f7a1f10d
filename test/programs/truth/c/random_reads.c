/* 4,000 records of a table of 1 MiB, looked up where they stand, or in a copy that was read at once. */
#include "workload.h"

enum { TABLE = 1 << 20, RECORD = 64 };

static void prepare(void) { make_file(TABLE); }

static void workload(void) {
    unsigned long place = 12345;
    long sum = 0;
    int fd = open(path, O_RDONLY);
#if REPAIRED
    char *table = (char *)malloc(TABLE);
    check(read(fd, table, TABLE) == TABLE);
#endif
    for (int i = 0; i < 4000; i++) {
        char record[RECORD];
        place = place * 6364136223846793005UL + 1442695040888963407UL;
        off_t offset = (off_t)(place >> 33) % (TABLE / RECORD) * RECORD;
#if REPAIRED
        memcpy(record, table + offset, RECORD);
#else
        check(pread(fd, record, RECORD, offset) == RECORD); /* PLANTED P11 */
#endif
        sum += record[0];
    }
#if REPAIRED
    free(table);
#endif
    close(fd);
    check(sum != 1);
}
