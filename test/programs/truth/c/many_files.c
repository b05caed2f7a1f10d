/* 500 results of 200 B, each in a file of its own, or all in one. */
#include "workload.h"

static int repetition;

static void prepare(void) {}

static void workload(void) {
    char record[200] = "result", name[64];
    repetition++;
#if REPAIRED
    snprintf(name, sizeof name, "results-%d", repetition);
    FILE *out = fopen(name, "wb");
    check(out != NULL);
#endif
    for (int i = 0; i < 500; i++) {
#if REPAIRED
        fwrite(record, sizeof record, 1, out);
#else
        snprintf(name, sizeof name, "result-%d-%d", repetition, i);
        int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644); /* PLANTED L10 */
        check(write(fd, record, sizeof record) == sizeof record);
        close(fd);
#endif
    }
#if REPAIRED
    fclose(out);
#endif
}
