/* FIX open-close-in-loop trade: a file that is opened to be read from its start, while the same program appends to it */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int lines(void)
{
    char c;
    int n = 0;
    int fd = open("log", O_RDONLY); // HERE
    if (fd < 0)
        return -1;
    while (read(fd, &c, 1) == 1)
        n += c == '\n';
    close(fd);
    return n;
}

int main(void)
{
    for (int step = 0; step < 20; step++) {
        int out;
        printf("%d\n", lines());
        out = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644);
        dprintf(out, "step %d\n", step);
        close(out);
    }
    return 0;
}
