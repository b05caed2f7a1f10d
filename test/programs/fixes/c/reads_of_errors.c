/* FIX posix-small-reads example: the end of the file is told from an error */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char record[24];
    long sum = 0;
    int fd = open(argv[0], O_RDONLY);
    if (fd < 0)
        return argc;
    for (int i = 0; i < 30; i++) {
        if (read(fd, record, sizeof record) < 0) { // HERE
            close(fd);
            return 2;
        }
        sum += record[3];
    }
    close(fd);
    printf("%d\n", sum != 1);
    return 0;
}
