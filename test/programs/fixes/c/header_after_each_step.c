/* FIX posix-redundant-writes trade: each step writes the header over that of the step before */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void check(int sound)
{
    if (!sound) {
        perror("header");
        exit(1);
    }
}

int main(void)
{
    char header[64] = "header";
    int fd = open("header", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 300; i++) {
        header[i % 64] = (char)('a' + i % 26);
        check(pwrite(fd, header, sizeof header, 0) == sizeof header); // HERE
    }
    puts("done");
    return close(fd);
}
