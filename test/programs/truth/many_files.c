/* 500 results of 200 B, each in a file of its own, or all in one. */
#include "workload.h"

static void prepare(void) { check(mkdir("parts", 0755) == 0 || errno == EEXIST); }

static void workload(void) {
    char record[200] = "result";
#if REPAIRED
    FILE *out = fopen("parts/all", "wb");
    check(out != NULL);
#endif
    for (int i = 0; i < 500; i++) {
#if REPAIRED
        fwrite(record, sizeof record, 1, out);
#else
        char name[64];
        snprintf(name, sizeof name, "parts/result-%d", i);
        int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644); /* PLANTED L10 */
        check(write(fd, record, sizeof record) == sizeof record);
        close(fd);
#endif
    }
#if REPAIRED
    fclose(out);
#endif
}
