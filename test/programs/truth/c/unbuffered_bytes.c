/* 4,000 single bytes through stdio, without and with its buffer. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    FILE *out = fopen(path, "wb");
    check(out != NULL);
#if !REPAIRED
    setvbuf(out, NULL, _IONBF, 0);
#endif
    for (int i = 0; i < 4000; i++)
        putc('a' + i % 26, out); /* PLANTED P06 */
    fclose(out);
}
