/* FIX posix-small-writes example: the program ends by _exit */
#include <fcntl.h>
#include <unistd.h>

static void finish(int i)
{
    if (i == 70)
        _exit(0);
}

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 90; i++) {
        if (write(fd, "record\n", 7) != 7) // HERE
            return 1;
        finish(i);
    }
    return close(fd);
}
