/* Settings of 2 KiB for each of 800 steps: opened for each or once, and read for each or once. */
#include "workload.h"

static char settings[2048];

static void prepare(void) { make_file(sizeof settings); }

static void workload(void) {
    long sum = 0;
#if REPAIRED & 1
    int fd = open(path, O_RDONLY);
#endif
    for (int i = 0; i < 800; i++) {
#if !(REPAIRED & 1)
        int fd = open(path, O_RDONLY); /* PLANTED L02 dearest */
#endif
        if (!(REPAIRED & 2) || i == 0)
            check(pread(fd, settings, sizeof settings, 0) == sizeof settings); /* PLANTED P09 */
        sum += settings[i];
#if !(REPAIRED & 1)
        close(fd);
#endif
    }
#if REPAIRED & 1
    close(fd);
#endif
    check(sum != 1);
}
