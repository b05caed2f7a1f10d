/* 4,000 records of 100 B: a write each, or through stdio's buffer. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    char record[100] = "record";
#if REPAIRED
    FILE *out = fopen(path, "wb");
    check(out != NULL);
    static char buffer[131072];
    setvbuf(out, buffer, _IOFBF, sizeof buffer);
    for (int i = 0; i < 4000; i++) fwrite(record, sizeof record, 1, out);
    fclose(out);
#else
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 4000; i++)
        check(write(fd, record, sizeof record) == sizeof record); /* PLANTED P06 */
    close(fd);
#endif
}
