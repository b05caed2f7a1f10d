/* FIX posix-small-reads trade: records that one function reads, one after the other */
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
    }
    close(fd);
    printf("%s\n", sum != 0 ? "read" : "nothing");
    return 0;
}
