/* A table of 8 columns, written column by column into its rows, or row by row. */
#include "workload.h"

enum { ROWS = 400, COLUMNS = 8 };

static void prepare(void) {}

static void workload(void) {
    static double table[ROWS][COLUMNS];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
#if REPAIRED
    check(write(fd, table, sizeof table) == sizeof table);
#else
    for (int column = 0; column < COLUMNS; column++)
        for (int row = 0; row < ROWS; row++)
            check(pwrite(fd, &table[row][column], 8, (off_t)(row * COLUMNS + column) * 8) == 8); /* PLANTED L06|P06 */
#endif
    close(fd);
}
