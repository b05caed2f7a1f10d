/* FIX posix-small-writes example: what the loop counted is used behind it */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int row[30] = {0}, i;
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (i = 0; i < 30; i++)
        if (write(fd, &row[i], sizeof row[i]) != sizeof row[i]) // HERE
            break;
    printf("%d\n", i);
    return close(fd);
}
