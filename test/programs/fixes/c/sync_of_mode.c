/* FIX sync-after-every-write example: the file's mode must be safe, too */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    int fd = open("sealed", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    dprintf(fd, "sealed\n");
    fchmod(fd, 0444);
    if (fsync(fd) != 0) // HERE
        return 1;
    return close(fd);
}
