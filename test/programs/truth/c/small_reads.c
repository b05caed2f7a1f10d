/* 4,000 records of 256 B: a read each, or through stdio's buffer. */
#include "workload.h"

static void prepare(void) { make_file(1 << 20); }

static void workload(void) {
    char record[256];
    long sum = 0;
#if REPAIRED
    FILE *in = fopen(path, "rb");
    check(in != NULL);
    static char buffer[262144];
    setvbuf(in, buffer, _IOFBF, sizeof buffer);
    for (int i = 0; i < 4000; i++) {
        check(fread(record, sizeof record, 1, in) == 1);
        sum += record[0];
    }
    fclose(in);
#else
    int fd = open(path, O_RDONLY);
    for (int i = 0; i < 4000; i++) {
        check(read(fd, record, sizeof record) == sizeof record); /* PLANTED P05 */
        sum += record[0];
    }
    close(fd);
#endif
    check(sum != 1);
}
