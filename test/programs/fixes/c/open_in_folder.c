/* FIX open-close-in-loop trade: the name is put together anew for each message, and is always the same */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void log_progress(const char *folder, int step)
{
    char path[256], line[64];
    snprintf(path, sizeof path, "%s/progress.log", folder);
    int length = snprintf(line, sizeof line, "step %d\n", step);
    int fd = open(path, O_CREAT | O_APPEND | O_WRONLY, 0644); // HERE
    if (fd < 0 || write(fd, line, (size_t)length) != length)
        exit(1);
    close(fd);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "results";
    mkdir(folder, 0755);
    for (int step = 0; step < 60; step++)
        log_progress(folder, step);
    return 0;
}
