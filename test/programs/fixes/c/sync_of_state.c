/* FIX sync-after-every-write trade: nothing but the file's times goes without the rest of the sync */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int checkpoint(int fd, int step)
{
    char page[512];
    memset(page, step, sizeof page);
    if (write(fd, page, sizeof page) != sizeof page)
        return -1;
    return fsync(fd); // HERE
}

int main(void)
{
    int fd = open("state", O_CREAT | O_TRUNC | O_RDWR, 0644);
    for (int step = 0; step < 10; step++) {
        if (checkpoint(fd, step) != 0)
            return 1;
        printf("safe %d\n", step);
    }
    return close(fd);
}
