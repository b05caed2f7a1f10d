/* Settings of 2 KiB, read anew for each of 800 steps, or once. */
#include "workload.h"

static char settings[2048];

static void prepare(void) { make_file(sizeof settings); }

static void read_settings(void) {
    int fd = open(path, O_RDONLY); /* PLANTED L02|P09 */
    check(read(fd, settings, sizeof settings) == sizeof settings);
    close(fd);
}

static void workload(void) {
    long sum = 0;
#if REPAIRED
    read_settings();
#endif
    for (int i = 0; i < 800; i++) {
#if !REPAIRED
        read_settings();
#endif
        sum += settings[i];
    }
    check(sum != 1);
}
