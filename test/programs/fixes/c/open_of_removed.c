/* FIX open-close-in-loop example: between two loops the file is removed */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void note(int step)
{
    int fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644); // HERE
    dprintf(fd, "step %d\n", step);
    close(fd);
}

int main(void)
{
    for (int step = 0; step < 25; step++)
        note(step);
    unlink("log");
    for (int step = 0; step < 5; step++)
        note(step);
    return 0;
}
