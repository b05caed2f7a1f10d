/* The size of one file, asked 3,000 times, or once. */
#include "workload.h"

static void prepare(void) { make_file(1 << 16); }

static void workload(void) {
    struct stat status;
    long sum = 0;
#if REPAIRED
    check(stat(path, &status) == 0);
#endif
    for (int i = 0; i < 3000; i++) {
#if !REPAIRED
        check(stat(path, &status) == 0); /* PLANTED L12 */
#endif
        sum += status.st_size;
    }
    check(sum != 1);
}
