/* FIX posix-small-writes example: each write is asked but not the close, which would tell what a stream holds back */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 900; i++) {
        char line[32];
        int length = snprintf(line, sizeof line, "record %d\n", i);
        if (write(fd, line, (size_t)length) != length) // HERE
            return 1;
    }
    close(fd);
    return 0;
}
