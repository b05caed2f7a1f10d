/* Five results, each added to a file that others add to as well: it is opened for each. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    for (int i = 0; i < 5; i++) {
        check(compute(10) > 0);
        int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
        check(write(fd, "result 1.25\n", 12) == 12);
        close(fd);
    }
}
