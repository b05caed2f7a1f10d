/* 800 records of 1 KiB, brought to the storage after each tenth, or at the end. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    char record[1024] = "record";
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 1; i <= 800; i++) {
        check(write(fd, record, sizeof record) == sizeof record);
#if !REPAIRED
        if (i % 10 == 0) check(fdatasync(fd) == 0); /* PLANTED L36 */
#endif
    }
    check(fdatasync(fd) == 0);
    close(fd);
}
