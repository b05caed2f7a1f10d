/* 4,000 bytes through a pipe to a child, one by one, or at once. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    char text[4000];
    int ends[2];
    memset(text, 'x', sizeof text);
    check(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        char all[4000];
        close(ends[1]);
        while (read(ends[0], all, sizeof all) > 0) continue;
        _exit(0);
    }
    close(ends[0]);
#if REPAIRED
    check(write(ends[1], text, sizeof text) == sizeof text);
#else
    for (size_t i = 0; i < sizeof text; i++)
        check(write(ends[1], text + i, 1) == 1); /* PLANTED L13 */
#endif
    close(ends[1]);
    waitpid(child, NULL, 0);
}
