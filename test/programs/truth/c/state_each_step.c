/* A state that is written aside and put in its place after each of 400 steps, or after every fiftieth. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    char state[64] = {0};
    for (int i = 0; i < 400; i++) {
        state[i % 64]++;
#if REPAIRED
        if ((i + 1) % 50 != 0) continue;
#endif
        int fd = open("truth.new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        check(write(fd, state, sizeof state) == sizeof state);
        close(fd);
        check(rename("truth.new", path) == 0); /* PLANTED L45 */
    }
}
