/* FIX posix-small-writes example: each write is on the disk when it returns */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC | O_SYNC, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 9; i++) {
        if (write(fd, "record\n", 7) != 7) // HERE
            return 1;
        printf("%d is safe\n", i);
    }
    return close(fd);
}
