/* FIX open-close-in-loop example: a stream takes the descriptor over and closes it */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int note(int step)
{
    int fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644); // HERE
    FILE *log = fdopen(fd, "a");
    if (log == NULL) {
        close(fd);
        return -1;
    }
    fprintf(log, "step %d\n", step);
    return fclose(log);
}

int main(void)
{
    for (int step = 0; step < 5; step++)
        if (note(step) != 0)
            return 1;
    return 0;
}
