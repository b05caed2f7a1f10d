/* FIX open-close-in-loop example: the name varies from step to step */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void save(const char *name, int step)
{
    int fd = open(name, O_WRONLY | O_CREAT, 0644); // HERE
    dprintf(fd, "step %d\n", step);
    close(fd);
}

int main(void)
{
    for (int step = 0; step < 25; step++) {
        char name[32];
        snprintf(name, sizeof name, "part-%d", step % 5);
        save(name, step);
    }
    return 0;
}
