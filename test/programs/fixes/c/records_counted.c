/* FIX posix-small-writes example: what was written is counted, and told as safe */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    long safe = 0;
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 90; i++) {
        ssize_t written = write(fd, "record\n", 7); // HERE
        if (written > 0)
            safe += written;
    }
    printf("%ld are safe\n", safe);
    return close(fd);
}
