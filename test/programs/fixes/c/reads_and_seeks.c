/* FIX posix-small-reads example: the descriptor is moved in between */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void check(int sound)
{
    if (!sound) {
        perror("table");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    char record[16];
    long sum = 0;
    int fd = open(argv[0], O_RDONLY);
    for (int i = 0; i < 300; i++) {
        check(read(fd, record, sizeof record) == sizeof record); // HERE
        sum += record[0] * i + argc;
        lseek(fd, 8, SEEK_CUR);
    }
    close(fd);
    printf("%d\n", sum != 1);
    return 0;
}
