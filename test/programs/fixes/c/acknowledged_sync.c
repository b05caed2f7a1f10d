/* FIX sync-after-every-write example: each record is acknowledged when it is safe */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int fd = open("journal", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 5; i++) {
        if (write(fd, "record\n", 7) != 7)
            return 1;
        if (fsync(fd) != 0) // HERE
            return 1;
        printf("safe %d\n", i);
    }
    return close(fd);
}
