/* 200 records, brought to the storage each by itself, or all at the end. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    char record[4096] = "record";
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 200; i++) {
        check(write(fd, record, sizeof record) == sizeof record);
#if !REPAIRED
        check(fsync(fd) == 0); /* PLANTED L01 */
#endif
    }
#if REPAIRED
    check(fsync(fd) == 0);
#endif
    close(fd);
}
