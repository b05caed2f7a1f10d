/* FIX repeated-questions trade: where there is no turn, nobody asks */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long sizes(const char *path, int turns)
{
    struct stat status;
    long sum = 0;
    for (int i = 0; i < turns; i++) {
        if (stat(path, &status) != 0) // HERE
            return -1;
        sum += status.st_size;
    }
    return sum;
}

int main(void)
{
    int fd = open("table", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (write(fd, "0123456789", 10) != 10)
        return 1;
    close(fd);
    printf("%ld %ld %ld %ld\n", sizes("table", 3), sizes("absent", 2), sizes("absent", 0), sizes("absent", -1));
    return 0;
}
