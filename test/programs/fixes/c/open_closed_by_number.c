/* FIX open-close-in-loop example: all descriptors are closed in between */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int note(int step)
{
    int fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644); // HERE
    int written = dprintf(fd, "step %d\n", step);
    close(fd);
    return written;
}

int main(void)
{
    for (int step = 0; step < 5; step++) {
        printf("%d\n", note(step));
        for (int fd = 3; fd < 20; fd++)
            close(fd);
    }
    return 0;
}
