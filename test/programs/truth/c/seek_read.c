/* 1,000 blocks of 8 KiB, every second of a file: read after a seek each, or by pread. */
#include "workload.h"

static void prepare(void) { make_file(16 << 20); }

static void workload(void) {
    char block[8192];
    long sum = 0;
    int fd = open(path, O_RDONLY);
    for (int i = 0; i < 1000; i++) {
#if REPAIRED
        check(pread(fd, block, sizeof block, 16384L * i) == sizeof block);
#else
        lseek(fd, 16384L * i, SEEK_SET); /* PLANTED L03 */
        check(read(fd, block, sizeof block) == sizeof block);
#endif
        sum += block[0];
    }
    close(fd);
    check(sum != 1);
}
