/* FIX posix-small-writes example handed: the descriptor comes from whoever starts the program */
#include "rows.h"

#include <unistd.h>

int write_row(int fd, const double *row, int n) {
    for (int i = 0; i < n; i++)
        if (write(fd, &row[i], sizeof row[i]) != sizeof row[i]) return -1; /* HERE */
    return 0;
}
