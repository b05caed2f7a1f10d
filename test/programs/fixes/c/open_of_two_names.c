/* FIX open-close-in-loop example: two callers of a caller give two names */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void save(const char *name, int step)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644); // HERE
    dprintf(fd, "step %d\n", step);
    close(fd);
}

static void both(const char *base)
{
    for (int step = 0; step < 25; step++)
        save(base, step);
}

int main(void)
{
    both("first");
    both("second");
    return 0;
}
