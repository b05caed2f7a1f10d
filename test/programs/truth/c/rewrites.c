/* A header of 4 KiB, written after each of 3,000 steps, or at the end. */
#include "workload.h"

static void prepare(void) { make_file(1 << 16); }

static void workload(void) {
    char header[4096] = "header";
    int fd = open(path, O_WRONLY);
    for (int i = 0; i < 3000; i++) {
        header[i % 64] = (char)i;
#if !REPAIRED
        check(pwrite(fd, header, sizeof header, 0) == sizeof header); /* PLANTED P10 */
#endif
    }
#if REPAIRED
    check(pwrite(fd, header, sizeof header, 0) == sizeof header);
#endif
    close(fd);
}
