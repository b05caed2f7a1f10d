/* FIX seek-before-every-access repair: every access has its own position, in all functions that have the descriptor */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int put(int fd, int row, int column, double value)
{
    lseek(fd, ((off_t)row * 16 + column) * 8, SEEK_SET); // HERE
    if (write(fd, &value, sizeof value) != sizeof value)
        return -1;
    return 0;
}

static double get(int fd, long at)
{
    double value = -1;
    return pread(fd, &value, sizeof value, at * 8) == sizeof value ? value : -2;
}

int main(void)
{
    int fd = open("matrix", O_CREAT | O_TRUNC | O_RDWR, 0644);
    if (fd < 0)
        return 1;
    for (int column = 0; column < 16; column++)
        for (int row = 0; row < 16; row++)
            if (put(fd, row, column, row + column / 16.0) != 0)
                return 2;
    for (long i = 0; i < 16 * 17; i += 5)
        printf("%g\n", get(fd, i));
    return close(fd);
}
