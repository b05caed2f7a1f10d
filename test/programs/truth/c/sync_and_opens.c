/* 40 synchronisations cost more than 300 opens and closes, which look dearer under a tracer. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    char record[4096] = "record";
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 40; i++) {
        check(write(fd, record, sizeof record) == sizeof record);
#if !(REPAIRED & 1)
        check(fsync(fd) == 0); /* PLANTED L01 dearest */
#endif
    }
    check(fsync(fd) == 0);
    close(fd);
#if REPAIRED & 2
    int log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644);
#endif
    for (int i = 0; i < 300; i++) {
#if !(REPAIRED & 2)
        int log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644); /* PLANTED L02 little */
#endif
        check(write(log, "line\n", 5) == 5);
#if !(REPAIRED & 2)
        close(log);
#endif
    }
#if REPAIRED & 2
    close(log);
#endif
    unlink("log");
}
