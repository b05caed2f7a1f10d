/* FIX posix-small-writes example: a bound of 2.5 makes three turns */
#include <fcntl.h>
#include <unistd.h>

static int save(int fd, const int *row, double half)
{
    for (int i = 0; i < half; i++)
        if (write(fd, &row[i], sizeof row[i]) != sizeof row[i]) // HERE
            return 1;
    return 0;
}

int main(void)
{
    int row[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 1; i < 10; i++)
        if (save(fd, row, i / 2.0) != 0)
            return 1;
    return close(fd);
}
