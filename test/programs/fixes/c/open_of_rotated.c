/* FIX open-close-in-loop example: another function gives the file another name */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void rotate(int step)
{
    if (step % 10 == 9)
        rename("log", "log.old");
}

static int note(int step)
{
    int fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644); // HERE
    if (fd < 0)
        return -1;
    dprintf(fd, "step %d\n", step);
    return close(fd);
}

int main(void)
{
    for (int step = 0; step < 25; step++) {
        note(step);
        rotate(step);
    }
    return 0;
}
