/* 3,000 lines of a table, each flushed, or when the buffer is full. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    FILE *out = fopen(path, "w");
    check(out != NULL);
    for (int i = 0; i < 3000; i++) {
        fprintf(out, "%d %d\n", i, i * i);
#if !REPAIRED
        fflush(out); /* PLANTED L04 */
#endif
    }
    fclose(out);
}
