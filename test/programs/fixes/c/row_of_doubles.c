/* FIX posix-small-writes repair: an inner loop writes the elements of a row */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define NX 20

static double grid[16][NX];

int main(void)
{
    int i, j;
    int fd = open("grid", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (i = 0; i < 16; i++)
        for (j = 0; j < NX; j++)
            grid[i][j] = i * 100 + j;
    for (i = 0; i < 16; i++) {
        for (j = 0; j < NX; j++) {
            if (write(fd, &grid[i][j], sizeof(double)) != sizeof(double)) { // HERE
                perror("grid");
                return 1;
            }
        }
    }
    return close(fd);
}
