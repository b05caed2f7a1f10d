/* FIX posix-small-writes repair: rows that are allocated one by one */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned n = 30;
    double **rows = malloc(n * sizeof *rows);
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (unsigned i = 0; i < n; i++) {
        rows[i] = calloc(i + 1, sizeof **rows);
        rows[i][i] = i;
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j <= i; j += 1) {
            if (write(fd, &rows[i][j], sizeof(double)) != sizeof(double)) { // HERE
                fprintf(stderr, "row %u\n", i);
                exit(EXIT_FAILURE);
            }
        }
    for (unsigned i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
    return close(fd);
}
