/* FIX posix-small-writes example: a timer changes the elements while they are written */
#include <fcntl.h>
#include <unistd.h>

static volatile int row[64];

int main(void)
{
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 64; i++)
        if (write(fd, (const void *)&row[i], sizeof row[i]) != sizeof row[i]) // HERE
            return 1;
    return close(fd);
}
