/* FIX posix-small-writes example: what is given may be a list of pointers */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int put(int fd, char **rows, int n)
{
    for (int i = 0; i < n; i++)
        if (write(fd, rows[i], sizeof rows[i]) != sizeof rows[i]) // HERE
            return 1;
    return 0;
}

int main(void)
{
    char a[8] = "a------", b[8] = "b------", *rows[2] = {b, a};
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    return put(fd, rows, 2) + close(fd);
}
