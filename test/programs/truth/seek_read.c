/* 2,000 headers of 16 B, one in each KiB of a file: read after a seek each, or by pread. */
#include "workload.h"

static void prepare(void) { make_file(2 << 20); }

static void workload(void) {
    char header[16];
    long sum = 0;
    int fd = open(path, O_RDONLY);
    for (int i = 0; i < 2000; i++) {
#ifdef REPAIRED
        check(pread(fd, header, sizeof header, 1024L * i) == sizeof header);
#else
        lseek(fd, 1024L * i, SEEK_SET); /* PLANTED L03 */
        check(read(fd, header, sizeof header) == sizeof header);
#endif
        sum += header[0];
    }
    close(fd);
    check(sum != 1);
}
