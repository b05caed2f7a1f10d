/* FIX sync-after-every-write example: the new file takes the name of the old one */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    for (int step = 0; step < 10; step++) {
        int fd = open("state.new", O_CREAT | O_TRUNC | O_WRONLY, 0644);
        dprintf(fd, "%d\n", step);
        if (fsync(fd) != 0) // HERE
            return 1;
        close(fd);
        if (rename("state.new", "state") != 0)
            return 2;
    }
    return 0;
}
