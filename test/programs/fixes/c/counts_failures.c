/* FIX posix-small-writes example: how many elements could be written is told */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int row[400] = {0}, failed = 0;
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 400; i++)
        if (write(fd, &row[i], sizeof row[i]) != sizeof row[i]) // HERE
            failed++;
    printf("%d failed\n", failed);
    return close(fd);
}
