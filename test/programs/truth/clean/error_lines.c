/* Computes, and says on the standard error, which has no buffer, how far it is. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    for (int i = 0; i < 40; i++) {
        check(compute(2) > 0);
        fprintf(stderr, "%d %%\n", i * 100 / 40);
    }
}
