/* 3,000 cells of 64 B in a mixed order: written where they belong, or gathered and written at once. */
#include "workload.h"

enum { CELLS = 3000, CELL = 64 };

static void prepare(void) {}

static void workload(void) {
#if REPAIRED
    static char all[CELLS][CELL];
#endif
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < CELLS; i++) {
        char cell[CELL] = "cell";
        int place = (int)(i * 1597L % CELLS);
#if REPAIRED
        memcpy(all[place], cell, CELL);
#else
        check(pwrite(fd, cell, CELL, (off_t)place * CELL) == CELL); /* PLANTED P13 */
#endif
    }
#if REPAIRED
    check(write(fd, all, sizeof all) == sizeof all);
#endif
    close(fd);
}
