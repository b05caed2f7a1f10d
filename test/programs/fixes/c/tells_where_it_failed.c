/* FIX posix-small-writes example: the number of the element that failed is returned */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int save(int fd, const int *row)
{
    for (int i = 0; i < 400; i++)
        if (write(fd, &row[i], sizeof row[i]) != sizeof row[i]) // HERE
            return i;
    return 400;
}

int main(void)
{
    int row[400] = {0};
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    printf("%d\n", save(fd, row));
    return close(fd);
}
