/* Computes for 120 ms and opens its log for each of 60 lines: little is saved by opening it once. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    unlink(path);
#if REPAIRED
    FILE *log = fopen(path, "a");
#endif
    for (int step = 0; step < 60; step++) {
        check(compute(2) > 0);
#if !REPAIRED
        FILE *log = fopen(path, "a"); /* PLANTED L02 little */
#endif
        fprintf(log, "step %d\n", step);
#if !REPAIRED
        fclose(log);
#endif
    }
#if REPAIRED
    fclose(log);
#endif
}
