/* 2,000 records of 128 B, read from the last to the first, or out of a copy that was read at once. */
#include "workload.h"

enum { RECORD = 128, RECORDS = 2000 };

static void prepare(void) { make_file(RECORD * RECORDS); }

static void workload(void) {
    static char record[RECORD];
    long sum = 0;
    int fd = open(path, O_RDONLY);
#if REPAIRED
    char *table = (char *)malloc(RECORD * RECORDS);
    check(read(fd, table, RECORD * RECORDS) == RECORD * RECORDS);
#endif
    for (int i = RECORDS - 1; i >= 0; i--) {
#if REPAIRED
        memcpy(record, table + (size_t)i * RECORD, RECORD);
#else
        check(pread(fd, record, RECORD, (off_t)i * RECORD) == RECORD); /* PLANTED L05|P11 */
#endif
        sum += record[0];
    }
#if REPAIRED
    free(table);
#endif
    close(fd);
    check(sum != 1);
}
