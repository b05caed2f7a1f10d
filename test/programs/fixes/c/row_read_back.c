/* FIX posix-small-reads repair: elements read one by one, until the file ends in the midst of a row */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int load(int fd, int *row, int n)
{
    for (int i = 0; i < n; ++i) {
        if (read(fd, row + i, sizeof *row) != (ssize_t)sizeof *row) // HERE
            return -1;
    }
    return 0;
}

int main(void)
{
    int row[10] = {0}, status = 0;
    int fd = open("rows", O_RDWR | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 26; i++)
        if (write(fd, &i, sizeof i) != sizeof i)
            return 1;
    lseek(fd, 0, SEEK_SET);
    while (status == 0) {
        status = load(fd, row, 10);
        for (int i = 0; i < 10; i++)
            printf("%d ", row[i]);
        printf("-> %d\n", status);
    }
    return close(fd);
}
