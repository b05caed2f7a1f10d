/* 60 records of 512 B to a file opened with O_DSYNC, or in one write. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    static char record[60][512];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC, 0644);
#if REPAIRED
    check(write(fd, record, sizeof record) == sizeof record);
#else
    for (int i = 0; i < 60; i++)
        check(write(fd, record[i], sizeof record[i]) == sizeof record[i]); /* PLANTED L33 */
#endif
    close(fd);
}
