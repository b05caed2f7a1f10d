/* FIX open-close-in-loop trade: one file, opened for each line that is appended, and close is asked */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int append_line(const char *path, int step)
{
    char line[64];
    int length = snprintf(line, sizeof line, "step %d\n", step);
    int fd = open(path, O_CREAT | O_APPEND | O_WRONLY, 0644); // HERE
    if (fd < 0)
        return -1;
    if (write(fd, line, (size_t)length) != length) {
        close(fd);
        return -1;
    }
    return close(fd);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "log";
    unlink(path);
    for (int step = 0; step < 40; step++)
        if (append_line(path, step) != 0)
            return 1;
    return 0;
}
