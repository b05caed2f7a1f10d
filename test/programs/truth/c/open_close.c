/* 1,500 records added to a log that is opened for each, or once. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    unlink(path);
#if REPAIRED
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
#endif
    for (int i = 0; i < 1500; i++) {
#if !REPAIRED
        int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644); /* PLANTED L02 */
#endif
        check(write(fd, "a line of the log\n", 18) == 18);
#if !REPAIRED
        close(fd);
#endif
    }
#if REPAIRED
    close(fd);
#endif
}
