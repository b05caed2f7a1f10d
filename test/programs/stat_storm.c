/* Asks the same path again and again; with "good" once. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int good = argc > 1 && strcmp(argv[1], "good") == 0;
    struct stat status;
    int fd = open("data.bin", O_CREAT | O_TRUNC | O_RDWR, 0644);
    if (fd < 0 || ftruncate(fd, 4096) != 0 || fstat(fd, &status) != 0)
        return 1;
    for (int step = 0; step < 300; step++)
        if (!good && stat("data.bin", &status) != 0) /* repeated-questions */
            return 1;
    close(fd);
    return status.st_size == 4096 ? 0 : 1;
}
